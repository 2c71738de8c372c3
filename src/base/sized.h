/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structs that belong to callers, whose size may be that of another version of the library
 * (tensix/base.h). They only grow at the end and have no padding there, so that bytes beyond our
 * size are members that we do not know.
 */
#ifndef TX_BASE_SIZED_H
#define TX_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The reason given when a reserved member is not zero. */
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
 * Copies the caller's struct over *own, which holds the defaults. first: the part that every
 * version has. Returns false if the size is impossible or the caller sets a member that this
 * library does not know.
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

/* Copies as much of *own as the caller has room for; members that we do not know become zero. */
static inline void sized_give(void *out, size_t size, const void *own, size_t own_size)
{
    if (size > own_size) {
        memset((char *)out + own_size, 0, size - own_size);
    }
    memcpy(out, own, size < own_size ? size : own_size);
}

#endif
