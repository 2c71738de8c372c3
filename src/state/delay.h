/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays that somebody asks for to see what else could have happened (tx_order_delays): a thread
 * whose words come later, a unit that takes longer. src/front/delay.c.
 */
#ifndef TX_STATE_DELAY_H
#define TX_STATE_DELAY_H

#include "state/machine.h"

/* An instruction that has passed its gate and has not taken effect. */
struct delayed {
    bool live;
    struct tx_op op;
    uint64_t due;
    struct rwc rwc[TX_THREADS];            /* counters as it found them */
    struct adc adc[TX_THREADS][ADC_UNITS]; /* likewise */
};

struct delays {
    size_t count;
    uint64_t passed[TX_THREADS]; /* instructions since tx_order_delays */
    uint64_t until[TX_THREADS];  /* the gate is held to this cycle */
    struct delayed late;
    uint64_t number, extra; /* of the instruction being executed: its unit takes longer */
    uint64_t enter;         /* an unpacker looks at its configuration no sooner */
    struct tx_state *kept;  /* state, and behind it L1, while effects are tried */
    uint8_t *l1;
    struct tx_delay list[];
};

/* Cycles by which the unit of op is late with it. */
static inline uint64_t delay_extra(const struct tx_machine *m, const struct tx_op *op)
{
    return m->delays != NULL && m->delays->number == op->number ? m->delays->extra : 0;
}

#endif
