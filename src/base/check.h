/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assertions of the build that checks itself (cmake --preset check, TX_CHECK): what holds, with a
 * text that says so. Where it does not, the text and the place are printed and the program aborts.
 * Other builds do not evaluate the condition.
 */
#ifndef TX_BASE_CHECK_H
#define TX_BASE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Returns whether all bytes are zero. */
static inline bool check_zero(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    return size == 0 || (b[0] == 0 && memcmp(b, b + 1, size - 1) == 0);
}

#if defined(TX_CHECK)

#include <stdio.h>
#include <stdlib.h>

#define CHECK(holds, text)                                                             \
    do {                                                                               \
        if (!(holds)) {                                                                \
            fprintf(stderr, "check: %s:%d: not true: %s\n", __FILE__, __LINE__, text); \
            abort();                                                                   \
        }                                                                              \
    } while (0)

#else

#define CHECK(holds, text) ((void)sizeof(holds))

#endif

#endif
