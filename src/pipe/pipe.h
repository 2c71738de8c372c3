/* SPDX-License-Identifier: Apache-2.0 */
/* The Vector Unit, cycle by cycle. */
#ifndef TX_PIPE_PIPE_H
#define TX_PIPE_PIPE_H

#include "state/machine.h"

/* Settles what depends on the chip alone. */
void pipe_open(struct tx_machine *m);

/*
 * Row and operands of a word that a thread presents; ROWID_NONE for one of a unit that is not
 * modelled. False: no instruction of this chip, the machine has stopped.
 */
bool pipe_resolve(struct tx_machine *m, unsigned thread, uint32_t word, struct tx_op *op);

static inline bool pipe_is_vector(const struct tx_op *op)
{
    return op->unit >= TX_UNIT_LOAD && op->unit <= TX_UNIT_STORE;
}

/* Why the interlock holds this vector instruction in this cycle, or NULL. by: who does. */
const char *pipe_hold(const struct tx_machine *m, const struct tx_op *op, struct tx_stall *by);

/* One cycle of the Vector Unit; op NULL: no regular instruction starts. Leaves state.cycle. */
void pipe_cycle(struct tx_machine *m, const struct tx_op *op);

/* Instructions are under way that will still write. */
bool pipe_busy(const struct tx_machine *m);

#endif
