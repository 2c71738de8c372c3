/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The past of a tile: checkpoints, closer together the nearer they are, and between them what the
 * debugger itself has changed. A moment of the past is the nearest checkpoint before it and the
 * cycles from there, run once more.
 */
#ifndef LAB_GDB_HISTORY_H
#define LAB_GDB_HISTORY_H

#include <tensix/tensix.h>

#include "base/error.h"

#include <stdbool.h>

enum change_kind {
    CHANGE_MEMORY,   /* bytes at an address, as the core sees it */
    CHANGE_REGISTER, /* x1 to x31, 32 the pc: one word */
    CHANGE_CSR,      /* one word */
    CHANGE_FILE,     /* a register file of the coprocessor, enum tx_file: words */
    CHANGE_HOST,     /* one word at an address, as the NoC reaches it */
    CHANGE_WAKE,
    CHANGE_FREEZE, /* where: the set of cores */
    CHANGE_SPLIT   /* addresses, as words */
};

/* One intervention; it is done at the beginning of its cycle. */
struct change {
    uint64_t cycle;
    enum change_kind kind;
    enum tx_core core;
    uint32_t where, index; /* address, register, CSR, file and its index */
    uint32_t size;         /* of its bytes */
    size_t at;             /* of its bytes in data */
};

struct checkpoint {
    uint64_t cycle;
    void *bytes;
};

struct history {
    tx_tensix *tile;
    size_t checkpoint_size;
    unsigned most; /* checkpoints */
    struct checkpoint *points;
    unsigned count;
    struct change *changes;
    size_t change_count, change_room;
    size_t next; /* the first change that has not been done, seen from the tile's cycle */
    uint8_t *data;
    size_t data_size, data_room;
};

enum { HISTORY_SPACING = 8192 }; /* cycles between the nearest checkpoints */

/* TXL_CONTINUE, or TXL_INPUT. budget: bytes of checkpoints. */
int history_open(struct txl_error *err, struct history *h, tx_tensix *tile, uint64_t budget);
void history_free(struct history *h);

/* Changes the tile and remembers it. False: the tile takes no such change, nothing is different but
 * bytes of memory before the first one that it does not take. */
bool history_change(struct history *h, const struct change *change, const void *bytes);
/* Whether there is a change of that kind at the tile's cycle. */
bool history_has(const struct history *h, enum change_kind kind);
/* The tile has gone on by a cycle for the first time; what was ahead of it is forgotten. */
void history_went(struct history *h);

/* The earliest moment. */
uint64_t history_begin(const struct history *h);
/* The cycle of the last checkpoint before this cycle; of the first one, where there is none. */
uint64_t history_before(const struct history *h, uint64_t cycle);
/* Puts the tile to the checkpoint of exactly this cycle, with the changes of the cycle done. */
void history_back(struct history *h, uint64_t checkpoint);
/* One cycle that was run before. target: what all this is for; checkpoints are left on the way. */
void history_again(struct history *h, uint64_t target);
/* Nothing is known any more of what comes after the tile's cycle. */
void history_cut(struct history *h);

#endif
