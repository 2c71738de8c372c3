/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_FRONT_FRONT_H
#define TX_FRONT_FRONT_H

#include "state/machine.h"

/*
 * One cycle of everything. word, if not NULL, is presented to the expanders of thread directly,
 * behind whatever its queues still hold; *accepted: it was taken. Words of an expansion under way
 * come first, one per cycle.
 */
void front_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted);

/*
 * The first of these words, as many as are everyday vector instructions with nothing beside them:
 * run, counted in *run and taken from the cycles *left. Returns how many; the last is never taken.
 * Not for a machine with a sink, which is told of every cycle.
 */
struct span;
size_t front_straight(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                      struct span *run, uint64_t *left);

/*
 * Behind a cycle that has let nothing in: counts as many cycles as are like it, "most" at most, and
 * tells how many. The caller would run them with the same words.
 */
uint64_t front_skip(struct tx_machine *m, uint64_t most);

/* Words are still to come out of the thread's expanders or queues. */
bool front_busy(const struct tx_machine *m, unsigned thread);

/* After a restore: brings what indexes arrays into range. */
void front_make_safe(struct tx_state *s);

/*
 * Where the machine has delays (state/delay.h): does one hold the word; it has passed; does its
 * effect come later; between two cycles; they are forgotten.
 */
bool delay_holds(struct tx_machine *m, unsigned thread, const struct tx_op *op);
void delay_passed(struct tx_machine *m, unsigned thread);
bool delay_begins(struct tx_machine *m, const struct tx_op *op);
void delay_settle(struct tx_machine *m);
void delay_free(struct tx_machine *m);

/*
 * Untimed (tile/untimed.c): the thread's words pass, one in each of "most" cycles, until one is
 * held; other threads' do not. Returns how many.
 */
size_t front_eager(struct tx_machine *m, unsigned thread, uint64_t most);
/* Only time goes on, until it has brought something. False: none goes on by itself. */
bool front_wait(struct tx_machine *m, uint64_t most);

/* ---- for the files of this folder ---- */

/* Where the word at the gate came from, and what it takes with it when it passes. */
struct direct {
    uint32_t word;
    const uint32_t *behind_mop; /* a word of the queue behind the MOP Expander, or NULL */
    bool present;
    bool replayed;
    bool from_mop;
    bool taken; /* the presented word has been */
};
/* The word at the gate of a thread to whose expanders *word, if not NULL, is presented; it has
 * passed. */
void direct_head(struct tx_machine *m, unsigned thread, const uint32_t *word, struct direct *d);
void direct_passed(struct tx_machine *m, unsigned thread, struct direct *d);

/* Is there something that goes on by itself? */
bool front_runs_by_itself(const struct tx_machine *m);

/* Nothing but the Vector, the Matrix Unit and packers is under way, nor any other word. */
static inline bool front_alone(const struct tx_machine *m, unsigned thread)
{
    const struct front *f = &m->state.front;
    const struct units *u = &m->state.units;
    const struct mop *mop = &f->mop[thread];
    return (f->queued[0] | f->queued[1] | f->queued[2] | u->waits | u->scalar.live | u->requests |
            u->config_writes | u->unpack.jobs | mop->active | mop->waiting) == 0;
}

/* Is the word for the MOP Expander alone: MOP, MOP_CFG, RESOURCEDECL? */
bool mop_takes(const struct tx_machine *m, uint32_t word);
bool mop_is_mop(const struct tx_machine *m, uint32_t word);
/* Takes such a word. */
void mop_start(struct tx_machine *m, unsigned thread, uint32_t word);
/* Makes mop.out the next word of the expansion; false: it is over. */
bool mop_produce(struct tx_machine *m, unsigned thread);

bool replay_is_replay(const struct tx_machine *m, uint32_t word);
void replay_start(struct tx_machine *m, unsigned thread, uint32_t word);
/* Puts a word into the recording under way. */
void replay_record(struct tx_machine *m, unsigned thread, uint32_t word);
/* The present word of a replay under way has been taken. */
void replay_advance(struct tx_machine *m, unsigned thread);

/* The gates: word[t] stands at the gate of thread t, or NULL. Ends the cycle unless the machine
 * stops. */
void gate_cycle(struct tx_machine *m, const uint32_t *const word[TX_THREADS],
                bool passed[TX_THREADS]);
/* The same where one thread alone has a word, no wait is latched and nothing is under way beside
 * the Vector Unit, the Matrix Unit and the packers; or "any" other unit, which the caller settles.
 * False: the word needs more than this. */
bool gate_quick(struct tx_machine *m, unsigned thread, uint32_t word, bool any, bool *passed);
/* Is the thread's latched wait not over? If it is, it is forgotten. */
bool gate_waits(struct tx_machine *m, unsigned thread);
/* Does the latched wait hold the word? */
bool gate_blocks(struct tx_machine *m, unsigned thread, uint32_t word);

#endif
