/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FP32 to Tensix's FP16, truncating, as the unpacker and the packer do it: if the new exponent is 0
 * the mantissa is kept, although no reader scales it correctly. SFPSTORE flushes it instead.
 * Source: ttsim 1.10.0; ISA documentation FloatBitPatterns f7fda21; formats-and-scalar-unit.md C.5,
 * C.8.4.
 */
#ifndef TX_FMT_FP32_TO_FP16_H
#define TX_FMT_FP32_TO_FP16_H

#include "base/bits.h"

TX_INLINE uint32_t fp32_to_fp16_keep(uint32_t x)
{
    const uint32_t sign = x >> 16 & 0x8000u;
    const uint32_t magnitude = x & 0x7FFFFFFFu;
    const uint32_t rebased = (magnitude >> 13) - (112u << 10); /* from e8.m10 to e5.m10 */
    uint32_t out = sign | (rebased & 0x7FFFu);
    out = magnitude >= 0x48000000u ? sign | 0x7FFFu : out;
    return magnitude < 0x38000000u ? sign : out;
}

TX_INLINE uint32_t fp32_to_fp16_flush(uint32_t x)
{
    return (x & 0x7FFFFFFFu) < 0x38800000u ? x >> 16 & 0x8000u : fp32_to_fp16_keep(x);
}

/*
 * Widens FP16 to FP32. Exponent 0 stays 0 and the mantissa is kept, which gives an FP32 denormal.
 */
TX_INLINE uint32_t fp16_to_fp32_keep(uint32_t x)
{
    const uint32_t rebias = (x & 0x7C00u) != 0 ? 112u << 23 : 0;
    return (x & 0x8000u) << 16 | (((x & 0x7FFFu) << 13) + rebias);
}

#endif
