/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packer's early conversion, Dst datum to intermediate format. It rounds to nearest with ties
 * away from zero (confirmed by the hardware team, tt-metal #15889 #17237), makes Inf of NaN, and
 * flushes to +0 after rounding. Source: ISA documentation Packers/FormatConversion 411f264; ttsim
 * 1.10.0; formats-and-scalar-unit.md C.8.1, C.8.2, C.8.6.
 */
#ifndef TX_FMT_PACK_EARLY_H
#define TX_FMT_PACK_EARLY_H

#include "fmt/fp32_to_fp16.h"

TX_INLINE uint32_t early_nan_to_inf(uint32_t x)
{
    return (x & 0x7FFFFFFFu) > 0x7F800000u ? (x & SIGN32) | 0x7F800000u : x;
}

/* The result stays in its place; drop is a power of two, the weight of the last bit kept. */
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

/* A NaN that the cut turns into Inf would have become Inf anyway. */
TX_INLINE uint32_t early_fp32_e8m6(uint32_t x)
{
    return early_round(x & 0xFFFF0000u, 1u << 17) >> 16;
}

/* The gasket: TF32 rounding, then the exponent. ReLU stands between, see pack.c. */
TX_INLINE uint32_t early_fp32_fp16(uint32_t x)
{
    return fp32_to_fp16_keep(early_fp32_tf32(x));
}

/* There is nothing to round. Bit masks, so that compilers make vectors of it. */
TX_INLINE uint32_t early_bf16(uint32_t x)
{
    const uint32_t exponent = x & 0x7F80u;
    const uint32_t special = 0u - (uint32_t)(exponent == 0x7F80u);
    const uint32_t some = 0u - (uint32_t)(exponent != 0);
    return x & some & (0xFF80u | ~special);
}

/* Flushes first, rounds second, unlike the 32-bit form. */
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
 * Sign-magnitude to 8 bits. The shifted-out bits round, ties away (not documented); the sign stays
 * even on 0.
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
