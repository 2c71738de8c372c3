/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "reference": what results are compared with. Numbers of the Dst formats and their order
 * (format.h), errors in units in the last place (ulp.h), functions by MPFR, Arb and libm
 * (reference.h). It may use room base.
 */
#ifndef LAB_REFERENCE_FORMAT_H
#define LAB_REFERENCE_FORMAT_H

#include "base/error.h"

#include <math.h>
#include <string.h>

#include <tensix-lab/reference.h>

/* The properties of a Dst format as a set of numbers. There is one table of them, in format.c. */
struct number_format {
    bool integer;
    bool saturates; /* there is no infinity; larger values become most */
    int precision;  /* bits of the significand */
    int least;      /* exponent of the least normal number */
    double most;    /* the largest finite value */
    double low;     /* for integers the least value */
    /*
     * What lies between zero and the least normal number, but for one unit in the last place: no
     * value, since denormals are flushed.
     */
    double gap;
};

const struct number_format *number_format(enum tx_dst_format format);

/* ---- words: FP32 patterns, or two's complement of integer formats ---- */

static inline bool word_is_nan(uint32_t word)
{
    return (word & 0x7fffffffU) > 0x7f800000U;
}

static inline bool word_is_infinite(uint32_t word)
{
    return (word & 0x7fffffffU) == 0x7f800000U;
}

/* Returns the word of the format's least normal number. */
static inline uint32_t word_least(const struct number_format *f)
{
    return (uint32_t)(f->least + 127) << 23;
}

/* Replaces denormals of the format by zeros of the same sign. */
static inline uint32_t word_flush(const struct number_format *f, uint32_t word)
{
    const bool denormal = !f->integer && (word & 0x7fffffffU) < word_least(f);
    return denormal ? word & 0x80000000U : word;
}

static inline double number_integer(const struct number_format *f, uint32_t word)
{
    return f->most > 2147483647.0 ? (double)word : (double)(int32_t)word;
}

/* Returns the number that a word stands for, denormals included. */
static inline double number_value(const struct number_format *f, uint32_t word)
{
    float value;
    if (f->integer) {
        return number_integer(f, word);
    }
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static inline double number_of(enum tx_dst_format format, uint32_t word, bool flush)
{
    const struct number_format *f = number_format(format);
    return number_value(f, flush ? word_flush(f, word) : word);
}

/* Returns the word of a number that the format can hold. */
uint32_t word_of(enum tx_dst_format format, double value);

/* ---- order ---- */

/*
 * Returns the pattern at a place in numeric order for a sign and magnitude format; place 0 is the
 * most negative one.
 */
static inline uint32_t pattern_at(uint64_t place, unsigned bits)
{
    const uint64_t half = UINT64_C(1) << (bits - 1);
    return (uint32_t)(place < half ? 2 * half - 1 - place : place - half);
}

static inline uint64_t pattern_place(uint32_t pattern, unsigned bits)
{
    const uint64_t half = UINT64_C(1) << (bits - 1);
    return pattern >= half ? 2 * half - 1 - pattern : pattern + half;
}

/* Returns an integer that grows with the number; it is 0 for both zeros. */
static inline int64_t word_order(const struct number_format *f, uint32_t word)
{
    if (f->integer) {
        return (int64_t)number_integer(f, word);
    }
    const int64_t magnitude = word & 0x7fffffffU;
    return word >> 31 != 0 ? -magnitude : magnitude;
}

/*
 * Returns the place of a word's magnitude among the format's zero and normal numbers. Not for
 * denormals.
 */
static inline uint64_t word_place(const struct number_format *f, uint32_t word)
{
    const uint32_t magnitude = word & 0x7fffffffU;
    return magnitude == 0 ? 0 : ((magnitude - word_least(f)) >> (24 - f->precision)) + 1;
}

/* Returns how many values of the format lie between a and b, counting b. Neither is a NaN. */
static inline uint64_t word_steps(const struct number_format *f, uint32_t a, uint32_t b)
{
    const uint64_t x = word_place(f, a);
    const uint64_t y = word_place(f, b);
    return (a ^ b) >> 31 != 0 ? x + y : x > y ? x - y : y - x;
}

/* ---- the unit in the last place ---- */

/* Returns the exponent of the unit in the last place at a number with this exponent. */
static inline long ulp_unit(long exponent, int precision, int least)
{
    return (exponent < least ? least : exponent) - precision + 1;
}

/* The same for a finite number of the format. */
static inline int ulp_unit_at(const struct number_format *f, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (int)ulp_unit((long)(bits >> 52 & 2047) - 1023, f->precision, f->least);
}

/* Returns a number's place on the line from which the gaps beside zero are taken out. */
static inline double number_without_gap(const struct number_format *f, double number)
{
    return copysign(fabs(number) > f->gap ? fabs(number) - f->gap : 0.0, number);
}

/*
 * Returns to - from, less the gaps beside zero that lie between them: the one measure of errors.
 * Zero and the least normal number are neighbours, and so one unit apart.
 */
static inline double number_apart(const struct number_format *f, double from, double to)
{
    /* on one side of zero there is no gap, and nothing is to be rounded away with it */
    return (from < 0.0 && to < 0.0) || (from > 0.0 && to > 0.0)
               ? to - from
               : number_without_gap(f, to) - number_without_gap(f, from);
}

/* The same in units in the last place at a number. */
static inline double ulp_apart(const struct number_format *f, double at, double from, double to)
{
    const uint64_t bits = (uint64_t)(1023 - ulp_unit_at(f, at)) << 52;
    double power; /* a power of two; avoids a call of ldexp */
    memcpy(&power, &bits, sizeof power);
    return number_apart(f, from, to) * power;
}

/*
 * Returns whether a reference that was rounded to this number is compared after rounding instead of
 * before it: zero, and the largest number of a format without infinity, stand for everything beyond
 * them.
 */
static inline bool number_is_limit(const struct number_format *f, double expected)
{
    return expected == 0.0 || (f->saturates && fabs(expected) == f->most);
}

/* Writes the shortest decimal that reads back as the same number, or the integer. */
#define number_text txl_number_text

#endif
