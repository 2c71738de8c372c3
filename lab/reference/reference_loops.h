/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of reference_level.h, for a file that is compiled for one level and defines LEVEL_NAME
 * and LEVEL_TEXT. Only IEEE arithmetic, nothing contracted or reordered, so that all levels give
 * the same bits.
 */
#include "reference/reference_level.h"

#include <math.h>
#include <string.h>

static inline int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double of_bits(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool loop_numbers(const struct reference_rounding *r, const uint32_t *words, size_t count,
                         double *x)
{
    const uint32_t least = (uint32_t)r->least_word;
    const uint32_t span = 0x7f800000U - least;
    uint32_t special = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = (words[i] & 0x7fffffffU) - least >= span ? 0xffffffffU : 0;
        uint32_t word = (words[i] & ~other) | (0x3f800000U & other);
        float number;
        memcpy(&number, &word, sizeof number);
        x[i] = (double)number;
        special |= other;
    }
    return special != 0;
}

/*
 * The significand is rounded as an integer, so that a carry goes into the exponent by itself. More
 * than one binade above the largest number or below the least one, nothing within the bound rounds
 * otherwise.
 */
static bool loop_round(const struct reference_rounding *r, const double *value, size_t count,
                       uint32_t *words, uint8_t *below, uint8_t *unsure)
{
    const int64_t binade = INT64_C(1) << 52;
    const int64_t infinite = INT64_C(0x7ff) << 52;
    const int64_t half = INT64_C(1) << (r->cut - 1);
    const unsigned cut = r->cut;
    const int64_t least = r->least;
    const int64_t most = r->most;
    const int64_t bound = r->bound;
    const int64_t beyond = r->beyond;
    const int64_t vanishes = r->vanishes ? 1 : 0;
    int64_t any = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t bits = bits_of(value[i]);
        int64_t size = bits & INT64_MAX;
        int64_t away = (size & (2 * half - 1)) - half;
        int64_t odd = size >> cut & 1;
        int64_t rounded = (int64_t)((uint64_t)size + (uint64_t)(half - 1 + odd)) & ~(2 * half - 1);
        int64_t narrow = (rounded >> 29) - (INT64_C(896) << 23);
        int64_t small = rounded < least ? -1 : 0;
        int64_t large = rounded > most ? -1 : 0;
        int64_t nan = size > infinite ? -1 : 0;
        int64_t near = (away <= bound ? -1 : 0) & (away >= -bound ? -1 : 0);
        int64_t within = (rounded > least - binade ? -1 : 0) & (size < most + binade ? -1 : 0);
        int64_t open = bound != 0 ? near & within : 0;
        narrow = (narrow & ~small & ~large) | (beyond & large);
        narrow |= (int64_t)((uint64_t)bits >> 32 & 0x80000000U);
        narrow = (narrow & ~nan) | (0x7fc00000 & nan);
        words[i] = (uint32_t)narrow;
        below[i] = (uint8_t)(size == 0 ? vanishes : -(small & ~nan));
        unsure[i] = (uint8_t)(open & 1);
        any |= open;
    }
    return any != 0;
}

static bool loop_near(const struct reference_near *n, const uint32_t *expected, const uint32_t *got,
                      const double *value, const uint8_t *below, size_t count, uint8_t *kinds)
{
    const int64_t infinite = 0x7f800000;
    const int64_t largest = n->largest;
    const int64_t zero = n->zero ? 0 : -1;
    const int64_t ulp = n->ulp;
    const int64_t all = n->all ? 1 : 0;
    const double limit = n->limit;
    const uint8_t first = expected[0] == got[0] && below[0] != 0 ? NEAR_FLUSHED : NEAR_EXACT;
    uint8_t other = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t size = expected[i] & 0x7fffffffU;
        float number;
        memcpy(&number, &expected[i], sizeof number);
        double away = fabs((double)number - value[i]);
        int64_t none = all | (size >= infinite ? 1 : 0) | (size == largest ? 1 : 0) |
                       (size == zero ? 1 : 0) |
                       (away < limit * of_bits(((size >> 23) + ulp) << 52) ? 1 : 0);
        int64_t same = expected[i] == got[i] ? none : 0;
        uint8_t kind =
            (uint8_t)(same != 0 ? (below[i] != 0 ? NEAR_FLUSHED : NEAR_EXACT) : NEAR_OTHER);
        kinds[i] = kind;
        other |= (uint8_t)(kind ^ first);
    }
    return other == 0;
}

static void loop_recip(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = 1.0 / x[i];
    }
}

static void loop_sqrt(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = sqrt(x[i]);
    }
}

static void loop_rsqrt(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = 1.0 / sqrt(x[i]);
    }
}

/*
 * Returns 2^n e^f for |f| <= 0.3466, with n in the low bits of shifted. The series up to f^13
 * leaves out less than 2^-57.7. Errors, with u = 2^-53, half an ULP of 1: the sum q = 1/2 + f/6 +
 * ... <= 0.58 is off by at most u; p = 1 + f q <= 1.21 by u for its own rounding and 0.48 u for f
 * q; and 1 + f p <= 1.42 by u, 0.52 u from p and 0.25 u for the product. Together 1.8 u, which is
 * 1.8 ULP below 1. The error of f adds as many u.
 */
static inline double exp_scaled(double f, double shifted)
{
    double p = 1.0 / 6227020800.0;
    p = p * f + 1.0 / 479001600.0;
    p = p * f + 1.0 / 39916800.0;
    p = p * f + 1.0 / 3628800.0;
    p = p * f + 1.0 / 362880.0;
    p = p * f + 1.0 / 40320.0;
    p = p * f + 1.0 / 5040.0;
    p = p * f + 1.0 / 720.0;
    p = p * f + 1.0 / 120.0;
    p = p * f + 1.0 / 24.0;
    p = p * f + 1.0 / 6.0;
    p = p * f + 0.5;
    p = p * f + 1.0;
    p = p * f + 1.0;
    return of_bits((int64_t)((uint64_t)bits_of(p) + ((uint64_t)bits_of(shifted) << 52)));
}

/* Adding this leaves the nearest integer in the low bits of the sum. */
static const double shift = 0x1.8p52;

static inline double clamped(double x, double limit)
{
    x = x > limit ? limit : x;
    return x < -limit ? -limit : x;
}

/*
 * Returns e^x for an x with 24 bits, to within 3 ULP. The first part of ln 2 has 32 bits, so that n
 * times it is exact, and so is its difference from x (Sterbenz), since n = 0 or x is within a
 * factor of two of n ln 2. Rounding n times the second part and rounding f give less than 0.3 u.
 * Beyond 200 every format has the same result as at 200: infinity, the largest number, or zero.
 */
static inline double exp_of(double x)
{
    x = clamped(x, 200.0);
    double shifted = x * 0x1.71547652b82fep0 + shift;
    double n = shifted - shift;
    double f = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    return exp_scaled(f, shifted);
}

static void loop_exp(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = exp_of(x[i]);
    }
}

/* Likewise for 2^x: x - n is exact, and f has the error of one rounding and of ln 2, 0.4 u. */
static void loop_exp2(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        double small = clamped(x[i], 300.0);
        double shifted = small + shift;
        value[i] = exp_scaled((small - (shifted - shift)) * 0x1.62e42fefa39efp-1, shifted);
    }
}

/* Two more roundings of half an ULP each; the error of e^-x does not grow in 1 + e^-x. */
static void loop_sigmoid(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = 1.0 / (1.0 + exp_of(-x[i]));
    }
}

/* Even the largest x, 2^128, divided by e^200 is below the least normal number. */
static void loop_silu(const double *x, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = x[i] / (1.0 + exp_of(-x[i]));
    }
}

const struct reference_level LEVEL_NAME = {.name = LEVEL_TEXT,
                                           .numbers = loop_numbers,
                                           .round = loop_round,
                                           .near = loop_near,
                                           .many = {[LOOP_RECIP] = loop_recip,
                                                    [LOOP_SQRT] = loop_sqrt,
                                                    [LOOP_RSQRT] = loop_rsqrt,
                                                    [LOOP_EXP] = loop_exp,
                                                    [LOOP_EXP2] = loop_exp2,
                                                    [LOOP_SIGMOID] = loop_sigmoid,
                                                    [LOOP_SILU] = loop_silu}};
