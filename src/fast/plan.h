/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan: steps in order, with the arrays that hold their values. If all 32 vectors of a tile are
 * computed in the same way from inputs at their own place, the plan is that of one vector and runs
 * for all of a tile at once (vector shape); otherwise it is that of a whole tile and runs for
 * several tiles at once (tile shape).
 */
#ifndef TX_FAST_PLAN_H
#define TX_FAST_PLAN_H

#include "fast/schedule.h"

/*
 * Places of values: an array of the worker (its number), a constant (bit 31 and its index), or
 * none.
 */
enum { PLACE_CONSTANT = INT32_MIN, PLACE_NONE = -1 };

struct plan_step {
    struct dag_node node;
    bool masked;
    uint8_t mad; /* enum fast_mad */
    int32_t in[IN_COUNT];
    int32_t out[OUT_COUNT];
};

struct fast_plan {
    struct dag dag; /* for the vector shape; the tile shape uses the schedule's graph */
    const struct dag *from;
    bool vector_shape, seeds;
    struct plan_step *steps;
    size_t count, room;
    unsigned arrays; /* number of arrays, each of FAST_GROUP words times groups */
    unsigned groups; /* groups in a block */
};

/* Returns false if memory runs out. */
bool fast_plan(const struct fast_schedule *schedule, struct fast_plan *out);
/*
 * Whether an element of the result depends on nothing but the inputs at its own place, and in the
 * same way at all places.
 */
bool fast_plan_elementwise(const struct fast_plan *plan);
void fast_plan_close(struct fast_plan *plan);

#endif
