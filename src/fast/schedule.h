/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the Vector Unit did in one run of .tile, and the same as a list of steps in which every
 * instruction reads and writes as it did cycle by cycle.
 */
#ifndef TX_FAST_SCHEDULE_H
#define TX_FAST_SCHEDULE_H

#include "fast/block.h"
#include "state/machine.h"

struct fast_schedule {
    struct fast_op *ops;
    size_t count, room;
    uint64_t instructions;
    bool draws;                   /* random numbers */
    uint16_t row_of[TX_DST_ROWS]; /* number of a physical Dst row; ROW_NONE: not touched */
    uint16_t physical[TX_DST_ROWS];
    unsigned rows;
    const char *reason; /* why the reference engine must do it; NULL: it need not */
};
enum { ROW_NONE = 0xFFFF };

/* One execution, as machine->on_exec reports it. */
struct fast_record {
    struct tx_op op;
    uint64_t cycle;
    uint16_t address;
    uint8_t mode, depth;
    bool use, use_after, top_use, odd, remap, swizzle;
    bool runs; /* in all lanes that are enabled; else in none */
};

struct fast_recording {
    struct fast_record *list;
    size_t count, room;
    const char *reason;
};

/* To be put into machine->on_exec while the kernel runs. */
void fast_record(void *user, const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                 const struct effect *e, uint32_t lanes);

/* False: no memory. Otherwise see out->reason. */
/* start: the state each tile begins with. */
bool fast_schedule(const struct tx_machine *m, const struct tx_state *start,
                   const struct fast_level *level, const struct fast_recording *recording,
                   struct fast_schedule *out);
/* Number of a physical row, new if need be. */
uint16_t fast_row(struct fast_schedule *s, unsigned physical);

#endif
