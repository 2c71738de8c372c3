/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "past": the way back. It may use base.
 *
 * The past of something that runs step by step and can save itself: checkpoints, closer together
 * the nearer they are, and between them what a debugger has changed. A moment of the past is the
 * nearest checkpoint before it and the steps from there, run once more.
 */
#ifndef LAB_PAST_PAST_H
#define LAB_PAST_PAST_H

#include "base/error.h"

#include <stdbool.h>

/* One intervention; it is done at the beginning of its step. */
struct change {
    uint64_t time;
    int kind; /* what, core, where, index: as whose past it is likes */
    int core;
    uint32_t where, index;
    uint32_t size; /* of its bytes */
    size_t at;     /* of its bytes in data */
};

/* Whose past it is. */
struct past_of {
    void *user;
    size_t size; /* of a checkpoint */
    /* How many steps have been taken. */
    uint64_t (*now)(void *user);
    /* One step, the same one whenever it begins in the same state. */
    void (*step)(void *user);
    /* False: it cannot be had, for want of memory. */
    bool (*save)(void *user, void *bytes);
    void (*load)(void *user, const void *bytes);
    /*
     * Bytes of the change are taken up to *done; false: not all of them. NULL: nobody changes
     * anything.
     */
    bool (*change)(void *user, const struct change *change, const uint8_t *bytes, uint32_t *done);
};

struct checkpoint {
    uint64_t time;
    void *bytes;
};

struct history {
    struct past_of of;
    uint64_t spacing; /* steps between the nearest checkpoints */
    unsigned most;    /* checkpoints */
    struct checkpoint *points;
    unsigned count;
    struct change *changes;
    size_t change_count, change_room;
    size_t next; /* the first change that has not been done, seen from now */
    uint8_t *data;
    size_t data_size, data_room;
};

/* TXL_CONTINUE, or TXL_INPUT. budget: bytes of checkpoints. */
int history_open(struct txl_error *err, struct history *h, const struct past_of *of,
                 uint64_t spacing, uint64_t budget);
void history_free(struct history *h);

/* Changes it and remembers that. False: no such change was taken, nothing is different but bytes
 * before the first one that was not taken. */
bool history_change(struct history *h, const struct change *change, const void *bytes);
/* Whether there is a change of that kind now. */
bool history_has(const struct history *h, int kind);
/* A step was taken, for the first time or once more on the way forwards. */
void history_went(struct history *h);

/* The earliest moment. */
uint64_t history_begin(const struct history *h);
/* The time of the last checkpoint before this one; of the first one, where there is none. */
uint64_t history_before(const struct history *h, uint64_t time);
/* To the checkpoint of exactly this time, with the changes of the time done. */
void history_back(struct history *h, uint64_t checkpoint);
/* A step that was taken before. target: what all this is for; checkpoints are left on the way. */
void history_again(struct history *h, uint64_t target);
/* Nothing is known any more of what comes after now. */
void history_cut(struct history *h);

#endif
