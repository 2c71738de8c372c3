/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From executions by cycle to values. In one cycle everything reads before anything is written, and
 * results of two-cycle instructions are written a cycle later, before those of that cycle.
 */
#ifndef TX_FAST_SCHEDULE_H
#define TX_FAST_SCHEDULE_H

#include "fast/dag.h"
#include "fast/record.h"
#include "state/machine.h"

#include <tensix/formats.h>

/* What is to be scheduled. */
struct fast_task {
    const struct tx_machine *machine;
    const struct tx_state *start; /* before the first execution */
    enum tx_format format;        /* of Dst in tiles */
    enum tx_format out;           /* of the output tile */
    unsigned inputs;              /* tiles that fill rows of Dst, word by word; 0..16 */
    uint16_t input_row[16][64], output_row[64]; /* physical */
    /* Not NULL: there are no tiles, and values are computed at once; they go here. */
    struct tx_state *final;
    struct tx_fast_steps *steps; /* NULL, or what computes them */
    const uint32_t *varying;     /* as in struct dag */
    unsigned varying_count;
};

struct fast_schedule {
    struct dag dag;
    dag_ref roots[32]; /* words of the output tile: 2 * rows / 4 + odd column */
    uint64_t instructions;
    const char *reason; /* why the reference engine must do it; NULL: it need not */
};

struct fast_rules fast_rules_of(const struct tx_machine *machine);

/* False: no memory. Otherwise see out->reason. dag_close(&out->dag) in any case. */
bool fast_schedule(const struct fast_task *task, const struct fast_level *level,
                   const struct fast_recording *recording, struct fast_schedule *out);

#endif
