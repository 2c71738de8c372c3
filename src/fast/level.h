/* SPDX-License-Identifier: Apache-2.0 */
/* What this CPU has, and the state its arithmetic must be in. */
#ifndef TX_FAST_LEVEL_H
#define TX_FAST_LEVEL_H

#include "fast/step.h"

#include <stddef.h>

const struct fast_level *fast_level_at(size_t index);        /* best first; NULL: end */
const struct fast_level *fast_level_named(const char *name); /* NULL: the best, or there is none */

/*
 * The multiply-add wants denormals as zero on both sides and rounding to nearest. Returns what the
 * thread had.
 */
uint64_t fast_arithmetic_begin(void);
void fast_arithmetic_end(uint64_t old);

#endif
