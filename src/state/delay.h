/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays that the host asks for (tx_order_delays) to explore other timings of the same program: a
 * thread's word that comes later, or a unit that takes longer. Implemented in src/front/delay.c.
 */
#ifndef TX_STATE_DELAY_H
#define TX_STATE_DELAY_H

#include "state/machine.h"

/* An instruction that has passed its gate and has not taken effect yet. */
struct delayed {
    bool live;
    struct tx_op op;
    uint64_t due;
    struct rwc rwc[TX_THREADS];            /* the counters as the instruction found them */
    struct adc adc[TX_THREADS][ADC_UNITS]; /* likewise */
};

struct delays {
    size_t count;
    uint64_t passed[TX_THREADS]; /* instructions that have passed since tx_order_delays */
    uint64_t until[TX_THREADS];  /* the gate is held until this cycle; 0: not yet decided */
    struct delayed late;
    /* An instruction whose unit takes "extra" cycles longer; UINT64_MAX: none. */
    uint64_t number, extra;
    uint64_t enter; /* first cycle in which an unpacker reads its configuration */
    /* Copy of the state while an instruction is tried out; l1 is that of L1. */
    struct tx_state *kept;
    uint8_t *l1;
    struct tx_delay list[];
};

/* Returns the cycles by which the unit of op is to take longer than usual. */
static inline uint64_t delay_extra(const struct tx_machine *m, const struct tx_op *op)
{
    return m->delays != NULL && m->delays->number == op->number ? m->delays->extra : 0;
}

#endif
