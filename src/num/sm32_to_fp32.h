/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversion of a sign-magnitude integer to FP32, to nearest even or with seven random bits.
 * Source: ISA documentation SFPCAST, its integer-to-float page; spec/blackhole.md SFPCAST.
 */
#ifndef TX_NUM_SM32_TO_FP32_H
#define TX_NUM_SM32_TO_FP32_H

#include "base/bits.h"

/* Returns the truncated result. *norm becomes the magnitude with its leading one at bit 31. */
static inline uint32_t sm32_to_fp32_base(uint32_t x, uint32_t *norm)
{
    const uint32_t magnitude = x & 0x7FFFFFFFu;
    const unsigned zeros = bits_clz(magnitude);
    if (magnitude == 0) {
        *norm = 0;
        return x; /* -0 stays -0 */
    }
    *norm = magnitude << zeros;
    return (x & SIGN32) + ((157u - zeros) << 23) + (*norm >> 8);
}

static inline uint32_t sm32_to_fp32_rne(uint32_t x)
{
    uint32_t norm;
    const uint32_t base = sm32_to_fp32_base(x, &norm);
    return base + ((norm & 0x80u) != 0 && (norm & 0x17Fu) != 0 ? 1u : 0u);
}

/* draw: the generator's word, of which bits 16..10 are used. Exact values never change. */
static inline uint32_t sm32_to_fp32_stoch(uint32_t x, uint32_t draw)
{
    uint32_t norm;
    const uint32_t base = sm32_to_fp32_base(x, &norm);
    return base + ((norm & 0xFEu) > ((draw >> 9) & 0xFEu) ? 1u : 0u);
}

#endif
