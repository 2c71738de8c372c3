/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A solver for clauses over variables that are true or false. A literal is the number of a
 * variable, which stands for "it is true", or its negation, "it is false"; a clause is a list of
 * literals of which at least one holds, ended by 0.
 */
#ifndef LAB_SCHEDULE_SOLVER_H
#define LAB_SCHEDULE_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

struct solver;

enum solver_answer {
    SOLVER_HOLDS,   /* there are values with which every clause holds: see solver_value */
    SOLVER_REFUTED, /* there are none */
    SOLVER_LIMIT,   /* neither is known yet: the limit was reached or go_on has said no */
    SOLVER_MEMORY   /* no memory: the solver is of no more use */
};

struct solver *solver_open(void); /* NULL: no memory */
void solver_close(struct solver *solver);
int solver_variable(struct solver *solver); /* a new one */
/* Clauses may be added before solver_run and between its calls. */
void solver_clause(struct solver *solver, const int *literals);
/* most: the conflicts until it gives up, 0: no limit. A later call goes on from where it was. */
enum solver_answer solver_run(struct solver *solver, uint64_t most, bool (*go_on)(void *user),
                              void *user);
bool solver_value(const struct solver *solver, int variable); /* after SOLVER_HOLDS */
uint64_t solver_conflicts(const struct solver *solver);       /* in all calls */

#endif
