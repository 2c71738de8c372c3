/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three conversions of SFPSTOCHRND. p is the 23-bit threshold: 0x400000 for nearest, 0x7FFFFF
 * for toward zero, else the random draw. The hardware compares with >=, so that a draw of 0
 * increments exact values and "toward zero" rounds up when all discarded bits are ones. Source: ISA
 * documentation SFPSTOCHRND (FloatFloat, FloatInt, IntInt), revision 2d91617 and later.
 */
#ifndef TX_NUM_STOCHRND_H
#define TX_NUM_STOCHRND_H

#include "base/bits.h"

/*
 * keep: mantissa bits kept, 10 (FP16A) or 7 (FP16B). shifted: compares as ttsim does. The least
 * discarded value that rounds up is p >> keep, or p / 2^keep rounded up; adding what it lacks to
 * the next step carries into the kept bits exactly if the comparison holds.
 */
static inline uint32_t fp32_stochrnd_fp32(uint32_t x, unsigned keep, uint32_t p, bool shifted)
{
    const uint32_t step = 1u << (23u - keep);
    const uint32_t least = (p + (shifted ? bits_mask(keep) : 0)) >> keep;
    const uint32_t exp = x & 0x7F800000u;
    const uint32_t finite = (x + (step - least)) & ~(step - 1u);
    const uint32_t value = exp == 0x7F800000u ? x & 0xFF800000u : finite;
    return exp == 0 ? 0 : value;
}

static inline uint32_t stochrnd_clamp(uint32_t magnitude, uint32_t max, uint32_t sign)
{
    if (magnitude > max) {
        magnitude = max;
    }
    return magnitude == 0 ? 0 : sign | magnitude;
}

/* sign: bit 31 to keep, 0 for unsigned targets. Below 0.5 the result is 0, whatever the draw. */
static inline uint32_t fp32_stochrnd_int(uint32_t x, uint32_t sign, uint32_t max, uint32_t p)
{
    const int32_t e = (int32_t)((x >> 23) & 255u) - 127;
    const uint32_t man = (x & 0x7FFFFFu) | 0x800000u;
    const unsigned left = e < 0 ? 0u : e > 15 ? 15u : (unsigned)e;
    /* man * 2^e as whole part and 23 fraction bits; e is -1 or 0..15 where it matters. */
    const uint32_t whole = e < 0 ? 0u : man >> (23u - left);
    const uint32_t fraction = e < 0 ? man >> 1 : (man << left) & 0x7FFFFFu;
    const uint32_t value = stochrnd_clamp(whole + (fraction >= p ? 1u : 0u), max, sign);
    return e < -1 ? 0 : e >= 16 ? sign | max : value;
}

/* x is sign and magnitude, shift 0..31. */
static inline uint32_t sm32_stochrnd_int(uint32_t x, unsigned shift, uint32_t sign, uint32_t max,
                                         uint32_t p)
{
    const uint64_t fixed = ((uint64_t)(x & 0x7FFFFFFFu) << 23) >> shift;
    const uint32_t up = (uint32_t)(fixed & 0x7FFFFFu) >= p ? 1u : 0u;
    return stochrnd_clamp((uint32_t)(fixed >> 23) + up, max, sign);
}

#endif
