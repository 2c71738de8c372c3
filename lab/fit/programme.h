/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear programmes, solved by glpsol of GLPK in a process of its own: its licence is not one to
 * link with.
 */
#ifndef LAB_FIT_PROGRAMME_H
#define LAB_FIT_PROGRAMME_H

#include <stdbool.h>
#include <stddef.h>

enum { PROGRAMME_COLUMNS = 40 };

/* The programme: find x, and r at most 10 as large as possible, so that all rows hold. */
struct programme_row {
    const double *slope; /* of each x */
    /* low <= slope x - r and slope x + r <= high; infinite: no such bound. */
    double low, high;
};

struct programme {
    unsigned columns; /* number of x, at most PROGRAMME_COLUMNS */
    const struct programme_row *row;
    size_t rows;
};

/* Returns the path of glpsol in these folders (like PATH; NULL: the usual ones). */
bool programme_solver(const char *folders, char *path, size_t size);
/* Returns NULL with x and r, or why there is no solution. */
const char *programme_solve(const char *solver, const struct programme *p, double *x, double *r);

#endif
