/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When things happen, as clauses: the cycle of each op and of each load, what schedules it, and
 * that issue slots, sub-units and write ports suffice.
 */
#include "schedule/model.h"

/* ---- ways to do an op ---- */

static bool has_constant(const struct model *m, const struct sched_op *op,
                         const struct model_kind *k)
{
    const struct sched_form *form = &op->form[k->form];
    const unsigned own = model_own(op, k);
    bool any = model_is(m, form->operand[SCHED_OLD], SCHED_CONSTANT) ||
               (k->macro && !(op->store && (k->l16 || k->other)) &&
                model_is(m, form->operand[own], SCHED_CONSTANT));
    for (unsigned i = SCHED_VB; i <= SCHED_VC; i++) {
        const int out = i == SCHED_VC && op->cycles == 2 ? op->out_vc : op->out;
        any = any || ((op->cycles == 2 || (!k->macro && sched_tied(form, i))) &&
                      out != SCHED_NONE && model_is(m, form->operand[i], SCHED_CONSTANT));
    }
    return any;
}

static bool possible(const struct model *m, const struct sched_op *op, const struct model_kind *k)
{
    const struct sched_form *form = &op->form[k->form];
    if (!(k->macro ? form->macro : form->plain) || has_constant(m, op, k)) {
        return false;
    }
    if (form->named && k->l16) {
        return false;
    }
    if (op->store && k->other) { /* the register that the machine's own store names */
        const int value = form->operand[SCHED_VC];
        return m->body->passes && k->macro && !k->l16 && model_is(m, value, SCHED_CONSTANT) &&
               m->body->value[value].reg == 0;
    }
    if (op->store) {
        return !k->other &&
               (!k->l16 || (k->macro && model_is(m, form->operand[SCHED_VC], SCHED_MADE)));
    }
    if (k->l16 && (!k->macro || op->out == SCHED_NONE || !sched_in_l16(m->body, op->out))) {
        return false;
    }
    if (k->l16 && form->operand[SCHED_OLD] != SCHED_NONE &&
        !sched_in_l16(m->body, form->operand[SCHED_OLD])) {
        return false; /* what it keeps a part of is not there */
    }
    /* The template of these can name no register for VB. */
    const bool only_other = form->row->implied == TX_IMPLIED_VB_IMM || op->cycles == 2;
    return k->macro ? k->other || !only_other : !k->other;
}

static uint8_t unit_of(const struct tx_row *row)
{
    return row->unit == TX_UNIT_LOAD ? MODEL_LOAD : (uint8_t)(row->unit - TX_UNIT_SIMPLE);
}

static void list_kinds(struct model *m, unsigned op)
{
    const struct sched_op *o = &m->body->op[op];
    for (unsigned i = 0; i < o->forms * 8; i++) {
        const struct model_kind k = {.form = (uint8_t)(i / 8),
                                     .unit = unit_of(o->form[i / 8].row),
                                     .macro = (i & 4) != 0,
                                     .other = (i & 2) != 0,
                                     .l16 = (i & 1) != 0};
        if (possible(m, o, &k)) {
            m->kind[op][m->kinds[op]++] = k;
        }
    }
}

static void kinds(struct model *m, unsigned op)
{
    list_kinds(m, op);
    m->plain[op] = model_fresh(m);
    m->l16[op] = model_fresh(m);
    m->other[op] = model_fresh(m);
    for (unsigned i = 0; i < m->kinds[op]; i++) {
        const struct model_kind *k = &m->kind[op][i];
        const int is = m->is[op][i] = model_fresh(m);
        if (k->unit != MODEL_LOAD && m->unit[op][k->unit] == 0) {
            m->unit[op][k->unit] = model_fresh(m);
        }
        MODEL_RULE(m, -is, k->unit != MODEL_LOAD ? m->unit[op][k->unit] : m->yes);
        MODEL_RULE(m, -is, k->macro ? -m->plain[op] : m->plain[op]);
        MODEL_RULE(m, -is, k->l16 ? m->l16[op] : -m->l16[op]);
        MODEL_RULE(m, -is, k->other ? m->other[op] : -m->other[op]);
        model_list(m, is);
    }
    model_just_one(m);
    for (unsigned u = 0; u < 4; u++) {
        if (m->unit[op][u] != 0) {
            model_list(m, m->unit[op][u]);
        }
    }
    if (m->listed != 0) {
        model_just_one(m);
    }
}

/* ---- when ---- */

static void times(struct model *m, unsigned op)
{
    for (int t = 0; t < m->times; t++) {
        m->at[op][t] = model_fresh(m);
        m->by[op][t] = model_fresh(m);
        MODEL_RULE(m, -m->at[op][t], m->by[op][t]);
        if (t > 0) {
            MODEL_RULE(m, -m->by[op][t - 1], m->by[op][t]);
            MODEL_RULE(m, -m->at[op][t], -m->by[op][t - 1]);
            MODEL_RULE(m, -m->by[op][t], m->by[op][t - 1], m->at[op][t]);
        } else {
            MODEL_RULE(m, -m->by[op][t], m->at[op][t]);
        }
    }
    MODEL_RULE(m, m->by[op][m->times - 1]);
}

/* An op starts when the results of others that it reads are there. */
static void after_makers(struct model *m, unsigned op)
{
    for (unsigned i = 0; i < MODEL_FIELDS; i++) {
        const int value = model_value(&m->body->op[op], 0, i);
        if (!model_is(m, value, SCHED_MADE)) {
            continue;
        }
        const int maker = m->body->value[value].op;
        const int latency = (int)m->body->op[maker].latency;
        for (int t = 0; t < m->times; t++) {
            if (t < latency) {
                MODEL_RULE(m, -m->by[op][t]);
            } else {
                MODEL_RULE(m, -m->by[op][t], m->by[maker][t - latency]);
            }
        }
    }
}

/* The store of this turn, or SCHED_NONE. */
static int store_of(const struct model *m, int turn)
{
    for (unsigned o = 0; o < m->body->ops; o++) {
        if (m->body->op[o].store && m->body->op[o].turn == turn) {
            return (int)o;
        }
    }
    return SCHED_NONE;
}

/* The op comes later than this store. */
static void behind(struct model *m, unsigned op, int store)
{
    for (int t = 0; store != SCHED_NONE && t < m->times; t++) {
        MODEL_RULE(m, -m->by[op][t], t == 0 ? -m->yes : m->by[store][t - 1]);
    }
}

/* What a row does at its place in Dst keeps the order of the kernel's. */
static void take_turns(struct model *m)
{
    const struct sched_body *b = m->body;
    for (unsigned o = 0; o < b->ops; o++) {
        const struct sched_op *op = &b->op[o];
        if (op->store || model_is_load(op)) {
            behind(m, o, store_of(m, op->turn - 1));
        }
        const int next = op->store ? SCHED_NONE : store_of(m, op->turn);
        if (model_is_load(op) && next != SCHED_NONE) {
            behind(m, (unsigned)next, (int)o);
        }
    }
    for (unsigned v = 0; v < b->values; v++) {
        const struct sched_value *value = &b->value[v];
        if (value->kind != SCHED_LOADED || value->address != b->address) {
            continue;
        }
        const int before = store_of(m, value->turn - 1);
        const int next = store_of(m, value->turn);
        for (int t = 0; t < m->times; t++) {
            if (before != SCHED_NONE) {
                MODEL_RULE(m, -m->loads[v][t], t == 0 ? -m->yes : m->by[before][t - 1]);
            }
            if (next != SCHED_NONE) {
                MODEL_RULE(m, -m->loads[v][t], -m->by[next][t]);
            }
        }
    }
}

/* ---- loads, and what they schedule ---- */

static void loads(struct model *m)
{
    for (int t = 0; t < m->times; t++) {
        m->load[t] = model_fresh(m);
        for (unsigned v = 0; v <= MODEL_NOTHING; v++) {
            if (v == MODEL_NOTHING ||
                (v < m->body->values && m->body->value[v].kind == SCHED_LOADED)) {
                m->loads[v][t] = model_fresh(m);
                MODEL_RULE(m, -m->loads[v][t], m->load[t]);
                model_list(m, m->loads[v][t]);
            }
        }
        for (unsigned o = 0; m->body->passes && o < m->body->ops; o++) {
            if (model_is_load(&m->body->op[o])) {
                MODEL_RULE(m, -m->at[o][t], m->load[t]);
                model_list(m, m->at[o][t]);
            }
        }
        model_not_two(m, true);
        model_list(m, -m->load[t]);
        model_one_of(m);
        if (m->body->unread) {
            MODEL_RULE(m, -m->loads[MODEL_NOTHING][t]);
        }
    }
}

static void launches(struct model *m, unsigned op)
{
    for (unsigned d = 0; d < SCHED_DELAYS; d++) {
        model_list(m, m->delay[op][d] = model_fresh(m));
        MODEL_RULE(m, -m->delay[op][d], -m->plain[op]);
    }
    model_not_two(m, true);
    model_list(m, m->plain[op]);
    model_one_of(m);
    for (int t = 0; t < m->times; t++) {
        m->launch[op][t] = model_fresh(m);
        MODEL_RULE(m, -m->launch[op][t], m->load[t]);
        MODEL_RULE(m, -m->launch[op][t], -m->plain[op]);
    }
    for (int t = 0; t < m->times; t++) {
        for (int d = 0; d < SCHED_DELAYS; d++) {
            if (t - 1 - d < 0) {
                MODEL_RULE(m, -m->at[op][t], -m->delay[op][d]);
                continue;
            }
            const int launch = m->launch[op][t - 1 - d];
            MODEL_RULE(m, -m->at[op][t], -m->delay[op][d], launch);
            MODEL_RULE(m, -m->at[op][t], -launch, m->delay[op][d]);
            MODEL_RULE(m, -m->delay[op][d], -launch, m->at[op][t]);
        }
    }
    for (int t = 0; t < m->times; t++) {
        model_list(m, m->launch[op][t]);
    }
    model_not_two(m, false);
}

/* A load schedules one op for each sub-unit; the store goes to the load's address. */
static void one_for_each(struct model *m)
{
    const struct sched_body *b = m->body;
    for (int t = 0; t < m->times; t++) {
        for (unsigned u = 0; u < 4; u++) {
            for (unsigned o = 0; o < b->ops; o++) {
                for (unsigned k = o + 1; k < b->ops; k++) {
                    if (m->unit[o][u] != 0 && m->unit[k][u] != 0) {
                        MODEL_RULE(m, -m->launch[o][t], -m->launch[k][t], -m->unit[o][u],
                                   -m->unit[k][u]);
                    }
                }
            }
        }
        for (unsigned i = 0; i < b->ops * b->values; i++) {
            const unsigned o = i / b->values;
            const unsigned v = i % b->values;
            if (b->op[o].store && b->value[v].kind == SCHED_LOADED &&
                b->value[v].address != b->address) {
                MODEL_RULE(m, -m->launch[o][t], -m->loads[v][t]);
            }
        }
    }
}

/* ---- issue slots, sub-units and ports ---- */

/* A variable that holds where an op of which "which" is true runs in this slot. */
static int in_slot(struct model *m, unsigned op, int which, unsigned slot)
{
    const int there = model_fresh(m);
    for (int t = 0; t < m->times; t++) {
        if (model_slot(m, t) == slot) {
            MODEL_RULE(m, -which, -m->at[op][t], there);
        }
    }
    return there;
}

static void slots(struct model *m)
{
    for (unsigned s = 0; s < m->ii; s++) {
        for (unsigned o = 0; o < m->body->ops; o++) {
            if (m->body->passes && model_is_load(&m->body->op[o])) {
                continue; /* one of the loads below */
            }
            model_list(m, in_slot(m, o, m->plain[o], s));
            if (m->body->op[o].cycles == 2) {
                model_list(m, in_slot(m, o, m->plain[o], (s + m->ii - 1) % m->ii));
            }
        }
        for (int t = 0; t < m->times; t++) {
            if (model_slot(m, t) == s) {
                model_list(m, m->load[t]);
            }
        }
        model_not_two(m, false);
    }
    /* The row begins in cycle 0. */
    for (unsigned o = 0; o < m->body->ops; o++) {
        const int first = model_fresh(m);
        MODEL_RULE(m, -first, m->plain[o]);
        MODEL_RULE(m, -first, m->at[o][0]);
        model_list(m, first);
    }
    model_list(m, m->load[0]);
    model_one_of(m);
}

/* Of two that write in one cycle, on Simple and on Round, exactly one writes L16. */
static void port(struct model *m, unsigned o, unsigned k, int one, int two)
{
    MODEL_RULE(m, -one, -two, m->l16[o], m->l16[k]);
    MODEL_RULE(m, -one, -two, -m->l16[o], -m->l16[k]);
}

static void units(struct model *m)
{
    const struct sched_body *b = m->body;
    for (unsigned s = 0; s < m->ii; s++) {
        int on[4][SCHED_OPS], second[SCHED_OPS];
        for (unsigned o = 0; o < b->ops; o++) {
            for (unsigned u = 0; u < 4; u++) {
                on[u][o] = m->unit[o][u] != 0 ? in_slot(m, o, m->unit[o][u], s) : -m->yes;
            }
            second[o] =
                b->op[o].cycles == 2 ? in_slot(m, o, m->yes, (s + m->ii - 1) % m->ii) : -m->yes;
        }
        for (unsigned u = 0; u < 4; u++) {
            for (unsigned o = 0; o < b->ops; o++) {
                model_list(m, on[u][o]);
                model_list(m, u == 0 ? second[o] : -m->yes);
            }
            model_not_two(m, false);
        }
        for (unsigned o = 0; o < b->ops; o++) {
            for (unsigned k = 0; k < b->ops; k++) {
                if (o != k) {
                    port(m, o, k, on[0][o], on[2][k]);
                    MODEL_RULE(m, -second[o], -on[2][k]);
                    if (b->op[o].cycles == 2) {
                        MODEL_RULE(m, -on[0][o], -on[1][k]);
                    }
                }
            }
        }
    }
}

/* ---- flags ---- */

/*
 * Marks the slots in which lanes are masked, from behind an op that sets flags in all lanes to the
 * one that lets all of them run again.
 */
static void masked_slots(struct model *m, unsigned op, int *masked)
{
    const unsigned close = (unsigned)m->body->op[op].close;
    for (int t = 1; t < m->times; t++) {
        int *there = &masked[model_slot(m, t)];
        *there = *there == 0 ? model_fresh(m) : *there;
        MODEL_RULE(m, -m->by[op][t - 1], m->by[close][t - 1], *there);
    }
}

/* What runs in all lanes runs in no such slot, of its own row or of another one. all: it does. */
static void unmasked(struct model *m, const int *masked, const int *all)
{
    for (int t = 0; t < m->times; t++) {
        const int there = masked[model_slot(m, t)];
        const int second = masked[model_slot(m, t + 1)];
        for (unsigned o = 0; o < m->body->ops; o++) {
            if (there != 0) {
                MODEL_RULE(m, -m->at[o][t], -there, -all[o]);
            }
            if (m->body->op[o].cycles == 2 && second != 0) {
                MODEL_RULE(m, -m->at[o][t], -second, -all[o]);
            }
        }
        for (unsigned v = 0; v < m->body->values && there != 0; v++) {
            if (m->body->value[v].kind == SCHED_LOADED) {
                MODEL_RULE(m, -m->loads[v][t], -there);
            }
        }
    }
}

static void flags(struct model *m)
{
    int masked[MODEL_TIMES] = {0}, all[SCHED_OPS];
    bool any = false;
    for (unsigned o = 0; o < m->body->ops; o++) {
        const struct sched_op *op = &m->body->op[o];
        all[o] = op->loose ? model_fresh(m) : op->after == SCHED_NONE ? m->yes : -m->yes;
        for (int t = 0; op->after != SCHED_NONE && t < m->times; t++) {
            MODEL_RULE(m, all[o], -m->by[o][t], t == 0 ? -m->yes : m->by[op->after][t - 1]);
        }
        for (int t = 0; op->until != SCHED_NONE && t < m->times; t++) {
            MODEL_RULE(m, all[o], -m->by[op->until][t], m->by[o][t]);
        }
        if (op->close != SCHED_NONE) {
            masked_slots(m, o, masked);
            any = true;
        }
    }
    if (any) {
        unmasked(m, masked, all);
    }
}

void model_when(struct model *m)
{
    for (unsigned o = 0; o < m->body->ops; o++) {
        kinds(m, o);
        times(m, o);
    }
    for (unsigned o = 0; o < m->body->ops; o++) {
        after_makers(m, o);
    }
    loads(m);
    if (m->body->passes) {
        take_turns(m);
    }
    for (unsigned o = 0; o < m->body->ops; o++) {
        launches(m, o);
    }
    one_for_each(m);
    slots(m);
    units(m);
    flags(m);
}
