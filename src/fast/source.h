/* SPDX-License-Identifier: Apache-2.0 */
/* Printing a plan as C, for the system's compiler. */
#ifndef TX_FAST_SOURCE_H
#define TX_FAST_SOURCE_H

#include "fast/plan.h"

#include <tensix/fast.h>

/* Returns false if memory runs out. */
bool fast_source(const struct fast_plan *plan, tx_fast_put *put, void *user);

/* Prints a function for each of these nodes, and a table of the functions. */
void fast_source_steps(const struct dag *set, size_t first, size_t count, tx_fast_put *put,
                       void *user);

/*
 * The lines of fast/tiles.h and all that it includes, up to a NULL; made by cmake/amalgamate.awk.
 */
extern const char *const fast_text[];

#endif
