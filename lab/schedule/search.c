/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact search by backtracking: tries each op, operands first, at every cycle of its window, issued
 * plainly or scheduled by every possible SFPLOADMACRO, with every copy of the values that it reads;
 * then assigns registers. A branch ends early when a sub-unit or slot is taken, too few are left
 * for the remaining ops, values that share a register overlap, or more are alive than there are
 * registers.
 */
#include "schedule/schedule.h"

#include <string.h>

/* An op on its way into a plan. */
struct step {
    unsigned op, form;
    int time, issue; /* issue: the SFPLOADMACRO that schedules it; SCHED_NONE: plain */
    bool l16, other;
    unsigned operand; /* the next operand that needs a copy */
};

static bool next_op(struct sched_search *s, const struct sched_plan *plan);

/* Returns a pseudo-random number below limit, or 0 when the search goes in order. */
static unsigned draw(struct sched_search *s, unsigned limit)
{
    if (s->seed == 0) {
        return 0;
    }
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 7;
    s->seed ^= s->seed << 17;
    return (unsigned)(s->seed % limit);
}

/* ---- registers ---- */

static void join(struct sched_plan *plan, int into, int from)
{
    for (unsigned i = 0; i < SCHED_LIVES; i++) {
        plan->life[i].cls = plan->life[i].cls == from ? (int8_t)into : plan->life[i].cls;
    }
    for (unsigned i = 0; i < plan->issues; i++) {
        plan->issue[i].cls = plan->issue[i].cls == from ? (int8_t)into : plan->issue[i].cls;
    }
}

/* Makes the two classes share a register. False: L16 is one, or their pins differ. */
static bool unite(struct sched_plan *plan, int a, int b)
{
    if (a == b) {
        return true;
    }
    if (a == SCHED_L16 || b == SCHED_L16 ||
        (plan->pin[a] != SCHED_NONE && plan->pin[b] != SCHED_NONE &&
         plan->pin[a] != plan->pin[b])) {
        return false;
    }
    plan->pin[a] = plan->pin[a] != SCHED_NONE ? plan->pin[a] : plan->pin[b];
    join(plan, a, b);
    return true;
}

/* ---- sub-units and issue slots ---- */

/*
 * Simple and Round share a write port. Both can write in one cycle only when exactly one of them
 * writes L16, which does not need the port.
 */
static bool port_free(const struct sched_search *s, const struct sched_plan *plan, unsigned unit,
                      unsigned slot, const struct step *step)
{
    const int8_t other = plan->unit[unit == 0 ? 2 : 0][slot];
    if (other < 0) {
        return true;
    }
    const struct sched_place *p = &plan->place[other];
    const unsigned cycles = s->body->op[other].cycles;
    if (cycles == 2 && sched_slot(plan, p->time) != slot) {
        return false; /* SFPSWAP's second cycle */
    }
    return p->l16 != step->l16;
}

static bool take_unit(const struct sched_search *s, struct sched_plan *plan,
                      const struct step *step)
{
    const struct sched_op *op = &s->body->op[step->op];
    const unsigned unit = sched_unit(op->form[step->form].row);
    const unsigned slot = sched_slot(plan, step->time);
    const unsigned second = sched_slot(plan, step->time + 1);
    if (plan->unit[unit][slot] != SCHED_FREE ||
        (unit != 3 && unit != 1 && !port_free(s, plan, unit, slot, step))) {
        return false;
    }
    plan->unit[unit][slot] = (int8_t)step->op;
    if (op->cycles == 2) {
        if (plan->unit[0][second] != SCHED_FREE || plan->unit[2][second] != SCHED_FREE ||
            plan->unit[1][slot] != SCHED_FREE) {
            return false;
        }
        plan->unit[0][second] = (int8_t)step->op;
    }
    if (unit == 1 && plan->unit[0][slot] != SCHED_FREE) {
        /* SFPSWAP takes the MAD sub-unit's write port in its first cycle. */
        const int8_t at = plan->unit[0][slot];
        return s->body->op[at].cycles == 1 || sched_slot(plan, plan->place[at].time) != slot;
    }
    return true;
}

static int new_issue(struct sched_plan *plan, int time, int op, int load)
{
    const unsigned slot = sched_slot(plan, time);
    if (plan->slot[slot] != SCHED_FREE || plan->issues == SCHED_ISSUES) {
        return SCHED_NONE;
    }
    const int at = (int)plan->issues++;
    plan->slot[slot] = (int8_t)at;
    plan->issue[at] =
        (struct sched_issue){.time = (int16_t)time,
                             .op = (int8_t)op,
                             .load = (int8_t)load,
                             .cls = SCHED_NONE,
                             .unit = {SCHED_NONE, SCHED_NONE, SCHED_NONE, SCHED_NONE}};
    if (op == SCHED_NONE) {
        plan->issue[at].cls = (int8_t)(SCHED_VALUES + at);
        plan->pin[SCHED_VALUES + at] = SCHED_NONE;
        plan->life[SCHED_VALUES + at] = (struct sched_life){
            (int8_t)(SCHED_VALUES + at), (int16_t)(time + 1), (int16_t)(time + 1)};
    }
    return at;
}

/* ---- one op ---- */

static int latest(int a, int b)
{
    return a > b ? a : b;
}

/* Extends a life to the read by this op. False: its class is pinned to another register. */
static bool read_life(struct sched_plan *plan, const struct step *step, int life, int pin)
{
    struct sched_life *l = &plan->life[life];
    l->to = (int16_t)latest(l->to, step->time);
    if (pin == SCHED_NONE) {
        return true;
    }
    if (plan->pin[l->cls] != SCHED_NONE && plan->pin[l->cls] != pin) {
        return false;
    }
    plan->pin[l->cls] = (int8_t)pin;
    return true;
}

static void make_life(struct sched_plan *plan, int value, int cls, const struct sched_op *op,
                      int time, bool l16)
{
    /* Until a two-cycle result arrives, its register cannot be read at all. */
    const int from = l16 ? time + (int)op->latency : time + 1;
    plan->life[value] = (struct sched_life){(int8_t)cls, (int16_t)from,
                                            (int16_t)latest(from, time + (int)op->latency)};
}

/*
 * Adds the lives of the op's results, in the classes of operands or of the SFPLOADMACRO where a
 * result must share their register. Returns false when that cannot be.
 */
static bool place_results(const struct sched_search *s, struct sched_plan *plan,
                          const struct step *step)
{
    const struct sched_op *op = &s->body->op[step->op];
    const struct sched_form *form = &op->form[step->form];
    struct sched_place *place = &plan->place[step->op];
    if (op->store) {
        return true;
    }
    int cls = SCHED_L16;
    if (!step->l16) {
        cls = op->out;
        plan->pin[cls] = SCHED_NONE;
    }
    make_life(plan, op->out, cls, op, step->time, step->l16);
    if (step->issue != SCHED_NONE && !step->l16 &&
        !unite(plan, plan->issue[step->issue].cls, cls)) {
        return false;
    }
    for (unsigned i = SCHED_VB; i <= SCHED_VC; i++) {
        const bool written = op->cycles == 2 || (step->issue == SCHED_NONE && sched_tied(form, i));
        const int value = i == SCHED_VC && op->cycles == 2 ? op->out_vc : op->out;
        if (!written || form->operand[i] == SCHED_NONE || value == SCHED_NONE) {
            continue;
        }
        if (s->body->value[form->operand[i]].kind == SCHED_CONSTANT) {
            return false;
        }
        if (value == op->out_vc) {
            plan->pin[value] = SCHED_NONE;
            make_life(plan, value, value, op, step->time, false);
        }
        if (!unite(plan, plan->life[place->life[i]].cls, plan->life[value].cls)) {
            return false;
        }
    }
    return true;
}

/* All operands have their copies: adds the results, checks the plan, goes on with the next op. */
static bool finish(struct sched_search *s, struct sched_plan *plan, const struct step *step)
{
    const struct sched_op *op = &s->body->op[step->op];
    const struct sched_form *form = &op->form[step->form];
    struct sched_place *place = &plan->place[step->op];
    if (step->issue != SCHED_NONE && !(op->store && step->l16)) {
        const unsigned own = op->store || !step->other ? SCHED_VC : SCHED_VB;
        const int value = form->operand[own];
        if (value != SCHED_NONE) {
            if (s->body->value[value].kind == SCHED_CONSTANT ||
                !unite(plan, plan->issue[step->issue].cls, plan->life[place->life[own]].cls)) {
                return false;
            }
        }
    }
    if (!place_results(s, plan, step)) {
        return false;
    }
    plan->placed++;
    return sched_fits(s, plan) && next_op(s, plan);
}

static bool bind(struct sched_search *s, const struct sched_plan *plan, struct step step);

static bool bind_to(struct sched_search *s, const struct sched_plan *plan, struct step step,
                    int life, int pin)
{
    struct sched_plan next = *plan;
    if (step.operand < SCHED_OPERANDS) {
        next.place[step.op].life[step.operand] = (int8_t)life;
    }
    if (!read_life(&next, &step, life, pin)) {
        return false;
    }
    step.operand++;
    return bind(s, &next, step);
}

/* ---- what is spilled to Dst ---- */

/* All stores of a row are to the place of its result, and so are the loads that matter here. */
static bool at_result(const struct sched_body *b, int value)
{
    return value != SCHED_NONE && b->value[value].address == b->address;
}

/* Returns whether a load at this cycle finds the value, going by the stores that the plan has. */
static bool finds(const struct sched_search *s, const struct sched_plan *plan, int value, int time)
{
    const struct sched_body *b = s->body;
    const int by = b->value[value].op;
    int after = INT16_MIN; /* the stores up to this cycle do no harm */
    if (!at_result(b, value)) {
        return true;
    }
    if (by != SCHED_NONE) {
        const int maker = b->value[b->op[by].form[0].operand[SCHED_VC]].op;
        after = plan->place[maker].time + (int)b->op[maker].latency;
        after = by < (int)plan->placed ? plan->place[by].time : after;
    }
    for (unsigned k = 0; k < plan->placed; k++) {
        const int at = plan->place[k].time;
        if (b->op[k].store && (int)k != by && at <= time &&
            (by == SCHED_NONE || (by < (int)plan->placed && at > after))) {
            return false;
        }
    }
    return time > after;
}

/* Returns whether a store at this cycle comes before the loads of its value, and spares others. */
static bool spares(const struct sched_search *s, const struct sched_plan *plan, unsigned op,
                   int time)
{
    const struct sched_body *b = s->body;
    for (unsigned i = 0; i < plan->issues; i++) {
        const int value = plan->issue[i].load;
        const int at = plan->issue[i].time;
        const int by = at_result(b, value) ? b->value[value].op : SCHED_NONE;
        if (!at_result(b, value)) {
            continue;
        }
        for (unsigned k = 0; by == (int)op && k < plan->placed; k++) {
            if (b->op[k].store && plan->place[k].time > time && plan->place[k].time <= at) {
                return false; /* the load would find that one's value */
            }
        }
        if (by == (int)op ? time >= at
                          : time <= at && (by == SCHED_NONE || (by < (int)plan->placed &&
                                                                time > plan->place[by].time))) {
            return false;
        }
    }
    return true;
}

/* The cycle of the first load that wants what the op stores, or INT16_MIN. */
static int wanted(const struct sched_plan *plan, const struct sched_body *b, unsigned op)
{
    int first = INT16_MIN;
    for (unsigned i = 0; i < plan->issues; i++) {
        const int value = plan->issue[i].load;
        if (value != SCHED_NONE && b->value[value].op == (int)op &&
            b->value[value].kind == SCHED_LOADED &&
            (first == INT16_MIN || plan->issue[i].time < first)) {
            first = plan->issue[i].time;
        }
    }
    return first;
}

/* Tries all copies of a loaded value: existing ones, free loads, and new ones. */
static bool bind_loaded(struct sched_search *s, const struct sched_plan *plan, struct step step,
                        int value, int pin)
{
    const struct sched_body *b = s->body;
    for (unsigned i = 0; i < plan->issues; i++) {
        const struct sched_issue *issue = &plan->issue[i];
        if (issue->op != SCHED_NONE || issue->time >= step.time) {
            continue;
        }
        if (issue->load == value && bind_to(s, plan, step, SCHED_VALUES + (int)i, pin)) {
            return true;
        }
        if (issue->load == SCHED_NONE && finds(s, plan, value, issue->time) &&
            (issue->unit[3] == SCHED_NONE || b->value[value].address == b->address)) {
            struct sched_plan next = *plan;
            next.issue[i].load = (int8_t)value;
            if (bind_to(s, &next, step, SCHED_VALUES + (int)i, pin)) {
                return true;
            }
        }
        if (s->stopped || s->full) {
            return false;
        }
    }
    for (int time = step.time - 1; time >= step.time - SCHED_DELAYS; time--) {
        struct sched_plan next = *plan;
        const int at =
            finds(s, plan, value, time) ? new_issue(&next, time, SCHED_NONE, value) : SCHED_NONE;
        if (at != SCHED_NONE && bind_to(s, &next, step, SCHED_VALUES + at, pin)) {
            return true;
        }
    }
    return false;
}

/* Chooses a copy for each operand from step.operand on: those in fields, then the pinned ones. */
static bool bind(struct sched_search *s, const struct sched_plan *plan, struct step step)
{
    const struct sched_op *op = &s->body->op[step.op];
    const struct sched_form *form = &op->form[step.form];
    s->nodes++;
    if ((s->nodes & 4095) == 0 && !s->go_on(s->user)) {
        s->stopped = true;
    }
    s->full = s->full || (s->most != 0 && s->nodes >= s->most);
    for (; !s->stopped && !s->full && step.operand < SCHED_OPERANDS + SCHED_REGS; step.operand++) {
        const bool field = step.operand < SCHED_OPERANDS;
        const int pin = field ? SCHED_NONE : (int)step.operand - SCHED_OPERANDS;
        const int value = field ? form->operand[step.operand] : op->pin[pin];
        if (value == SCHED_NONE || s->body->value[value].kind == SCHED_CONSTANT) {
            continue;
        }
        if (s->body->value[value].kind == SCHED_LOADED) {
            return bind_loaded(s, plan, step, value, pin);
        }
        const int back = op->store ? SCHED_NONE : s->body->value[value].back;
        return ((op->store || plan->life[value].cls != SCHED_L16) &&
                bind_to(s, plan, step, value, pin)) ||
               (back != SCHED_NONE && bind_loaded(s, plan, step, back, pin));
    }
    if (s->stopped || s->full) {
        return false;
    }
    struct sched_plan next = *plan;
    return finish(s, &next, &step);
}

static bool search_start(struct sched_search *s, const struct sched_plan *plan, struct step step)
{
    struct sched_plan next = *plan;
    const struct sched_op *op = &s->body->op[step.op];
    const unsigned unit = sched_unit(op->form[step.form].row);
    next.place[step.op] =
        (struct sched_place){.time = (int16_t)step.time,
                             .issue = (int8_t)step.issue,
                             .form = (int8_t)step.form,
                             .life = {SCHED_NONE, SCHED_NONE, SCHED_NONE, SCHED_NONE},
                             .macro = step.issue != SCHED_NONE,
                             .l16 = step.l16,
                             .other = step.other};
    if ((op->store && !spares(s, plan, step.op, step.time)) || !take_unit(s, &next, &step)) {
        return false;
    }
    if (step.issue != SCHED_NONE) {
        next.issue[step.issue].unit[unit] = (int8_t)step.op;
    } else {
        const int at = new_issue(&next, step.time, (int)step.op, SCHED_NONE);
        if (at == SCHED_NONE) {
            return false;
        }
        next.place[step.op].issue = (int8_t)at;
        if (op->cycles == 2) {
            const unsigned second = sched_slot(&next, step.time + 1);
            if (next.slot[second] != SCHED_FREE) {
                return false;
            }
            next.slot[second] = SCHED_HELD; /* nothing but SFPNOP may follow SFPSWAP */
        }
    }
    return bind(s, &next, step);
}

/* Tries the op as scheduled by this issue: with and without L16, its register in VC or in VB. */
static bool by_issue(struct sched_search *s, const struct sched_plan *plan, struct step step,
                     int issue)
{
    const struct sched_op *op = &s->body->op[step.op];
    const struct sched_form *form = &op->form[step.form];
    const struct sched_value *out = op->out == SCHED_NONE ? NULL : &s->body->value[op->out];
    const int vc = form->operand[SCHED_VC];
    const bool natural = vc != SCHED_NONE && s->body->value[vc].kind != SCHED_CONSTANT;
    step.issue = issue;
    if (op->store) {
        step.l16 = plan->life[form->operand[SCHED_VC]].cls == SCHED_L16;
        return search_start(s, plan, step);
    }
    for (unsigned l16 = 0; l16 < 2; l16++) {
        step.l16 = l16 == 0;
        if (step.l16 &&
            (!out->stored || (out->uses != 1 && out->back == SCHED_NONE) || op->cycles == 2)) {
            continue; /* only a store can read L16; other readers take it from Dst */
        }
        for (unsigned other = 0; other < 2; other++) {
            step.other = (other == 0) != natural;
            /* VB is a part of the immediate: only the SFPLOADMACRO can name the register. */
            if (form->row->implied == TX_IMPLIED_VB_IMM && !step.other) {
                continue;
            }
            if (op->cycles == 2 && !step.other) {
                continue; /* the template could not name VB, whose field is VD */
            }
            if (search_start(s, plan, step)) {
                return true;
            }
        }
    }
    return false;
}

static bool scheduled(struct sched_search *s, const struct sched_plan *plan,
                      const struct step *step)
{
    const struct sched_op *op = &s->body->op[step->op];
    const unsigned unit = sched_unit(op->form[step->form].row);
    for (unsigned i = 0; i < plan->issues; i++) {
        const struct sched_issue *issue = &plan->issue[i];
        const int delay = step->time - issue->time - 1;
        if (issue->op != SCHED_NONE || delay < 0 || delay >= SCHED_DELAYS ||
            issue->unit[unit] != SCHED_NONE) {
            continue;
        }
        if (op->store &&
            (issue->load != SCHED_NONE ? s->body->value[issue->load].address != s->body->address
                                       : s->body->unread)) {
            continue;
        }
        if (by_issue(s, plan, *step, (int)i)) {
            return true;
        }
    }
    for (int time = step->time - 1;
         time >= step->time - SCHED_DELAYS && !(op->store && s->body->unread); time--) {
        struct sched_plan next = *plan;
        const int at = new_issue(&next, time, SCHED_NONE, SCHED_NONE);
        if (at != SCHED_NONE && by_issue(s, &next, *step, at)) {
            return true;
        }
    }
    return false;
}

static bool plainly(struct sched_search *s, const struct sched_plan *plan, struct step step)
{
    const struct sched_op *op = &s->body->op[step.op];
    const struct sched_form *form = &op->form[step.form];
    const bool from_l16 = op->store && plan->life[form->operand[SCHED_VC]].cls == SCHED_L16;
    step.issue = SCHED_NONE;
    step.l16 = false;
    return form->plain && !from_l16 && search_start(s, plan, step);
}

static bool at_time(struct sched_search *s, const struct sched_plan *plan, struct step step)
{
    const struct sched_op *op = &s->body->op[step.op];
    const bool plain_first = draw(s, 4) == 1;
    for (step.form = 0; step.form < op->forms; step.form++) {
        if ((plain_first && plainly(s, plan, step)) ||
            (op->form[step.form].macro && scheduled(s, plan, &step)) ||
            (!plain_first && plainly(s, plan, step))) {
            return true;
        }
    }
    return false;
}

/* Sets *at to the first cycle in which all operands of other ops are there. False: none. */
static bool ready(const struct sched_search *s, const struct sched_plan *plan, unsigned k, int *at)
{
    const struct sched_op *op = &s->body->op[k];
    bool any = false;
    for (unsigned i = 0; i < SCHED_OPERANDS + SCHED_REGS; i++) {
        const int value = i < SCHED_OPERANDS ? op->form[0].operand[i] : op->pin[i - SCHED_OPERANDS];
        if (value == SCHED_NONE || s->body->value[value].kind != SCHED_MADE) {
            continue;
        }
        const int maker = s->body->value[value].op;
        const int there = plan->place[maker].time + (int)s->body->op[maker].latency;
        *at = any ? latest(*at, there) : there;
        any = true;
    }
    return any;
}

static bool next_op(struct sched_search *s, const struct sched_plan *plan)
{
    if (plan->placed == s->body->ops) {
        for (unsigned i = 0; i < plan->issues && s->body->unread; i++) {
            if (plan->issue[i].op == SCHED_NONE && plan->issue[i].load == SCHED_NONE) {
                return false; /* it would load from where nothing is */
            }
        }
        /* The assignment of registers may take a while. */
        s->stopped = s->stopped || !s->go_on(s->user);
        if (s->stopped || !sched_allocate(s->body, &s->limits, plan, &s->code, &s->loose)) {
            return false;
        }
        s->plan = *plan;
        return true;
    }
    struct step step = {.op = plan->placed};
    int first = 0;
    int last = 0;
    if (ready(s, plan, step.op, &first)) {
        last = first + (int)s->window;
        if (s->body->op[step.op].store && step.op + 1 < s->body->ops) {
            last = wanted(plan, s->body, step.op) - 1;
            if (last < first) {
                return false; /* also when nothing loads it: then it need not be stored */
            }
        }
    } else if (step.op != 0) {
        first = -(int)s->window;
        last = (int)s->window;
    }
    const int count = last - first + 1;
    const int turn = draw(s, 3) == 0 ? (int)draw(s, (unsigned)count) : 0;
    for (int i = 0; i < count && !s->stopped && !s->full; i++) {
        step.time = first + (i + turn) % count;
        if (at_time(s, plan, step)) {
            return true;
        }
    }
    return false;
}

bool sched_find(struct sched_search *s, unsigned ii)
{
    struct sched_plan plan = {.ii = ii};
    if (!s->go_on(s->user)) {
        s->stopped = true;
        return false;
    }
    memset(plan.slot, SCHED_FREE, sizeof plan.slot);
    memset(plan.unit, SCHED_FREE, sizeof plan.unit);
    memset(plan.pin, SCHED_NONE, sizeof plan.pin);
    for (unsigned i = 0; i < SCHED_LIVES; i++) {
        plan.life[i].cls = SCHED_NONE;
    }
    return next_op(s, &plan);
}
