/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that the multiply-add models of both chips share. */
#ifndef TX_NUM_FP32_FMA_PARTS_H
#define TX_NUM_FP32_FMA_PARTS_H

#include "base/bits.h"

struct fma_part {
    int32_t exp;  /* biased, 0..255 */
    uint32_t man; /* 24 bits with the leading one; 0 for zero and denormals */
};

#define FMA_ONE 0x00800000u /* mantissa of a power of two, and of Inf */

static inline struct fma_part fma_unpack(uint32_t v)
{
    struct fma_part part = {(int32_t)((v >> 23) & 255u), (v & 0x7FFFFFu) | FMA_ONE};
    if (part.exp == 0) {
        part.man = 0;
    }
    return part;
}

/*
 * Returns whether the product is NaN: a NaN operand, or Inf times zero. A denormal counts as zero.
 */
static inline bool fma_invalid(struct fma_part a, struct fma_part b)
{
    return (a.exp == 255 && (a.man != FMA_ONE || b.man == 0)) ||
           (b.exp == 255 && (b.man != FMA_ONE || a.man == 0));
}

/* Returns the product in 28 bits with 26 fraction bits; bit 0 is sticky. */
static inline uint32_t fma_product(uint32_t a, uint32_t b)
{
    const uint64_t full = ((uint64_t)a * b) << 3;
    return (uint32_t)(full >> 23) | ((full & 0x7FFFFFu) != 0 ? 1u : 0u);
}

/* Shifts right. The sticky bit is set only if something of the operand is left. */
static inline uint32_t fma_align(uint32_t man, int32_t amount)
{
    if (amount >= 32) {
        return 0;
    }
    const uint32_t shifted = man >> (unsigned)amount;
    const bool lost = (shifted << (unsigned)amount) != man;
    return shifted != 0 && lost ? shifted | 1u : shifted;
}

/* Returns the magnitude of the signed sum; r_sign is the sign of the larger operand. */
static inline uint32_t fma_add(uint32_t p, uint32_t p_sign, uint32_t z, uint32_t z_sign,
                               uint32_t r_sign)
{
    if (z_sign != r_sign) {
        z = ~z;
    }
    if (p_sign != r_sign) {
        p = ~p;
    }
    return p + z + (p_sign != z_sign ? 1u : 0u);
}

/*
 * Rounds r, which has its leading one at bit 26 and three bits below the result, ties to even. The
 * mantissa may carry into exp.
 */
static inline uint32_t fma_round(uint32_t exp, uint32_t r)
{
    const uint32_t out = (exp << 23) + ((r >> 3) & 0x7FFFFFu);
    return out + ((r & 7u) + (out & 1u) > 4u ? 1u : 0u);
}

#endif
