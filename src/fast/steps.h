/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that differ in more than their data, each once, and compiled code for them. */
#ifndef TX_FAST_STEPS_H
#define TX_FAST_STEPS_H

#include "fast/dag.h"

#include <tensix-internal/fast_steps.h>

/* Different immediates of a row and mode that become constants; further ones are an argument. */
enum { STEPS_IMMEDIATES = 16, STEPS_GIVEN = 1 };

struct tx_fast_steps {
    /* Nodes without operands, vector STEPS_GIVEN: without immediate; the first one is no step. */
    struct dag set;
    tx_fast_code **code; /* by number; not NULL: no further ones */
    uint8_t immediates[ROWID_COUNT][16];
};

/* The node's step, compiled where it is. False: it is none of those that were. */
bool fast_steps_run(tx_fast_steps *steps, const struct dag_node *node, const struct fast_step *s,
                    const struct fast_context *c);

#endif
