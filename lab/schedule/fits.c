/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a partial placement can still become a schedule: registers for the values that are alive,
 * slots and sub-units for what is left, and templates and sequences.
 */
#include "schedule/schedule.h"

#include <string.h>

/* ---- registers ---- */

static int floor_div(int a, int b)
{
    return a / b - (a % b != 0 && a < 0);
}

bool sched_meet(const struct sched_life *a, const struct sched_life *b, int period, bool same)
{
    /* b moved by k periods meets a for the k from low to high */
    const int low = -floor_div(b->to - a->from, period);
    const int high = floor_div(a->to - b->from, period);
    return same ? high > 0 : low <= high;
}

/* Lists the lives that exist in the plan. Returns how many. */
static unsigned alive(const struct sched_plan *plan, const struct sched_life *list[SCHED_LIVES])
{
    unsigned count = 0;
    for (unsigned i = 0; i < SCHED_LIVES; i++) {
        if (plan->life[i].cls != SCHED_NONE) {
            list[count++] = &plan->life[i];
        }
    }
    return count;
}

/* Returns whether the class can be held in some number of registers used in turn. */
static bool rotates(const struct sched_plan *plan, const struct sched_life *const *list,
                    unsigned count, int cls)
{
    const bool once = cls == SCHED_L16 || plan->pin[cls] != SCHED_NONE;
    for (unsigned q = 1; q <= (once ? 1 : SCHED_PHASES); q++) {
        bool good = true;
        for (unsigned i = 0; good && i < count; i++) {
            for (unsigned k = i; good && list[i]->cls == cls && k < count; k++) {
                good = list[k]->cls != cls ||
                       !sched_meet(list[i], list[k], (int)(q * plan->ii), i == k);
            }
        }
        if (good) {
            return true;
        }
    }
    return false;
}

static bool registers_suffice(const struct sched_search *s, const struct sched_plan *plan)
{
    const unsigned free = 8 - (unsigned)__builtin_popcount(s->body->constants | s->limits.regs);
    const struct sched_life *list[SCHED_LIVES];
    const unsigned count = alive(plan, list);
    bool seen[SCHED_CLASSES] = {false};
    unsigned area = 0;
    for (unsigned i = 0; i < count; i++) {
        const int cls = list[i]->cls;
        if (!seen[cls] && !rotates(plan, list, count, cls)) {
            return false;
        }
        seen[cls] = true;
        area += cls == SCHED_L16 ? 0 : (unsigned)(list[i]->to - list[i]->from + 1);
    }
    return area <= free * plan->ii;
}

/* ---- slots and sub-units for the rest ---- */

/* Returns whether slots and sub-units suffice for the ops to come and loads without a copy. */
static bool rest_fits(const struct sched_search *s, const struct sched_plan *plan)
{
    const struct sched_body *b = s->body;
    unsigned left = 0, loads = 0, open = 0;
    unsigned want[4] = {0}, cycles[4] = {0}, offered[4] = {0}, free[4] = {0};
    bool copied[SCHED_VALUES] = {false};
    for (unsigned i = 0; i < plan->ii; i++) {
        left += plan->slot[i] == SCHED_FREE;
        for (unsigned u = 0; u < 4; u++) {
            free[u] += plan->unit[u][i] == SCHED_FREE;
        }
        /* An SFPSWAP that begins here takes the MAD sub-unit's port. */
        const int simple = plan->unit[0][i];
        free[1] -= simple >= 0 && b->op[simple].cycles == 2 &&
                   sched_slot(plan, plan->place[simple].time) == i;
    }
    for (unsigned i = 0; i < plan->issues; i++) {
        const struct sched_issue *issue = &plan->issue[i];
        for (unsigned u = 0; u < 4 && issue->op == SCHED_NONE; u++) {
            offered[u] += issue->unit[u] == SCHED_NONE;
        }
        open += issue->op == SCHED_NONE && issue->load == SCHED_NONE;
        if (issue->load != SCHED_NONE) {
            copied[issue->load] = true;
        }
    }
    for (unsigned k = plan->placed; k < b->ops; k++) {
        const struct sched_op *op = &b->op[k];
        const unsigned unit = sched_unit(op->form[0].row);
        bool fixed = true;
        for (unsigned f = 1; f < op->forms; f++) {
            fixed = fixed && sched_unit(op->form[f].row) == unit;
        }
        want[unit] += fixed;
        cycles[unit] += fixed ? op->cycles : 0;
        cycles[1] += op->cycles - 1;
    }
    for (unsigned i = 0; i < b->values; i++) {
        loads += b->value[i].kind == SCHED_LOADED && !copied[i];
    }
    if (loads > left + open) {
        return false;
    }
    for (unsigned u = 0; u < 4; u++) {
        if (cycles[u] > free[u] || want[u] > offered[u] + left) {
            return false;
        }
    }
    return true;
}

/* ---- templates and sequences ---- */

/*
 * The operand whose field the SFPLOADMACRO's register replaces, so that the template may have
 * anything there; or SCHED_NONE.
 */
static int replaced(const struct sched_form *form, const struct sched_place *place)
{
    const unsigned own = place->other ? SCHED_VB : SCHED_VC;
    return sched_replaces(form, own) ? (int)own : SCHED_NONE;
}

/* Returns whether two scheduled ops may share a template, going by words and constants. */
static bool one_template(const struct sched_body *b, const struct sched_plan *plan, int x, int y)
{
    const struct sched_place *p = &plan->place[x];
    const struct sched_place *q = &plan->place[y];
    const struct sched_form *f = &b->op[x].form[p->form];
    const struct sched_form *g = &b->op[y].form[q->form];
    const int in_f = replaced(f, p);
    const int in_g = replaced(g, q);
    bool one = f->word == g->word && (p->other == q->other || (in_f >= 0 && in_g >= 0));
    for (int i = 0; one && i < SCHED_OPERANDS; i++) {
        const int v = f->operand[i];
        const int w = g->operand[i];
        if (i == in_f || i == in_g || v == SCHED_NONE || w == SCHED_NONE) {
            continue;
        }
        const bool fixed = b->value[v].kind == SCHED_CONSTANT;
        one = fixed == (b->value[w].kind == SCHED_CONSTANT) &&
              (!fixed || b->value[v].reg == b->value[w].reg);
    }
    return one;
}

/* Returns whether two loads may share a sequence, whatever else they will schedule. */
static bool one_sequence(const struct sched_body *b, const struct sched_plan *plan,
                         const struct sched_issue *x, const struct sched_issue *y)
{
    for (unsigned u = 0; u < 4; u++) {
        if (x->unit[u] == SCHED_NONE || y->unit[u] == SCHED_NONE) {
            continue;
        }
        const struct sched_place *p = &plan->place[x->unit[u]];
        const struct sched_place *q = &plan->place[y->unit[u]];
        if (p->time - x->time != q->time - y->time || p->l16 != q->l16 ||
            (u != 3 && !one_template(b, plan, x->unit[u], y->unit[u]))) {
            return false;
        }
    }
    return true;
}

/* Returns whether the hardware has enough templates and sequences for the plan at best. */
static bool macros_suffice(const struct sched_search *s, const struct sched_plan *plan)
{
    const struct sched_issue *sequence[SCHED_ISSUES];
    int template[SCHED_OPS];
    unsigned sequences = 0, templates = 0;
    for (unsigned i = 0; i < plan->issues; i++) {
        const struct sched_issue *issue = &plan->issue[i];
        bool any = false;
        for (unsigned u = 0; u < 4; u++) {
            bool own = issue->unit[u] != SCHED_NONE && u != 3;
            for (unsigned k = 0; own && k < templates; k++) {
                own = !one_template(s->body, plan, template[k], issue -> unit[u]);
            }
            if (own) {
                template[templates++] = issue->unit[u];
            }
            any = any || issue->unit[u] != SCHED_NONE;
        }
        for (unsigned k = 0; any && k < sequences; k++) {
            any = !one_sequence(s->body, plan, sequence[k], issue);
        }
        if (any) {
            sequence[sequences++] = issue;
        }
    }
    return templates + s->limits.templates <= SCHED_MACROS &&
           sequences + s->limits.sequences <= SCHED_MACROS;
}

bool sched_fits(const struct sched_search *s, const struct sched_plan *plan)
{
    return registers_suffice(s, plan) && rest_fits(s, plan) && macros_suffice(s, plan);
}
