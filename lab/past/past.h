/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "past": going backwards in time. It may use base.
 *
 * The past of something that runs in repeatable steps and can save its state: checkpoints, closer
 * together the nearer they are to now, and the changes that a debugger has made between them. An
 * earlier moment is restored from the nearest checkpoint before it by running the steps from there
 * again.
 */
#ifndef LAB_PAST_PAST_H
#define LAB_PAST_PAST_H

#include "base/error.h"

#include <stdbool.h>

/* A change made from outside, at the beginning of its step. */
struct change {
    uint64_t time;
    int kind; /* kind, core, where and index mean what the owner defines */
    int core;
    uint32_t where, index;
    uint32_t size; /* number of its bytes */
    size_t at;     /* offset of its bytes in data */
};

/* The owner: what runs in steps. */
struct past_of {
    void *user;
    size_t size; /* of a checkpoint, in bytes */
    /* Returns how many steps have been taken. */
    uint64_t (*now)(void *user);
    /* Runs one step; from the same state it always gives the same result. */
    void (*step)(void *user);
    /* Saves the state; returns false without memory. */
    bool (*save)(void *user, void *bytes);
    void (*load)(void *user, const void *bytes);
    /* Frees what save has put beside its bytes; NULL: nothing. */
    void (*drop)(void *user, void *bytes);
    size_t beside; /* about so many bytes */
    /*
     * Applies a change, whose bytes are accepted up to *done; returns false where not all were.
     * NULL: there are no changes.
     */
    bool (*change)(void *user, const struct change *change, const uint8_t *bytes, uint32_t *done);
};

struct checkpoint {
    uint64_t time;
    void *bytes;
};

struct history {
    struct past_of of;
    uint64_t spacing; /* smallest distance of checkpoints, in steps */
    unsigned most;    /* largest number of checkpoints */
    struct checkpoint *points;
    unsigned count;
    struct change *changes;
    size_t change_count, change_room;
    size_t next; /* first change that is not yet done at the current time */
    uint8_t *data;
    size_t data_size, data_room;
};

/* Opens a history. budget limits the bytes of checkpoints. Returns TXL_CONTINUE or TXL_INPUT. */
int history_open(struct txl_error *err, struct history *h, const struct past_of *of,
                 uint64_t spacing, uint64_t budget);
void history_free(struct history *h);

/*
 * Applies a change and records it. Returns false where it was not accepted; then only the bytes
 * before the first one refused are different.
 */
bool history_change(struct history *h, const struct change *change, const void *bytes);
/* Tells whether there is a change of that kind at the current time. */
bool history_has(const struct history *h, int kind);
/* To be called after each step that the owner took forwards, the first time or repeated. */
void history_went(struct history *h);

/* Returns the earliest moment that can be restored. */
uint64_t history_begin(const struct history *h);
/* Returns the time of the last checkpoint before this time, or of the first where there is none. */
uint64_t history_before(const struct history *h, uint64_t time);
/* Restores the checkpoint of exactly this time, with the changes of that time applied. */
void history_back(struct history *h, uint64_t checkpoint);
/*
 * Repeats a step that was taken before. target is the time to be reached; on the way, checkpoints
 * useful for it are added.
 */
void history_again(struct history *h, uint64_t target);
/* Forgets everything recorded after now. */
void history_cut(struct history *h);

#endif
