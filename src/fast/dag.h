/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directed acyclic graph of the values that a tile's run computes. A node is an operation with
 * its operands; equal nodes are one, and operations on constants are constants. Operands have lower
 * numbers than what uses them. A node has up to three outputs (enum fast_out): a reference to one
 * of them is the number of the node times four plus the output.
 */
#ifndef TX_FAST_DAG_H
#define TX_FAST_DAG_H

#include "fast/step.h"

typedef uint32_t dag_ref;
enum { DAG_ZERO = 0, DAG_NONE = 0xFFFFFFFF };

/* Fields that two equal nodes share; padding must be zero. */
struct dag_node {
    uint8_t kind; /* enum fast_kind */
    uint8_t mode, rnd, depth, use, top_use;
    uint8_t format, number;
    uint16_t row;
    uint16_t vector;
    uint32_t imm; /* FAST_CONSTANT: index into constants; number 1: it varies */
    dag_ref in[IN_COUNT];
};

struct tx_fast_steps;

struct dag {
    const struct fast_level *level;
    struct tx_fast_steps *steps; /* not NULL: what folds constants */
    struct fast_rules rules;
    struct dag_node *nodes;
    size_t count, room;
    uint32_t *table; /* of nodes by content, numbers plus one */
    size_t table_size;
    uint32_t (*constants)[FAST_GROUP];
    size_t constant_count, constant_room;
    const uint32_t *varying; /* constants that are not to be known, see fast_vary.h */
    unsigned varying_count;
    bool failed;  /* no memory */
    bool unknown; /* a step that steps did not have, and would not take */
};

bool dag_open(struct dag *dag, const struct fast_level *level, const struct fast_rules *rules);
void dag_close(struct dag *dag);

struct dag_node dag_blank(enum fast_kind kind); /* no operands */
/* The node as it is, once; and its number, or count where there is none. */
dag_ref dag_intern(struct dag *dag, const struct dag_node *node);
size_t dag_number(const struct dag *dag, const struct dag_node *node);
/* References of a node like this, folded where its operands are constants. */
void dag_make(struct dag *dag, const struct dag_node *node, dag_ref out[OUT_COUNT]);
dag_ref dag_value(struct dag *dag, const struct dag_node *node); /* its first output */
dag_ref dag_constant(struct dag *dag, const uint32_t lanes[32]);
dag_ref dag_uniform(struct dag *dag, uint32_t word);
dag_ref dag_select(struct dag *dag, dag_ref mask, dag_ref yes, dag_ref no);

/* NULL: not a constant; else its lanes. */
const uint32_t *dag_lanes(const struct dag *dag, dag_ref ref);
bool dag_is(const struct dag *dag, dag_ref ref, uint32_t word); /* in all lanes */

static inline const struct dag_node *dag_at(const struct dag *dag, dag_ref ref)
{
    return &dag->nodes[ref / 4];
}

/* A step that does what the node says; arrays and strides are the caller's. */
void dag_step(const struct dag *dag, const struct dag_node *node, struct fast_step *s);

#endif
