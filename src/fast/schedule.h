/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From executions to values: what a recording computes, as a graph. In a cycle everything reads
 * before anything is written; results of two-cycle instructions are written a cycle later, before
 * those of that cycle.
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
    const struct tx_state *start;               /* the state before the first execution */
    enum tx_format format;                      /* format of the input tiles in Dst */
    enum tx_format out;                         /* of the output tile */
    unsigned inputs;                            /* number of input tiles, 0..16 */
    uint16_t input_row[16][64], output_row[64]; /* physical rows */
    /*
     * If not NULL, there are no tiles: values are computed at once, and the final state goes here.
     */
    struct tx_state *final;
    struct tx_fast_steps *steps; /* what computes the values, or NULL */
    const uint32_t *varying;     /* as in struct dag */
    unsigned varying_count;
};

struct fast_schedule {
    struct dag dag;
    dag_ref roots[32]; /* the words of the output tile: vector 2 * (row / 4) + odd column */
    uint64_t instructions;
    const char *reason; /* why the kernel needs the reference engine, or NULL */
};

/* Returns the chip and the rule switches on which bodies depend, as the steps receive them. */
struct fast_rules fast_rules_of(const struct tx_machine *machine);

/*
 * Returns false if memory runs out. Otherwise out->reason tells whether there is a schedule. In
 * either case dag_close(&out->dag) is due.
 */
bool fast_schedule(const struct fast_task *task, const struct fast_level *level,
                   const struct fast_recording *recording, struct fast_schedule *out);

#endif
