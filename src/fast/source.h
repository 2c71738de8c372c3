/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as C for the system's compiler. */
#ifndef TX_FAST_SOURCE_H
#define TX_FAST_SOURCE_H

#include "fast/plan.h"

#include <tensix/fast.h>

/* False: no memory. */
bool fast_source(const struct fast_plan *plan, tx_fast_put *put, void *user);

/* A function for each of these nodes, and a table of them. */
void fast_source_steps(const struct dag *set, size_t first, size_t count, tx_fast_put *put,
                       void *user);

/* Lines of fast/tiles.h and all it includes; NULL: end. Made by cmake/amalgamate.awk. */
extern const char *const fast_text[];

#endif
