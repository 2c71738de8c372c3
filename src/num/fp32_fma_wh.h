/* SPDX-License-Identifier: Apache-2.0 */
/*
 * x * y + z as Wormhole's Vector Unit computes it. It differs from Blackhole: zero results have no
 * sign, mantissa bits leak into NaNs, the normalising shift by two loses its upper bit, and small
 * results are flushed at another threshold. Source: ISA documentation, Miscellaneous/FMA (the model
 * called wh); spec/wormhole.md section 2.6.
 */
#ifndef TX_NUM_FP32_FMA_WH_H
#define TX_NUM_FP32_FMA_WH_H

#include "num/fp32_fma_parts.h"

TX_INLINE uint32_t fp32_fma_wh(uint32_t x, uint32_t y, uint32_t z)
{
    const struct fma_part a = fma_unpack(x);
    const struct fma_part b = fma_unpack(y);
    struct fma_part c = fma_unpack(z);
    const uint32_t p_sign = (x ^ y) & SIGN32;
    const uint32_t z_sign = z & SIGN32;
    int32_t p_exp = a.exp + b.exp - 127;
    uint32_t p_man = fma_product(a.man, b.man);
    uint32_t nan = 0;

    if (a.exp == 255 || b.exp == 255 || c.exp == 255 || p_exp >= 255) {
        const bool z_inf = c.exp == 255 && c.man == FMA_ONE;
        const bool p_over = a.exp == 255 || b.exp == 255 || p_exp >= 255;
        if (fma_invalid(a, b) || (z_inf && p_over && z_sign != p_sign)) {
            nan = p_sign | 0x7F800001u;
        } else if (c.exp == 255 && !z_inf) {
            nan = z_sign | 0x7F800001u;
        } else {
            return z_inf ? z : (p_sign | 0x7F800000u);
        }
        /* A NaN is not final: the datapath continues and ORs its mantissa into it. */
        if (p_exp > 255) {
            p_exp = 255;
        }
    }
    if (p_man == 0 || p_exp < 0) {
        if (nan == 0) {
            return c.man != 0 ? z : 0;
        }
        p_man = 0;
        p_exp = 0;
    }
    c.man <<= 3;
    int32_t r_exp = p_exp > c.exp ? p_exp : c.exp;
    p_man = fma_align(p_man, r_exp - p_exp);
    c.man = fma_align(c.man, r_exp - c.exp);
    const uint32_t r_sign = p_man >= c.man ? p_sign : z_sign;
    uint32_t r = fma_add(p_man, p_sign, c.man, z_sign, r_sign);
    if (r == 0) {
        return nan;
    }
    const int32_t n = 5 - (int32_t)bits_clz(r);
    r_exp += n;
    if (r_exp >= 255) {
        return nan != 0 ? nan : (r_sign | 0x7F800000u);
    }
    if (r_exp < 0) {
        return nan;
    }
    if (n <= 0) {
        r <<= (unsigned)-n;
    } else {
        /* A shift by two loses the upper of the dropped bits (a hardware bug). */
        r = (r >> (unsigned)n) | (r & 1u);
    }
    const uint32_t out = fma_round((uint32_t)r_exp, r);
    if ((out >> 23) == 0) {
        return nan;
    }
    return (nan != 0 ? nan : r_sign) | out;
}

#endif
