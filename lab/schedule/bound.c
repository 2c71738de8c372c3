/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lower bound of II: what no schedule of a row can undercut, because each row needs its cycles
 * of the sub-units, of their write ports and of the issue slots.
 */
#include "schedule/schedule.h"

#include <string.h>

/* The sub-units that an op can run on in any of its forms; bit n stands for enum tx_unit n. */
static unsigned units(const struct sched_op *op)
{
    unsigned set = 0;
    for (unsigned i = 0; i < op->forms; i++) {
        set |= 1U << op->form[i].row->unit;
    }
    return set;
}

/* Returns whether the op runs on Simple or Round in all of its forms. */
static bool needs_port(const struct sched_op *op)
{
    return (units(op) & ~(1U << TX_UNIT_SIMPLE | 1U << TX_UNIT_ROUND)) == 0;
}

bool sched_in_l16(const struct sched_body *body, int value)
{
    const struct sched_value *v = &body->value[value];
    if (v->kind != SCHED_MADE || v->uses != 1 || body->op[v->op].cycles == 2 ||
        (units(&body->op[v->op]) & 1U << TX_UNIT_LOAD) != 0) {
        return false;
    }
    for (unsigned i = 0; i < body->ops && !v->stored; i++) {
        const struct sched_op *op = &body->op[i];
        if (op->form[0].operand[SCHED_OLD] == value) {
            return sched_in_l16(body, op->out); /* what keeps a part of it is in L16, too */
        }
    }
    return v->stored;
}

static void at_least(struct sched_bound *bound, unsigned ii, const char *why)
{
    if (ii > bound->ii) {
        *bound = (struct sched_bound){ii, why};
    }
}

/* Returns how many values that are made for the write port could go through L16 and Dst instead. */
static unsigned beside_port(const struct sched_body *body)
{
    int list[SCHED_VALUES];
    const unsigned count = sched_spillable(body, list);
    unsigned beside = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct sched_op *op = &body->op[body->value[list[i]].op];
        beside += op->cycles == 1 && needs_port(op);
    }
    return beside;
}

struct sched_bound sched_bound(const struct sched_body *body, unsigned spills)
{
    const unsigned beside = spills != 0 ? beside_port(body) : 0;
    struct sched_bound bound = {1, "one issue slot for each row"};
    unsigned simple = 0, mad = 0, round = 0, both = 0, loads = 0, exchanges = 0, stores = 0;
    unsigned counts[3] = {0};
    bool addressed = false;
    for (unsigned i = 0; i < body->ops; i++) {
        const struct sched_op *op = &body->op[i];
        const unsigned set = units(op);
        /* What goes through L16 spares the write port. */
        const bool l16 = op->out != SCHED_NONE && sched_in_l16(body, op->out);
        loads += set == 1U << TX_UNIT_LOAD;
        stores += op->store;
        simple += set == 1U << TX_UNIT_SIMPLE ? op->cycles : 0;
        mad += set == 1U << TX_UNIT_MAD ? 1 : 0;
        round += set == 1U << TX_UNIT_ROUND ? 1 : 0;
        exchanges += op->cycles - 1;
        both += needs_port(op) && !l16 ? op->cycles : 0;
        counts[0] += set == 1U << TX_UNIT_SIMPLE;
        counts[1] += set == 1U << TX_UNIT_MAD;
        counts[2] += set == 1U << TX_UNIT_ROUND;
    }
    for (unsigned i = 0; i < body->values; i++) {
        const struct sched_value *v = &body->value[i];
        loads += v->kind == SCHED_LOADED;
        addressed = addressed || (v->kind == SCHED_LOADED && v->address == body->address);
    }
    addressed = addressed || spills != 0;
    both -= spills < beside ? spills : beside;
    at_least(&bound, loads + spills + (addressed ? 0 : 1),
             "issue slots: loads, and the store's address");
    at_least(&bound, simple, "cycles of the Simple sub-unit");
    at_least(&bound, round, "cycles of the Round sub-unit");
    at_least(&bound, mad + exchanges, "cycles of the MAD sub-unit, whose port SFPSWAP takes");
    at_least(&bound, both, "cycles of the write port that Simple and Round share");
    at_least(&bound, stores + spills, "cycles of the Store sub-unit");
    for (unsigned i = 0; i < 3; i++) {
        at_least(&bound, counts[i], "issue slots: an SFPLOADMACRO schedules one per sub-unit");
    }
    return bound;
}
