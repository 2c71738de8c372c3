/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedules of a row as clauses (solver.h), for one II and one number of phases: for every
 * instruction its cycle, its form and what issues it, for every load its cycle, for every value its
 * register in each phase, and what templates and sequences contain. Other than the search of
 * search.c, which places one instruction after the other, it learns from each conflict, and so
 * comes to schedules that depend on templates which several instructions share.
 */
#include "schedule/model.h"

#include <stdlib.h>
#include <string.h>

int model_fresh(struct model *m)
{
    return solver_variable(m->solver);
}

void model_list(struct model *m, int literal)
{
    m->list[m->listed++] = literal;
}

void model_one_of(struct model *m)
{
    m->list[m->listed] = 0;
    solver_clause(m->solver, m->list);
    m->listed = 0;
}

void model_not_two(struct model *m, bool keep)
{
    const unsigned count = m->listed;
    if (count <= 6) {
        for (unsigned i = 0; i < count; i++) {
            for (unsigned k = i + 1; k < count; k++) {
                MODEL_RULE(m, -m->list[i], -m->list[k]);
            }
        }
    } else {
        /* before: one of the literals up to here holds */
        int before = m->list[0];
        for (unsigned i = 1; i < count; i++) {
            MODEL_RULE(m, -before, -m->list[i]);
            if (i + 1 < count) {
                const int next = model_fresh(m);
                MODEL_RULE(m, -before, next);
                MODEL_RULE(m, -m->list[i], next);
                before = next;
            }
        }
    }
    m->listed = keep ? count : 0;
}

void model_just_one(struct model *m)
{
    model_not_two(m, true);
    model_one_of(m);
}

bool model_usable(const struct model *m, unsigned reg)
{
    return ((unsigned)(m->body->constants | m->limits->regs) >> reg & 1U) == 0;
}

unsigned model_slot(const struct model *m, int time)
{
    return (unsigned)time % m->ii;
}

int model_value(const struct sched_op *op, unsigned form, unsigned field)
{
    return field < SCHED_OPERANDS ? op->form[form].operand[field] : op->pin[field - SCHED_OPERANDS];
}

bool model_is(const struct model *m, int value, enum sched_kind kind)
{
    return value != SCHED_NONE && m->body->value[value].kind == kind;
}

unsigned model_own(const struct sched_op *op, const struct model_kind *k)
{
    return op->store || !k->other ? SCHED_VC : SCHED_VB;
}

bool model_is_load(const struct sched_op *op)
{
    return op->form[0].row->unit == TX_UNIT_LOAD;
}

/* ---- the whole, and back ---- */

static bool holds(const struct model *m, int literal)
{
    return literal > 0 && solver_value(m->solver, literal);
}

static int8_t reg_of(const struct model *m, const int *reg)
{
    int8_t found = 0;
    for (int r = 0; r < SCHED_REGS; r++) {
        found = holds(m, reg[r]) ? (int8_t)r : found;
    }
    return found;
}

static int read_issue(struct sched_plan *plan, unsigned slot, struct sched_issue issue)
{
    const int at = (int)plan->issues++;
    memset(issue.unit, SCHED_NONE, sizeof issue.unit);
    plan->issue[at] = issue;
    plan->slot[slot] = (int8_t)at;
    return at;
}

static void read_loads(const struct model *m, struct sched_plan *plan, struct sched_code *code,
                       int issue[MODEL_TIMES])
{
    for (int t = 0; t < m->times; t++) {
        if (!holds(m, m->load[t])) {
            continue;
        }
        const struct sched_issue load = {.time = (int16_t)t, .op = SCHED_NONE, .load = SCHED_NONE};
        issue[t] = read_issue(plan, model_slot(m, t), load);
        struct sched_issue *at = &plan->issue[issue[t]];
        const int cls = SCHED_VALUES + issue[t];
        at->cls = (int8_t)cls;
        plan->life[cls].cls = (int8_t)cls;
        for (unsigned o = 0; m->body->passes && o < m->body->ops; o++) {
            const bool is = model_is_load(&m->body->op[o]) && holds(m, m->at[o][t]);
            at->op = is ? (int8_t)o : at->op;
        }
        for (unsigned v = 0; v < m->body->values; v++) {
            at->load = holds(m, m->loads[v][t]) ? (int8_t)v : at->load;
        }
        for (unsigned p = 0; p < m->phases; p++) {
            code->reg[cls][p] = reg_of(m, m->load_reg[t][p]);
        }
    }
}

static void read_op(const struct model *m, unsigned op, struct sched_plan *plan,
                    const int issue[MODEL_TIMES])
{
    const struct sched_op *o = &m->body->op[op];
    struct sched_place *place = &plan->place[op];
    const struct model_kind *kind = NULL;
    for (unsigned k = 0; k < m->kinds[op]; k++) {
        kind = holds(m, m->is[op][k]) ? &m->kind[op][k] : kind;
    }
    for (int t = 0; t < m->times; t++) {
        place->time = holds(m, m->at[op][t]) ? (int16_t)t : place->time;
        place->issue = holds(m, m->launch[op][t]) ? (int8_t)issue[t] : place->issue;
    }
    place->form = (int8_t)kind->form;
    place->macro = kind->macro;
    place->l16 = kind->l16;
    place->other = kind->other;
    if (kind->macro) {
        plan->issue[place->issue].unit[kind->unit] = (int8_t)op;
    } else if (m->body->passes && model_is_load(o)) {
        place->issue = (int8_t)issue[place->time];
    } else {
        const struct sched_issue plain = {
            .time = place->time, .op = (int8_t)op, .load = SCHED_NONE, .cls = SCHED_NONE};
        place->issue = (int8_t)read_issue(plan, model_slot(m, place->time), plain);
    }
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        const int value = model_value(o, kind->form, i);
        place->life[i] = model_is(m, value, SCHED_MADE) ? (int8_t)value : SCHED_NONE;
        for (int t = 0; model_is(m, value, SCHED_LOADED) && t < m->times; t++) {
            if (holds(m, m->copy[op][i][t])) {
                place->life[i] = (int8_t)(SCHED_VALUES + issue[t]);
            }
        }
    }
}

static void read_back(const struct model *m, struct sched_plan *plan, struct sched_code *code)
{
    int issue[MODEL_TIMES];
    memset(plan, SCHED_NONE, sizeof *plan);
    memset(code, 0, sizeof *code);
    memset(issue, SCHED_NONE, sizeof issue);
    plan->ii = m->ii;
    plan->issues = 0;
    plan->placed = m->body->ops;
    code->phases = m->phases;
    read_loads(m, plan, code, issue);
    for (unsigned o = 0; o < m->body->ops; o++) {
        read_op(m, o, plan, issue);
    }
    for (unsigned v = 0; v < m->body->values; v++) {
        if (m->body->value[v].kind == SCHED_MADE) {
            const bool l16 = holds(m, m->l16[m->body->value[v].op]);
            plan->life[v].cls = l16 ? SCHED_L16 : (int8_t)v;
            for (unsigned p = 0; !l16 && p < m->phases; p++) {
                code->reg[v][p] = reg_of(m, m->reg[v][p]);
            }
        }
    }
}

static int later(int a, int b)
{
    return a > b ? a : b;
}

int sched_depth(const struct sched_body *b)
{
    int there[SCHED_OPS] = {0};
    int most = 0;
    /* What sets flags may be listed behind the ops that run under them: once for each op suffices.
     */
    for (unsigned round = 0; round < b->ops; round++) {
        for (unsigned o = 0; o < b->ops; o++) {
            there[o] = there[o] > 1 ? there[o] : 1;
            for (unsigned i = 0; i < MODEL_FIELDS; i++) {
                const int value = model_value(&b->op[o], 0, i);
                if (value != SCHED_NONE && b->value[value].kind == SCHED_MADE) {
                    const int maker = b->value[value].op;
                    there[o] = later(there[o], there[maker] + (int)b->op[maker].latency);
                } else if (value != SCHED_NONE && b->passes && b->value[value].op != SCHED_NONE &&
                           b->value[value].kind == SCHED_LOADED) {
                    there[o] = later(there[o], there[b->value[value].op] + 2);
                }
            }
            for (unsigned k = 0; b->passes && k < b->ops; k++) {
                const bool turns = b->op[o].store || model_is_load(&b->op[o]);
                if (turns && b->op[k].store && b->op[k].turn + 1 == b->op[o].turn) {
                    there[o] = later(there[o], there[k] + 1);
                }
            }
            if (b->op[o].after != SCHED_NONE && !b->op[o].loose) {
                there[o] = later(there[o], there[b->op[o].after] + 1);
            }
            if (b->op[o].until != SCHED_NONE && !b->op[o].loose) {
                there[b->op[o].until] = later(there[b->op[o].until], there[o]);
            }
            most = later(most, there[o]);
        }
    }
    return most + 1;
}

/* The callback of the search, which sees each conflict as a step. */
struct going {
    struct sched_search *search;
    const struct solver *solver;
    uint64_t before;
};

static bool go_on(void *user)
{
    const struct going *g = user;
    g->search->nodes = g->before + solver_conflicts(g->solver);
    return g->search->go_on(g->search->user);
}

static enum sched_answer solve(struct sched_search *s, struct model *m)
{
    struct going going = {s, m->solver, s->nodes};
    m->yes = model_fresh(m);
    MODEL_RULE(m, m->yes);
    model_when(m);
    model_where(m);
    model_macros(m);
    const enum solver_answer answer = solver_run(m->solver, s->most, go_on, &going);
    s->nodes = going.before + solver_conflicts(m->solver);
    s->stopped = s->stopped || !s->go_on(s->user);
    s->memory = s->memory || answer == SOLVER_MEMORY;
    if (answer == SOLVER_HOLDS) {
        read_back(m, &s->plan, &s->code);
        return sched_complete(s->body, &s->limits, &s->plan, &s->code) ? SCHED_FOUND : SCHED_OPEN;
    }
    return answer == SOLVER_REFUTED ? SCHED_REFUTED : SCHED_OPEN;
}

enum sched_answer sched_solve(struct sched_search *s, unsigned ii, unsigned phases, unsigned slack)
{
    struct model *m = calloc(1, sizeof *m);
    struct solver *solver = solver_open();
    const int times = sched_depth(s->body) + (int)slack;
    enum sched_answer answer = SCHED_OPEN;
    s->memory = m == NULL || solver == NULL;
    if (!s->memory && times <= MODEL_TIMES) {
        m->body = s->body;
        m->limits = &s->limits;
        m->solver = solver;
        m->ii = ii;
        m->phases = phases;
        m->times = times;
        answer = solve(s, m);
    }
    solver_close(solver);
    free(m);
    return answer;
}
