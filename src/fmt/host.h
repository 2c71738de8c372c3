/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions as host code does them, rounding to nearest even. BFP and E4M3 follow tt-metal
 * (blockfloat_common.cpp 034fc8c, float8.cpp 42a4235), which differs from the packer. FP16 and E5M2
 * go to the nearest value as Tensix reads them: exponent 31 is an ordinary binade, and exponent 0
 * is zero.
 */
#ifndef TX_FMT_HOST_H
#define TX_FMT_HOST_H

#include "fmt/unpack.h"
#include "num/sm32.h"

/* Rounds to nearest even; drop is the weight of the last bit kept. A NaN stays NaN. */
TX_INLINE uint32_t host_round(uint32_t x, uint32_t drop)
{
    const uint32_t up = drop / 2 - 1 + ((x & drop) != 0 ? 1u : 0u);
    const uint32_t rounded = (x + up) & ~(drop - 1u);
    const uint32_t quiet = (x | 0x00400000u) & ~(drop - 1u);
    return (x & 0x7FFFFFFFu) > 0x7F800000u ? quiet : rounded;
}

/*
 * Rounds for a 5-bit exponent. largest: the largest magnitude, as FP32, which Inf and NaN become
 * too.
 */
TX_INLINE uint32_t host_round_5bit(uint32_t x, uint32_t drop, uint32_t largest)
{
    const uint32_t sign = x & SIGN32;
    const uint32_t magnitude = x & 0x7FFFFFFFu;
    const uint32_t up = drop / 2 - 1 + ((x & drop) != 0 ? 1u : 0u);
    const uint32_t rounded = (magnitude + up) & ~(drop - 1u);
    const bool over = magnitude >= 0x7F800000u || rounded > largest;
    const uint32_t out = over ? sign | largest : sign | rounded;
    return rounded < 0x38800000u ? sign : out;
}

TX_INLINE uint32_t host_fp32_fp16(uint32_t x)
{
    return fp32_to_fp16_keep(host_round_5bit(x, 1u << 13, 0x47FFE000u));
}

TX_INLINE uint32_t host_fp32_e5m2(uint32_t x)
{
    return fp32_to_fp16_keep(host_round_5bit(x, 1u << 21, 0x47E00000u)) >> 8;
}

/*
 * tt-metal: exponent 15 means NaN, so that 77 is the largest code; underflow is decided before
 * rounding.
 */
TX_INLINE uint32_t host_fp32_e4m3(uint32_t x)
{
    const uint32_t sign = x >> 24 & 0x80u;
    const uint32_t magnitude = x & 0x7FFFFFFFu;
    const uint32_t rounded = magnitude + 0x7FFFFu + (magnitude >> 20 & 1u);
    const uint32_t code = (rounded >> 20) - (120u << 3);
    uint32_t out = sign | (code & 0x7Fu);
    out = rounded >= 0x43800000u ? sign | 0x77u : out; /* 256 and above */
    out = magnitude < 0x3C800000u ? sign : out;        /* below 2^-6 */
    return magnitude > 0x7F800000u ? 0x7Fu : out;
}

/* Exponent 0 means zero, whatever the mantissa. */
TX_INLINE uint32_t host_fp16_fp32(uint32_t x)
{
    return (x & 0x7C00u) == 0 ? (x & 0x8000u) << 16 : fp16_to_fp32_keep(x);
}

TX_INLINE uint32_t host_e4m3_fp32(uint32_t x)
{
    const uint32_t sign = (x & 0x80u) << 24;
    const uint32_t magnitude = x & 0x7Fu;
    const uint32_t out = sign | ((magnitude + (120u << 3)) << 20);
    const uint32_t finite = magnitude < 8u ? sign : out;
    return magnitude >= 0x78u ? 0x7FC00000u : finite;
}

/*
 * tt-metal's decoder: magnitude 0 is a signed zero. If the exponent would become negative, tt-metal
 * asserts or, in release builds, changes the sign; here the value is zero.
 */
TX_INLINE uint32_t host_bfp_fp32(uint32_t exponent, uint32_t d, uint32_t rebias)
{
    const uint32_t sign = (d & 0x80u) << 24;
    const uint32_t wide = unpack_bfp_bf16(exponent, d & 0x7Fu);
    const uint32_t e = wide >> 7 & 0xFFu;
    const bool none = ((d & 0x7Fu) == 0) | ((rebias == 0) & (e > exponent));
    const uint32_t out = sign | ((e + rebias) & 0xFFu) << 23 | (wide & 0x7Fu) << 16;
    return none ? sign : out;
}

/*
 * Returns the exponent of a datum for the choice of a shared one. a: for 5-bit exponents, clamped
 * to 0..31.
 */
TX_INLINE uint32_t host_bfp_exponent(uint32_t x, bool a)
{
    const uint32_t e = x >> 23 & 0xFFu;
    const uint32_t rebased = e < 112u ? 0 : e > 143u ? 31u : e - 112u;
    return a ? rebased : e;
}

/*
 * Returns sign and magnitude, of "width" bits, under the shared exponent. Denormals get a leading
 * one too, and bits that the alignment shifts out do not take part in the rounding. In the a forms
 * an overflow saturates, and an underflow keeps only the leading one.
 */
TX_INLINE uint32_t host_bfp_datum(uint32_t x, uint32_t shared, bool a, unsigned width)
{
    const uint32_t e = x >> 23 & 0xFFu;
    uint32_t man = (x & 0x7FFFFFu) | 0x800000u;
    man = (a & (e > 143u)) ? 0xFFFFFFu : man;
    man = (a & (e < 112u)) ? 0x800000u : man;
    const uint32_t d = shared - host_bfp_exponent(x, a);
    const uint32_t drop = 1u << (24 - width);
    man >>= d < 31u ? d : 31u;
    const uint32_t up = drop / 2 - 1 + ((man & drop) != 0 ? 1u : 0u);
    const uint32_t rounded = (man + up) >> (24 - width);
    const uint32_t magnitude = rounded >= 1u << width ? (1u << width) - 1u : rounded;
    const uint32_t out = x >> 31 << width | magnitude;
    return ((magnitude == 0) | ((x & 0x7FFFFFFFu) == 0)) ? 0 : out;
}

/*
 * Converts two's complement to sign and magnitude; the most negative value has no such form and
 * becomes -max.
 */
TX_INLINE uint32_t host_i32_sm32(uint32_t x)
{
    return x == SIGN32 ? 0xFFFFFFFFu : i32_to_sm32(x);
}

TX_INLINE uint32_t host_i16_sm16(uint32_t x)
{
    const uint32_t magnitude = x == 0x8000u ? 0x7FFFu : 0x10000u - x;
    return (x & 0x8000u) != 0 ? 0x8000u | magnitude : x;
}

TX_INLINE uint32_t host_i8_sm8(uint32_t x)
{
    const uint32_t magnitude = x == 0x80u ? 0x7Fu : 0x100u - x;
    return (x & 0x80u) != 0 ? 0x80u | magnitude : x;
}

/*
 * A store through Blackhole's window on Dst: a negative byte gets a wrong magnitude, a hardware
 * bug.
 */
TX_INLINE uint32_t window_store_int8(uint32_t x)
{
    const uint32_t magnitude = (0x180u - x - (x == 0x80u ? 1u : 0u)) & 0xFFu;
    return x >= 0x80u ? 0x8010u | magnitude << 5 : x << 5 | (x != 0 ? 16u : 0);
}

#endif
