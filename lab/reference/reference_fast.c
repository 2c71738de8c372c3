/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References in double precision. A result of libm with a known bound on its error decides how the
 * function rounds to 24 bits or fewer, unless it is within that bound of the middle between two
 * neighbours. MPFR computes those elements, one in millions.
 *
 * Bounds: glibc documents errors of at most 5 ULP of double for these functions on its x86_64 and
 * AArch64 ports, apart from tgamma's 10 ("Errors in Math Functions"). LIBM is six times the worst
 * of them and covers compositions of up to three such steps. Other libraries document nothing, so
 * only half of the bits of their results are trusted. The functions of reference_loops.h state
 * bounds of their own, all below LIBM. tests/cli/test_reference.c compares all of them with MPFR.
 */
#include "reference/reference_work.h"

#include <math.h>
#include <string.h>

#ifdef __GLIBC__
enum { LIBM = 64 };
#else
enum { LIBM = 1 << 20 };
#endif

/*
 * EXACT: the double is the function itself, or the function rounded to double such that rounding
 * again to half the bits gives the same as rounding once. For + - * / and the square root of
 * operands with p bits that holds when 53 >= 2 p + 2 (Figueroa, When is double rounding innocuous?,
 * 1995).
 */
enum { EXACT = 0 };

/*
 * x/2 erfc(-x/sqrt 2): the argument z has two roundings, which erfc magnifies by up to 2 z^2 + 2; z
 * < 27 where erfc is not zero. That is 2 * 1460 ULP, and LIBM.
 */
enum { GELU = 2920 + LIBM };

struct reference_fast {
    const char *name;
    double (*one)(double x);
    double (*with)(double x, const double *parameter); /* one number, and parameters */
    double (*two)(double x, double y);
    double (*three)(double x, double y, double z, bool *exact);
    enum loop_function many; /* the function of one number over arrays */
    int bound;               /* in ULP of double */
};

static double d_recip(double x)
{
    return 1.0 / x;
}

static double d_rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

static double d_sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static double d_silu(double x)
{
    return x / (1.0 + exp(-x));
}

/*
 * Above 14 the relative difference from x is below 2^-146; below -40 the result is below 2^-1150.
 */
static double d_gelu(double x)
{
    if (x > 14.0) {
        return x;
    }
    return x < -40.0 ? -0.0 : 0.5 * x * erfc(x * -0x1.6a09e667f3bcdp-1);
}

/* Above 64 the difference from x, which is exp(-x), is below 2^-92. */
static double d_softplus(double x)
{
    return x > 64.0 ? x : log1p(exp(x));
}

static double d_relu(double x)
{
    return x > 0.0 ? x : 0.0;
}

static double d_sign(double x)
{
    return x > 0.0 ? 1.0 : -1.0; /* zeros are handled before */
}

static double d_square(double x)
{
    return x * x;
}

static double d_neg(double x)
{
    return -x;
}

static double d_identity(double x)
{
    return x;
}

static double d_lgamma(double x)
{
    int sign = 0;
    return lgamma_r(x, &sign);
}

/* x + 3 loses nothing where it is small, and 1 ULP elsewhere. */
static double d_hard(double x)
{
    const double y = x + 3.0;
    return y < 0.0 ? 0.0 : y > 6.0 ? 6.0 : y;
}

static double d_hardsigmoid(double x)
{
    return d_hard(x) / 6.0;
}

static double d_hardswish(double x)
{
    return x * d_hard(x) / 6.0;
}

static double d_relu6(double x)
{
    return x > 6.0 ? 6.0 : d_relu(x);
}

static double d_softsign(double x)
{
    return x / (1.0 + fabs(x));
}

static double d_selu(double x)
{
    const double scale = 1.0507009873554804934193349852946;
    const double alpha = 1.6732632423543772848170429916717;
    return scale * (x < 0.0 ? alpha * expm1(x) : x);
}

/* Above 40 the relative difference from x is below 2^-114. */
static double d_mish(double x)
{
    const double e = exp(x);
    const double n = e * (e + 2.0);
    return x > 40.0 ? x : x * (n / (n + 2.0));
}

static double d_logsigmoid(double x)
{
    return -d_softplus(-x);
}

static double d_hardtanh(double x, const double *bounds)
{
    return x < bounds[0] ? bounds[0] : x > bounds[1] ? bounds[1] : x;
}

static double d_leaky_relu(double x, const double *slope)
{
    return x < 0.0 ? x * *slope : x;
}

static double d_elu(double x, const double *alpha)
{
    return x < 0.0 ? *alpha * expm1(x) : x;
}

static double d_celu(double x, const double *alpha)
{
    return x < 0.0 ? *alpha * expm1(x / *alpha) : x;
}

static double d_softshrink(double x, const double *lambda)
{
    return x > *lambda ? x - *lambda : x < -*lambda ? x + *lambda : 0.0;
}

static double d_add(double x, double y)
{
    return x + y;
}

static double d_sub(double x, double y)
{
    return x - y;
}

static double d_mul(double x, double y)
{
    return x * y;
}

static double d_div(double x, double y)
{
    return x / y;
}

/* As MPFR defines it: the number when the other is a NaN; +0 is above -0. */
static double d_max(double x, double y)
{
    if (isnan(x) || isnan(y)) {
        return isnan(x) ? y : x;
    }
    return x > y || (x == y && !signbit(x)) ? x : y;
}

static double d_min(double x, double y)
{
    return -d_max(-x, -y);
}

/*
 * The product of two 24-bit numbers is exact, and the sum is exact when its rounding error (TwoSum)
 * is 0.
 */
static double d_mad(double x, double y, double z, bool *exact)
{
    double product = x * y;
    double sum = product + z;
    double part = sum - product;
    double error = (product - (sum - part)) + (z - part);
    *exact = error == 0.0;
    return sum;
}

static double d_where(double x, double y, double z, bool *exact)
{
    *exact = true;
    return x == 0.0 ? z : y;
}

static const struct reference_fast fast[] = {
    {"recip", .one = d_recip, .many = LOOP_RECIP, .bound = EXACT},
    {"exp", .one = exp, .many = LOOP_EXP, .bound = LIBM},
    {"log", .one = log, .bound = LIBM},
    {"sqrt", .one = sqrt, .many = LOOP_SQRT, .bound = EXACT},
    {"rsqrt", .one = d_rsqrt, .many = LOOP_RSQRT, .bound = LIBM},
    {"tanh", .one = tanh, .bound = LIBM},
    {"sigmoid", .one = d_sigmoid, .many = LOOP_SIGMOID, .bound = LIBM},
    {"gelu", .one = d_gelu, .bound = GELU},
    {"relu", .one = d_relu, .bound = EXACT},
    {"erf", .one = erf, .bound = LIBM},
    {"sin", .one = sin, .bound = LIBM},
    {"cos", .one = cos, .bound = LIBM},
    {"square", .one = d_square, .bound = EXACT},
    {"abs", .one = fabs, .bound = EXACT},
    {"neg", .one = d_neg, .bound = EXACT},
    {"identity", .one = d_identity, .bound = EXACT},
    {"exp2", .one = exp2, .many = LOOP_EXP2, .bound = LIBM},
    {"expm1", .one = expm1, .bound = LIBM},
    {"log2", .one = log2, .bound = LIBM},
    {"log10", .one = log10, .bound = LIBM},
    {"log1p", .one = log1p, .bound = LIBM},
    {"cbrt", .one = cbrt, .bound = LIBM},
    {"sinh", .one = sinh, .bound = LIBM},
    {"cosh", .one = cosh, .bound = LIBM},
    {"erfc", .one = erfc, .bound = LIBM},
    {"tan", .one = tan, .bound = LIBM},
    {"asin", .one = asin, .bound = LIBM},
    {"acos", .one = acos, .bound = LIBM},
    {"atan", .one = atan, .bound = LIBM},
    {"asinh", .one = asinh, .bound = LIBM},
    {"acosh", .one = acosh, .bound = LIBM},
    {"atanh", .one = atanh, .bound = LIBM},
    {"gamma", .one = tgamma, .bound = LIBM},
    {"lgamma", .one = d_lgamma, .bound = LIBM},
    {"floor", .one = floor, .bound = EXACT},
    {"ceil", .one = ceil, .bound = EXACT},
    {"trunc", .one = trunc, .bound = EXACT},
    {"round", .one = rint, .bound = EXACT},
    {"sign", .one = d_sign, .bound = EXACT},
    {"silu", .one = d_silu, .many = LOOP_SILU, .bound = LIBM},
    {"softplus", .one = d_softplus, .bound = LIBM},
    {"softsign", .one = d_softsign, .bound = LIBM},
    {"relu6", .one = d_relu6, .bound = EXACT},
    {"hardsigmoid", .one = d_hardsigmoid, .bound = LIBM},
    {"hardswish", .one = d_hardswish, .bound = LIBM},
    {"hardtanh", .with = d_hardtanh, .bound = EXACT},
    {"leaky_relu", .with = d_leaky_relu, .bound = LIBM},
    {"elu", .with = d_elu, .bound = LIBM},
    {"celu", .with = d_celu, .bound = LIBM},
    {"selu", .one = d_selu, .bound = LIBM},
    {"mish", .one = d_mish, .bound = LIBM},
    {"logsigmoid", .one = d_logsigmoid, .bound = LIBM},
    {"softshrink", .with = d_softshrink, .bound = LIBM},
    {"add", .two = d_add, .bound = EXACT},
    {"sub", .two = d_sub, .bound = EXACT},
    {"mul", .two = d_mul, .bound = EXACT},
    {"div", .two = d_div, .bound = EXACT},
    {"max", .two = d_max, .bound = EXACT},
    {"min", .two = d_min, .bound = EXACT},
    {"pow", .two = pow, .bound = LIBM},
    {"atan2", .two = atan2, .bound = LIBM},
    {"hypot", .two = hypot, .bound = LIBM},
    {"fmod", .two = fmod, .bound = EXACT},
    {"mad", .three = d_mad, .bound = 1},
    {"where", .three = d_where, .bound = EXACT},
};

const struct reference_fast *reference_fast_find(const char *name)
{
    for (size_t i = 0; i < sizeof fast / sizeof fast[0]; i++) {
        if (strcmp(fast[i].name, name) == 0) {
            return &fast[i];
        }
    }
    return NULL;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const uint32_t quiet_nan = 0x7fc00000;

/*
 * Rounds to the format, to nearest even. Returns false when a number that differs from the value by
 * bound ULP could round otherwise. All NaNs get the same pattern.
 */
static bool round_to(const struct number_format *f, double value, int bound, uint32_t *word,
                     uint8_t *below)
{
    *below = 0;
    if (isnan(value)) {
        *word = quiet_nan;
        return true;
    }
    uint64_t bits = bits_of(value);
    unsigned cut = 53U - (unsigned)f->precision;
    uint64_t half = UINT64_C(1) << (cut - 1);
    uint64_t low = bits & (2 * half - 1);
    int64_t away = (int64_t)low - (int64_t)half;
    bool sure = bound == 0 || away > bound || away < -bound;
    bits = (bits + half - 1 + (bits >> cut & 1U)) & ~(2 * half - 1);
    double rounded = of_bits(bits);
    float narrow = (float)rounded;
    int exponent = (int)(bits >> 52 & 2047U) - 1023;
    if (exponent < -1000) {
        *below = value != 0.0;
        narrow = copysignf(0.0F, (float)value);
        sure = true;
    } else if (exponent < f->least) {
        *below = 1;
        narrow = copysignf(0.0F, narrow);
    } else if (fabs(rounded) > f->most) {
        narrow = copysignf(f->saturates ? (float)f->most : INFINITY, narrow);
        sure |= isinf(value);
    }
    memcpy(word, &narrow, sizeof *word);
    return sure;
}

uint32_t reference_round(enum tx_dst_format format, double value, uint8_t *below)
{
    uint32_t word = 0;
    const struct number_format *f = number_format(format);
    if (f->integer) {
        const bool none = isnan(value);
        *below = none;
        double whole = value > f->most ? f->most : value < f->low ? f->low : nearbyint(value);
        return word_of(format, whole);
    }
    (void)round_to(number_format(format), value, 0, &word, below);
    return word;
}

static const double known_inputs[4] = {0.0, -0.0, (double)INFINITY, -(double)INFINITY};

const struct reference_level *reference_level_at(size_t index)
{
    const struct reference_level *have[3];
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        have[count++] = &reference_level_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        have[count++] = &reference_level_avx2;
    }
#endif
    have[count++] = &reference_level_base;
    return index < count ? have[index] : NULL;
}

static void prepare_rounding(struct reference_work *work)
{
    const struct number_format *f = work->format;
    work->level = reference_level_at(0);
    work->rounding = (struct reference_rounding){
        .cut = 53U - (unsigned)f->precision,
        .bound = work->fast->bound,
        .least = (int64_t)bits_of(ldexp(1.0, f->least)),
        .most = (int64_t)bits_of(f->most),
        .beyond = word_of(work->dst, f->saturates ? f->most : (double)INFINITY),
        .least_word = word_least(f),
        .vanishes = work->function->vanishes};
}

static double value_of_one(const struct reference_work *work, double x)
{
    const struct reference_fast *f = work->fast;
    return f->one != NULL ? f->one(x) : f->with(x, work->reference->parameter);
}

void reference_fast_prepare(struct reference_work *work)
{
    if (work->fast == NULL || work->format->integer || work->reference->inputs != 1) {
        return;
    }
    prepare_rounding(work);
    for (unsigned i = 0; i < 4; i++) {
        double value = reference_value(work, &known_inputs[i]);
        work->known[i].expected = isnan(value) ? quiet_nan : word_of(work->dst, value);
        work->known[i].below = reference_underflowed(work);
        work->known[i].value = value_of_one(work, known_inputs[i]);
    }
}

static void by_mpfr(struct reference_work *work, const double *x, uint32_t *expected,
                    uint8_t *below)
{
    double value = reference_value(work, x);
    *expected = isnan(value) ? quiet_nan : word_of(work->dst, value);
    *below = reference_underflowed(work);
    work->undecided++;
}

static double flushed(const struct number_format *f, uint32_t word)
{
    return number_value(f, word_flush(f, word));
}

/* Handles an input that is zero, infinite or NaN. */
static void special_word(const struct reference_work *work, double x, uint32_t *expected,
                         uint8_t *below, double *value)
{
    unsigned place = (signbit(x) ? 1U : 0U) + (isinf(x) ? 2U : 0U);
    *expected = isnan(x) ? quiet_nan : work->known[place].expected;
    *below = isnan(x) ? 0 : work->known[place].below;
    *value = isnan(x) ? x : work->known[place].value;
}

enum { BLOCK = 512 };

static void words_of_one(struct reference_work *work, const uint32_t *inputs, size_t count,
                         uint32_t *expected, uint8_t *below, double *value)
{
    const struct reference_level *level = work->level;
    double x[BLOCK];
    uint8_t unsure[BLOCK];
    bool special = level->numbers(&work->rounding, inputs, count, x);
    if (work->fast->many != LOOP_NONE) {
        level->many[work->fast->many](x, count, value);
    } else {
        for (size_t i = 0; i < count; i++) {
            value[i] = value_of_one(work, x[i]);
        }
    }
    if (level->round(&work->rounding, value, count, expected, below, unsure)) {
        for (size_t i = 0; i < count; i++) {
            if (unsure[i] != 0) {
                by_mpfr(work, &x[i], &expected[i], &below[i]);
            }
        }
    }
    for (size_t i = 0; special && i < count; i++) {
        double held = flushed(work->format, inputs[i]);
        if (held == 0.0 || !isfinite(held)) {
            special_word(work, held, &expected[i], &below[i], &value[i]);
        }
    }
}

/*
 * Computes one element with two or three inputs. For special inputs libm follows C's Annex F, as
 * MPFR does.
 */
static void words_of_more(struct reference_work *work, const double *x, uint32_t *expected,
                          uint8_t *below, double *value)
{
    const struct reference_fast *f = work->fast;
    bool exact = f->bound == EXACT;
    *value = f->two != NULL ? f->two(x[0], x[1]) : f->three(x[0], x[1], x[2], &exact);
    if (!round_to(work->format, *value, exact ? 0 : f->bound, expected, below)) {
        by_mpfr(work, x, expected, below);
    }
    *below |=
        *value == 0.0 && work->function->vanishes && reference_ordinary(x, work->reference->inputs);
}

/* Computes integers, and elements whose inputs have another format than results, with MPFR. */
static void words_by_number(struct reference_work *work, const uint32_t *const *inputs,
                            size_t count, uint32_t *expected, uint8_t *below, double *value)
{
    for (size_t i = 0; i < count; i++) {
        double x[REF_INPUTS] = {0};
        for (unsigned k = 0; k < work->reference->inputs; k++) {
            x[k] = number_of(work->held, inputs[k][i], true);
        }
        const double y = reference_value(work, x);
        const bool none = isnan(y);
        expected[i] = none && !work->format->integer ? quiet_nan : word_of(work->dst, y);
        below[i] = (work->format->integer ? none : reference_underflowed(work)) ? 1 : 0;
        value[i] = (double)NAN;
    }
}

void reference_words(struct reference_work *work, const uint32_t *const *inputs, size_t count,
                     uint32_t *expected, uint8_t *below, double *value)
{
    if (work->format->integer || work->held != work->dst) {
        words_by_number(work, inputs, count, expected, below, value);
        return;
    }
    if (work->fast != NULL && work->reference->inputs == 1) {
        for (size_t i = 0; i < count; i += BLOCK) {
            size_t part = count - i < BLOCK ? count - i : BLOCK;
            words_of_one(work, &inputs[0][i], part, &expected[i], &below[i], &value[i]);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double x[REF_INPUTS] = {0};
        for (unsigned k = 0; k < work->reference->inputs; k++) {
            x[k] = flushed(work->format, inputs[k][i]);
        }
        if (work->fast != NULL) {
            words_of_more(work, x, &expected[i], &below[i], &value[i]);
        } else {
            by_mpfr(work, x, &expected[i], &below[i]);
            value[i] = (double)NAN;
        }
    }
}

double reference_tolerance(const struct reference_work *work)
{
    /* One ULP of double at the function is at most two at its rounded value. */
    return work->fast == NULL ? 0.0
                              : ldexp(work->fast->bound + 1.0, work->format->precision - 53 + 1);
}

uint64_t reference_undecided(const struct reference_work *work)
{
    return work->undecided;
}
