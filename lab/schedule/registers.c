/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assigns registers to the classes of a complete placement. Each class takes one register, or a
 * number of them that divides the phases and that the rows use in turn. Then it collects the
 * templates and sequences of SFPLOADMACRO: a template that names another register is another
 * template, so the rotation decides how many are needed.
 */
#include <tensix/facts.h>

#include "schedule/schedule.h"

#include <string.h>

#include "flow/operands.h"

enum { CYCLES = SCHED_PHASES * SCHED_ISSUES, TRIES = 1000, IDLE = 0x38, BACKDOOR = 12 };

/* A word that a template must have, where care has ones; at: the number of the template. */
struct need {
    uint32_t word, care;
    unsigned at;
};

struct allocation {
    const struct sched_body *body;
    const struct sched_limits *limits;
    const struct sched_plan *plan;
    struct sched_code *code;
    int cls[SCHED_LIVES];
    unsigned classes;
    bool busy[SCHED_REGS][CYCLES];
    bool touched[SCHED_REGS];
    struct need need[SCHED_OPS * SCHED_PHASES];
    unsigned needs;
    uint8_t need_of[SCHED_OPS][SCHED_PHASES];
    uint32_t care[SCHED_MACROS]; /* of the templates */
    unsigned tries;
};

static const enum tx_fld operand_field[SCHED_OPERANDS] = {TX_FLD_VA, TX_FLD_VB, TX_FLD_VC};

unsigned sched_reg(const struct sched_body *body, const struct sched_plan *plan,
                   const struct sched_code *code, int value, int life, unsigned phase)
{
    if (body->value[value].kind == SCHED_CONSTANT) {
        return body->value[value].reg;
    }
    return (unsigned)code->reg[plan->life[life].cls][phase % code->phases];
}

/* ---- words ---- */

static uint32_t put_operand(const struct sched_body *body, const struct sched_plan *plan,
                            const struct sched_code *code, unsigned op, unsigned operand,
                            unsigned phase, uint32_t word)
{
    const struct sched_place *place = &plan->place[op];
    const struct sched_form *form = &body->op[op].form[place->form];
    const int value = form->operand[operand];
    if (value == SCHED_NONE || operand == SCHED_OLD) {
        return word;
    }
    const unsigned reg = sched_reg(body, plan, code, value, place->life[operand], phase);
    const enum tx_fld field = sched_tied(form, operand) ? TX_FLD_VD : operand_field[operand];
    return tx_row_put(form->row, field, word, reg);
}

uint32_t sched_word(const struct sched_body *body, const struct sched_plan *plan,
                    const struct sched_code *code, unsigned op, unsigned phase)
{
    const struct sched_place *place = &plan->place[op];
    const struct sched_op *o = &body->op[op];
    const struct sched_form *form = &o->form[place->form];
    uint32_t word = form->word;
    if (o->store) {
        const int value = form->operand[SCHED_VC];
        return tx_row_put(form->row, TX_FLD_VD, word,
                          sched_reg(body, plan, code, value, place->life[SCHED_VC], phase));
    }
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        word = put_operand(body, plan, code, op, i, phase, word);
    }
    if ((form->row->belief & TX_SET(VB)) != 0 && form->operand[SCHED_VB] == SCHED_NONE) {
        /*
         * The interlock believes that the word reads VB, but it does not. VB repeats VC, so that
         * there is nothing more to wait for.
         */
        word = tx_row_put(form->row, TX_FLD_VB, word, tx_row_field(form->row, TX_FLD_VC, word));
    }
    if (o->out == SCHED_NONE) {
        return word; /* it sets flags alone */
    }
    return tx_row_put(form->row, TX_FLD_VD, word,
                      sched_reg(body, plan, code, o->out, o->out, phase));
}

/*
 * The word of a template. The machine puts the SFPLOADMACRO's register into VC or, where
 * place->other says so, into VB, so that field stays 0; VD 12 makes it the destination.
 */
static uint32_t template_word(const struct allocation *a, unsigned op, unsigned phase)
{
    const struct sched_place *place = &a->plan->place[op];
    const struct sched_form *form = &a->body->op[op].form[place->form];
    const unsigned own = place->other ? SCHED_VB : SCHED_VC;
    uint32_t word = tx_row_put(form->row, TX_FLD_VD, form->word, BACKDOOR);
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        word = i == own ? word : put_operand(a->body, a->plan, a->code, op, i, phase, word);
    }
    return word;
}

/* ---- templates and sequences ---- */

static bool add_word(uint32_t *list, unsigned *count, unsigned most, uint32_t word, unsigned *at)
{
    for (*at = 0; *at < *count; ++*at) {
        if (list[*at] == word) {
            return true;
        }
    }
    if (*count >= most) {
        return false;
    }
    list[(*count)++] = word;
    return true;
}

static uint32_t sequence_word(const struct allocation *a, const struct sched_issue *issue,
                              unsigned phase)
{
    uint32_t word = 0;
    for (unsigned u = 0; u < 4; u++) {
        uint32_t byte = IDLE;
        if (issue->unit[u] != SCHED_NONE) {
            const int op = issue->unit[u];
            const struct sched_place *place = &a->plan->place[op];
            const unsigned at = u == 3 ? 0 : a->need[a->need_of[op][phase]].at;
            byte = (u == 3 ? 3 : 4 + at + a->limits->templates) |
                   (uint32_t)(place->time - issue->time - 1) << 3 | (place->l16 ? 0x40 : 0) |
                   (place->other ? 0x80 : 0);
        }
        word |= byte << (8 * u);
    }
    return word;
}

static bool sequences_fit(struct allocation *a)
{
    struct sched_code *code = a->code;
    code->sequences = 0;
    memset(code->macro, SCHED_NONE, sizeof code->macro);
    for (unsigned i = 0; i < a->plan->issues; i++) {
        const struct sched_issue *issue = &a->plan->issue[i];
        bool any = false;
        for (unsigned u = 0; u < 4; u++) {
            any = any || issue->unit[u] != SCHED_NONE;
        }
        for (unsigned phase = 0; any && phase < code->phases; phase++) {
            unsigned at;
            if (!add_word(code->sequence, &code->sequences, SCHED_MACROS - a->limits->sequences,
                          sequence_word(a, issue, phase), &at)) {
                return false;
            }
            code->macro[i][phase] = (int8_t)(at + a->limits->sequences);
        }
    }
    return true;
}

/*
 * Chooses the template of each word from this one on: one whose bits are the same where both
 * matter, or a new one.
 */
static bool share(struct allocation *a, unsigned at)
{
    struct sched_code *code = a->code;
    if (at == a->needs) {
        return sequences_fit(a);
    }
    struct need *need = &a->need[at];
    for (unsigned t = 0; t < code->templates; t++) {
        const uint32_t word = code->template[t];
        const uint32_t care = a->care[t];
        if (((word ^ need->word) & care & need->care) != 0) {
            continue;
        }
        a->tries++;
        code->template[t] = (word & care) | (need->word & ~care);
        a->care[t] = care | need->care;
        need->at = t;
        if (share(a, at + 1)) {
            return true;
        }
        code->template[t] = word;
        a->care[t] = care;
    }
    if (code->templates + a->limits->templates >= SCHED_MACROS || a->tries >= TRIES) {
        return false;
    }
    need->at = code->templates;
    code->template[code->templates] = need->word;
    a->care[code->templates++] = need->care;
    if (share(a, at + 1)) {
        return true;
    }
    code->templates--;
    return false;
}

/* The bits of an op's template that matter: the SFPLOADMACRO's register replaces the others. */
static uint32_t care_of(const struct allocation *a, unsigned op)
{
    const struct sched_place *place = &a->plan->place[op];
    const struct sched_form *form = &a->body->op[op].form[place->form];
    const unsigned own = place->other ? SCHED_VB : SCHED_VC;
    return sched_replaces(form, own) ? tx_row_put(form->row, operand_field[own], UINT32_MAX, 0)
                                     : UINT32_MAX;
}

static bool macros_fit(struct allocation *a)
{
    a->needs = 0;
    a->code->templates = 0;
    a->code->first_template = a->limits->templates;
    a->code->first_sequence = a->limits->sequences;
    for (unsigned op = 0; op < a->body->ops; op++) {
        for (unsigned phase = 0; phase < a->code->phases; phase++) {
            unsigned at = 0;
            if (!a->plan->place[op].macro || a->body->op[op].store) {
                continue;
            }
            const struct need need = {template_word(a, op, phase), care_of(a, op), 0};
            while (at < a->needs &&
                   (a->need[at].word != need.word || a->need[at].care != need.care)) {
                at++;
            }
            a->need[at] = need;
            a->need_of[op][phase] = (uint8_t)at;
            a->needs += at == a->needs;
        }
    }
    return share(a, 0);
}

/* ---- Blackhole's interlock ---- */

static int plain_at(const struct sched_plan *plan, int time, int *rows)
{
    const int ii = (int)plan->ii;
    const int slot = (time % ii + ii) % ii;
    const int at = plan->slot[slot];
    if (at < 0 || plan->issue[at].op == SCHED_NONE) {
        return SCHED_NONE;
    }
    *rows = (time - plan->issue[at].time) / ii;
    return plan->issue[at].op;
}

/*
 * Returns whether Blackhole's interlock would hold a plain instruction because it seems to read the
 * two-cycle result of the one before. The delay would tear the schedule apart.
 */
static bool waits(const struct allocation *a)
{
    for (unsigned i = 0; tx_arch_fact(a->body->arch, TX_FACT_INTERLOCK) != 0 && i < a->plan->issues;
         i++) {
        const int op = a->plan->issue[i].op;
        int rows = 0;
        const int next =
            op == SCHED_NONE ? op : plain_at(a->plan, a->plan->issue[i].time + 1, &rows);
        if (next == SCHED_NONE || a->body->op[op].latency != 2) {
            continue;
        }
        const struct sched_form *form = &a->body->op[next].form[a->plan->place[next].form];
        for (unsigned phase = 0; phase < a->code->phases; phase++) {
            const unsigned there = (phase + (unsigned)(rows + 64 * 12)) % a->code->phases;
            const uint32_t word = sched_word(a->body, a->plan, a->code, (unsigned)next, there);
            const struct tx_operands o = {.va = (uint8_t)tx_row_field(form->row, TX_FLD_VA, word),
                                          .vb = (uint8_t)tx_row_field(form->row, TX_FLD_VB, word),
                                          .vc = (uint8_t)tx_row_field(form->row, TX_FLD_VC, word),
                                          .vd = (uint8_t)tx_row_field(form->row, TX_FLD_VD, word),
                                          .mode =
                                              (uint8_t)tx_row_field(form->row, TX_FLD_MOD, word)};
            const int out = a->body->op[op].out;
            const unsigned reg = sched_reg(a->body, a->plan, a->code, out, out, phase);
            if ((flow_lregs(form->row->belief, &o, 0xFF) >> reg & 1U) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* ---- registers ---- */

/*
 * Handles the cycles of one phase in which a class needs a register. take: only checks them, and
 * returns false when one is taken. Otherwise marks them as taken or, with undo, as free again.
 */
static bool occupy(struct allocation *a, unsigned reg, int cls, unsigned phase, bool take,
                   bool undo)
{
    const int period = (int)(a->code->phases * a->plan->ii);
    for (unsigned i = 0; i < SCHED_LIVES; i++) {
        const struct sched_life *life = &a->plan->life[i];
        for (int t = life->from; life->cls == cls && t <= life->to; t++) {
            const int at = ((t + (int)(phase * a->plan->ii)) % period + period) % period;
            if (take && a->busy[reg][at]) {
                return false;
            }
            if (!take) {
                a->busy[reg][at] = !undo;
            }
        }
    }
    return true;
}

static bool works(const struct allocation *a, int cls, unsigned q)
{
    for (unsigned i = 0; i < SCHED_LIVES; i++) {
        for (unsigned k = i; a->plan->life[i].cls == cls && k < SCHED_LIVES; k++) {
            if (a->plan->life[k].cls == cls &&
                sched_meet(&a->plan->life[i], &a->plan->life[k], (int)(q * a->plan->ii), i == k)) {
                return false;
            }
        }
    }
    return true;
}

static bool next_class(struct allocation *a, unsigned at);

/* Returns whether a register is free in all phases in which the class uses its turn-th register. */
static bool turn_fits(struct allocation *a, unsigned reg, int cls, unsigned q, unsigned turn)
{
    for (unsigned phase = turn; phase < a->code->phases; phase += q) {
        if (!occupy(a, reg, cls, phase, true, false)) {
            return false;
        }
    }
    return true;
}

static void turn_set(struct allocation *a, unsigned reg, int cls, unsigned q, unsigned turn,
                     bool undo)
{
    for (unsigned phase = turn; phase < a->code->phases; phase += q) {
        (void)occupy(a, reg, cls, phase, false, undo);
        a->code->reg[cls][phase] = (int8_t)reg;
    }
}

static bool next_turn(struct allocation *a, unsigned at, unsigned q, unsigned turn)
{
    const int cls = a->cls[at];
    const int pin = a->plan->pin[cls];
    const uint32_t closed = (uint32_t)(a->body->constants | a->limits->regs);
    bool fresh = false;
    if (turn == q) {
        return next_class(a, at + 1);
    }
    for (unsigned reg = 0; reg < SCHED_REGS; reg++) {
        const bool first = !a->touched[reg];
        if ((closed >> reg & 1U) != 0 || (pin != SCHED_NONE && pin != (int)reg) ||
            (first && fresh && pin == SCHED_NONE)) {
            continue;
        }
        fresh = fresh || first;
        a->tries++;
        if (!turn_fits(a, reg, cls, q, turn)) {
            continue;
        }
        a->touched[reg] = true;
        turn_set(a, reg, cls, q, turn, false);
        const bool done = next_turn(a, at, q, turn + 1);
        if (done) {
            return true;
        }
        turn_set(a, reg, cls, q, turn, true);
        a->touched[reg] = !first;
        if (a->tries >= TRIES) {
            return false;
        }
    }
    return false;
}

static bool next_class(struct allocation *a, unsigned at)
{
    if (at == a->classes) {
        return macros_fit(a) && !waits(a);
    }
    const int cls = a->cls[at];
    const unsigned most = a->plan->pin[cls] != SCHED_NONE ? 1 : a->code->phases;
    for (unsigned q = 1; q <= most && a->tries < TRIES; q++) {
        if (a->code->phases % q == 0 && works(a, cls, q) && next_turn(a, at, q, 0)) {
            return true;
        }
    }
    return false;
}

bool sched_allocate(const struct sched_body *body, const struct sched_limits *limits,
                    const struct sched_plan *plan, struct sched_code *code, bool *loose)
{
    struct allocation a = {.body = body, .limits = limits, .plan = plan, .code = code};
    for (unsigned pinned = 0; pinned < 2; pinned++) {
        for (unsigned i = 0; i < SCHED_LIVES; i++) {
            const int cls = plan->life[i].cls;
            bool seen = cls == SCHED_NONE || cls == SCHED_L16 ||
                        (plan->pin[cls] == SCHED_NONE) != (pinned == 1);
            for (unsigned k = 0; !seen && k < a.classes; k++) {
                seen = a.cls[k] == cls;
            }
            if (!seen) {
                a.cls[a.classes++] = cls;
            }
        }
    }
    for (unsigned phases = 1; phases <= SCHED_PHASES; phases++) {
        memset(a.busy, 0, sizeof a.busy);
        memset(a.touched, 0, sizeof a.touched);
        memset(code, 0, sizeof *code);
        code->phases = phases;
        a.tries = 0;
        if (next_class(&a, 0)) {
            return true;
        }
        *loose = *loose || a.tries >= TRIES;
    }
    return false;
}

bool sched_complete(const struct sched_body *body, const struct sched_limits *limits,
                    const struct sched_plan *plan, struct sched_code *code)
{
    struct allocation a = {.body = body, .limits = limits, .plan = plan, .code = code};
    return macros_fit(&a) && !waits(&a);
}
