/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of a benchmark, in processor time of the calling thread, and the median of several. */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include <stdlib.h>
#include <time.h>

static inline double turn_now(void) /* seconds */
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int turn_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts them. */
static inline double turn_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, turn_ascending);
    return values[count / 2];
}

#endif
