/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lowering: a symbolic machine whose registers hold nodes of the graph. Shared by schedule.c and
 * lower_*.c.
 */
#ifndef TX_FAST_LOWERING_H
#define TX_FAST_LOWERING_H

#include "fast/schedule.h"

enum { WRITES = 96, CELLS = TX_DST_ROWS / 2, ALL = 0xFFFFFFFF, LOW_HALF = 0x8000 };

/* 16 bits in the even or odd columns of four rows of Dst. */
struct cell {
    uint16_t row[4];
    dag_ref ref;
};

/* The place of 32 lanes of data in Dst; low: the rows of the low halves of 32-bit data. */
struct spot {
    uint16_t row[4], low[4];
    bool wide, odd;
};

enum place { TO_LREG, TO_FLAGS, TO_ENABLED, TO_STACK, TO_LATCH, TO_PRNG, TO_CELL, EXCHANGE };

/*
 * A write that takes place at the end of a cycle. EXCHANGE is the second cycle of SFPSWAP, in the
 * lanes of mask. TO_PRNG without a value advances the generators, once per such write.
 */
struct write {
    enum place place;
    unsigned which; /* register, stack slot or cell; TO_ENABLED: 1 if predication is on */
    dag_ref value, mask;
    uint8_t vc, vb, second;
};

struct writes {
    struct write list[WRITES];
    unsigned count;
};

struct lowering {
    const struct fast_task *task;
    struct dag *dag;
    struct fast_schedule *out;
    dag_ref lreg[17], flags, enabled, stack[8], latch, prng;
    struct writes now, later;
    struct cell cells[CELLS];
    unsigned cell_count;
    uint16_t owner[TX_DST_ROWS][2]; /* per row and parity of columns: number of the cell plus one */
    /* Per row: 64 * input + row of the tile, plus one, with LOW_HALF; 0: none. */
    uint16_t brings[TX_DST_ROWS];
    dag_ref ones;
    /* ENABLE_DEST_INDEX and CAPTURE_DEFAULT_DEST_INDEX, the same in all lanes. */
    bool index, capture;
};

void lower_refuse(struct lowering *l, const char *reason); /* keeps the first reason */

/* Adds a write to those at the end of this cycle or of the next one. */
void lower_write_to(struct lowering *l, struct writes *to, const struct write *w);
/* The same for a value in the lanes of mask; which: see struct write. */
void lower_put(struct lowering *l, struct writes *to, enum place place, unsigned which,
               dag_ref value, dag_ref mask);

/* Lowers one execution; the cycles around it are in schedule.c. */
void lower_execute(struct lowering *l, const struct fast_record *r);

/* Returns the value of an operation on two operands; b may be DAG_NONE. */
dag_ref lower_of_two(struct lowering *l, enum fast_kind kind, dag_ref a, dag_ref b);

/* Dst. A spot is the place of the 32 lanes of an access. */
struct spot lower_spot_of(const struct fast_record *r, bool wide);
dag_ref lower_read_spot(struct lowering *l, const struct spot *spot);
void lower_write_spot(struct lowering *l, const struct spot *spot, dag_ref value, dag_ref mask);

#endif
