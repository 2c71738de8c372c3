/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packer's early conversion, from the Dst datum to the intermediate format. It rounds to
 * nearest with ties away from zero (confirmed by the hardware team, tt-metal #15889 #17237), turns
 * NaN into Inf, and flushes to +0 after rounding. Source: ISA documentation
 * Packers/FormatConversion 411f264; ttsim 1.10.0; formats-and-scalar-unit.md C.8.1, C.8.2, C.8.6.
 */
#ifndef TX_FMT_PACK_EARLY_H
#define TX_FMT_PACK_EARLY_H

#include "fmt/fp32_to_fp16.h"

TX_INLINE uint32_t early_nan_to_inf(uint32_t x)
{
    return (x & 0x7FFFFFFFu) > 0x7F800000u ? (x & SIGN32) | 0x7F800000u : x;
}

/* Rounds x in place. drop is the weight of the last bit kept, a power of two. */
TX_INLINE uint32_t early_round(uint32_t x, uint32_t drop)
{
    const uint32_t t = (early_nan_to_inf(x) + drop / 2) & ~(drop - 1u);
    return (t & 0x7F800000u) == 0 ? 0 : t;
}

TX_INLINE uint32_t early_fp32_tf32(uint32_t x)
{
    return early_round(x, 1u << 13);
}

TX_INLINE uint32_t early_fp32_bf16(uint32_t x)
{
    return early_round(x, 1u << 16) >> 16;
}

/* A NaN that truncation turns into Inf would have become Inf anyway. */
TX_INLINE uint32_t early_fp32_e8m6(uint32_t x)
{
    return early_round(x & 0xFFFF0000u, 1u << 17) >> 16;
}

/* The gasket: TF32 rounding, then the narrower exponent. ReLU comes between the two, see pack.c. */
TX_INLINE uint32_t early_fp32_fp16(uint32_t x)
{
    return fp32_to_fp16_keep(early_fp32_tf32(x));
}

/* There is nothing to round. Written with bit masks, so that compilers vectorize it. */
TX_INLINE uint32_t early_bf16(uint32_t x)
{
    const uint32_t exponent = x & 0x7F80u;
    const uint32_t special = 0u - (uint32_t)(exponent == 0x7F80u);
    const uint32_t some = 0u - (uint32_t)(exponent != 0);
    return x & some & (0xFF80u | ~special);
}

/* Flushes before it rounds, unlike the 32-bit form. */
TX_INLINE uint32_t early_bf16_e8m6(uint32_t x)
{
    return (early_bf16(x) + 1u) & 0xFFFEu;
}

TX_INLINE uint32_t early_fp16(uint32_t x)
{
    return x & (0u - (uint32_t)((x & 0x7C00u) != 0));
}

TX_INLINE uint32_t early_fp16_e5m6(uint32_t x)
{
    const uint32_t capped = (x & 0x7FFFu) > 0x7FF7u ? (x & 0x8000u) | 0x7FF0u : x;
    return early_fp16((capped + 8u) & 0xFFF0u);
}

/*
 * Scales the magnitude down by a power of two. The bits shifted out round, ties away (not
 * documented); the sign is kept even on 0.
 */
TX_INLINE uint32_t early_descale(uint32_t x, unsigned shift)
{
    const uint64_t half = shift == 0 ? 0 : UINT64_C(1) << (shift - 1);
    return (uint32_t)(((x & 0x7FFFFFFFu) + half) >> shift);
}

TX_INLINE uint32_t early_int8(uint32_t x, unsigned shift)
{
    const uint32_t magnitude = early_descale(x, shift);
    return (x >> 24 & 0x80u) | (magnitude > 127u ? 127u : magnitude);
}

TX_INLINE uint32_t early_uint8(uint32_t x, unsigned shift)
{
    const uint32_t magnitude = early_descale(x, shift);
    const uint32_t capped = magnitude > 255u ? 255u : magnitude;
    return (x & SIGN32) != 0 ? 0 : capped;
}

#endif
