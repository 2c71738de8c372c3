/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the graph of values, for the files that implement it. */
#ifndef LAB_FLOW_GRAPH_PARTS_H
#define LAB_FLOW_GRAPH_PARTS_H

#include "flow/graph.h"

enum {
    /* Latest steps that may still write: the machine starts up to six a cycle, for two cycles. */
    RECENT = 64,
    PENDING = 16,   /* values on their way to a register; at most six are added in a cycle */
    MOST = 1 << 20, /* limit of the number of each kind of element */
    ALL_LANES = -1
};

#define NONE ((uint32_t)TXL_NO_VALUE)

/* 32 words: the content of a register, or the values that own its lanes. */
typedef uint32_t block[TX_LANES];

struct step {
    struct txl_step seen;
    struct tx_operands operands;
    uint32_t found; /* in list: the value read for each bit of seen.reads, in order */
    uint32_t made;  /* in list: the value made for each bit of seen.writes, in order */
    /* Two blocks: the value and the lane by which each lane was stored; NONE: not a load. */
    uint32_t loaded;
    uint32_t stored; /* the value of a store; NONE: not stored yet */
    struct graph_mark mark;
};

struct value {
    struct txl_value seen;
    uint32_t bits;   /* block, or NONE: it never reached the register */
    uint32_t owners; /* block of the lanes' owners, or NONE: all lanes belong to owner */
    uint32_t owner;
    struct graph_mark mark;
};

/*
 * A value on its way to its register, where it is from cycle `due` on even if predication lets no
 * lane through.
 */
struct pending {
    uint32_t value;
    uint64_t due;
};

struct txl_graph {
    bool failed;
    bool no_memory;    /* the reason for failed: no memory, not the limit */
    size_t most_steps; /* limit set by graph_keep; 0: all steps are kept */
    struct step *steps;
    struct value *values;
    uint32_t *list;
    block *blocks;
    size_t step_count, step_room, value_count, value_room;
    size_t list_count, list_room, block_count, block_room;
    uint32_t now[TX_LREGS]; /* the value in each register, or NONE */
    struct pending pending[TX_LREGS][PENDING];
    unsigned pending_count[TX_LREGS];
    uint32_t pending_regs; /* bit n: register n has pending values */
    /* The value that was stored in each place of Dst, or NONE. */
    uint32_t cell[TX_DST_ROWS][TX_DST_WIDTH];
    uint8_t cell_lane[TX_DST_ROWS][TX_DST_WIDTH];
    graph_written *written;
    void *user;
};

/*
 * Forgets all steps but the last RECENT, and the values that neither these nor the registers need.
 */
void graph_forget(txl_graph *graph);

#endif
