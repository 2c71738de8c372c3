/* SPDX-License-Identifier: Apache-2.0 */
/* Option structs from programs that were built against another version of the header. */
#ifndef LAB_BASE_OPTIONS_H
#define LAB_BASE_OPTIONS_H

#include "base/error.h"

/*
 * Copies the caller's option struct, whose first field is its size, into ours of own_size bytes.
 * Fields that it lacks become zero; given NULL: all of them. Returns TXL_CONTINUE, or TXL_INPUT
 * where the size is invalid, or where it is larger than ours and the part that we do not know is
 * not zero.
 */
int options_take(struct txl_error *err, void *own, size_t own_size, const void *given);
/*
 * Checks that reserved bytes are zero. Structs that would have padding at their end have such
 * bytes, so that a field that a later version puts there cannot be ignored silently. Returns
 * TXL_CONTINUE or TXL_INPUT.
 */
int options_reserved(struct txl_error *err, const void *bytes, size_t size);

/*
 * Copies our struct back to the caller's: as many bytes as its size, which the caller has filled
 * in, has room for. The size field itself stays.
 */
void options_give(void *to, const void *own, size_t own_size);

#endif
