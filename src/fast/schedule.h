/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From executions by cycle to values. In one cycle everything reads before anything is written, and
 * results of two-cycle instructions are written a cycle later, before those of that cycle.
 */
#ifndef TX_FAST_SCHEDULE_H
#define TX_FAST_SCHEDULE_H

#include "fast/flow.h"
#include "fast/record.h"
#include "kernel.h"

struct fast_schedule {
    struct flow flow;
    flow_ref roots[32]; /* words of the output tile: 2 * rows / 4 + odd column */
    uint64_t instructions;
    const char *reason; /* why the reference engine must do it; NULL: it need not */
};

/* False: no memory. Otherwise see out->reason. flow_close(&out->flow) in any case. */
bool fast_schedule(const tx_kernel *k, const struct fast_level *level,
                   const struct fast_recording *recording, struct fast_schedule *out);

#endif
