/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packer's late conversion, from the intermediate format to L1. It truncates. Source: ISA
 * documentation Packers/FormatConversion 411f264; ttsim 1.10.0; formats-and-scalar-unit.md C.8.4.
 */
#ifndef TX_FMT_PACK_LATE_H
#define TX_FMT_PACK_LATE_H

#include "fmt/fp32_to_fp16.h"

TX_INLINE uint32_t late_fp16_bf16(uint32_t x)
{
    const uint32_t out = (x & 0x8000u) | (((x & 0x7FFFu) >> 3) + (112u << 7));
    return (x & 0x7C00u) == 0 ? 0 : out;
}

/* Drops mantissa bits. Denormals are flushed (isa); that they keep their sign is inferred (P22). */
TX_INLINE uint32_t late_fp16_narrow(uint32_t x, uint32_t keep)
{
    return x & ((x & 0x7C00u) == 0 ? 0x8000u : keep);
}

/* The sign of a flushed denormal is not documented; here it is +0. */
TX_INLINE uint32_t late_fp32_bf16(uint32_t x)
{
    return (x & 0x7F800000u) == 0 ? 0 : x >> 16;
}

/* Blackhole only. It never produces denormals; overflow becomes 7F, the largest code. */
TX_INLINE uint32_t late_fp16_e4m3(uint32_t x)
{
    const uint32_t sign = x >> 8 & 0x80u;
    const uint32_t magnitude = x & 0x7FFFu;
    const uint32_t out = sign | ((magnitude - (8u << 10)) >> 7 & 0x7Fu);
    const uint32_t capped = magnitude >= 24u << 10 ? sign | 0x7Fu : out;
    return magnitude < 9u << 10 ? sign : capped;
}

#endif
