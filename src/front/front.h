/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The front end of the machine: how instruction words reach the gates (expanders, queues), which
 * words pass in a cycle, and running many cycles at once where nothing observes the difference.
 */
#ifndef TX_FRONT_FRONT_H
#define TX_FRONT_FRONT_H

#include "state/machine.h"

/*
 * Runs one cycle of the whole machine. If word is not NULL, it is presented to the expanders of the
 * thread directly, behind what the thread's queues still hold; words of an expansion under way come
 * first, one per cycle. *accepted becomes true if the presented word was taken.
 */
void front_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted);

/*
 * Runs a prefix of the words: as many everyday vector instructions (and those of the Matrix Unit
 * and the packers) as follow each other while nothing else is under way. Counts them in *run,
 * subtracts their cycles from *left, and returns how many it ran; the last word is never taken. Not
 * for a machine with a sink, which is told of every cycle.
 */
struct span;
size_t front_straight(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                      struct span *run, uint64_t *left);

/* For front_straight: runs PACRs that can go in a run (unit_pack_run), at most so many words and
 * cycles. Returns how many. */
size_t front_packs(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                   uint64_t cycles, struct span *run);
/* The same of instructions of the unpackers. */
size_t front_fetch(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                   struct span *run, uint64_t *left);

/*
 * To be called after a cycle that has let no word pass. Skips the cycles that would be like it,
 * "most" at most, and returns how many. The caller would have run them with the same words.
 */
uint64_t front_skip(struct tx_machine *m, uint64_t most);
/*
 * Returns whether nothing has happened in the last cycle, nothing is under way, and no time of a
 * unit will come: all cycles are like the last one until something else changes.
 */
bool front_stands(const struct tx_machine *m);

/*
 * For a machine with units that are quicker than on the chip (sooner.c): to be called before every
 * cycle until it returns false, with the number of calls before it in "rounds". Gives these units
 * a round of their own. *passed: bit per thread that a word has passed from.
 */
bool front_sooner(struct tx_machine *m, unsigned rounds, unsigned *passed);
/* All rounds that come before a cycle, where nobody presents words in between. */
void front_all_sooner(struct tx_machine *m);

/* Returns whether words are still to come out of the thread's expanders or queues. */
bool front_busy(const struct tx_machine *m, unsigned thread);

/* Brings everything that indexes an array into range, after a restore from a foreign snapshot. */
void front_make_safe(struct tx_state *s);

/*
 * For a machine with delays (state/delay.h). delay_holds: returns whether a delay holds the word at
 * its gate. delay_passed: counts a word that has passed. delay_begins: returns true if the effect
 * of the instruction comes later, so that it must not be executed now. delay_settle: to be called
 * between two cycles, executes what has become due. delay_free: forgets all delays.
 */
bool delay_holds(struct tx_machine *m, unsigned thread, const struct tx_op *op);
void delay_passed(struct tx_machine *m, unsigned thread);
bool delay_begins(struct tx_machine *m, const struct tx_op *op);
void delay_settle(struct tx_machine *m);
void delay_free(struct tx_machine *m);

/*
 * For a tile that keeps no time (tile/untimed.c): lets the thread's words pass, one per cycle and
 * for "most" cycles at most, until one is held; words of other threads stay. Returns how many
 * passed.
 */
size_t front_eager(struct tx_machine *m, unsigned thread, uint64_t most);
/*
 * Lets time pass until something happens, for "most" cycles at most. Returns false if nothing is
 * under way that goes on by itself.
 */
bool front_wait(struct tx_machine *m, uint64_t most);

/* ---- for the files of this folder ---- */

/* The word at a thread's gate: where it came from, and what is consumed when it passes. */
struct direct {
    uint32_t word;
    const uint32_t *behind_mop; /* a word of the queue behind the MOP Expander, or NULL */
    bool present;
    bool replayed;
    bool from_mop;
    bool taken; /* the presented word has been consumed */
};
/*
 * direct_head determines the word at the gate of a thread to whose expanders *word, if not NULL, is
 * presented. direct_passed consumes it once it has passed.
 */
void direct_head(struct tx_machine *m, unsigned thread, const uint32_t *word, struct direct *d);
void direct_passed(struct tx_machine *m, unsigned thread, struct direct *d);

/* Returns whether anything is under way that ends by itself. */
bool front_runs_by_itself(const struct tx_machine *m);

/*
 * Returns whether no word of another thread and no unit but the Vector Unit, the Matrix Unit and
 * the packers is active.
 */
static inline bool front_alone(const struct tx_machine *m, unsigned thread)
{
    const struct front *f = &m->state.front;
    const struct units *u = &m->state.units;
    const struct mop *mop = &f->mop[thread];
    return (f->queued[0] | f->queued[1] | f->queued[2] | u->waits | u->scalar.live | u->requests |
            u->config_writes | u->unpack.jobs | mop->active | mop->waiting) == 0;
}

/* Returns whether the MOP Expander consumes the word: MOP, MOP_CFG or RESOURCEDECL. */
bool mop_takes(const struct tx_machine *m, uint32_t word);
bool mop_is_mop(const struct tx_machine *m, uint32_t word);
/* Executes such a word. */
void mop_start(struct tx_machine *m, unsigned thread, uint32_t word);
/* Puts the next word of the expansion into mop.out. Returns false if the expansion is over. */
bool mop_produce(struct tx_machine *m, unsigned thread);

bool replay_is_replay(const struct tx_machine *m, uint32_t word);
void replay_start(struct tx_machine *m, unsigned thread, uint32_t word);
/* Appends a word to the recording under way. */
void replay_record(struct tx_machine *m, unsigned thread, uint32_t word);
/* Goes on to the next word of the replay under way. */
void replay_advance(struct tx_machine *m, unsigned thread);

/*
 * Runs one cycle of the gates and units; word[t] stands at the gate of thread t, or is NULL. Sets
 * passed[t]. The cycle counter advances unless the machine stops.
 */
void gate_cycle(struct tx_machine *m, const uint32_t *const word[TX_THREADS],
                bool passed[TX_THREADS]);
/*
 * A faster gate_cycle for the case that this thread alone has a word, no wait is latched, and
 * nothing is under way but in the Vector Unit, the Matrix Unit and the packers. With "any", other
 * units may be busy too, and the caller settles them. Returns false, having changed nothing, if the
 * word needs gate_cycle.
 */
bool gate_quick(struct tx_machine *m, unsigned thread, uint32_t word, bool any, bool *passed);
/* One cycle of the queues of a thread that has words; "passed": the word at its gate has passed. */
void front_stages(struct tx_machine *m, unsigned thread, bool passed);
/* Lets the thread's words go as far towards its gate as they get without one of them passing. */
void front_fill(struct tx_machine *m, unsigned thread);
/*
 * Returns whether the condition of the thread's latched wait still holds it back. If not, the wait
 * is removed.
 */
bool gate_waits(struct tx_machine *m, unsigned thread);
/* Returns whether the latched wait holds this word. */
bool gate_blocks(struct tx_machine *m, unsigned thread, uint32_t word);

#endif
