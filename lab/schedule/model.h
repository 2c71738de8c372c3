/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that state schedules as clauses share (model.c says what that is for): the
 * variables, and how clauses are made of them.
 */
#ifndef LAB_SCHEDULE_MODEL_H
#define LAB_SCHEDULE_MODEL_H

#include "schedule/schedule.h"
#include "schedule/solver.h"

enum {
    MODEL_TIMES = 64,             /* cycles of a row at most */
    MODEL_ENDS = MODEL_TIMES + 2, /* cycles in which a register can be in use */
    MODEL_FIELDS = SCHED_OPERANDS + SCHED_REGS,
    MODEL_KINDS = SCHED_FORMS * 5,
    MODEL_REGS = 16,              /* all that a field can name */
    MODEL_NOTHING = SCHED_VALUES, /* what a load loads that serves for its address only */
    MODEL_LOAD = 4,               /* in place of a sub-unit: a load that is an op */
    /* More than what all phases hold at a time, the longest list. */
    MODEL_LITERALS = SCHED_PHASES * (SCHED_VALUES + MODEL_TIMES + 1)
};

/* One way to do an op. */
struct model_kind {
    uint8_t form, unit;
    bool macro, other, l16;
};

struct model {
    const struct sched_body *body;
    const struct sched_limits *limits;
    struct solver *solver;
    unsigned ii, phases;
    int times; /* cycles of a row */
    int yes;   /* a variable that is true */
    struct model_kind kind[SCHED_OPS][MODEL_KINDS];
    unsigned kinds[SCHED_OPS];

    /* What follows are variables of the solver, 0 where there is none. Ops: */
    int at[SCHED_OPS][MODEL_TIMES]; /* the op's cycle */
    int by[SCHED_OPS][MODEL_TIMES]; /* it is not later */
    int is[SCHED_OPS][MODEL_KINDS]; /* how it is done, and so: */
    int unit[SCHED_OPS][4], plain[SCHED_OPS], l16[SCHED_OPS], other[SCHED_OPS];
    int delay[SCHED_OPS][SCHED_DELAYS];
    int launch[SCHED_OPS][MODEL_TIMES];             /* the load of this cycle schedules it */
    int copy[SCHED_OPS][MODEL_FIELDS][MODEL_TIMES]; /* its field reads what that one loads */
    int field[SCHED_OPS][SCHED_OPERANDS][SCHED_PHASES][MODEL_REGS]; /* what its field names */
    int template[SCHED_OPS][SCHED_PHASES][SCHED_MACROS];
    /* Values that ops make: */
    int reg[SCHED_VALUES][SCHED_PHASES][SCHED_REGS];
    int held[SCHED_VALUES][MODEL_ENDS]; /* the register is in use in this cycle */
    /* Loads, by cycle: that there is one, what it loads, and the same as above. */
    int load[MODEL_TIMES], loads[SCHED_VALUES + 1][MODEL_TIMES];
    int load_reg[MODEL_TIMES][SCHED_PHASES][SCHED_REGS];
    int load_held[MODEL_TIMES][MODEL_ENDS];
    int sequence[MODEL_TIMES][SCHED_PHASES][SCHED_MACROS];

    int list[MODEL_LITERALS]; /* a clause that is being made */
    unsigned listed;
};

/* Adds a clause of the literals that follow. */
#define MODEL_RULE(m, ...) solver_clause((m)->solver, (const int[]){__VA_ARGS__, 0})

int model_fresh(struct model *m);
void model_list(struct model *m, int literal);
/* At least one of the listed literals holds. Empties the list, as do those that follow. */
void model_one_of(struct model *m);
/* At most one of them. keep: leaves the list as it is, for more that is to be said about it. */
void model_not_two(struct model *m, bool keep);
void model_just_one(struct model *m);

bool model_usable(const struct model *m, unsigned reg);
unsigned model_slot(const struct model *m, int time);
/* What a field of a form reads, or SCHED_NONE; from SCHED_OPERANDS on the pinned registers. */
int model_value(const struct sched_op *op, unsigned form, unsigned field);
bool model_is(const struct model *m, int value, enum sched_kind kind);
/* The field for which the SFPLOADMACRO's register stands. */
unsigned model_own(const struct sched_op *op, const struct model_kind *kind);

/* Whether an op is a load, which keeps a part of its destination. */
bool model_is_load(const struct sched_op *op);

void model_when(struct model *m);   /* cycles, issue slots and sub-units */
void model_where(struct model *m);  /* registers */
void model_macros(struct model *m); /* templates and sequences */

#endif
