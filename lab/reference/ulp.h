/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error in units in the last place of the Dst format: |got - expected| / ulp(expected), where
 * ulp(y) = 2^(max(exponent of y, least exponent) - precision + 1). Denormals are zeros on both
 * sides. Both NaN, or the same infinity, is exact; NaN or infinity against anything else is a
 * mismatch and has no number. Integer formats: the unit is 1.
 */
#ifndef LAB_ULP_H
#define LAB_ULP_H

#include "reference/reference.h"

enum { ULP_WORST = 5 };

struct ulp_case {
    uint64_t index;
    double ulp; /* infinite: mismatch */
    uint32_t inputs[REF_INPUTS];
    uint32_t expected, got;
};

struct ulp_stats {
    uint64_t count, exact, mismatched;
    long double sum; /* of multiples of 1/1024, so that the order of adding does not matter */
    double max;
    unsigned worst_count;
    struct ulp_case worst[ULP_WORST];
};

/* expected and got are numbers as number_of with flush gives them. */
double ulp_error(enum tx_dst_format format, double expected, double got);
/*
 * Into a list of the largest errors, in order (the lower index first where they are equal), which
 * has count and may have most. Returns how many it has then.
 */
unsigned ulp_keep(struct ulp_case *worst, unsigned count, unsigned most,
                  const struct ulp_case *one);
void ulp_add(struct ulp_stats *stats, const struct ulp_case *one);
void ulp_merge(struct ulp_stats *into, const struct ulp_stats *from);
double ulp_mean(const struct ulp_stats *stats); /* over what is no mismatch */

#endif
