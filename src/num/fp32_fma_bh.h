/* SPDX-License-Identifier: Apache-2.0 */
/*
 * x * y + z as Blackhole's Vector Unit computes it: the product keeps 26 fraction bits and one
 * sticky bit, and alignment shifts lose an operand that is shifted out entirely.
 * Source: ISA documentation, Miscellaneous/FMA (the model called bh); spec/blackhole.md section 5.
 */
#ifndef TX_NUM_FP32_FMA_BH_H
#define TX_NUM_FP32_FMA_BH_H

#include "num/fp32_fma_parts.h"

TX_INLINE uint32_t fp32_fma_bh(uint32_t x, uint32_t y, uint32_t z)
{
    const struct fma_part a = fma_unpack(x);
    const struct fma_part b = fma_unpack(y);
    struct fma_part c = fma_unpack(z);
    const uint32_t p_sign = (x ^ y) & SIGN32;
    const uint32_t z_sign = z & SIGN32;
    int32_t p_exp = a.exp + b.exp - 127;
    uint32_t p_man = fma_product(a.man, b.man);

    if (a.exp == 255 || b.exp == 255 || c.exp == 255 || p_exp >= 255) {
        const bool z_inf = c.exp == 255 && c.man == FMA_ONE;
        const bool opposed = z_inf && (a.exp == 255 || b.exp == 255) && z_sign != p_sign;
        if (fma_invalid(a, b) || (c.exp == 255 && !z_inf) || opposed) {
            return 0x7FC00000u;
        }
        /* A finite product beyond the range counts as Inf, but an Inf addend takes precedence. */
        return z_inf ? z : (p_sign | 0x7F800000u);
    }
    if (p_man == 0 || p_exp < 0) {
        /* A product below the range vanishes, whatever the sum would have been. */
        return c.man != 0 ? z : (z_sign & p_sign);
    }
    c.man <<= 3;
    int32_t r_exp = p_exp > c.exp ? p_exp : c.exp;
    p_man = fma_align(p_man, r_exp - p_exp);
    c.man = fma_align(c.man, r_exp - c.exp);
    const uint32_t r_sign = p_man >= c.man ? p_sign : z_sign;
    uint32_t r = fma_add(p_man, p_sign, c.man, z_sign, r_sign);
    if (r == 0) {
        return z_sign & p_sign;
    }
    int32_t n = 5 - (int32_t)bits_clz(r);
    r_exp += n;
    if (r_exp >= 255) {
        return r_sign | 0x7F800000u;
    }
    if (r_exp <= 0) {
        /* Only one position, however far below the range the sum is: the hardware does this. */
        n += 1;
        r_exp = 0;
    }
    if (n <= 0) {
        r <<= (unsigned)-n;
    } else {
        const uint32_t lost = r & ((uint32_t)n | 1u); /* n is 1, 2 or 3: bits 0 and 1 */
        r = (r >> (unsigned)n) | (lost != 0 ? 1u : 0u);
    }
    uint32_t out = fma_round((uint32_t)r_exp, r);
    if ((out >> 23) == 0) {
        out = 0; /* flushed after rounding; the sign is kept */
    }
    return r_sign | out;
}

#endif
