/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bits of a result nobody has defined: masks beside values, a bit set where the value's bit
 * is undefined. The rules are the usual ones of such shadow arithmetic: a bit of a product with a
 * defined zero is defined, a carry spreads upwards, a comparison with any undefined bit is
 * undefined.
 */
#ifndef TX_BASE_DEFINED_H
#define TX_BASE_DEFINED_H

#include <stdint.h>

/* A value and its undefined bits. */
struct shadowed {
    uint32_t value, bad;
};

static inline uint32_t shadow_and(struct shadowed a, struct shadowed b)
{
    return (a.bad | b.bad) & (a.bad | a.value) & (b.bad | b.value);
}

static inline uint32_t shadow_or(struct shadowed a, struct shadowed b)
{
    return (a.bad | b.bad) & (a.bad | ~a.value) & (b.bad | ~b.value);
}

/*
 * Of a sum with a carry into bit 0: a bit is undefined if one of the two is, or if the least and
 * the greatest operands differ in the carry into it. The difference a - b is a + ~b + 1.
 */
static inline uint32_t shadow_add(struct shadowed a, struct shadowed b, uint32_t carry)
{
    const uint32_t low_a = a.value & ~a.bad;
    const uint32_t low_b = b.value & ~b.bad;
    const uint32_t high_a = a.value | a.bad;
    const uint32_t high_b = b.value | b.bad;
    const uint32_t least = (low_a + low_b + carry) ^ low_a ^ low_b;
    const uint32_t most = (high_a + high_b + carry) ^ high_a ^ high_b;
    return a.bad | b.bad | (least ^ most);
}

/* Of the low halves of products, and of sums of which less is known: the lowest undefined bit and
 * all above. */
static inline uint32_t shadow_carry(uint32_t bad)
{
    return bad | (0u - bad);
}

static inline uint32_t shadow_any(uint32_t bad, uint32_t result)
{
    return bad != 0 ? result : 0;
}

#endif
