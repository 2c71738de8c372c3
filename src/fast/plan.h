/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps in order, with the arrays that hold their values. Where all 32 vectors of a tile are made
 * from inputs at their own place in the same way, the plan is that of one vector, for all of a tile
 * at once (vector shape); else it is that of a whole tile, for several at once (tile shape).
 */
#ifndef TX_FAST_PLAN_H
#define TX_FAST_PLAN_H

#include "fast/schedule.h"

/* Where values stand: arrays of the worker, a constant (bit 31), or nowhere. */
enum { PLACE_CONSTANT = INT32_MIN, PLACE_NONE = -1 };

struct plan_step {
    struct dag_node node;
    bool masked;
    uint8_t mad; /* enum fast_mad */
    int32_t in[IN_COUNT];
    int32_t out[OUT_COUNT];
};

struct fast_plan {
    struct dag dag; /* of the vector shape; the tile shape uses the schedule's */
    const struct dag *from;
    bool vector_shape, seeds;
    struct plan_step *steps;
    size_t count, room;
    unsigned arrays; /* of FAST_GROUP words times groups */
    unsigned groups; /* in a block */
};

/* False: no memory. */
bool fast_plan(const struct fast_schedule *schedule, struct fast_plan *out);
void fast_plan_close(struct fast_plan *plan);

#endif
