/* SPDX-License-Identifier: Apache-2.0 */
/* Errors in ULP, statistics of them, and the list of the largest ones. */
#include "reference/ulp.h"

#include <math.h>
#include <string.h>

/* Rounds to a multiple of 1/1024, halves up. */
static long double rounded(double ulp)
{
    const double scaled = ulp * 1024.0;
    if (scaled >= 0x1p52) {
        return ulp;
    }
    const double whole = (double)(int64_t)scaled;
    return (whole + (scaled - whole >= 0.5 ? 1.0 : 0.0)) / 1024.0L;
}

double ulp_error(enum tx_dst_format format, double expected, double got)
{
    if (isnan(expected) && isnan(got)) {
        return 0.0;
    }
    if (isnan(expected) || isnan(got)) {
        return (double)INFINITY;
    }
    if (isinf(expected) || isinf(got)) {
        return expected == got ? 0.0 : (double)INFINITY;
    }
    const struct number_format *f = number_format(format);
    return f->integer ? fabs(got - expected) : fabs(ulp_apart(f, expected, expected, got));
}

double txl_ulp(enum tx_dst_format format, uint32_t expected, uint32_t got)
{
    return ulp_error(format, number_of(format, expected, true), number_of(format, got, true));
}

unsigned ulp_keep(struct ulp_case *worst, unsigned count, unsigned most, const struct ulp_case *one)
{
    unsigned place = count;
    while (place > 0) {
        const struct ulp_case *before = &worst[place - 1];
        if (before->ulp > one->ulp || (before->ulp == one->ulp && before->index < one->index)) {
            break;
        }
        place--;
    }
    if (place == most) {
        return count;
    }
    count += count < most ? 1 : 0;
    for (unsigned i = count - 1; i > place; i--) {
        worst[i] = worst[i - 1];
    }
    worst[place] = *one;
    return count;
}

static void keep_worst(struct ulp_stats *stats, const struct ulp_case *one)
{
    stats->worst_count = ulp_keep(stats->worst, stats->worst_count, ULP_WORST, one);
}

void ulp_add(struct ulp_stats *stats, const struct ulp_case *one)
{
    stats->count++;
    if (one->ulp == 0.0) {
        stats->exact++;
        return;
    }
    if (isinf(one->ulp)) {
        stats->mismatched++;
    } else {
        stats->sum += rounded(one->ulp);
        stats->max = one->ulp > stats->max ? one->ulp : stats->max;
    }
    keep_worst(stats, one);
}

void ulp_merge(struct ulp_stats *into, const struct ulp_stats *from)
{
    into->count += from->count;
    into->exact += from->exact;
    into->mismatched += from->mismatched;
    into->sum += from->sum;
    into->max = from->max > into->max ? from->max : into->max;
    for (unsigned i = 0; i < from->worst_count; i++) {
        keep_worst(into, &from->worst[i]);
    }
}

double ulp_mean(const struct ulp_stats *stats)
{
    uint64_t count = stats->count - stats->mismatched;
    return count == 0 ? 0.0 : (double)(stats->sum / (long double)count);
}
