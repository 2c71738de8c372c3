/* SPDX-License-Identifier: Apache-2.0 */
/* Building blocks of several functions: powers, quotients, special values. */
#include "form/parts.h"

#include <math.h>
#include <string.h>

enum { NO = FORM_NONE };

static int kept(struct form_code *c, const char *name, double number)
{
    const int value = form_constant(c, name, number);
    if (value < FORM_REGISTER) {
        c->constant[value - FORM_CONSTANT].kept = true;
    }
    return value;
}

/* A constant that BF16 represents exactly. */
static int coarse(struct form_code *c, const char *name, double number)
{
    const int value = form_constant(c, name, number);
    if (value < FORM_REGISTER) {
        c->constant[value - FORM_CONSTANT].needs = 8;
    }
    return value;
}

int form_minus(struct form_code *c)
{
    for (unsigned i = 0; i < c->constants; i++) {
        if (c->constant[i].kept && c->constant[i].value == -1) {
            return FORM_CONSTANT + (int)i;
        }
    }
    return kept(c, "minus", -1);
}

int form_above(struct form_code *c, int x, const char *name, double number)
{
    const int bound = number == 0 ? FORM_ZERO : kept(c, name, number);
    return form_emit(c, "sfpswap %d, %a, 9", bound, NO, NO, x);
}

int form_below(struct form_code *c, int x, const char *name, double number)
{
    const int bound = number == 1 ? FORM_ONE : kept(c, name, number);
    return form_emit(c, "sfpswap %d, %a, 1", bound, NO, NO, x);
}

/* ---- powers ---- */

unsigned form_power_degree(const struct form_code *c)
{
    return c->bf16 ? 3 : 6;
}

struct form_power form_power(struct form_code *c, int x, bool two, unsigned degree)
{
    struct form_power power;
    const double ln2 = 0.69314718055994531;
    /*
     * n + 127, where n is the integer below; a little more than 1/2 keeps integers away from a tie.
     */
    const int bias = two ? form_constant(c, "bias", 126.50001) : coarse(c, "bias", 126.5);
    const int y =
        two ? form_add(c, x, bias) : form_mad(c, x, form_constant(c, "log2e", 1 / ln2), bias);
    const int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", y, NO, NO, NO);
    const int whole = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    const int e = form_emit(c, "sfpaddi %d, bf16(-127.0), 0", NO, NO, NO, whole);
    int f;
    if (two) {
        f = form_mad(c, e, form_minus(c), x);
    } else if (c->bf16) {
        f = form_mad(c, e, form_constant(c, "ln2", -ln2), x);
    } else {
        f = form_mad(c, e, coarse(c, "ln2_high", -0.69140625), x);
        f = form_mad(c, e, form_constant(c, "ln2_low", 0.69140625 - ln2), f);
    }
    struct form_core *core =
        form_core(c, two ? "2^t" : "e^t", two ? form_exp2 : form_exp, REMEZ_RELATIVE, -2e-5,
                  (two ? 1 : ln2) + 2e-5, degree + 1, 0);
    form_hold(core, 0, 1); /* e^0 is 1, and no power of two comes out too small */
    power.p = form_poly(c, core, f, 'e');
    power.scale = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    form_method(c,
                "SFPSTOCHRND makes n + 127 of x%s, n the integer below, which shifted to the "
                "exponent is 2^n: 0 and infinity beyond the range. f = x - n%s%s; %s by a "
                "polynomial of degree %u. ",
                two ? "" : " / ln 2", two ? "" : " ln 2",
                two || c->bf16 ? "" : " in two parts, the first exact", two ? "2^f" : "e^f",
                degree);
    return power;
}

/* ---- quotients ---- */

struct form_split form_split(struct form_code *c, int x, bool negative)
{
    struct form_split s;
    s.t = form_emit(c, "sfpsetexp %d, %a, 127, 1", x, NO, NO, NO);
    if (negative) {
        s.t = form_emit(c, "sfpsetsgn %d, %a, 0, 1", s.t, NO, NO, NO);
    }
    s.scale = form_emit(c, "sfpnot %d, %a", x, NO, NO, NO);
    s.scale = form_emit(c, "sfpsetman %d, %a, 0, 1", s.scale, NO, NO, NO);
    return s;
}

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*
 * The bits of 1/t are approximately this constant minus the bits of t: 2129859011 is 0x7ef3 11c3.
 */
enum { MAGIC_RECIP = 2129859011, ONE_BITS = 0x3F800000 };

int form_near_reciprocal(struct form_code *c, int t, unsigned degree)
{
    double low = 1;
    double high = 1;
    for (uint32_t m = 0; m < 1 << 23; m += 1 << 9) {
        const double d = (double)from_bits(ONE_BITS + m) *
                         (double)from_bits((uint32_t)MAGIC_RECIP - (ONE_BITS + m));
        low = fmin(low, d);
        high = fmax(high, d);
    }
    const int start = form_emit(c, "sfpiadd %d, %a, 0, 6", form_bits(c, "magic", MAGIC_RECIP), NO,
                                NO, form_copy(c, t));
    const int d = form_mad(c, t, start, form_minus(c));
    struct form_core *core = form_core(c, "-1 / (2 + 2 t)", form_near_recip, REMEZ_RELATIVE,
                                       low - 1, high - 1, degree + 1, 0);
    form_method(c,
                "1/t starts from the bits of t, 12 %% off; times a polynomial of degree %u in "
                "the product of both less 1. ",
                degree);
    return form_mul(c, start, form_poly(c, core, d, 'r'));
}

int form_arecip(struct form_code *c, int t, unsigned steps)
{
    int r = form_emit(c, "sfparecip %d, %a, 0", t, NO, NO, NO);
    if (steps != 0) {
        const int e = form_emit(c, "sfpmad %d, %a, %b, %c, 1", t, r, FORM_ONE, NO);
        int more = e;
        for (unsigned i = 1; i < steps; i++) {
            more = form_mad(c, more, e, e);
        }
        r = form_mad(c, r, more, r);
    }
    return r;
}

static unsigned newton_steps(const struct form_code *c)
{
    return c->bf16 ? 1 : 3;
}

int form_reciprocal(struct form_code *c, int x)
{
    if (c->arch == TX_BLACKHOLE) {
        const int t = form_emit(c, "sfpsetexp %d, %a, 128, 1", x, NO, NO, NO);
        int scale = form_emit(c, "sfpnot %d, %a", x, NO, NO, NO);
        scale = form_emit(c, "sfpsetman %d, %a, 0, 1", scale, NO, NO, NO);
        scale = form_emit(c, "sfpsetsgn %d, %a, 0, 1", scale, NO, NO, NO);
        form_method(c,
                    "The reciprocal by SFPARECIP and its error's series to the power %u, on the "
                    "significand; the exponent by complement. ",
                    newton_steps(c));
        return form_mul(c, form_arecip(c, t, newton_steps(c)), scale);
    }
    const struct form_split s = form_split(c, x, false);
    const int near = form_near_reciprocal(c, s.t, c->bf16 ? 2 : 6);
    form_method(c, "The exponent by complement. ");
    return form_mul(c, near, s.scale);
}

int form_divide(struct form_code *c, int a, int b)
{
    if (c->arch == TX_BLACKHOLE) {
        form_method(c, "The quotient by SFPARECIP and its error's series to the power %u. ",
                    newton_steps(c));
        return form_mul(c, a, form_arecip(c, b, newton_steps(c)));
    }
    /* near is -1/(2 b), so the other factor is -2 a. */
    const int near = form_near_reciprocal(c, b, c->bf16 ? 2 : 6);
    return form_mul(c, form_mul(c, a, coarse(c, "minus_two", -2)), near);
}

/* ---- special values ---- */

static int special(struct form_code *c, const char *text, int x, int e, int result)
{
    const int made = form_emit(c, text, x, e, NO, form_round(c, result));
    if (c->ops != 0) {
        c->op[c->ops - 1].clobbered = e;
        c->op[c->ops - 1].late = 1; /* the condition is evaluated first */
    }
    c->flags = true;
    return made;
}

int form_finite(struct form_code *c, int result, int x, const char *instead)
{
    char text[FORM_TEXT];
    const int e = form_emit(c, "sfpexexp %d, %a, 1", x, NO, NO, NO);
    if (instead == NULL) {
        snprintf(text, sizeof text, "%s",
                 "sfpiadd %b, %b, -255, 9\nsfpmov %d, %a, 0\nsfpencc 3, 10");
    } else {
        snprintf(text, sizeof text,
                 "sfpiadd %%b, %%b, -255, 9\nsfploadi %%d, bf16(%s), 0\n"
                 "sfpencc 3, 10",
                 instead);
    }
    return special(c, text, instead == NULL ? x : NO, e, result);
}

int form_negative(struct form_code *c, int result, int x, const char *zero)
{
    char text[FORM_TEXT];
    if (zero != NULL) {
        snprintf(text, sizeof text, "sfpsetcc %%a, 0, 6\nsfploadi %%d, bf16(%s), 0\nsfpencc 3, 10",
                 zero);
        result = special(c, text, x, NO, result);
    }
    return special(c, "sfpsetcc %a, 0, 0\nsfploadi %d, 0x7fc0, 0\nsfpencc 3, 10", x, NO, result);
}
