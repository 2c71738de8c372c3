/* SPDX-License-Identifier: Apache-2.0 */
/* What the vendor's compiler expects of a C library. */
#ifndef TENSIX_KERNEL_METAL_MEMORY_H
#define TENSIX_KERNEL_METAL_MEMORY_H

#include <stddef.h>

/* There is no C library; the compiler calls these for what is larger than a few words. */
extern "C" __attribute__((used)) void *memcpy(void *to, const void *from, size_t size)
{
    char *t = static_cast<char *>(to);
    const char *f = static_cast<const char *>(from);
    for (size_t i = 0; i < size; i++) {
        t[i] = f[i];
    }
    return to;
}
extern "C" __attribute__((used)) void *memset(void *to, int value, size_t size)
{
    char *t = static_cast<char *>(to);
    for (size_t i = 0; i < size; i++) {
        t[i] = static_cast<char>(value);
    }
    return to;
}

#endif
