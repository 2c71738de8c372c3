/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values and what makes them: each node once, constants folded, in an order in which operands come
 * first. A reference is the number of a node times four plus the output.
 */
#ifndef TX_FAST_FLOW_H
#define TX_FAST_FLOW_H

#include "fast/step.h"

typedef uint32_t flow_ref;
enum { FLOW_ZERO = 0, FLOW_NONE = 0xFFFFFFFF };

/* Fields that two equal nodes share; padding must be zero. */
struct flow_node {
    uint8_t kind; /* enum fast_kind */
    uint8_t mode, rnd, depth, use, top_use;
    uint8_t format, number;
    uint16_t row;
    uint16_t vector;
    uint32_t imm; /* FAST_CONSTANT: index into constants */
    flow_ref in[IN_COUNT];
};

struct tx_fast_steps;

struct flow {
    const struct fast_level *level;
    struct tx_fast_steps *steps; /* not NULL: what folds constants */
    struct fast_rules rules;
    struct flow_node *nodes;
    size_t count, room;
    uint32_t *table; /* of nodes by content, numbers plus one */
    size_t table_size;
    uint32_t (*constants)[FAST_GROUP];
    size_t constant_count, constant_room;
    bool failed;  /* no memory */
    bool unknown; /* a step that steps did not have, and would not take */
};

bool flow_open(struct flow *f, const struct fast_level *level, const struct fast_rules *rules);
void flow_close(struct flow *f);

struct flow_node flow_blank(enum fast_kind kind); /* no operands */
/* The node as it is, once; and its number, or count where there is none. */
flow_ref flow_intern(struct flow *f, const struct flow_node *node);
size_t flow_number(const struct flow *f, const struct flow_node *node);
/* References of a node like this, folded where its operands are constants. */
void flow_make(struct flow *f, const struct flow_node *node, flow_ref out[OUT_COUNT]);
flow_ref flow_value(struct flow *f, const struct flow_node *node); /* its first output */
flow_ref flow_constant(struct flow *f, const uint32_t lanes[32]);
flow_ref flow_uniform(struct flow *f, uint32_t word);
flow_ref flow_select(struct flow *f, flow_ref mask, flow_ref yes, flow_ref no);

/* NULL: not a constant; else its lanes. */
const uint32_t *flow_lanes(const struct flow *f, flow_ref ref);
bool flow_is(const struct flow *f, flow_ref ref, uint32_t word); /* in all lanes */

static inline const struct flow_node *flow_at(const struct flow *f, flow_ref ref)
{
    return &f->nodes[ref / 4];
}

/* A step that does what the node says; arrays and strides are the caller's. */
void flow_step(const struct flow *f, const struct flow_node *node, struct fast_step *s);

#endif
