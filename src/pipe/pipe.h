/* SPDX-License-Identifier: Apache-2.0 */
/* The Vector Unit, cycle by cycle. */
#ifndef TX_PIPE_PIPE_H
#define TX_PIPE_PIPE_H

#include "pipe/macro.h"

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
const char *pipe_hold_flights(const struct tx_machine *m, const struct tx_op *op,
                              struct tx_stall *by);
static inline const char *pipe_hold(const struct tx_machine *m, const struct tx_op *op,
                                    struct tx_stall *by)
{
    return m->state.flights != 0 ? pipe_hold_flights(m, op, by) : NULL;
}

/* One cycle of the Vector Unit; op NULL: no regular instruction starts. Leaves state.cycle. */
void pipe_cycle(struct tx_machine *m, const struct tx_op *op);

/* Instructions are under way that will still write. */
static inline bool pipe_busy(const struct tx_machine *m)
{
    return m->state.flights != 0 || (m->state.pending_count != 0 && macro_running(m));
}

#endif
