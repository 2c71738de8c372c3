/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "vectors": brings conformance vectors onto a machine, compares the result, records new ones,
 * and runs many of them (checker.c). It may use base, engine and kernel.
 */
#ifndef LAB_CHECK_H
#define LAB_CHECK_H

#include <tensix-internal/fast_steps.h>

#include "vectors/check_chip.h"
#include "vectors/vector.h"

/* One machine for each chip and mode, opened when it is first needed. */
struct check_machines {
    tx_machine *machine[TX_BLACKHOLE + 1][2];
    uint8_t *l1; /* L1 of the vector that runs, where it has one */
    struct check_chips chips;
};

void check_machines_close(struct check_machines *machines);
tx_machine *check_machine(struct check_machines *machines, enum tx_arch arch, enum tx_mode mode);

/* Sets the state on a machine that has been reset. False: err says what was refused. */
bool check_apply(tx_machine *machine, unsigned thread, const struct vec_state *state,
                 struct txl_error *err);
/*
 * Returns whether everything that the state names agrees; otherwise err has the first
 * difference.
 */
bool check_compare(const tx_machine *machine, unsigned thread, const struct vec_state *state,
                   struct txl_error *err);
/* The same for the address counters and L1, whose unnamed bytes must be as before. */
bool check_compare_tile(const tx_machine *machine, const struct vec_state *initial,
                        const struct vec_state *state, struct txl_error *err);
/* The part of check_apply for these. */
bool check_apply_tile(tx_machine *machine, const struct vec_state *state, struct txl_error *err);
/*
 * Runs the words of all threads through their front ends until nothing moves. It is no error when
 * words are never done. stalled: for each thread its first word that is not done, or the number of
 * its words.
 */
enum tx_status check_run_threads(tx_machine *machine, const struct vector *vector,
                                 size_t stalled[TX_THREADS]);
/*
 * The engine that computes everything a second time: a level of the fast engine, or compiled steps
 * for each chip.
 */
struct check_engine {
    const char *level;
    tx_fast_steps *steps[TX_BLACKHOLE + 1];
};

/*
 * Resets the machine, applies the initial state, runs the words and compares. engine NULL: on the
 * reference engine only; otherwise *reason says why that engine could not compute it, if so.
 */
bool check_run(struct check_machines *machines, const struct vector *vector,
               const struct check_engine *engine, const char **reason, struct txl_error *err);

#endif
