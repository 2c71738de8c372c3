/* SPDX-License-Identifier: Apache-2.0 */
/* tensix check: vectors onto a machine and back. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli.h"
#include "vector.h"

/* One machine per chip and mode, opened when first needed. */
struct check_machines {
    tx_machine *machine[TX_BLACKHOLE + 1][2];
};

void check_machines_close(struct check_machines *machines);
tx_machine *check_machine(struct check_machines *machines, enum tx_arch arch, enum tx_mode mode);

/* Sets the state on a machine that has been reset; false: message says what was refused. */
bool check_apply(tx_machine *machine, unsigned thread, const struct vec_state *state,
                 char message[VEC_MESSAGE]);
/* True where everything named agrees; else message holds the first difference. */
bool check_compare(const tx_machine *machine, unsigned thread, const struct vec_state *state,
                   char message[VEC_MESSAGE]);
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

struct check_record {
    enum tx_arch arch;
    unsigned thread;
    const char *initial; /* file with a state object, or NULL */
    const char *out;     /* NULL: stdout */
    char **files;
    unsigned count;
};

int check_record_all(struct cli *cli, const struct check_record *record);

#endif
