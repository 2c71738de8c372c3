/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where values lie, as clauses: the register of each value in each phase, which registers the
 * fields of an instruction name, and that no two values are in one register at a time.
 */
#include <tensix/facts.h>

#include "schedule/model.h"

/* ---- which register each field names ---- */

static void registers(struct model *m)
{
    const struct sched_body *b = m->body;
    for (unsigned p = 0; p < m->phases; p++) {
        for (unsigned v = 0; v < b->values; v++) {
            if (b->value[v].kind != SCHED_MADE) {
                continue;
            }
            for (unsigned r = 0; r < SCHED_REGS; r++) {
                m->reg[v][p][r] = model_usable(m, r) ? model_fresh(m) : -m->yes;
                MODEL_RULE(m, -m->reg[v][p][r], -m->l16[b->value[v].op]);
                model_list(m, m->reg[v][p][r]);
            }
            model_not_two(m, true);
            model_list(m, m->l16[b->value[v].op]);
            model_one_of(m);
        }
        for (int t = 0; t < m->times; t++) {
            for (unsigned r = 0; r < SCHED_REGS; r++) {
                m->load_reg[t][p][r] = model_usable(m, r) ? model_fresh(m) : -m->yes;
                model_list(m, m->load_reg[t][p][r]);
            }
            model_not_two(m, true);
            model_list(m, -m->load[t]);
            model_one_of(m);
            for (unsigned o = 0; b->passes && o < b->ops; o++) {
                for (unsigned r = 0; model_is_load(&b->op[o]) && r < SCHED_REGS; r++) {
                    MODEL_RULE(m, -m->at[o][t], -m->load_reg[t][p][r], m->reg[b->op[o].out][p][r]);
                }
            }
        }
    }
}

/*
 * Registers that no op asks for by name are all alike: they are numbered in the order of their
 * first use, by loads and then by results, so that the same is not searched under other names.
 */
static void in_order(struct model *m)
{
    const int *use[SCHED_LIVES + MODEL_TIMES];
    unsigned uses = 0, before = SCHED_REGS, pinned = 0;
    for (unsigned i = 0; i < m->body->ops * SCHED_REGS; i++) {
        const bool pin = m->body->op[i / SCHED_REGS].pin[i % SCHED_REGS] != SCHED_NONE;
        pinned |= (unsigned)pin << i % SCHED_REGS;
    }
    pinned |= m->body->named != 0 ? 1U << m->body->named : 0;
    for (int t = 0; t < m->times; t++) {
        use[uses++] = m->load_reg[t][0];
    }
    for (unsigned v = 0; v < m->body->values; v++) {
        if (model_is(m, (int)v, SCHED_MADE)) {
            use[uses++] = m->reg[v][0];
        }
    }
    for (unsigned r = 0; r < SCHED_REGS; r++) {
        if (!model_usable(m, r) || (pinned >> r & 1U) != 0) {
            continue;
        }
        for (unsigned i = 0; before != SCHED_REGS && i < uses; i++) {
            for (unsigned k = 0; k < i; k++) {
                model_list(m, use[k][before]);
            }
            model_list(m, -use[i][r]);
            model_one_of(m);
        }
        before = r;
    }
}

/* A field that may read a loaded value reads one of its copies, loaded before. */
static void copies(struct model *m, unsigned op, unsigned field)
{
    const struct sched_op *o = &m->body->op[op];
    bool any = false;
    for (unsigned f = 0; f < o->forms; f++) {
        any = any || model_is(m, model_value(o, f, field), SCHED_LOADED);
    }
    if (!any) {
        return;
    }
    for (int t = 0; t < m->times; t++) {
        m->copy[op][field][t] = model_fresh(m);
        MODEL_RULE(m, -m->copy[op][field][t], -m->by[op][t]);
    }
    for (unsigned i = 0; i < m->kinds[op]; i++) {
        const int value = model_value(o, m->kind[op][i].form, field);
        const bool reads = model_is(m, value, SCHED_LOADED);
        for (int t = 0; t < m->times; t++) {
            const int there = reads ? m->loads[value][t] : -m->yes;
            MODEL_RULE(m, -m->is[op][i], -m->copy[op][field][t], there);
            model_list(m, m->copy[op][field][t]);
        }
        model_list(m, -m->is[op][i]);
        if (reads) {
            model_one_of(m);
        }
        m->listed = 0;
    }
}

/* The registers of a field, from where its value lies. */
static void fields(struct model *m, unsigned op, unsigned i, unsigned p)
{
    const struct sched_op *o = &m->body->op[op];
    int *field = m->field[op][i][p];
    for (unsigned r = 0; r < MODEL_REGS; r++) {
        model_list(m, field[r] = model_fresh(m));
    }
    model_not_two(m, false);
    for (unsigned k = 0; k < m->kinds[op]; k++) {
        const struct model_kind *kind = &m->kind[op][k];
        const int value = model_value(o, kind->form, i);
        if (model_is(m, value, SCHED_CONSTANT)) {
            MODEL_RULE(m, -m->is[op][k], field[m->body->value[value].reg]);
        }
        for (unsigned r = 0; model_is(m, value, SCHED_MADE) && r < SCHED_REGS; r++) {
            MODEL_RULE(m, -m->is[op][k], -m->reg[value][p][r], field[r]);
        }
        if (o->store && model_is(m, value, SCHED_MADE)) {
            const int l16 = m->l16[m->body->value[value].op];
            MODEL_RULE(m, -m->is[op][k], kind->l16 ? l16 : -l16);
        }
    }
    for (int t = 0; t < m->times; t++) {
        for (unsigned r = 0; m->copy[op][i][t] != 0 && r < SCHED_REGS; r++) {
            MODEL_RULE(m, -m->copy[op][i][t], -m->load_reg[t][p][r], field[r]);
        }
    }
}

static void pinned(struct model *m, unsigned op, unsigned reg, unsigned p)
{
    const int value = m->body->op[op].pin[reg];
    if (model_is(m, value, SCHED_MADE)) {
        MODEL_RULE(m, m->reg[value][p][reg]);
    }
    for (int t = 0; model_is(m, value, SCHED_LOADED) && t < m->times; t++) {
        MODEL_RULE(m, -m->copy[op][SCHED_OPERANDS + reg][t], m->load_reg[t][p][reg]);
    }
}

/* When literal holds, register a (by LReg) implies register b. */
static void same(struct model *m, int literal, const int *a, const int *b)
{
    for (unsigned r = 0; r < SCHED_REGS; r++) {
        MODEL_RULE(m, -literal, -a[r], b[r]);
    }
}

/* What must lie in one register with what: results, operands and the SFPLOADMACRO's register. */
static void together(struct model *m, unsigned op, unsigned p)
{
    const struct sched_op *o = &m->body->op[op];
    for (unsigned k = 0; k < m->kinds[op]; k++) {
        const struct model_kind *kind = &m->kind[op][k];
        const struct sched_form *form = &o->form[kind->form];
        const unsigned own = model_own(o, kind);
        const bool reads =
            form->operand[own] != SCHED_NONE && !(o->store && (kind->l16 || kind->other));
        if (form->named) {
            MODEL_RULE(m, -m->is[op][k], m->reg[o->out][p][m->body->named]);
        }
        for (int t = 0; kind->macro && t < m->times; t++) {
            const int both = model_fresh(m);
            MODEL_RULE(m, -m->is[op][k], -m->launch[op][t], both);
            if (reads) {
                same(m, both, m->load_reg[t][p], m->field[op][own][p]);
            }
            if (o->out != SCHED_NONE && !kind->l16 && !form->named) {
                same(m, both, m->load_reg[t][p], m->reg[o->out][p]);
            }
        }
        if (form->operand[SCHED_OLD] != SCHED_NONE && !kind->l16) {
            same(m, m->is[op][k], m->reg[o->out][p], m->field[op][SCHED_OLD][p]);
        }
        for (unsigned i = SCHED_VB; !o->store && i <= SCHED_VC; i++) {
            const int out = i == SCHED_VC && o->cycles == 2 ? o->out_vc : o->out;
            if ((o->cycles == 2 || (!kind->macro && sched_tied(form, i))) && out != SCHED_NONE &&
                form->operand[i] != SCHED_NONE) {
                same(m, m->is[op][k], m->reg[out][p], m->field[op][i][p]);
            }
        }
    }
}

/* ---- how long registers are in use ---- */

static void held_for(struct model *m, int value, unsigned reader)
{
    const unsigned maker = (unsigned)m->body->value[value].op;
    for (int t = (int)m->body->op[maker].latency; t < m->times; t++) {
        MODEL_RULE(m, -m->by[maker][t - (int)m->body->op[maker].latency], m->by[reader][t - 1],
                   m->held[value][t]);
    }
}

static void made_lives(struct model *m, int value)
{
    const unsigned op = (unsigned)m->body->value[value].op;
    const int latency = (int)m->body->op[op].latency;
    for (int t = 0; t < m->times + 2; t++) {
        m->held[value][t] = model_fresh(m);
    }
    for (int t = 0; t < m->times; t++) {
        MODEL_RULE(m, -m->at[op][t], m->held[value][t + latency]);
        if (latency == 2) {
            MODEL_RULE(m, -m->at[op][t], m->l16[op], m->held[value][t + 1]);
        }
    }
    for (unsigned o = 0; o < m->body->ops; o++) {
        bool reads = false;
        for (unsigned i = 0; i < MODEL_FIELDS; i++) {
            reads = reads || model_value(&m->body->op[o], 0, i) == value;
        }
        if (reads) {
            held_for(m, value, o);
        }
    }
    for (int t = 0; t + (int)m->ii < m->times + 2; t++) {
        MODEL_RULE(m, -m->l16[op], -m->held[value][t], -m->held[value][t + (int)m->ii]);
    }
}

/*
 * L16 holds one value at a time. What keeps a part of what is there is there, too, and nothing else
 * can read it.
 */
static void one_l16(struct model *m)
{
    const struct sched_body *b = m->body;
    for (unsigned i = 0; i < b->ops; i++) {
        const int old = b->op[i].form[0].operand[SCHED_OLD];
        if (model_is(m, old, SCHED_MADE)) {
            const int maker = m->l16[b->value[old].op];
            MODEL_RULE(m, -m->l16[i], maker);
            MODEL_RULE(m, m->l16[i], -maker);
        }
    }
    for (unsigned i = 0; i < b->values * b->values; i++) {
        const int v = (int)(i / b->values);
        const int w = (int)(i % b->values);
        if (v >= w || !sched_in_l16(b, v) || !sched_in_l16(b, w)) {
            continue;
        }
        const int both = model_fresh(m);
        MODEL_RULE(m, -m->l16[b->value[v].op], -m->l16[b->value[w].op], both);
        for (int t = 0; t < m->times + 2; t++) {
            for (int u = t % (int)m->ii; u < m->times + 2; u += (int)m->ii) {
                MODEL_RULE(m, -both, -m->held[v][t], -m->held[w][u]);
            }
        }
    }
}

/* A load is read, or it schedules something. */
static void needed(struct model *m, int time)
{
    model_list(m, -m->load[time]);
    for (unsigned o = 0; o < m->body->ops; o++) {
        if (m->body->passes && model_is_load(&m->body->op[o])) {
            model_list(m, m->at[o][time]);
        }
        model_list(m, m->launch[o][time]);
        for (unsigned i = 0; i < MODEL_FIELDS; i++) {
            if (m->copy[o][i][time] != 0) {
                model_list(m, m->copy[o][i][time]);
            }
        }
    }
    model_one_of(m);
}

static void load_lives(struct model *m, int time)
{
    for (int t = time + 1; t < m->times + 2; t++) {
        m->load_held[time][t] = model_fresh(m);
    }
    for (unsigned o = 0; m->body->passes && o < m->body->ops; o++) {
        if (model_is_load(&m->body->op[o])) {
            model_list(m, m->at[o][time]); /* its result is a value of an op */
        }
    }
    model_list(m, -m->load[time]);
    model_list(m, m->load_held[time][time + 1]);
    model_one_of(m);
    for (unsigned o = 0; o < m->body->ops; o++) {
        for (unsigned i = 0; i < MODEL_FIELDS; i++) {
            for (int t = time + 1; m->copy[o][i][time] != 0 && t < m->times; t++) {
                MODEL_RULE(m, -m->copy[o][i][time], m->by[o][t - 1], m->load_held[time][t]);
            }
        }
    }
}

/* Lists what stands for "in this slot of all phases this value is in the register". */
static void list_held(struct model *m, const int *held, const int *reg, unsigned phase,
                      unsigned slot, unsigned r)
{
    const int period = (int)(m->phases * m->ii);
    int there = 0;
    for (int t = 0; t < m->times + 2; t++) {
        if (held[t] != 0 && (t + (int)(phase * m->ii)) % period == (int)slot) {
            there = there == 0 ? model_fresh(m) : there;
            MODEL_RULE(m, -held[t], -reg[r], there);
        }
    }
    if (there != 0) {
        model_list(m, there);
    }
}

static void lives(struct model *m)
{
    const struct sched_body *b = m->body;
    const int period = (int)(m->phases * m->ii);
    for (unsigned r = 0; r < SCHED_REGS; r++) {
        for (int slot = 0; model_usable(m, r) && slot < period; slot++) {
            for (unsigned p = 0; p < m->phases; p++) {
                for (unsigned v = 0; v < b->values; v++) {
                    if (b->value[v].kind == SCHED_MADE) {
                        list_held(m, m->held[v], m->reg[v][p], p, (unsigned)slot, r);
                    }
                }
                for (int t = 0; t < m->times; t++) {
                    list_held(m, m->load_held[t], m->load_reg[t][p], p, (unsigned)slot, r);
                }
            }
            model_not_two(m, false);
        }
    }
    for (int t = 0; t + period < m->times + 2; t++) {
        for (unsigned v = 0; v < b->values; v++) {
            if (b->value[v].kind == SCHED_MADE) {
                MODEL_RULE(m, -m->held[v][t], -m->held[v][t + period]);
            }
        }
        for (int from = 0; from < t; from++) {
            MODEL_RULE(m, -m->load_held[from][t], -m->load_held[from][t + period]);
        }
    }
}

/* ---- Blackhole's interlock ---- */

/*
 * After a plain instruction of two cycles, one that seems to read its result would be held
 * (registers.c, where the words themselves decide).
 */
static void does_not_wait(struct model *m, unsigned op, unsigned next)
{
    const struct sched_op *n = &m->body->op[next];
    int close[SCHED_PHASES]; /* by how many rows later next's row is */
    for (unsigned i = 0; i < m->phases; i++) {
        close[i] = model_fresh(m);
    }
    for (int t = 0; t < m->times; t++) {
        for (int u = 0; u < m->times; u++) {
            const int ii = (int)m->ii;
            if ((t + 1 - u) % ii == 0) {
                const int rows =
                    ((t + 1 - u) / ii % (int)m->phases + (int)m->phases) % (int)m->phases;
                MODEL_RULE(m, -m->plain[op], -m->plain[next], -m->at[op][t], -m->at[next][u],
                           close[rows]);
            }
        }
    }
    static const uint64_t seen[SCHED_OPERANDS] = {TX_SET(VA), TX_SET(VB), TX_SET(VC)};
    for (unsigned k = 0; k < m->kinds[next] * m->phases * m->phases; k++) {
        const unsigned is = k / m->phases / m->phases;
        const unsigned p = k % m->phases;
        const unsigned rows = k / m->phases % m->phases;
        const unsigned there = (p + rows) % m->phases;
        const struct sched_form *form = &n->form[m->kind[next][is].form];
        for (unsigned r = 0; !m->kind[next][is].macro && r < SCHED_REGS; r++) {
            const int out = m->reg[m->body->op[op].out][p][r];
            for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
                if (form->operand[i] != SCHED_NONE && (form->row->belief & seen[i]) != 0) {
                    MODEL_RULE(m, -close[rows], -m->is[next][is], -out,
                               -m->field[next][i][there][r]);
                }
            }
            if (n->out != SCHED_NONE && (form->row->belief & TX_SET(VD)) != 0) {
                MODEL_RULE(m, -close[rows], -m->is[next][is], -out, -m->reg[n->out][there][r]);
            }
        }
    }
}

static void interlock(struct model *m)
{
    for (unsigned o = 0; tx_arch_fact(m->body->arch, TX_FACT_INTERLOCK) != 0 && o < m->body->ops;
         o++) {
        for (unsigned k = 0; m->body->op[o].latency == 2 && k < m->body->ops; k++) {
            if (k != o && !m->body->op[o].store) {
                does_not_wait(m, o, k);
            }
        }
    }
}

void model_where(struct model *m)
{
    const struct sched_body *b = m->body;
    registers(m);
    in_order(m);
    for (unsigned i = 0; i < b->ops * MODEL_FIELDS; i++) {
        copies(m, i / MODEL_FIELDS, i % MODEL_FIELDS);
    }
    for (unsigned i = 0; i < b->ops * m->phases; i++) {
        const unsigned op = i / m->phases;
        const unsigned p = i % m->phases;
        for (unsigned k = 0; k < SCHED_OPERANDS; k++) {
            fields(m, op, k, p);
        }
        for (unsigned r = 0; r < SCHED_REGS; r++) {
            pinned(m, op, r, p);
        }
        together(m, op, p);
    }
    for (unsigned v = 0; v < b->values; v++) {
        if (model_is(m, (int)v, SCHED_MADE)) {
            made_lives(m, (int)v);
        }
    }
    one_l16(m);
    for (int t = 0; t < m->times; t++) {
        needed(m, t);
        load_lives(m, t);
    }
    lives(m);
    interlock(m);
}
