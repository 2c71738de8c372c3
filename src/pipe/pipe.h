/* SPDX-License-Identifier: Apache-2.0 */
/* The Vector Unit, cycle by cycle. */
#ifndef TX_PIPE_PIPE_H
#define TX_PIPE_PIPE_H

#include "pipe/exec.h"
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

/* Takes over an executed two-cycle instruction that started in that cycle. */
void pipe_flight(struct tx_machine *m, const struct started *of, uint64_t start);

/*
 * Instructions alone in the Vector Unit (src/pipe/direct.c): no LaneConfig bit is set, nothing else
 * is under way but the result of one multiply-add, which is written at the end of the cycle.
 */
enum pipe_kind { PIPE_OTHER, PIPE_ONE_CYCLE, PIPE_SWAP, PIPE_MAD };
struct pipe_late {
    struct effect *effect; /* NULL: there is none */
    struct tx_op op;
    uint64_t start;
    uint32_t lanes, writes;
};
enum pipe_kind pipe_kind(const struct tx_op *op);
/* Registers that op needs, and of these those that Blackhole holds it for. */
uint32_t pipe_meets(const struct tx_op *op, const struct pipe_late *late);
uint32_t pipe_waits(const struct tx_machine *m, const struct tx_op *op,
                    const struct pipe_late *late);
/* Its cycle, and the second one of an SFPSWAP; the caller counts them. */
void pipe_alone(struct tx_machine *m, const struct tx_op *op, enum pipe_kind kind,
                struct pipe_late *late);
/* The end of a cycle for it; or it becomes one of the state. */
void pipe_late_end(struct tx_machine *m, struct pipe_late *late);
void pipe_late_keep(struct tx_machine *m, struct pipe_late *late);

/* Instructions are under way that will still write. */
static inline bool pipe_busy(const struct tx_machine *m)
{
    return m->state.flights != 0 || (m->state.pending_count != 0 && macro_running(m));
}

#endif
