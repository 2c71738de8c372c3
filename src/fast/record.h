/* SPDX-License-Identifier: Apache-2.0 */
/* What the Vector Unit did in one run of .tile, execution by execution. */
#ifndef TX_FAST_RECORD_H
#define TX_FAST_RECORD_H

#include "state/machine.h"

/* One execution, as machine->on_exec reports it. */
struct fast_record {
    struct tx_op op;
    uint64_t cycle;
    uint16_t address;
    uint8_t mode, depth; /* mode of loads and stores, resolved; entries of the flag stack */
    bool use, use_after; /* UseLaneFlagsForLaneEnable, before and after */
    bool top_use;        /* of the flag stack's top */
    bool odd, remap, swizzle, high;
    bool runs;  /* in all lanes that are enabled; else in none */
    bool seeds; /* no execution: "seed" goes to the generators at the end of the cycle */
    uint32_t seed;
};

struct fast_recording {
    struct fast_record *list;
    size_t count, room;
    const char *reason; /* why the reference engine must do it; NULL: it need not */
    bool failed;        /* no memory: something is missing */
};

/* To be put into machine->on_exec and on_change while the kernel runs. */
void fast_record(void *user, const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                 const struct effect *e, uint32_t lanes);
void fast_record_change(void *user, const struct tx_machine *m, enum machine_change change,
                        uint32_t value);

#endif
