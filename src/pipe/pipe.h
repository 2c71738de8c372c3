/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Vector Unit, cycle by cycle: which vector instructions start, when their results are written,
 * and which ones the interlock holds. The computation itself is in exec.h.
 */
#ifndef TX_PIPE_PIPE_H
#define TX_PIPE_PIPE_H

#include "pipe/exec.h"
#include "pipe/macro.h"

/* Fills the machine's decoding tables, which depend on the chip alone. */
void pipe_open(struct tx_machine *m);

/*
 * Decodes the word that a thread presents. *op has ROWID_NONE if its unit is not modelled. Returns
 * false, and stops the machine, if the chip has no such instruction.
 */
bool pipe_resolve(struct tx_machine *m, unsigned thread, uint32_t word, struct tx_op *op);

static inline bool pipe_is_vector(const struct tx_op *op)
{
    return op->unit >= TX_UNIT_LOAD && op->unit <= TX_UNIT_STORE;
}

/*
 * Returns why the interlock holds this vector instruction in this cycle, or NULL. For events, *by
 * says which instruction in flight holds it.
 */
const char *pipe_hold_flights(const struct tx_machine *m, const struct tx_op *op,
                              struct tx_stall *by);
static inline const char *pipe_hold(const struct tx_machine *m, const struct tx_op *op,
                                    struct tx_stall *by)
{
    return m->state.flights != 0 ? pipe_hold_flights(m, op, by) : NULL;
}

/*
 * Runs one cycle of the Vector Unit; op is the instruction that the thread issues, or NULL. The
 * caller advances state.cycle.
 */
void pipe_cycle(struct tx_machine *m, const struct tx_op *op);

/* Puts an executed two-cycle instruction, issued in cycle "start", among those in flight. */
void pipe_flight(struct tx_machine *m, const struct started *of, uint64_t start);

/*
 * A faster way for instructions that are alone in the Vector Unit (src/pipe/direct.c): no
 * LaneConfig bit is set, and nothing else is under way except one multiply-add, whose result is
 * kept in a struct pipe_late until the end of the cycle.
 */
enum pipe_kind { PIPE_OTHER, PIPE_ONE_CYCLE, PIPE_SWAP, PIPE_MAD };
struct pipe_late {
    struct effect *effect; /* NULL: no multiply-add is under way */
    struct tx_op op;
    uint64_t start;
    uint32_t lanes, writes;
};
/* Returns how an instruction can be executed in this way; PIPE_OTHER: it cannot. */
enum pipe_kind pipe_kind(const struct tx_op *op);
/*
 * pipe_meets returns the registers that op shares with the result under way; pipe_waits those for
 * which Blackhole holds op.
 */
uint32_t pipe_meets(const struct tx_op *op, const struct pipe_late *late);
uint32_t pipe_waits(const struct tx_machine *m, const struct tx_op *op,
                    const struct pipe_late *late);
/* Executes op in its cycle (an SFPSWAP in both of its cycles). The caller counts the cycles. */
void pipe_alone(struct tx_machine *m, const struct tx_op *op, enum pipe_kind kind,
                struct pipe_late *late);
/*
 * pipe_late_end writes the result under way; pipe_late_keep hands it over to the state's
 * instructions in flight.
 */
void pipe_late_end(struct tx_machine *m, struct pipe_late *late);
void pipe_late_keep(struct tx_machine *m, struct pipe_late *late);

/* Returns whether instructions are under way that will still write. */
static inline bool pipe_busy(const struct tx_machine *m)
{
    return m->state.flights != 0 || (m->state.pending_count != 0 && macro_running(m));
}

#endif
