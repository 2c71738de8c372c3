/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of the references over arrays, compiled once for each level of the CPU from the same
 * source, reference_loops.h, with the same results.
 */
#ifndef LAB_REFERENCE_LEVEL_H
#define LAB_REFERENCE_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum loop_function {
    LOOP_NONE, /* one element at a time */
    LOOP_RECIP,
    LOOP_SQRT,
    LOOP_RSQRT,
    LOOP_EXP,
    LOOP_EXP2,
    LOOP_SIGMOID,
    LOOP_SILU,
    LOOP_FUNCTIONS
};

/* Parameters for rounding numbers to patterns of a format. */
struct reference_rounding {
    unsigned cut;       /* bits of a double below the format's last bit */
    int64_t bound;      /* error of the value in ULP of double; 0: the double is exact */
    int64_t least;      /* the least normal number, as the bits of a double */
    int64_t most;       /* the largest number, as the bits of a double */
    int64_t beyond;     /* what larger numbers become: a pattern of FP32 without sign */
    int64_t least_word; /* pattern of the least normal number */
    bool vanishes;      /* a zero counts as an underflow */
};

/*
 * Decides which elements equal the reference and are close enough to it that they need no further
 * look.
 */
struct reference_near {
    /* Added to FP32's exponent field it gives the exponent field of a double that is one ULP. */
    int64_t ulp;
    double limit;     /* of the distance from the unrounded reference, in ULP */
    uint32_t largest; /* this value has no distance, nor have infinity and NaN */
    bool zero;        /* nor has zero */
    bool all;         /* nor has any */
};

/* Results of near for an element. */
enum { NEAR_EXACT, NEAR_FLUSHED, NEAR_OTHER };

struct reference_level {
    const char *name;
    /*
     * Turns patterns into numbers. Denormals count as zeros; zeros, infinities and NaNs become 1.
     * Returns whether there was one.
     */
    bool (*numbers)(const struct reference_rounding *r, const uint32_t *words, size_t count,
                    double *x);
    /*
     * Rounds numbers to patterns, to nearest even. below is as for reference_words. unsure marks
     * elements for which a number within the bound could round otherwise. Returns whether there is
     * one.
     */
    bool (*round)(const struct reference_rounding *r, const double *value, size_t count,
                  uint32_t *words, uint8_t *below, uint8_t *unsure);
    /*
     * Sets a kind to NEAR_OTHER where got is not expected or is `limit` or more away from value;
     * otherwise to NEAR_EXACT or NEAR_FLUSHED by below. Returns whether all elements have the same
     * kind.
     */
    bool (*near)(const struct reference_near *n, const uint32_t *expected, const uint32_t *got,
                 const double *value, const uint8_t *below, size_t count, uint8_t *kinds);
    /*
     * The functions for ordinary numbers, to within 8 ULP of double, or exact where
     * reference_fast.c says so.
     */
    void (*many[LOOP_FUNCTIONS])(const double *x, size_t count, double *value);
};

extern const struct reference_level reference_level_base, reference_level_avx2,
    reference_level_avx512;

/* Returns a level that this CPU has, the fastest at index 0; NULL past the end. */
const struct reference_level *reference_level_at(size_t index);

#endif
