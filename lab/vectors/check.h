/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "vectors": conformance vectors onto a machine and back, and the running of many of them
 * (checker.c). It may use base, engine and kernel.
 */
#ifndef LAB_CHECK_H
#define LAB_CHECK_H

#include <tensix-internal/fast_steps.h>

#include "vectors/vector.h"

/* One machine per chip and mode, opened when first needed. */
struct check_machines {
    tx_machine *machine[TX_BLACKHOLE + 1][2];
    uint8_t *l1; /* of the vector that is run, where it has one */
};

void check_machines_close(struct check_machines *machines);
tx_machine *check_machine(struct check_machines *machines, enum tx_arch arch, enum tx_mode mode);

/* Sets the state on a machine that has been reset; false: message says what was refused. */
bool check_apply(tx_machine *machine, unsigned thread, const struct vec_state *state,
                 char message[VEC_MESSAGE]);
/* True where everything named agrees; else message holds the first difference. */
bool check_compare(const tx_machine *machine, unsigned thread, const struct vec_state *state,
                   char message[VEC_MESSAGE]);
/* Address counters and the bytes of L1, of which those that nobody names must be as before. */
bool check_compare_tile(const tx_machine *machine, const struct vec_state *initial,
                        const struct vec_state *state, char message[VEC_MESSAGE]);
/* Its part of check_apply. */
bool check_apply_tile(tx_machine *machine, const struct vec_state *state,
                      char message[VEC_MESSAGE]);
/*
 * All threads through their front ends until nothing moves; where words are never done that is no
 * error. stalled: of each thread the first word that is not done, or its count.
 */
enum tx_status check_run_threads(tx_machine *machine, const struct vector *vector,
                                 size_t stalled[TX_THREADS]);
/* What computes everything again: a level of the fast engine, or compiled steps, by chip. */
struct check_engine {
    const char *level;
    tx_fast_steps *steps[TX_BLACKHOLE + 1];
};

/*
 * Reset, apply, run, compare. engine NULL: the reference engine only; else *reason says why the
 * engine does not compute it, where it does not.
 */
bool check_run(struct check_machines *machines, const struct vector *vector,
               const struct check_engine *engine, const char **reason, char message[VEC_MESSAGE]);

#endif
