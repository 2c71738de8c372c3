/* SPDX-License-Identifier: Apache-2.0 */
/* Building blocks of several functions: powers, quotients, special values. */
#include "form/parts.h"
#include "base/small.h"

#include <tensix/facts.h>

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
int form_coarse(struct form_code *c, const char *name, double number)
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

int form_less(struct form_code *c, int x, const char *name, double number)
{
    for (unsigned i = 0; form_has_reciprocal(c) && i < c->constants; i++) {
        if (c->constant[i].value == number && c->constant[i].type != FORM_BITS) {
            return form_emit(c, "sfpmad %d, %a, %b, %c, 2", x, FORM_ONE, FORM_CONSTANT + (int)i,
                             NO);
        }
    }
    return form_add(c, x, form_constant(c, name, -number));
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

/*
 * n is the nearest integer in FP32, so that f is exact. In BF16 it is the integer below, which no
 * power of two in the range is too large for; and in FP32, too, where the polynomial is too short
 * for the f beyond 1/2 that the last power has.
 */
enum { LONG_ENOUGH = 7 };

struct form_power form_power(struct form_code *c, int x, enum form_base base, unsigned degree,
                             bool high)
{
    struct form_power power;
    const bool two = base == FORM_TWO;
    const double sign = base == FORM_LESS_E ? -1 : 1;
    const double ln2 = 0.69314718055994531 * sign;
    const bool below = c->bf16 || (high && degree < LONG_ENOUGH);
    const bool ends = high && !below;
    /* n + 127; a little more than 1/2 where n is below, so that an integer is not halfway */
    const int bias = !below ? form_coarse(c, "bias", ends ? 128 : 127)
                     : two  ? form_constant(c, "bias", 126.50001)
                            : form_coarse(c, "bias", 126.5);
    const int y =
        two ? form_add(c, x, bias) : form_mad(c, x, form_constant(c, "log2e", 1 / ln2), bias);
    int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", y, NO, NO, NO);
    /* the conversion ends at 255: for n + 128 that is 127, and 2^127 is a number */
    n = ends ? form_emit(c, "sfpiadd %d, %d, -1, 5", NO, NO, NO, n) : n;
    const int whole = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    const int e = form_emit(c, "sfpaddi %d, bf16(-127.0), 0", NO, NO, NO, whole);
    int f;
    if (two) {
        f = form_mad(c, e, form_minus(c), x);
    } else if (c->bf16) {
        f = form_mad(c, e, form_constant(c, "ln2", -ln2), x);
    } else {
        f = form_mad(c, e, form_coarse(c, "ln2_high", -0.69140625 * sign), x);
        f = form_mad(c, e, form_constant(c, "ln2_low", 0.69140625 * sign - ln2), f);
    }
    const double one = two ? 1 : fabs(ln2);
    const double left = below ? 2e-5 : one / 2 + 1e-4;
    const double right = below || ends ? one + 2e-5 : left;
    static const char *const what[] = {"e^t", "2^t", "e^-t"};
    static remez_function *const g[] = {form_exp, form_exp2, form_less_exp};
    struct form_core *core =
        form_core(c, what[base], g[base], REMEZ_RELATIVE, sign > 0 ? -left : -right,
                  sign > 0 ? right : left, degree + 1, 0);
    form_hold(core, 0, 1); /* e^0 is 1, and no power of two comes out too small */
    power.p = form_poly(c, core, f, 'e');
    power.scale = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    form_method(c,
                "SFPSTOCHRND makes n + 127 of %sx%s, n the %s, which shifted to the exponent is "
                "2^n: 0%s beyond the range%s. f = x %c n%s%s; %s by a polynomial of degree %u. ",
                sign < 0 ? "-" : "", two ? "" : " / ln 2",
                below ? "integer below" : "nearest integer", ends ? "" : " and infinity",
                ends ? "; n ends at 127, and f goes on" : "", sign < 0 ? '+' : '-',
                two ? "" : " ln 2", two || c->bf16 ? "" : " in two parts, the first exact",
                two        ? "2^f"
                : sign < 0 ? "e^-f"
                           : "e^f",
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

/*
 * The bits of 1/t are approximately this constant minus the bits of t: 2129859011 is 0x7ef3 11c3.
 */
enum { MAGIC_RECIP = 2129859011, ONE_BITS = 0x3F800000 };

/* Of t times its start: as wide as low and high. */
static void start_range(double *low, double *high)
{
    for (uint32_t m = 0; m < 1 << 23; m += 1 << 9) {
        const double d = (double)float_of_bits(ONE_BITS + m) *
                         (double)float_of_bits((uint32_t)MAGIC_RECIP - (ONE_BITS + m));
        *low = fmin(*low, d);
        *high = fmax(*high, d);
    }
}

int form_near_reciprocal(struct form_code *c, int t, unsigned degree)
{
    double low = 1;
    double high = 1;
    start_range(&low, &high);
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

bool form_has_reciprocal(const struct form_code *c)
{
    struct tx_real real;
    const struct tx_row *row;
    bool has = false;
    for (size_t i = 0; !has && (row = tx_row_at(c->arch, i)) != NULL; i++) {
        has = tx_row_real(row, 0, &real) && real.relation == TX_REAL_ABOUT;
    }
    return has;
}

int form_reciprocal(struct form_code *c, int x)
{
    if (form_has_reciprocal(c)) {
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
    if (form_has_reciprocal(c)) {
        form_method(c, "The quotient by SFPARECIP and its error's series to the power %u. ",
                    newton_steps(c));
        return form_mul(c, a, form_arecip(c, b, newton_steps(c)));
    }
    /* near is -1/(2 b), so the other factor is -2 a. */
    const int near = form_near_reciprocal(c, b, c->bf16 ? 2 : 6);
    return form_mul(c, form_mul(c, a, form_coarse(c, "minus_two", -2)), near);
}

int form_quotient(struct form_code *c, int a, int b, int lost)
{
    if (form_has_reciprocal(c)) {
        const int r = form_arecip(c, b, 2);
        const int y = form_mul(c, a, r);
        form_method(c, "The quotient by SFPARECIP, its error's series, and the remainder. ");
        int left = form_emit(c, "sfpmad %d, %a, %b, %c, 1", b, y, a, NO);
        left = lost == NO ? left : form_emit(c, "sfpmad %d, %a, %b, %c, 1", lost, y, left, NO);
        return form_mad(c, left, r, y);
    }
    /*
     * bits(-1) + bits(1) less those of b: -1/b, exact at powers of two. That it is right there
     * without the remainder counts: of small numbers the remainder is too small to be one.
     */
    int r = form_emit(c, "sfpiadd %d, %a, 0, 6", form_coarse(c, "magic", -0x1p127), NO, NO,
                      form_copy(c, b));
    struct form_core *core =
        form_core(c, "1 / (1 - t)", form_inverse, REMEZ_RELATIVE, -0.125, 0, 3, 0);
    form_hold(core, 0, 1);
    core->bits = 13;
    const int p = form_poly(c, core, form_mad(c, b, r, FORM_ONE), 'r');
    for (unsigned k = 1; k < core->remez.tops; k++) {
        c->constant[core->top[k] - FORM_CONSTANT].kept = true; /* registers are few here */
    }
    r = form_mul(c, r, p);
    const int y = form_mul(c, a, r);
    form_method(c, "The quotient: -1/b starts from the bits of b, 12 %% off and exact at powers of "
                   "two; times a polynomial of degree 2 in 1 and the product of both; and the "
                   "remainder. ");
    const int left = form_mad(c, b, y, a);
    return form_mad(c, left, r, y);
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

bool form_keeps_nan(const struct form_code *c)
{
    return tx_arch_fact(c->arch, TX_FACT_ARITHMETIC_BH) != 0;
}

int form_finite(struct form_code *c, int result, int x, const char *instead)
{
    char text[FORM_TEXT];
    const int e = form_emit(c, "sfpexexp %d, %a, 1", x, NO, NO, NO);
    snprintf(text, sizeof text,
             "sfpiadd %%b, %%b, -255, 9\nsfploadi %%d, bf16(%s), 0\nsfpencc 3, 10", instead);
    return special(c, text, NO, e, result);
}

int form_ordinary(struct form_code *c, int result, int x)
{
    const int e = form_emit(c, "sfpexexp %d, %a, 1", x, NO, NO, NO);
    return special(c, "sfpiadd %b, %b, -255, 9\nsfpmov %d, %a, 0\nsfpencc 3, 10", x, e, result);
}

int form_endless(struct form_code *c, int result, int x)
{
    /* Of a negative NaN Wormhole's sum is negative, too: form_negative takes it. */
    const int end =
        c->bf16 ? form_coarse(c, "end", -0x1.FEp127) : form_constant(c, "end", -0x1.FFFFFEp127);
    return form_emit(c, "sfpswap %d, %a, 9", form_add(c, x, end), NO, NO, form_round(c, result));
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

int form_log_ends(struct form_code *c, int x, int t, int k, int m, int *e)
{
    const int power = form_emit(c, "sfpsetman %d, %a, 0, 1", t, NO, NO, NO);
    const int w = form_add(c, x, power);
    m = form_emit(c, "sfpiadd %d, %a, 0, 2\nsfploadi %b, 0x7fc0, 0\nsfpencc 3, 10", k, w, NO, m);
    c->flags = true;
    /*
     * Times 2^-150 in two steps: too small to be seen in e, unless infinite. That m is an operand
     * keeps this behind the SFPLOADI of a NaN.
     */
    const int small = form_emit(c, "sfpmuli %d, bf16(5.9604645e-8), 0", m, NO, NO, w);
    *e = form_mad(c, small, form_coarse(c, "tiny", -0x1p-126), *e);
    return m;
}
