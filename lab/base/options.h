/* SPDX-License-Identifier: Apache-2.0 */
/* Options from programs that were built against another version of the header. */
#ifndef LAB_BASE_OPTIONS_H
#define LAB_BASE_OPTIONS_H

#include "base/error.h"

/*
 * Copies the caller's option struct, whose first field is its size, into ours of own_size bytes:
 * what it lacks is zero. NULL: all is. TXL_CONTINUE, or TXL_INPUT where the size is none, or where
 * it is larger than ours and has something in it that we do not know.
 */
int options_take(struct txl_error *err, void *own, size_t own_size, const void *given);
/*
 * Refuses what stands in the reserved bytes at the end of a struct that would have padding there: a
 * later version's field, which must not go unseen. TXL_CONTINUE or TXL_INPUT.
 */
int options_reserved(struct txl_error *err, const void *bytes, size_t size);

/*
 * The way back: so much of ours as the caller's struct, whose size it has filled in, has room for.
 * Its size stays.
 */
void options_give(void *to, const void *own, size_t own_size);

#endif
