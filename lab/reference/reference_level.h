/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of the references over arrays, once for each level of the CPU: the same source, the same
 * results. reference_loops.h is that source.
 */
#ifndef LAB_REFERENCE_LEVEL_H
#define LAB_REFERENCE_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum loop_function {
    LOOP_NONE, /* one by one */
    LOOP_RECIP,
    LOOP_SQRT,
    LOOP_RSQRT,
    LOOP_EXP,
    LOOP_EXP2,
    LOOP_SIGMOID,
    LOOP_SILU,
    LOOP_FUNCTIONS
};

/* How numbers become patterns of a format. */
struct reference_rounding {
    unsigned cut;       /* bits of a double below the format's last */
    int64_t bound;      /* in ULP of double, 0 where the double is exact */
    int64_t least;      /* the least normal number as a double's bits */
    int64_t most;       /* the largest number, likewise */
    int64_t beyond;     /* what a larger one becomes: a pattern of FP32 without its sign */
    int64_t least_word; /* pattern of the least normal number */
    bool vanishes;      /* zero is an underflow */
};

/* What a result that is the reference must stay below to be of no interest. */
struct reference_near {
    int64_t ulp;      /* added to the exponent of FP32, the exponent of a double that is an ULP */
    double limit;     /* of the distance from the unrounded reference, in ULP */
    uint32_t largest; /* has no distance; nor have infinity and NaN */
    bool zero;        /* nor zero */
    bool all;         /* nor any */
};

/* What an element is. */
enum { NEAR_EXACT, NEAR_FLUSHED, NEAR_OTHER };

struct reference_level {
    const char *name;
    /*
     * Patterns to numbers. Denormals are zeros; zeros, infinities and NaNs become 1. Returns
     * whether there was one.
     */
    bool (*numbers)(const struct reference_rounding *r, const uint32_t *words, size_t count,
                    double *x);
    /*
     * Numbers to patterns, to nearest even. below as reference_words has it; unsure where a number
     * that differs by the bound could round otherwise. Returns whether one is unsure.
     */
    bool (*round)(const struct reference_rounding *r, const double *value, size_t count,
                  uint32_t *words, uint8_t *below, uint8_t *unsure);
    /*
     * NEAR_OTHER where got is not expected, or where value is limit or more away; else whether
     * below is 0. Returns whether all elements are alike.
     */
    bool (*near)(const struct reference_near *n, const uint32_t *expected, const uint32_t *got,
                 const double *value, const uint8_t *below, size_t count, uint8_t *kinds);
    /* Of ordinary numbers, to within 8 ULP of double, or exact where reference_fast.c says so. */
    void (*many[LOOP_FUNCTIONS])(const double *x, size_t count, double *value);
};

extern const struct reference_level reference_level_base, reference_level_avx2,
    reference_level_avx512;

/* The levels that this CPU has, the fastest first; NULL past the end. */
const struct reference_level *reference_level_at(size_t index);

#endif
