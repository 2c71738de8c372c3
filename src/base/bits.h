/* SPDX-License-Identifier: Apache-2.0 */
/* Bit operations that every layer uses. All shifts are defined for the full stated range. */
#ifndef TX_BASE_BITS_H
#define TX_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define SIGN32 0x80000000u

/*
 * For bodies that are written once and inlined into each row that uses them, with its modes as
 * constants. A build without optimization keeps them as functions, to step through.
 */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define TX_INLINE static inline __attribute__((always_inline))
#else
#define TX_INLINE static inline
#endif

/*
 * Returns whether the set contains the number n. Any n is allowed, such as a chip that a caller of
 * the library names.
 */
static inline bool bits_has(uint32_t set, unsigned n)
{
    return n < 32 && (set >> n & 1u) != 0;
}

/* Returns a word with the low "width" bits set; width is 0..32. */
static inline uint32_t bits_mask(unsigned width)
{
    return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u;
}

static inline uint32_t bits_get(uint32_t word, unsigned lsb, unsigned width)
{
    return (word >> lsb) & bits_mask(width);
}

static inline uint32_t bits_set(uint32_t word, unsigned lsb, unsigned width, uint32_t value)
{
    const uint32_t mask = bits_mask(width) << lsb;
    return (word & ~mask) | ((value << lsb) & mask);
}

/* Sign-extends the low "width" bits; width is 1..32. */
static inline int32_t bits_sext(uint32_t value, unsigned width)
{
    const uint32_t top = 1u << (width - 1);
    const uint32_t x = value & bits_mask(width);
    const uint32_t extended = (x ^ top) - top;
    return (int32_t)extended;
}

/* Returns the number of zero bits above the highest set one, 32 for 0. */
static inline unsigned bits_clz(uint32_t x)
{
    if (x == 0) {
        return 32;
    }
#if defined(__GNUC__)
    return (unsigned)__builtin_clz(x);
#else
    unsigned n = 0;
    if (x <= 0x0000FFFFu) {
        n += 16;
        x <<= 16;
    }
    if (x <= 0x00FFFFFFu) {
        n += 8;
        x <<= 8;
    }
    if (x <= 0x0FFFFFFFu) {
        n += 4;
        x <<= 4;
    }
    if (x <= 0x3FFFFFFFu) {
        n += 2;
        x <<= 2;
    }
    if (x <= 0x7FFFFFFFu) {
        n += 1;
    }
    return n;
#endif
}

/* Mixes two numbers into one that looks like chance (the step of splitmix64, Steele 2014). */
static inline uint64_t bits_mixed(uint64_t seed, uint64_t number)
{
    uint64_t x = seed + (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Returns the number of the lowest set bit; x must not be 0. */
static inline unsigned bits_lowest(uint32_t x)
{
    return 31u - bits_clz(x & (0u - x));
}

#endif
