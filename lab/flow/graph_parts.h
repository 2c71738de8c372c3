/* SPDX-License-Identifier: Apache-2.0 */
/* What the graph of values is made of: for the files of the graph itself. */
#ifndef LAB_FLOW_GRAPH_PARTS_H
#define LAB_FLOW_GRAPH_PARTS_H

#include "flow/graph.h"

enum {
    RECENT = 64,    /* steps that may still write: the machine starts six a cycle, for two cycles */
    PENDING = 16,   /* values of a register that are not there yet; six a cycle at most */
    MOST = 1 << 20, /* of each kind of thing */
    ALL_LANES = -1
};

#define NONE ((uint32_t)TXL_NO_VALUE)

/* 32 words: a register's content, or the values that own its lanes. */
typedef uint32_t block[TX_LANES];

struct step {
    struct txl_step seen;
    struct tx_operands operands;
    uint32_t found;  /* in list: a value for each bit of reads, in order */
    uint32_t made;   /* in list: a value for each bit of writes, in order */
    uint32_t loaded; /* two blocks: value and lane that each lane was stored by; NONE: no load */
    uint32_t stored; /* value of a store; NONE: nothing yet */
    struct graph_mark mark;
};

struct value {
    struct txl_value seen;
    uint32_t bits;   /* block, or NONE: never in the register */
    uint32_t owners; /* block, or NONE: all lanes are owner's */
    uint32_t owner;
    struct graph_mark mark;
};

/* A value on its way: in the register from this cycle on, whatever predication left of it. */
struct pending {
    uint32_t value;
    uint64_t due;
};

struct txl_graph {
    bool failed;
    size_t most_steps; /* 0: all are kept */
    struct step *steps;
    struct value *values;
    uint32_t *list;
    block *blocks;
    size_t step_count, step_room, value_count, value_room;
    size_t list_count, list_room, block_count, block_room;
    uint32_t now[TX_LREGS]; /* value in each register */
    struct pending pending[TX_LREGS][PENDING];
    unsigned pending_count[TX_LREGS];
    uint32_t pending_regs;                    /* that have any */
    uint32_t cell[TX_DST_ROWS][TX_DST_WIDTH]; /* value that was stored there */
    uint8_t cell_lane[TX_DST_ROWS][TX_DST_WIDTH];
    graph_written *written;
    void *user;
};

/* Forgets all steps but the last RECENT, and the values that these and the machine need no more. */
void graph_forget(txl_graph *graph);

#endif
