/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directed acyclic graph of the values that a tile's run computes. A node is an operation with
 * its operands; equal nodes are one, and operations on constants are constants. Operands have lower
 * numbers than the nodes that use them. A node has up to three outputs (enum fast_out); a reference
 * to an output is four times the number of the node plus the output.
 */
#ifndef TX_FAST_DAG_H
#define TX_FAST_DAG_H

#include "fast/step.h"

typedef uint32_t dag_ref;
enum { DAG_ZERO = 0, DAG_NONE = 0xFFFFFFFF };

/* What two equal nodes have in common. Compared as bytes, so that padding must be zero. */
struct dag_node {
    uint8_t kind; /* enum fast_kind */
    uint8_t mode, rnd, depth, use, top_use;
    uint8_t format, number;
    uint16_t row;
    uint16_t vector;
    uint32_t imm; /* FAST_CONSTANT: index into constants; number is 1 if it varies */
    dag_ref in[IN_COUNT];
};

struct tx_fast_steps;

struct dag {
    const struct fast_level *level;
    struct tx_fast_steps *steps; /* if not NULL, what computes constants */
    struct fast_rules rules;
    struct dag_node *nodes;
    size_t count, room;
    uint32_t *table; /* hash table of the nodes: numbers plus one, 0 if empty */
    size_t table_size;
    uint32_t (*constants)[FAST_GROUP];
    size_t constant_count, constant_room;
    /* Constants that must not be folded because they vary, see fast_vary.h. */
    const uint32_t *varying;
    unsigned varying_count;
    bool failed;  /* memory ran out */
    bool unknown; /* a step was needed that "steps" does not have */
};

bool dag_open(struct dag *dag, const struct fast_level *level, const struct fast_rules *rules);
void dag_close(struct dag *dag);

struct dag_node dag_blank(enum fast_kind kind); /* returns a node without operands */
/*
 * dag_intern returns the node's only copy; dag_number returns its number, or count if it is not
 * there.
 */
dag_ref dag_intern(struct dag *dag, const struct dag_node *node);
size_t dag_number(const struct dag *dag, const struct dag_node *node);
/* Makes a node, simplified if possible, and returns references to its outputs. */
void dag_make(struct dag *dag, const struct dag_node *node, dag_ref out[OUT_COUNT]);
dag_ref dag_value(struct dag *dag, const struct dag_node *node); /* its first output */
dag_ref dag_constant(struct dag *dag, const uint32_t lanes[32]);
dag_ref dag_uniform(struct dag *dag, uint32_t word);
dag_ref dag_select(struct dag *dag, dag_ref mask, dag_ref yes, dag_ref no);

/* Returns the lanes of a constant, or NULL if it is none. */
const uint32_t *dag_lanes(const struct dag *dag, dag_ref ref);
/* Returns whether all lanes are word. */
bool dag_is(const struct dag *dag, dag_ref ref, uint32_t word);

static inline const struct dag_node *dag_at(const struct dag *dag, dag_ref ref)
{
    return &dag->nodes[ref / 4];
}

/* Fills in a step that does what the node says; arrays and strides are left to the caller. */
void dag_step(const struct dag *dag, const struct dag_node *node, struct fast_step *s);

#endif
