/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structs that callers own, of a size that may be another version's (tensix/base.h). They only ever
 * grow at the end and have no padding there, so that bytes beyond ours are members we do not know.
 */
#ifndef TX_BASE_SIZED_H
#define TX_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Why a reserved member of a struct is refused, where a reason is asked for. */
#define RESERVED_REASON "a reserved member is not zero: a later version's setting"

static inline bool sized_zero(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) {
        if (b[i] != 0) {
            return false;
        }
    }
    return true;
}

/*
 * Takes what the caller gives; own holds the defaults. first: what every caller has had. false: the
 * caller wants something that this library does not know, or the size is none.
 */
static inline bool sized_take(void *own, size_t own_size, const void *given, size_t size,
                              size_t first)
{
    if (size < first || size % 4 != 0) {
        return false;
    }
    memcpy(own, given, size < own_size ? size : own_size);
    return size <= own_size || sized_zero((const char *)given + own_size, size - own_size);
}

/* Gives the caller what he has room for; members that we do not know are zero. */
static inline void sized_give(void *out, size_t size, const void *own, size_t own_size)
{
    if (size > own_size) {
        memset((char *)out + own_size, 0, size - own_size);
    }
    memcpy(out, own, size < own_size ? size : own_size);
}

#endif
