/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unpacker's conversions from an L1 datum to the plain pattern of a Src or Dst cell. All
 * truncate. Source: ISA documentation Unpackers/FormatConversion 287a84c; ttsim 1.10.0 where that
 * names a function without defining it; formats-and-scalar-unit.md C.5.
 */
#ifndef TX_FMT_UNPACK_H
#define TX_FMT_UNPACK_H

#include "fmt/fp32_to_fp16.h"

/* Flushes denormals to signed zero; a NaN with payload in the low half only becomes Inf. */
TX_INLINE uint32_t unpack_fp32_bf16(uint32_t x)
{
    const uint32_t flushed = (x & 0x7F800000u) == 0 ? x & SIGN32 : x;
    return flushed >> 16;
}

/* Blackhole takes 7F as the largest FP16 (ttsim); Wormhole has no such case. */
TX_INLINE uint32_t unpack_e5m2_fp16(bool blackhole, uint32_t x)
{
    const uint32_t low = blackhole && (x & 0x7Fu) == 0x7Fu ? 0xFFu : 0;
    return (x & 0xFFu) << 8 | low;
}

TX_INLINE uint32_t unpack_e4m3_fp16(uint32_t x)
{
    const uint32_t rebias = (x & 0x78u) != 0 ? 8u << 10 : 0;
    const uint32_t low = (x & 0x7Fu) == 0x7Fu ? 0x7Fu : 0;
    return (x & 0x80u) << 8 | (((x & 0x7Fu) << 7) + rebias) | low;
}

/* Integers use the layout of FP16: exponent 16, or 0 for magnitude 0. */
TX_INLINE uint32_t unpack_magnitude(uint32_t sign, uint32_t magnitude)
{
    return sign | (magnitude != 0 ? 16u << 10 : 0) | magnitude;
}

TX_INLINE uint32_t unpack_int8(uint32_t x)
{
    return unpack_magnitude((x & 0x80u) << 8, x & 0x7Fu);
}

/*
 * Takes a BFP datum as sign and seven magnitude bits, with its exponent. The magnitude is shifted
 * up to its leading one and the exponent reduced by as much, modulo 256. Magnitude 0 with the sign
 * set gives the pattern of -Inf.
 */
TX_INLINE uint32_t unpack_bfp_bf16(uint32_t exponent, uint32_t d)
{
    const uint32_t sign = (d & 0x80u) << 8;
    const uint32_t magnitude = d << 1 & 0xFFu;
    uint32_t zeros = magnitude < 16u ? 4 : 0; /* seven at most */
    zeros += magnitude << zeros < 64u ? 2 : 0;
    zeros += magnitude << zeros < 128u ? 1 : 0;
    const uint32_t e = exponent - zeros;
    const uint32_t none = sign != 0 ? 0xFF80u : 0;
    const uint32_t out = sign | (e & 0xFFu) << 7 | (magnitude << zeros & 0x7Eu);
    return magnitude == 0 ? none : out;
}

/* The a formats, to FP16. An exponent beyond 0..31 keeps its low five bits (not documented). */
TX_INLINE uint32_t unpack_bfp_fp16(uint32_t exponent, uint32_t d)
{
    const uint32_t wide = unpack_bfp_bf16(exponent, d);
    const uint32_t none = (d & 0x80u) != 0 ? 0xFC00u : 0;
    const uint32_t out = (wide & 0x8000u) | (wide >> 7 & 31u) << 10 | (wide & 0x7Eu) << 3;
    return (d & 0x7Fu) == 0 ? none : out;
}

#endif
