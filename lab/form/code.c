/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the computation of a row as a list of instructions on values. */
#include "form/form.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static int add_constant(struct form_code *c, struct form_constant constant, const char *name)
{
    if (c->constants == FORM_CONSTANTS) {
        c->full = true;
        return FORM_ZERO;
    }
    snprintf(constant.name, sizeof constant.name, "%s", name);
    constant.reg = FORM_NONE;
    c->constant[c->constants] = constant;
    return FORM_CONSTANT + (int)c->constants++;
}

int form_constant(struct form_code *c, const char *name, double value)
{
    return add_constant(c, (struct form_constant){.value = value, .needs = 24}, name);
}

int form_bits(struct form_code *c, const char *name, uint32_t bits)
{
    return add_constant(c, (struct form_constant){.bits = bits, .type = FORM_BITS, .needs = 24},
                        name);
}

int form_emit(struct form_code *c, const char *text, int a, int b, int d, int tied)
{
    if (c->ops == FORM_OPS || strlen(text) >= FORM_TEXT) {
        c->full = true;
        return FORM_ZERO;
    }
    struct form_op *op = &c->op[c->ops++];
    *op = (struct form_op){
        .in = {a, b, d}, .tied = tied, .clobbered = FORM_NONE, .out = (int)c->values++};
    snprintf(op->text, sizeof op->text, "%s", text);
    for (unsigned i = 0; i < FORM_INPUTS; i++) {
        if (op->in[i] >= FORM_CONSTANT && op->in[i] < FORM_REGISTER) {
            c->constant[op->in[i] - FORM_CONSTANT].used = true;
        }
    }
    return op->out;
}

int form_load(struct form_code *c)
{
    return form_emit(c, "sfpload %d, %i, 0, 3", FORM_NONE, FORM_NONE, FORM_NONE, FORM_NONE);
}

int form_round(struct form_code *c, int value)
{
    if (!c->bf16 || c->rounded) {
        return value;
    }
    c->rounded = true;
    return form_emit(c, "sfpstochrnd %d, %a, %a, 0, 1, 0", value, FORM_NONE, FORM_NONE, FORM_NONE);
}

void form_store(struct form_code *c, int value)
{
    value = form_round(c, value);
    (void)form_emit(c, "sfpstore %a, %i, 0, 3", value, FORM_NONE, FORM_NONE, FORM_NONE);
    c->op[c->ops - 1].out = FORM_NONE;
}

int form_mad(struct form_code *c, int a, int b, int d)
{
    return form_emit(c, "sfpmad %d, %a, %b, %c, 0", a, b, d, FORM_NONE);
}

int form_mul(struct form_code *c, int a, int b)
{
    return form_emit(c, "sfpmul %d, %a, %b, 0", a, b, FORM_NONE, FORM_NONE);
}

int form_add(struct form_code *c, int a, int b)
{
    return form_emit(c, "sfpadd %d, %a, %b, 0", a, b, FORM_NONE, FORM_NONE);
}

int form_copy(struct form_code *c, int a)
{
    return form_emit(c, "sfpmov %d, %a, 0", a, FORM_NONE, FORM_NONE, FORM_NONE);
}

void form_method(struct form_code *c, const char *format, ...)
{
    const size_t used = strlen(c->method);
    va_list list;
    va_start(list, format);
    if (used + 1 < sizeof c->method) {
        (void)vsnprintf(c->method + used, sizeof c->method - used, format, list);
    }
    va_end(list);
}

/* ---- cores ---- */

struct form_core *form_core(struct form_code *c, const char *what, remez_function *g,
                            enum remez_weight weight, double a, double b, unsigned tops,
                            unsigned bottoms)
{
    if (c->cores == FORM_CORES || tops > REMEZ_TERMS || bottoms > REMEZ_TERMS) {
        c->full = true;
        c->cores = 0;
        tops = bottoms = 1;
    }
    struct form_core *core = &c->core[c->cores++];
    *core = (struct form_core){
        .remez = {.g = g, .weight = weight, .a = a, .b = b, .tops = tops, .bottoms = bottoms},
        .largest = fmax(fabs(a), fabs(b))};
    snprintf(core->what, sizeof core->what, "%s", what);
    return core;
}

void form_hold(struct form_core *core, unsigned k, double value)
{
    core->remez.held |= 1U << k;
    core->remez.top[k] = value;
}

static int coefficient(struct form_code *c, char letter, unsigned k)
{
    char name[16];
    snprintf(name, sizeof name, "%c%u", letter, k);
    const int number = form_constant(c, name, 0);
    if (number >= FORM_CONSTANT && number < FORM_REGISTER) {
        c->constant[number - FORM_CONSTANT].free = true;
    }
    return number;
}

struct terms {
    int t[8]; /* powers t^1, t^2, t^4 ...; FORM_NONE: not computed yet */
    int coefficient[REMEZ_TERMS];
};

static int power(struct form_code *c, struct terms *s, unsigned k)
{
    if (s->t[k] == FORM_NONE) {
        const int root = power(c, s, k - 1);
        s->t[k] = form_mul(c, root, root);
    }
    return s->t[k];
}

/*
 * Evaluates a polynomial by Estrin's scheme: combines pairs of coefficients, then pairs of the
 * results.
 */
static int estrin(struct form_code *c, struct terms *s, unsigned first, unsigned count)
{
    unsigned k = 0;
    while (count > 2U << k) {
        k++;
    }
    const unsigned half = 1U << k;
    if (count == 1) {
        return s->coefficient[first];
    }
    const int high = estrin(c, s, first + half, count - half);
    const int low = estrin(c, s, first, half);
    return form_mad(c, high, power(c, s, k), low);
}

static int evaluate(struct form_code *c, struct terms *s, unsigned count)
{
    if (c->pairs) {
        return estrin(c, s, 0, count);
    }
    int sum = s->coefficient[count - 1];
    for (unsigned k = count - 1; k-- > 0;) {
        sum = form_mad(c, sum, s->t[0], s->coefficient[k]);
    }
    return sum;
}

int form_poly(struct form_code *c, struct form_core *core, int t, char letter)
{
    struct terms s;
    memset(&s, 0xFF, sizeof s);
    s.t[0] = t;
    for (unsigned k = 0; k < core->remez.tops; k++) {
        const bool held = (core->remez.held >> k & 1) != 0;
        core->top[k] = held ? FORM_NONE : coefficient(c, letter, k);
        s.coefficient[k] = !held ? core->top[k] : core->remez.top[k] == 1 ? FORM_ONE : FORM_ZERO;
    }
    return evaluate(c, &s, core->remez.tops);
}

int form_sum(struct form_code *c, int a, int b, int minus, int *rest)
{
    const int sum = form_add(c, a, b);
    const int back = form_mad(c, sum, minus, a); /* -b, but for what was lost */
    *rest = form_add(c, back, b);
    return sum;
}

int form_bottom(struct form_code *c, struct form_core *core, int t, char letter)
{
    struct terms s;
    memset(&s, 0xFF, sizeof s);
    s.t[0] = t;
    s.coefficient[0] = FORM_ONE;
    for (unsigned k = 0; k < core->remez.bottoms; k++) {
        core->bottom[k] = s.coefficient[k + 1] = coefficient(c, letter, k + 1);
    }
    return evaluate(c, &s, core->remez.bottoms + 1);
}

/* Bits of a coefficient that matter: its term's part of the whole, to a quarter of a step. */
static void weigh(struct form_code *c, const struct form_core *core, int number, double term,
                  double whole)
{
    struct form_constant *k = &c->constant[number - FORM_CONSTANT];
    const unsigned wanted = core->bits != 0 ? core->bits : c->bf16 ? 8 : 24;
    const double bits = wanted + 3 + log2(fabs(term) / whole);
    k->needs = bits < 1 ? 1 : bits > 24 ? 24 : (unsigned)ceil(bits);
}

static double number_of(const struct form_constant *k)
{
    const enum tx_dst_format format = k->type == FORM_BF16   ? TX_DST_FORMAT_BF16
                                      : k->type == FORM_FP16 ? TX_DST_FORMAT_FP16
                                                             : TX_DST_FORMAT_FP32;
    return txl_word_number(format, txl_number_word(format, k->value), true);
}

/*
 * Holds the highest coefficients that are stored with few bits at their rounded values, so that a
 * second solution can compensate for the rounding with the others.
 */
static void settle_coarse(const struct form_code *c, struct form_core *core)
{
    for (unsigned k = core->remez.tops; k-- > 1 && core->top[k] != FORM_NONE;) {
        const struct form_constant *one = &c->constant[core->top[k] - FORM_CONSTANT];
        if (one->type != FORM_BF16 && one->type != FORM_FP16) {
            break;
        }
        form_hold(core, k, number_of(one));
    }
}

static int solve_core(struct txl_error *err, struct form_code *c, struct form_core *core)
{
    const uint32_t held = core->remez.held;
    settle_coarse(c, core);
    unsigned chosen = core->remez.bottoms;
    for (unsigned k = 0; k < core->remez.tops; k++) {
        chosen += (core->remez.held >> k & 1) == 0;
    }
    int result = chosen == 0 ? TXL_CONTINUE : remez_solve(err, &core->remez);
    core->remez.held = held;
    double size = 1;
    for (unsigned k = 0; k < core->remez.tops && result == TXL_CONTINUE; k++) {
        if (core->top[k] != FORM_NONE) {
            c->constant[core->top[k] - FORM_CONSTANT].value = core->remez.top[k];
            weigh(c, core, core->top[k], core->remez.top[k] * size, fabs(core->remez.top[0]));
        }
        size *= core->largest;
    }
    size = core->largest;
    for (unsigned k = 0; k < core->remez.bottoms && result == TXL_CONTINUE; k++) {
        c->constant[core->bottom[k] - FORM_CONSTANT].value = core->remez.bottom[k];
        weigh(c, core, core->bottom[k], core->remez.bottom[k] * size, 1);
        size *= core->largest;
    }
    return result;
}

int form_solve(struct txl_error *err, struct form_code *c)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < c->cores && result == TXL_CONTINUE; i++) {
        result = solve_core(err, c, &c->core[i]);
    }
    return result;
}
