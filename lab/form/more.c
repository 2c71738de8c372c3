/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of functions that are put together from powers, roots and reciprocals. */
#include <math.h>

#include "form/parts.h"

enum { NO = FORM_NONE };

/* e^x - 1 = 2^n (e^f - 1) + (2^n - 1): nothing cancels, as n is 0 where x is small. */
int form_expm1_row(struct form_code *c, const struct form_how *how, int x)
{
    const double ln2 = 0.69314718055994531;
    x = how->low < -87 ? form_above(c, x, "least", -88) : x;
    const bool high = how->high > 88;
    const int bias = form_coarse(c, "bias", high ? 128 : 127);
    const int y = form_mad(c, x, form_constant(c, "log2e", 1 / ln2), bias);
    int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", y, NO, NO, NO);
    /* the conversion ends at 255: for n + 128 that is 127, and 2^127 is a number */
    n = high ? form_emit(c, "sfpiadd %d, %d, -1, 5", NO, NO, NO, n) : n;
    const int whole = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    const int e = form_emit(c, "sfpaddi %d, bf16(-127.0), 0", NO, NO, NO, whole);
    int f;
    if (c->bf16) {
        f = form_mad(c, e, form_constant(c, "ln2", -ln2), x);
    } else {
        f = form_mad(c, e, form_coarse(c, "ln2_high", -0.69140625), x);
        f = form_mad(c, e, form_constant(c, "ln2_low", 0.69140625 - ln2), f);
    }
    struct form_core *core = form_core(c, "(e^t - 1) / t", form_expm1, REMEZ_RELATIVE,
                                       -ln2 / 2 - 1e-4, (high ? 0.7 : 0.5) * ln2 + 1e-4, how->n, 0);
    form_hold(core, 0, 1);
    const int q = form_mul(c, form_poly(c, core, f, 'c'), f);
    const int scale = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    form_method(
        c,
        "SFPSTOCHRND makes n + 127 of x / ln 2, n the nearest integer, which shifted to the "
        "exponent is 2^n. f = x - n ln 2; e^f - 1 is f times a polynomial of degree %u, and "
        "the result 2^n times that and 2^n - 1. ",
        how->n - 1);
    return form_mad(c, q, scale, form_add(c, scale, form_minus(c)));
}

/*
 * The bits of x^(-1/3) are about a constant less a third of those of x. The third is taken of a
 * float, whose sum with 2^23 has the upper 24 bits of what is left at its lower end.
 */
int form_cbrt_row(struct form_code *c, const struct form_how *how, int x)
{
    const double least = 0.897, most = 1.104; /* of x r^3, for all significands */
    const int u = form_emit(c, "sfpsetsgn %d, %a, 0, 1", x, NO, NO, NO);
    const int i = form_emit(c, "sfpcast %d, %a, 0", u, NO, NO, NO);
    const int third = form_mad(c, i, form_constant(c, "third", -1.0 / 3 / 256),
                               form_constant(c, "magic", 0x1p23 + 0x54A200));
    const int r = form_emit(c, "sfpshft %d, %d, 8, 1", NO, NO, NO, third);
    const int g = form_mul(c, form_mul(c, r, r), u);
    const int d = form_mad(c, g, r, form_minus(c));
    struct form_core *core = form_core(c, "(1 + t)^(-2/3)", form_less_two_thirds, REMEZ_RELATIVE,
                                       least - 1, most - 1, how->n + 1, 0);
    const int result = form_mul(c, form_poly(c, core, d, 'c'), g);
    form_method(
        c,
        "r is 1/cbrt(x) to 3.5 %% from a third of the bits of x; d = x r^3 - 1 is small, and "
        "a polynomial of degree %u in d makes up for the rest. ",
        how->n);
    return form_emit(c, "sfpsetsgn %d, %a, 0, 0", result, NO, NO, x);
}

/*
 * cos f = (pi^2/4 - f^2) times a polynomial in v = f^2, for f between -pi/2 and pi/2: the factor is
 * 0 where the result is. q has the result's sign as its lowest bit.
 */
int form_cos_row(struct form_code *c, const struct form_how *how, int v, int q)
{
    const double end = 2.4674011002723397; /* pi^2/4 */
    struct form_core *core = form_core(c, "cos(r) / (pi^2/4 - r^2), r = sqrt t", form_cos_root,
                                       REMEZ_RELATIVE, 0, end + 2e-3, (how->n + 1) / 2, 0);
    const int factor = form_has_reciprocal(c)
                           ? form_emit(c, "sfpmad %d, %a, %b, %c, 1", v, FORM_ONE,
                                       form_constant(c, "end", end), NO)
                           : form_mad(c, v, form_minus(c), form_constant(c, "end", end));
    const int r = form_mul(c, form_poly(c, core, v, 'c'), factor);
    const int sign = form_emit(c, "sfpshft %d, %d, 31, 1", NO, NO, NO, q);
    form_method(
        c,
        "x = n pi + f, n to the nearest by an addition of 1.5 2^23, whose lowest bit is the "
        "result's sign; pi^2/4 - f^2 times a polynomial of degree %u in f^2. ",
        (how->n + 1) / 2 - 1);
    return form_emit(c, "sfpxor %d, %a", sign, NO, NO, r);
}

/*
 * x / (1 + e^-q) for BF16, where q has the sign of x; less is -|q|. With t = e^-|q| the denominator
 * is 1 + t, and the numerator x t where x is negative, else x: the greater of the two in both
 * cases. x t may be a number where t is none: powers are held with 2^7 more, the polynomial with
 * as much less.
 */
int form_gate(struct form_code *c, int x, int less, unsigned degree)
{
    const double ln2 = 0.69314718055994531;
    less = form_above(c, less, "least", -92.8);
    const int y =
        form_mad(c, less, form_constant(c, "log2e", 1 / ln2), form_coarse(c, "bias", 134));
    const int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", y, NO, NO, NO);
    const int whole = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    const int e = form_emit(c, "sfpaddi %d, bf16(-134.0), 0", NO, NO, NO, whole);
    const int f = form_mad(c, e, form_constant(c, "ln2", -ln2), less);
    struct form_core *core = form_core(c, "e^t / 128", form_exp_128, REMEZ_RELATIVE,
                                       -ln2 / 2 - 1e-4, ln2 / 2 + 1e-4, degree + 1, 0);
    const int p = form_poly(c, core, f, 'e');
    const int scale = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    const int below = form_mad(c, p, scale, FORM_ONE);
    const int above =
        form_emit(c, "sfpswap %d, %a, 9", x, NO, NO, form_mul(c, form_mul(c, x, scale), p));
    form_method(c,
                "x / (1 + e^-q), q of the sign of x, as the greater of x and x t over 1 + t, t = "
                "e^-|q|: SFPSTOCHRND makes n + 134 of -|q| / ln 2, n the nearest integer, which "
                "shifted to the exponent is 2^(n + 7); e^f / 128 by a polynomial of degree %u. ",
                degree);
    return form_divide(c, above, below);
}

/*
 * I0(x) = e^u w h(w^2), u = |x|, w = 1 / sqrt(u + 1). Powers are held with 2^6 less, as e^u is no
 * number where the result still is.
 */
int form_i0_row(struct form_code *c, const struct form_how *how, int x)
{
    const double ln2 = 0.69314718055994531;
    const int u = form_below(c, form_emit(c, "sfpsetsgn %d, %a, 0, 1", x, NO, NO, NO), "last", 180);
    const int a = form_add(c, u, FORM_ONE);
    int y = form_emit(c, "sfpshft %d, %d, -1, 1", NO, NO, NO, form_copy(c, a));
    y = form_emit(c, "sfpiadd %d, %a, 0, 6", form_bits(c, "magic", 0x5F375A86), NO, NO, y);
    const int d = form_mad(c, form_mul(c, a, y), y, form_minus(c));
    struct form_core *root =
        form_core(c, "1 / sqrt(1 + t)", form_rsqrt, REMEZ_RELATIVE, -0.0685, 0.0711, 2, 0);
    const int w = form_mul(c, y, form_poly(c, root, d, 'r'));
    struct form_core *core = form_core(c, "64 I0(u) e^-u sqrt(u + 1), t = 1 / (u + 1)",
                                       form_i0_rest, REMEZ_RELATIVE, 1.0 / 94, 1, how->n + 1, 0);
    const int h = form_mul(c, form_poly(c, core, form_mul(c, w, w), 'c'), w);
    const int e = form_mad(c, u, form_constant(c, "log2e", 1 / ln2), form_coarse(c, "bias", 121));
    const int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", e, NO, NO, NO);
    int whole = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    whole = form_emit(c, "sfpaddi %d, bf16(-121.0), 0", NO, NO, NO, whole);
    const int f = form_mad(c, whole, form_constant(c, "ln2", -ln2), u);
    struct form_core *power = form_core(c, "e^t", form_exp, REMEZ_RELATIVE, -ln2 / 2 - 1e-4,
                                        ln2 / 2 + 1e-4, form_power_degree(c), 0);
    form_hold(power, 0, 1);
    const int p = form_mul(c, form_poly(c, power, f, 'e'), h);
    const int scale = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    form_method(
        c,
        "e^u w h, u = |x| up to 180, w = 1 / sqrt(u + 1) from half the bits and a polynomial "
        "of degree 1, h a polynomial of degree %u in w^2; u = n ln 2 + f, e^f by a "
        "polynomial of degree %u. ",
        how->n, form_power_degree(c) - 1);
    return form_mul(c, p, scale);
}

/* ---- reciprocals in some lanes ---- */

/*
 * Wormhole: -1/x for BF16, from bits(-1) + bits(1) less those of x, which are 12 %% off, and a
 * polynomial in the product's difference from -1.
 */
static int less_inverse(struct form_code *c, int x)
{
    const int r = form_emit(c, "sfpiadd %d, %a, 0, 6", form_coarse(c, "magic", -0x1p127), NO, NO,
                            form_copy(c, x));
    struct form_core *core =
        form_core(c, "1 / (1 - t)", form_inverse, REMEZ_RELATIVE, -0.125, 0, 3, 0);
    form_hold(core, 0, 1);
    form_method(c, "-1/t starts from the bits of t, 12 %% off; times a polynomial of degree 2 in "
                   "1 and the product of both. ");
    return form_mul(c, r, form_poly(c, core, form_mad(c, x, r, FORM_ONE), 'r'));
}

/* Selects value, whose register the result takes, where the top bit of condition is set, else x. */
static int where_negative(struct form_code *c, int condition, int value, int x)
{
    const int made =
        form_emit(c, "sfpsetcc %a, 0, 4\nsfpmov %d, %b, 0\nsfpencc 3, 10", condition, x, NO, value);
    if (c->ops != 0) {
        c->op[c->ops - 1].late = 1; /* the condition is evaluated first */
    }
    c->flags = true;
    return made;
}

/* 1 / |x| in the lanes where the top bit of condition is set, else x: Blackhole's SFPARECIP. */
static int arecip_where(struct form_code *c, int x, int condition)
{
    return form_emit(c, "sfparecip %d, %a, 1 !imm12_math=%B", x, condition, NO, NO);
}

/*
 * f + f^3 p(f^2), f between -pi/4 and pi/4, is tan f: the smallest numbers are not changed, and
 * f^3 is made beside p. Where n is odd, the result is -1 over that. Its sign on Blackhole is set
 * afterwards, as the conditional SFPARECIP drops signs.
 */
int form_tan_row(struct form_code *c, const struct form_how *how, int x)
{
    const double half = 1.57079632679489661923;
    if (fmax(fabs(how->low), fabs(how->high)) > 65536) {
        return NO; /* beyond this, n pi/2 in two parts is not accurate enough */
    }
    const int q = form_mad(c, x, form_constant(c, "two_over_pi", 1 / half),
                           form_constant(c, "round", 12582912));
    const int n = form_less(c, q, "back", 12582912);
    int f = form_mad(c, n, form_constant(c, "half_pi_1", -1.5703125), x);
    f = form_mad(c, n, form_constant(c, "half_pi_2", 1.5703125 - half), f);
    const int v = form_mul(c, f, f);
    const unsigned terms = how->n > 3 ? (how->n - 1) / 2 : 1;
    struct form_core *core = form_core(c, "(tan(r) / r - 1) / r^2, r = sqrt t", form_tan_rest,
                                       REMEZ_ARGUMENT, 0, half * half / 4 + 1e-3, terms, 0);
    const int t = form_mad(c, form_poly(c, core, v, 'c'), form_mul(c, v, f), f);
    const int odd = form_emit(c, "sfpshft %d, %d, 31, 1", NO, NO, NO, q);
    form_method(c,
                "x = n pi/2 + f, n to the nearest by an addition of 1.5 2^23; f and f^3 times a "
                "polynomial of degree %u in f^2; -1 over that where the lowest bit of n is set. ",
                terms - 1);
    if (!form_has_reciprocal(c)) {
        return where_negative(c, odd, less_inverse(c, t), t);
    }
    const int sign = form_emit(c, "sfpxor %d, %a", t, NO, NO, odd);
    form_method(c, "The reciprocal by SFPARECIP. ");
    return form_emit(c, "sfpsetsgn %d, %a, 0, 0", arecip_where(c, t, odd), NO, NO, sign);
}

/*
 * t p(t^2) with t = x, or pi/2 less that with t = 1/|x| where |x| is above 1, with the sign of x.
 */
int form_atan_row(struct form_code *c, const struct form_how *how, int x)
{
    const double half = 1.57079632679489661923;
    struct form_core *core = form_core(c, "atan(r) / r, r = sqrt t", form_atan_root, REMEZ_RELATIVE,
                                       0, 1, (how->n + 1) / 2, 0);
    form_hold(core, 0, 1); /* the smallest numbers must not be changed */
    form_method(c,
                "t times a polynomial of degree %u in t^2, t = x up to 1; beyond, pi/2 less that "
                "of t = 1/|x|; the sign of x. ",
                (how->n + 1) / 2 - 1);
    int result;
    if (form_has_reciprocal(c)) {
        const int far = form_emit(c, "sfpmad %d, %a, %a, %b, 1", x, FORM_ONE, NO, NO);
        const int t = arecip_where(c, x, far);
        const int p = form_poly(c, core, form_mul(c, t, t), 'c');
        int end = form_emit(c, "sfpshft %d, %a, -31, 7", far, NO, NO, NO);
        end = form_emit(c, "sfpand %d, L0, %a, 0", form_constant(c, "end", half), NO, NO, end);
        form_method(c, "The reciprocal by SFPARECIP. ");
        result = form_emit(c, "sfpmad %d, %a, %b, %c, 1", p, t, end, NO);
    } else {
        const int u =
            form_below(c, form_emit(c, "sfpsetsgn %d, %a, 0, 1", x, NO, NO, NO), "last", 0x1p20);
        const int far = form_mad(c, u, form_minus(c), FORM_ONE);
        const int t = where_negative(c, far, less_inverse(c, u), u);
        const int p = form_poly(c, core, form_mul(c, t, t), 'c');
        int end = form_emit(c, "sfpshft %d, %d, -31, 1", NO, NO, NO, far);
        end = form_mul(c, form_emit(c, "sfpcast %d, %a, 0", end, NO, NO, NO),
                       form_constant(c, "end", half));
        result = form_mad(c, p, t, end);
    }
    return form_emit(c, "sfpsetsgn %d, %a, 0, 0", result, NO, NO, x);
}

/*
 * The logarithm of u = 1 + x for BF16, m and e of u as in the logarithm to base e (functions.c).
 * Where x is small, u has lost bits of it: there e is 0, and f is x itself. Where a NaN of the
 * multiply-add is none in BF16, the ends are put in behind the rounding.
 */
int form_log1p_row(struct form_code *c, const struct form_how *how, int x)
{
    const double ln2 = 0.69314718055994531;
    const double root = 0.70710678118654752;
    const bool ends = how->whole || how->low <= -1;
    const bool keeps = form_keeps_nan(c);
    const int k = form_bits(c, "split", 0xFFB504F3);
    const int u = form_add(c, x, FORM_ONE);
    const int t =
        form_emit(c, "sfpiadd %d, %a, 0, 6", k, NO, NO, ends && !keeps ? form_copy(c, u) : u);
    int e = form_emit(c, "sfpexexp %d, %a, 1", t, NO, NO, NO);
    e = form_emit(c, "sfpcast %d, %a, 0", e, NO, NO, NO);
    e = form_emit(c, "sfpaddi %d, bf16(-128.0), 0", NO, NO, NO, e);
    const int whole = e;
    int m = form_emit(c, "sfpsetexp %d, %a, 128, 1", t, NO, NO, NO);
    if (ends && keeps) {
        m = form_log_ends(c, x, t, k, m, &e);
    } else {
        m = form_emit(c, "sfpiadd %d, %a, 0, 6", k, NO, NO, m);
    }
    int f = form_emit(c, "sfpaddi %d, bf16(-1.0), 0", NO, NO, NO, m);
    f = form_emit(c, "sfpsetcc %a, 0, 6\nsfpmov %d, %b, 0\nsfpencc 3, 10", whole, x, NO, f);
    c->flags = true;
    struct form_core *core = form_core(c, "log(1 + t) / t", form_log1p, REMEZ_RELATIVE, root - 1,
                                       2 * root - 1, how->n, 0);
    form_hold(core, 0, 1); /* the least numbers stay what they are */
    const int part = form_mul(c, e, form_constant(c, "ln2", -ln2));
    int result = form_mad(c, form_poly(c, core, f, 'c'), f, part);
    form_method(c,
                "1 + x = m 2^e with m from sqrt(1/2) to sqrt 2, by a subtraction from bits that "
                "borrows from the exponent where m would be above. f = m - 1, and x where e is 0; "
                "its logarithm is f times a polynomial of degree %u. ",
                how->n - 1);
    if (ends && !keeps) {
        return form_negative(c, form_ordinary(c, result, x), u, "-inf");
    }
    /* SFPSTOCHRND would make an infinity of a NaN */
    result = form_emit(c, "sfpiadd %d, %a, 0, 4", form_bits(c, "half", 0x8000), NO, NO, result);
    c->rounded = true;
    return result;
}
