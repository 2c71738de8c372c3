/* SPDX-License-Identifier: Apache-2.0 */
/* What tt-llk's headers take from the C library. */
#ifndef INTEROP_STRING_H
#define INTEROP_STRING_H

#include <stddef.h>

extern "C" {
inline void *memcpy(void *to, const void *from, size_t size)
{
    return __builtin_memcpy(to, from, size);
}
inline void *memset(void *to, int byte, size_t size)
{
    return __builtin_memset(to, byte, size);
}
}

#endif
