/* SPDX-License-Identifier: Apache-2.0 */
/* What many rooms do with a few bytes: words of memory, the bits of a float, the end of a name. */
#ifndef LAB_SMALL_H
#define LAB_SMALL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Memory has the low byte first, whatever the host has. */
static inline uint32_t word_of_bytes(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline void bytes_of_word(uint8_t *b, uint32_t word)
{
    for (unsigned k = 0; k < 4; k++) {
        b[k] = (uint8_t)(word >> 8 * k);
    }
}

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Tells whether text ends so, or is nothing else. */
static inline bool text_ends_in(const char *text, const char *end)
{
    const size_t n = strlen(text);
    const size_t k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

/* The same in upper and lower case. */
static inline bool text_ends_in_any_case(const char *text, const char *end)
{
    const size_t n = strlen(text);
    const size_t k = strlen(end);
    return n >= k && strcasecmp(text + n - k, end) == 0;
}

#endif
