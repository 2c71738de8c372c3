/* SPDX-License-Identifier: Apache-2.0 */
/* A set of steps that differ in more than their data, and compiled code for them. */
#ifndef TX_FAST_STEPS_H
#define TX_FAST_STEPS_H

#include "fast/dag.h"

#include <tensix-internal/fast_steps.h>

/*
 * Up to this many different immediates of a row and mode become constants; further ones are passed
 * as an argument.
 */
enum { STEPS_IMMEDIATES = 16, STEPS_GIVEN = 1 };

struct tx_fast_steps {
    /*
     * Nodes without operands; with vector STEPS_GIVEN also without immediate. The first node is no
     * step.
     */
    struct dag set;
    tx_fast_code **code; /* by number of the node; once it exists, no more steps are added */
    uint8_t immediates[ROWID_COUNT][16];
};

/*
 * Executes the node's step, compiled if there is code. Returns false if the step was not compiled.
 */
bool fast_steps_run(tx_fast_steps *steps, const struct dag_node *node, const struct fast_step *s,
                    const struct fast_context *c);

#endif
