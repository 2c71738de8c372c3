/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors in units in the last place of the Dst format: |got - expected| / ulp(expected), where
 * ulp(y) = 2^(max(exponent of y, least exponent) - precision + 1). Denormals count as zeros on both
 * sides, and where there is none, nothing is counted: zero and the least normal number are
 * neighbours, 1 apart (number_apart). Both NaN, or the same infinity, is exact; NaN or infinity
 * against anything else is a mismatch and has no number. For integer formats the unit is 1.
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
    long double sum; /* of multiples of 1/1024, so that the order of addition does not matter */
    double max;
    unsigned worst_count;
    struct ulp_case worst[ULP_WORST];
};

/* expected and got are numbers as number_of gives them with flush. */
double ulp_error(enum tx_dst_format format, double expected, double got);
/*
 * Inserts a case into the list of the largest errors, in order (with equal errors the lower index
 * first). The list has count entries and room for most. Returns the new count.
 */
unsigned ulp_keep(struct ulp_case *worst, unsigned count, unsigned most,
                  const struct ulp_case *one);
void ulp_add(struct ulp_stats *stats, const struct ulp_case *one);
void ulp_merge(struct ulp_stats *into, const struct ulp_stats *from);
double ulp_mean(const struct ulp_stats *stats); /* over all that are no mismatches */

#endif
