/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The versions ("levels") of the fast engine for the instruction sets that this CPU may have, and
 * the mode that its floating point must be in.
 */
#ifndef TX_FAST_LEVEL_H
#define TX_FAST_LEVEL_H

#include "fast/step.h"

#include <stddef.h>

const struct fast_level *fast_level_at(size_t index); /* best first; NULL: no more */
/* Returns NULL if there is none; name NULL: the best. */
const struct fast_level *fast_level_named(const char *name);

/*
 * Sets the floating-point mode that the multiply-add needs: denormals as zero on input and output,
 * rounding to nearest. Returns the previous mode, for fast_arithmetic_end.
 */
uint64_t fast_arithmetic_begin(void);
void fast_arithmetic_end(uint64_t old);

#endif
