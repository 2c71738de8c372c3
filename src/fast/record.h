/* SPDX-License-Identifier: Apache-2.0 */
/* A recording of what the Vector Unit does in one run of .tile, execution by execution. */
#ifndef TX_FAST_RECORD_H
#define TX_FAST_RECORD_H

#include "state/machine.h"

/* One execution, as reported by machine->on_exec. */
struct fast_record {
    struct tx_op op;
    uint64_t cycle;
    uint16_t address;
    /* Of loads and stores: the resolved mode; depth: entries on the flag stack. */
    uint8_t mode, depth;
    bool use, use_after; /* UseLaneFlagsForLaneEnable, before and after */
    bool top_use;        /* UseLaneFlagsForLaneEnable in the top entry of the flag stack */
    bool odd, remap, swizzle, high;
    bool runs;  /* it executes in all enabled lanes; otherwise in none */
    bool seeds; /* not an execution: at the end of the cycle "seed" is written to the generators */
    uint32_t seed;
};

struct fast_recording {
    struct fast_record *list;
    size_t count, room;
    const char *reason; /* why the kernel needs the reference engine, or NULL */
    bool failed;        /* memory ran out, so that records are missing */
};

/*
 * Callbacks for machine->on_exec and on_change while the kernel runs; user is a struct
 * fast_recording.
 */
void fast_record(void *user, const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                 const struct effect *e, uint32_t lanes);
void fast_record_change(void *user, const struct tx_machine *m, enum machine_change change,
                        uint32_t value);

#endif
