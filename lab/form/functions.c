/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The row of each function: how its identities reduce the argument, what is approximated then, and
 * how the result is assembled.
 */
#include <math.h>
#include <string.h>

#include "form/parts.h"
#include "base/small.h"

enum { NO = FORM_NONE };

struct function {
    const char *name;
    /* Returns NO where it refuses. */
    int (*row)(struct form_code *c, const struct form_how *how, int x);
    unsigned kinds;   /* set of enum txl_form_kind, and NARROW */
    const char *mode; /* behaviour for special values, for the head comment; or NULL */
};

#define KIND(name) (1U << TXL_FORM_##name)
#define NARROW (1U << 31) /* exact enough for BF16 only */

static int exp_row(struct form_code *c, const struct form_how *how, int x)
{
    x = how->low < -87 ? form_above(c, x, "least", -88) : x;
    const struct form_power e = form_power(c, x, FORM_E, how->n, how->high > 88);
    return form_mul(c, e.p, e.scale);
}

static int exp2_row(struct form_code *c, const struct form_how *how, int x)
{
    x = how->low < -126 ? form_above(c, x, "least", -127) : x;
    const struct form_power e = form_power(c, x, FORM_TWO, how->n, how->high > 127.5);
    return form_mul(c, e.p, e.scale);
}

/* ---- logarithms ---- */

/* Logarithms but the one to base e. */
static int log_row(struct form_code *c, const struct form_how *how, int x, unsigned base)
{
    static const double log_of_2[3] = {0.69314718055994531, 1, 0.30102999566398120};
    static const double high_part[3] = {0.69140625, 1, 0.30078125};
    static const char *const what[3] = {"log(1 + t) / t", "log2(1 + t) / t", "log10(1 + t) / t"};
    static remez_function *const g[3] = {form_log1p, form_log2p, form_log10p};
    static const char *const times[3] = {"log 2", "1", "log10 2"};
    /*
     * bits(1) - bits(sqrt 1/2): the addition carries into the exponent where the significand is
     * above sqrt 2
     */
    const int a = form_emit(c, "sfpiadd %d, %a, 0, 4", form_bits(c, "carry", 0x4AFB0D), NO, NO,
                            form_copy(c, x));
    int m = form_emit(c, "sfpsetman %d, %a, 0, 1", a, NO, NO, NO);
    m = form_emit(c, "sfpiadd %d, %a, 0, 6", x, NO, NO, m);
    m = form_emit(c, "sfpiadd %d, %a, 0, 4", FORM_ONE, NO, NO, m);
    const int f = form_emit(c, "sfpaddi %d, bf16(-1.0), 0", NO, NO, NO, m);
    int e = form_emit(c, "sfpexexp %d, %a, 1", a, NO, NO, NO);
    e = form_emit(c, "sfpcast %d, %a, 0", e, NO, NO, NO);
    e = form_emit(c, "sfpaddi %d, bf16(-127.0), 0", NO, NO, NO, e);
    const double root = 0.70710678118654752;
    const bool split = !c->bf16 && base != 1;
    struct form_core *core =
        form_core(c, what[base], g[base], REMEZ_RELATIVE, root - 1, 2 * root - 1, how->n, 0);
    const int q = form_poly(c, core, f, 'c');
    const double part = split ? log_of_2[base] - high_part[base] : log_of_2[base];
    int result = e;
    if (split || base != 1) {
        result = form_mul(c, e, form_constant(c, split ? "log2_low" : "log2", part));
    }
    result = form_mad(c, q, f, result);
    result =
        split ? form_mad(c, e, form_constant(c, "log2_high", high_part[base]), result) : result;
    form_method(c,
                "x = m 2^e with m from sqrt(1/2) to sqrt 2: an addition to the bits carries into "
                "the exponent where m would be above. f = m - 1; its logarithm is f times a "
                "polynomial of degree %u, and e %s is added%s. ",
                how->n - 1, times[base], split ? " in two parts, the first exact" : "");
    if (how->whole || how->low <= 0) {
        const int flat = form_mul(c, x, FORM_ONE);
        if (how->whole) {
            result = c->bf16 ? form_endless(c, result, x) : form_ordinary(c, result, x);
        }
        result = form_negative(c, result, flat, "-inf");
    }
    return result;
}

/*
 * The logarithm to base e. k is what the exponent less 127 is without sign: in k - bits the
 * exponent field is 128 - e, with the significand around sqrt 2, and k less those bits with the
 * exponent 128 is m. The sign bit of k makes m negative where x is.
 *
 * The sum f + f^2 q + e log 2 has one large rounding, the last, if what is rounded before is at
 * most half as large: where e is 1 or -1 and f has the other sign, f + f^2 q may be as large as the
 * result. So a part of e log 2 is added to f first. 1/8 makes this sum
 * exact for small e, and small enough for others.
 */
static int ln_fp32(struct form_code *c, const struct form_how *how, int x)
{
    const double near_log2 = 0x1.62E430p-1; /* 21 bits, and right to 2^-28 */
    const double first = 0.125;
    const bool ends = how->whole || how->low <= 0;
    const int k = form_bits(c, "split", 0xFFB504F3);
    const int y = ends ? form_mul(c, x, FORM_ONE) : form_copy(c, x); /* a denormal is 0 */
    const int t = form_emit(c, "sfpiadd %d, %a, 0, 6", k, NO, NO, y);
    int e = form_emit(c, "sfpexexp %d, %a, 1", t, NO, NO, NO);
    e = form_emit(c, "sfpcast %d, %a, 0", e, NO, NO, NO);
    e = form_emit(c, "sfpaddi %d, bf16(-128.0), 0", NO, NO, NO, e);
    int m = form_emit(c, "sfpsetexp %d, %a, 128, 1", t, NO, NO, NO);
    if (ends) {
        m = form_log_ends(c, x, t, k, m, &e);
    } else {
        m = form_emit(c, "sfpiadd %d, %a, 0, 6", k, NO, NO, m);
    }
    const int f = form_emit(c, "sfpaddi %d, bf16(-1.0), 0", NO, NO, NO, m);
    const double root = 0.70710678118654752;
    struct form_core *core = form_core(c, "(log(1 + t) - t) / t^2", form_log1p_rest, REMEZ_ARGUMENT,
                                       root - 1, 2 * root - 1, how->n > 1 ? how->n - 1 : 1, 0);
    core->bits = 22; /* f^2 q is less than a quarter of f */
    const int q = form_mul(c, form_poly(c, core, f, 'c'), f);
    const int sum = form_mad(c, e, form_coarse(c, "first", -first), f);
    const int result =
        form_mad(c, e, form_constant(c, "second", first - near_log2), form_mad(c, q, f, sum));
    form_method(c,
                "x = m 2^e with m from sqrt(1/2) to sqrt 2, by a subtraction from bits that "
                "borrows from the exponent where m would be above. f = m - 1; its logarithm is f "
                "and f^2 times a polynomial of degree %u. e log 2 is added in two parts, the first "
                "to f, so that sums are small until the last. ",
                how->n > 1 ? how->n - 2 : 0);
    return result;
}

static int ln_row(struct form_code *c, const struct form_how *how, int x)
{
    if (c->bf16 && ((!how->whole && how->low > 0) || !form_keeps_nan(c))) {
        return log_row(c, how, x, 0);
    }
    int result = ln_fp32(c, how, x);
    if (c->bf16) { /* SFPSTOCHRND would make an infinity of a NaN */
        result = form_emit(c, "sfpiadd %d, %a, 0, 4", form_bits(c, "half", 0x8000), NO, NO, result);
        c->rounded = true;
    }
    return result;
}

static int log2_row(struct form_code *c, const struct form_how *how, int x)
{
    return log_row(c, how, x, 1);
}

static int log10_row(struct form_code *c, const struct form_how *how, int x)
{
    return log_row(c, how, x, 2);
}

/* ---- quotients and roots ---- */

static int recip_row(struct form_code *c, const struct form_how *how, int x)
{
    if (how->kind == TXL_FORM_ARECIP) {
        const int t = form_emit(c, "sfpsetexp %d, %a, 128, 1", x, NO, NO, NO);
        int scale = form_emit(c, "sfpnot %d, %a", x, NO, NO, NO);
        scale = form_emit(c, "sfpsetman %d, %a, 0, 1", scale, NO, NO, NO);
        scale = form_emit(c, "sfpsetsgn %d, %a, 0, 1", scale, NO, NO, NO);
        form_method(c,
                    "SFPARECIP of twice the significand; %u step%s of Newton, in the form of a "
                    "series in its error. The complement of the bits has the exponent of 1/x. ",
                    how->n, how->n == 1 ? "" : "s");
        return form_mul(c, form_arecip(c, t, how->n), scale);
    }
    struct form_split s = form_split(c, x, true);
    s.t = form_emit(c, "sfpaddi %d, bf16(-1.5), 0", NO, NO, NO, s.t);
    struct form_core *core = form_core(c, "-1 / (3 + 2 t)", form_less_half_recip, REMEZ_RELATIVE,
                                       -0.5, 0.5, how->n + 1, 0);
    form_method(
        c,
        "A polynomial of degree %u in the significand, less 1.5, is -1/2 of its reciprocal. The "
        "complement of the bits has the exponent of 2/x, and its other sign. ",
        how->n);
    return form_mul(c, form_poly(c, core, s.t, 'c'), s.scale);
}

enum { MAGIC_ROOT = 0x5F375A86, ONE_BITS = 0x3F800000 };

static int root_row(struct form_code *c, const struct form_how *how, int x, bool inverse)
{
    double low = 1;
    double high = 1;
    for (uint32_t m = 0; m < 1 << 24; m += 1 << 9) {
        const double y = (double)float_of_bits((uint32_t)MAGIC_ROOT - ((ONE_BITS + m) >> 1));
        const double d = (double)float_of_bits(ONE_BITS + m) * y * y;
        low = fmin(low, d);
        high = fmax(high, d);
    }
    int y = form_emit(c, "sfpshft %d, %d, -1, 1", NO, NO, NO, form_copy(c, x));
    y = form_emit(c, "sfpiadd %d, %a, 0, 6", form_bits(c, "magic", MAGIC_ROOT), NO, NO, y);
    const int g = form_mul(c, x, y);
    const int d = form_mad(c, g, y, form_minus(c));
    struct form_core *core = form_core(c, "1 / sqrt(1 + t)", form_rsqrt, REMEZ_RELATIVE, low - 1,
                                       high - 1, how->n + 1, 0);
    const int p = form_poly(c, core, d, 'c');
    int result = form_mul(c, inverse ? y : g, p);
    form_method(c,
                "y is 1/sqrt(x) to 3.5 %% from half the bits of x; d = x y^2 - 1 is small, and a "
                "polynomial of degree %u in d makes up for the rest. ",
                how->n);
    if (how->whole || how->low <= 0) {
        const int flat = form_mul(c, x, FORM_ONE);
        if (how->whole) {
            result = inverse ? form_finite(c, result, x, "0.0") : form_ordinary(c, result, x);
        }
        result = form_negative(c, result, flat, inverse ? "inf" : NULL);
    }
    return result;
}

static int sqrt_row(struct form_code *c, const struct form_how *how, int x)
{
    return root_row(c, how, x, false);
}

static int rsqrt_row(struct form_code *c, const struct form_how *how, int x)
{
    return root_row(c, how, x, true);
}

/* ---- functions that saturate at 1 ---- */

/* Holds the slope at 0 at exactly 1, so that the smallest numbers are not changed. */
static void hold_slope(struct form_core *core, const char *what)
{
    if (strcmp(what, "tanh") == 0 && core->remez.tops > 1) {
        form_hold(core, 0, 1);
    }
}

/* Builds an odd function from |x|. Beyond last the result is 1 to the last bit. */
static int odd_row(struct form_code *c, const struct form_how *how, int x, double last,
                   const char *what, remez_function *g, remez_function *g_root)
{
    const double top = fmin(last, fmax(fabs(how->low), fabs(how->high)));
    int u = form_emit(c, "sfpsetsgn %d, %a, 0, 1", x, NO, NO, NO);
    u = top == last ? form_below(c, u, "last", last) : u;
    int result;
    char name[64];
    if (how->kind == TXL_FORM_RATIONAL) {
        const int v = form_mul(c, u, u);
        snprintf(name, sizeof name, "%s(r) / r, r = sqrt t", what);
        struct form_core *core =
            form_core(c, name, g_root, REMEZ_RELATIVE, 0, top * top, how->m + 1, how->n);
        const int above = form_mul(c, form_poly(c, core, v, 'c'), u);
        form_method(c, "x times a quotient of polynomials of degrees %u and %u in x^2. ", how->m,
                    how->n);
        result = form_divide(c, above, form_bottom(c, core, v, 'd'));
    } else {
        snprintf(name, sizeof name, "%s(t) / t", what);
        struct form_core *core = form_core(c, name, g, REMEZ_RELATIVE, 0, top, how->n, 0);
        hold_slope(core, what);
        form_method(c, "|x| times a polynomial of degree %u in it, with the sign of x. ",
                    how->n - 1);
        result = form_mul(c, form_poly(c, core, u, 'c'), u);
    }
    if (top == last) {
        form_method(c, "|x| goes no further than %g, where the result is 1 to a bit. ", last);
        result = form_below(c, result, "one", 1);
    }
    return form_emit(c, "sfpsetsgn %d, %a, 0, 0", result, NO, NO, x);
}

/* t / (t + 1), t = (e^2|x| - 1) / 2, which is small where x is: nothing cancels. */
static int tanh_by_power(struct form_code *c, const struct form_how *how, int x)
{
    const double half = 0.69314718055994531 / 2;
    const bool far = fmax(fabs(how->low), fabs(how->high)) > 9.02;
    int u = form_emit(c, "sfpsetsgn %d, %a, 0, 1", x, NO, NO, NO);
    u = far ? form_below(c, u, "last", 9.25) : u;
    const int y = form_mad(c, u, form_constant(c, "scale", 1 / half), form_coarse(c, "bias", 127));
    const int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", y, NO, NO, NO);
    int e = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    e = form_emit(c, "sfpaddi %d, bf16(-127.0), 0", NO, NO, NO, e);
    const int f = form_mad(c, e, form_constant(c, "half_ln2", -half), u);
    struct form_core *core =
        form_core(c, "((e^2t - 1) / 2 - t) / t^2", form_expm1_rest, REMEZ_ARGUMENT,
                  -half / 2 - 1e-4, half / 2 + 1e-4, how->n - 1, 0);
    const int q = form_poly(c, core, f, 'c');
    const int power = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    const int whole = form_mad(c, power, form_coarse(c, "half", 0.5), form_coarse(c, "less", -0.5));
    /* 2^n (f + f^2 q) + (2^n - 1) / 2 */
    const int t = form_mad(c, form_mad(c, form_mul(c, f, f), q, f), power, whole);
    form_method(
        c,
        "t / (t + 1) with t = (e^2|x| - 1) / 2: |x| = n ln 2 / 2 + f; half of e^2f - 1 is f "
        "and f^2 times a polynomial of degree %u, and t is that times 2^n and half of "
        "2^n - 1. ",
        how->n - 2);
    int lost = NO;
    const int below = form_has_reciprocal(c) ? form_sum(c, FORM_ONE, t, form_minus(c), &lost)
                                             : form_add(c, t, FORM_ONE);
    const int result = form_quotient(c, t, below, lost);
    return form_emit(c, "sfpsetsgn %d, %a, 0, 0", result, NO, NO, form_load(c));
}

static int tanh_row(struct form_code *c, const struct form_how *how, int x)
{
    if (how->kind == TXL_FORM_POLY && !c->bf16 && how->n > 2) {
        return tanh_by_power(c, how, x);
    }
    return odd_row(c, how, x, c->bf16 ? 3.5 : 9.02, "tanh", form_tanh, form_tanh_root);
}

static int erf_row(struct form_code *c, const struct form_how *how, int x)
{
    return odd_row(c, how, x, c->bf16 ? 2.25 : 3.84, "erf", form_erf, form_erf_root);
}

/* Computes 1 / (1 + e^-x). less is -x; its register is reused. */
static int logistic(struct form_code *c, int less, unsigned degree)
{
    less = form_above(c, less, "least", -88);
    const struct form_power e = form_power(c, less, FORM_E, degree, false);
    return form_reciprocal(c, form_mad(c, e.p, e.scale, FORM_ONE));
}

static int minus(struct form_code *c, int x)
{
    return form_emit(c, "sfpmov %d, %a, 1", x, NO, NO, NO);
}

static int sigmoid_row(struct form_code *c, const struct form_how *how, int x)
{
    if (how->kind == TXL_FORM_ARECIP) {
        x = form_below(c, x, "most", 88);
        x = how->n > 0 ? form_above(c, x, "least", -88) : x; /* Newton would make infinity 0 NaN */
        const struct form_power e =
            form_power(c, x, FORM_LESS_E, c->bf16 ? 2 : form_power_degree(c), false);
        form_method(c, "1 / (1 + e^-x) by SFPARECIP, with %u step%s of Newton. ", how->n,
                    how->n == 1 ? "" : "s");
        return form_arecip(c, form_mad(c, e.p, e.scale, FORM_ONE), how->n);
    }
    form_method(c, "1 / (1 + e^-x); of -x: ");
    return logistic(c, minus(c, x), how->n);
}

static int silu_row(struct form_code *c, const struct form_how *how, int x)
{
    if (c->bf16) {
        return form_gate(c, x, form_emit(c, "sfpsetsgn %d, %a, 1, 1", x, NO, NO, NO), how->n);
    }
    form_method(c, "x / (1 + e^-x); of -x: ");
    return form_mul(c, logistic(c, minus(c, x), how->n), x);
}

static int gelu_row(struct form_code *c, const struct form_how *how, int x)
{
    const int u = form_below(c, form_mul(c, x, x), "last", 178);
    struct form_core *core = form_core(c, "-log(Phi(r)/Phi(-r)) / r, r = sqrt t", form_gelu,
                                       REMEZ_SQRT, 0, 178, how->n + 1, 0);
    form_method(c,
                "Phi(x) = 1 / (1 + e^-q) with q = log(Phi(x) / Phi(-x)): x times a polynomial of "
                "degree %u in x^2, which goes no further than 178. Of -q: ",
                how->n);
    int less = form_mul(c, form_poly(c, core, u, 'c'), x);
    if (c->bf16) {
        less = form_emit(c, "sfpsetsgn %d, %a, 1, 1", less, NO, NO, NO);
        return form_gate(c, x, less, 2);
    }
    return form_mul(c, logistic(c, less, form_power_degree(c)), x);
}

static int softplus_row(struct form_code *c, const struct form_how *how, int x)
{
    int a = form_emit(c, "sfpsetsgn %d, %a, 1, 1", x, NO, NO, NO);
    form_method(c, "max(x, 0) + log(1 + y), y = e^-|x|. Of -|x|: ");
    const struct form_power e =
        form_power(c, form_above(c, a, "least", -88), FORM_E, form_power_degree(c), false);
    const int y = form_mul(c, e.p, e.scale);
    struct form_core *core =
        form_core(c, "log(1 + t) / t", form_log1p, REMEZ_RELATIVE, 0, 1, how->n, 0);
    const int q = form_poly(c, core, y, 'c');
    form_method(c, "log(1 + y) is y times a polynomial of degree %u. ", how->n - 1);
    return form_mad(c, q, y, form_above(c, x, "zero", 0));
}

/* ---- sinh and cosh: the even and odd parts of e^f, which also give e^-f ---- */

/* Are there results beyond the largest power of two? */
static bool is_far(const struct form_how *how)
{
    return fmax(fabs(how->low), fabs(how->high)) > 89;
}

/* |x| = n ln 2 + f. */
struct parts {
    int up, down; /* 2^(n-2), 2^(-n-2) */
    int f;
};

static struct parts hyperbolic_parts(struct form_code *c, const struct form_how *how, int x)
{
    const double ln2 = 0.69314718055994531;
    struct parts p;
    const int u = form_emit(c, "sfpsetsgn %d, %a, 0, 1", x, NO, NO, NO);
    const bool far = is_far(how);
    const int y =
        form_mad(c, u, form_constant(c, "log2e", 1 / ln2), form_coarse(c, "bias", far ? 126 : 125));
    int n = form_emit(c, "sfpstochrnd %d, %a, %a, 0, 2, 0", y, NO, NO, NO);
    /* n + 125; the conversion ends at 255, where n is 129, and f goes on: the sum overflows */
    n = far ? form_emit(c, "sfpiadd %d, %d, -1, 5", NO, NO, NO, n) : n;
    int e = form_emit(c, "sfpcast %d, %a, 0", n, NO, NO, NO);
    e = form_emit(c, "sfpaddi %d, bf16(-125.0), 0", NO, NO, NO, e);
    if (c->bf16) {
        p.f = form_mad(c, e, form_constant(c, "ln2", -ln2), u);
    } else {
        p.f = form_mad(c, e, form_constant(c, "ln2_high", -0.69140625), u);
        p.f = form_mad(c, e, form_constant(c, "ln2_low", 0.69140625 - ln2), p.f);
    }
    /* the complement of the power is -2^(3-n) */
    p.up = form_emit(c, "sfpshft %d, %d, 23, 1", NO, NO, NO, n);
    p.down = form_emit(c, "sfpnot %d, %a", p.up, NO, NO, NO);
    p.down = form_emit(c, "sfpsetman %d, %a, 0, 1", p.down, NO, NO, NO);
    p.down = form_emit(c, "sfpmuli %d, bf16(-0.03125), 0", NO, NO, NO, p.down);
    return p;
}

/*
 * Terms are added up by their size, so that only the last roundings show. Powers are of a quarter,
 * as 2^128 is no number. Where n is 0, sinh's 2^n - 2^-n is 0, so that nothing cancels; and what
 * it is then is not halved, as it may be a small number.
 */
static int hyperbolic(struct form_code *c, const struct form_how *how, int x, bool odd)
{
    const struct parts p = hyperbolic_parts(c, how, x);
    const double end = 0.69314718055994531 * 0.69314718055994531 / 4 + 1e-4;
    const int v = form_mul(c, p.f, p.f);
    const int f = odd ? form_add(c, p.f, p.f) : p.f;
    struct form_core *even = form_core(
        c, odd ? "2 (cosh(r) - 1) / r^2, r = sqrt t" : "(cosh(r) - 1) / r^2, r = sqrt t",
        odd ? form_cosh_rest_twice : form_cosh_rest, REMEZ_ARGUMENT, 0, end, how->n / 2, 0);
    const int ch = form_mul(c, form_poly(c, even, v, 'c'), v);
    const int plus = form_add(c, p.up, p.down);
    const int less = form_mad(c, p.down, form_minus(c), p.up);
    int sh;
    if (c->bf16) {
        struct form_core *rest = form_core(c, "sinh(r) / r, r = sqrt t", form_sinh_root,
                                           REMEZ_RELATIVE, 0, end, (how->n + 1) / 2, 0);
        form_hold(rest, 0, 1);
        sh = form_mul(c, form_poly(c, rest, v, 's'), f);
    } else {
        struct form_core *rest = form_core(c, "(sinh(r) / r - 1) / r^2, r = sqrt t", form_sinh_rest,
                                           REMEZ_ARGUMENT, 0, end, (how->n - 1) / 2, 0);
        sh = form_mul(c, form_poly(c, rest, v, 's'), form_mul(c, v, f));
    }
    form_method(c,
                "|x| = n ln 2 + f, n the nearest integer; cosh f - 1 and sinh f%s by polynomials "
                "of degrees %u and %u in f^2, times f^2 and %s; with 2^n + 2^-n and 2^n - 2^-n "
                "they give the result, added up from the smallest part to the largest. ",
                c->bf16 ? "" : " - f", how->n / 2 - 1,
                c->bf16 ? (how->n + 1) / 2 - 1 : (how->n - 1) / 2 - 1, c->bf16 ? "f" : "f^3");
    if (odd) {
        int small = form_mad(c, plus, sh, form_mul(c, less, ch));
        small = c->bf16 ? small : form_mad(c, plus, f, small);
        int r;
        if (is_far(how)) {
            r = form_mad(c, small, form_coarse(c, "half", 0.5), less);
            r = form_emit(c, "sfpswap %d, %a, 9", small, NO, NO, form_add(c, r, r));
        } else {
            r = form_mad(c, less, form_coarse(c, "two", 2), small);
        }
        return form_emit(c, "sfpsetsgn %d, %a, 0, 0", r, NO, NO, form_load(c));
    }
    int small = form_mad(c, plus, ch, form_mad(c, less, sh, p.down));
    small = c->bf16 ? small : form_mad(c, less, f, small);
    const int r = form_add(c, p.up, small);
    return form_add(c, r, r);
}

/* Both polynomials have at least one coefficient. */
static struct form_how at_least_three(const struct form_how *how)
{
    struct form_how some = *how;
    some.n = some.n < 3 ? 3 : some.n;
    return some;
}

static int sinh_row(struct form_code *c, const struct form_how *how, int x)
{
    const struct form_how some = at_least_three(how);
    return hyperbolic(c, &some, x, true);
}

static int cosh_row(struct form_code *c, const struct form_how *how, int x)
{
    const struct form_how some = at_least_three(how);
    return hyperbolic(c, &some, x, false);
}

/* ---- sine and cosine ---- */

static int sine(struct form_code *c, const struct form_how *how, int x, bool cosine)
{
    const double pi = 3.14159265358979323846;
    if (fmax(fabs(how->low), fabs(how->high)) > (c->bf16 ? 65536 : 10000)) {
        return NO; /* beyond this, n pi in parts is not accurate enough */
    }
    const bool even = cosine && c->bf16;
    int q = x;
    if (cosine && !even) {
        q = form_mad(c, x, form_constant(c, "inv_pi", 1 / pi), form_constant(c, "half", -0.5));
        q = form_add(c, q, form_constant(c, "round", 12582912));
    } else {
        q = form_mad(c, x, form_constant(c, "inv_pi", 1 / pi), form_constant(c, "round", 12582912));
    }
    int n = even ? form_less(c, q, "back", 12582912)
                 : form_add(c, q, form_constant(c, "back", -12582912));
    n = cosine && !even ? form_emit(c, "sfpaddi %d, bf16(0.5), 0", NO, NO, NO, n) : n;
    int f = form_mad(c, n, form_constant(c, "pi_1", -3.140625), x);
    f = form_mad(
        c, n, form_constant(c, "pi_2", c->bf16 ? -0.0009676535897932 : -0.0009675025939941406), f);
    f = c->bf16 ? f : form_mad(c, n, form_constant(c, "pi_3", -1.5099579909783764e-7), f);
    const int v = form_mul(c, f, f);
    if (even) {
        return form_cos_row(c, how, v, q);
    }
    struct form_core *core =
        form_core(c, cosine ? "-sin(r) / r, r = sqrt t" : "sin(r) / r, r = sqrt t",
                  cosine ? form_less_sin_root : form_sin_root, REMEZ_RELATIVE, 0,
                  pi * pi / 4 + 1e-3, (how->n + 1) / 2, 0);
    if (!cosine && core->remez.tops > 1) {
        form_hold(core, 0, 1); /* the smallest numbers must not be changed */
    }
    const int r = form_mul(c, form_poly(c, core, v, 'c'), f);
    const int sign = form_emit(c, "sfpshft %d, %d, 31, 1", NO, NO, NO, q);
    form_method(c,
                "x = %s pi + f, n to the nearest by an addition of 1.5 2^23, whose lowest bit is "
                "the result's sign; f times a polynomial of degree %u in f^2. ",
                cosine ? "(n + 1/2)" : "n", (how->n + 1) / 2 - 1);
    return form_emit(c, "sfpxor %d, %a", sign, NO, NO, r);
}

static int sin_row(struct form_code *c, const struct form_how *how, int x)
{
    return sine(c, how, x, false);
}

static int cos_row(struct form_code *c, const struct form_how *how, int x)
{
    return sine(c, how, x, true);
}

static const struct function functions[] = {
    {"exp", exp_row, KIND(POLY), "a NaN stays one in FP32 only"},
    {"exp2", exp2_row, KIND(POLY), "a NaN stays one in FP32 only"},
    {"log", ln_row, KIND(POLY), NULL},
    {"log2", log2_row, KIND(POLY), NULL},
    {"log10", log10_row, KIND(POLY), NULL},
    {"log1p", form_log1p_row, KIND(POLY) | NARROW, NULL},
    {"recip", recip_row, KIND(POLY) | KIND(ARECIP), "NaN gives zero"},
    {"sqrt", sqrt_row, KIND(POLY), NULL},
    {"rsqrt", rsqrt_row, KIND(POLY), "NaN gives zero"},
    {"tanh", tanh_row, KIND(POLY) | KIND(RATIONAL), "NaN gives 1 or -1"},
    {"erf", erf_row, KIND(POLY) | KIND(RATIONAL), "NaN gives 1 or -1"},
    {"sigmoid", sigmoid_row, KIND(POLY) | KIND(ARECIP), "NaN gives 0 or 1"},
    {"silu", silu_row, KIND(POLY), "-Inf gives NaN"},
    {"gelu", gelu_row, KIND(POLY), "-Inf gives NaN"},
    {"softplus", softplus_row, KIND(POLY), NULL},
    {"sinh", sinh_row, KIND(POLY), "a NaN stays one in FP32 only"},
    {"cosh", cosh_row, KIND(POLY), "a NaN stays one in FP32 only"},
    {"expm1", form_expm1_row, KIND(POLY), "a NaN stays one in FP32 only"},
    {"cbrt", form_cbrt_row, KIND(POLY), NULL},
    {"i0", form_i0_row, KIND(POLY), NULL},
    {"sin", sin_row, KIND(POLY), NULL},
    {"cos", cos_row, KIND(POLY), NULL},
    {"tan", form_tan_row, KIND(POLY) | NARROW, NULL},
    {"atan", form_atan_row, KIND(POLY) | NARROW, "NaN gives a number"},
};

static const struct function *functions_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

/* Lists the functions that have a form of this kind: "exp, exp2, log". */
static void list_known(enum txl_form_kind kind, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if ((functions[i].kinds >> kind & 1) != 0 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     functions[i].name);
        }
    }
}

int form_function(struct txl_error *err, struct form_code *c, const char *name,
                  const struct form_how *how)
{
    const struct function *f = functions_find(name);
    char known[200];
    if (f == NULL || (f->kinds >> how->kind & 1) == 0) {
        list_known(how->kind, known, sizeof known);
        return txl_refuse(err, TXL_NEGATIVE, "no way is known to write %s in this form, only %s",
                          name, known);
    }
    if (how->kind == TXL_FORM_ARECIP && !form_has_reciprocal(c)) {
        return txl_refuse(err, TXL_NEGATIVE,
                          "arecip+newton: Wormhole has no SFPARECIP; poly:N has the same shape");
    }
    if ((f->kinds & NARROW) != 0 && !c->bf16) {
        return txl_refuse(err, TXL_NEGATIVE, "%s: its form is exact enough for --dst bf16 only",
                          name);
    }
    const int x = form_load(c);
    const int result = f->row(c, how, x);
    if (result == NO) {
        return txl_refuse(err, TXL_NEGATIVE,
                          "%s: its argument is reduced for |x| up to %s; give a --domain", name,
                          c->bf16 ? "65536" : "10000");
    }
    form_store(c, result);
    if (f->mode != NULL && how->whole) {
        form_method(c, "%c%s.", f->mode[0] == 'a' ? 'A' : f->mode[0], f->mode + 1);
    }
    return c->full ? txl_refuse(err, TXL_NEGATIVE, "%s of this form is too long", name)
                   : TXL_CONTINUE;
}
