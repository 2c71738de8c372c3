/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSTORE: LReg value to Dst cell. Everything truncates. FP32 and BF16 flush denormals to signed
 * zero on both chips (R12; keep_denormals selects the older reading for FP32). Source: isa SFPSTORE
 * c63d6d0; formats-and-scalar-unit.md C.7.
 */
#ifndef TX_SEM_SFPSTORE_H
#define TX_SEM_SFPSTORE_H

#include "sem/sem.h"
#include "num/dst_cell.h"
#include "num/sm32.h"

static inline bool store_is_32bit(unsigned mode)
{
    return mode == 3 || mode == 4 || mode == 7 || mode == 9 || mode == 10 || mode == 12;
}

static inline uint32_t store_fp16(uint32_t x)
{
    const int32_t exp = (int32_t)((x >> 23) & 255u) - 112;
    const uint32_t sign = (x >> 16) & 0x8000u;
    if (exp <= 0) {
        return fp16_to_cell(sign);
    }
    if (exp > 31) {
        return fp16_to_cell(sign | 0x7FFFu);
    }
    return fp16_to_cell(sign | (uint32_t)exp << 10 | ((x >> 13) & 0x3FFu));
}

static inline uint32_t store_flush(uint32_t x)
{
    return (x & 0x7F800000u) == 0 ? x & SIGN32 : x;
}

/* Sign, ten magnitude bits, and 16 in the exponent field, also for zero. */
static inline uint32_t store_int8(uint32_t x)
{
    return ((x >> 16) & 0x8000u) | (x & 0x3FFu) << 5 | 16u;
}

TX_INLINE uint32_t store_convert(bool blackhole, unsigned mode, uint32_t x, bool keep_denormals)
{
    switch (mode) {
    case 1:
        return store_fp16(x);
    case 2:
        return bf16_to_cell(store_flush(x) >> 16);
    case 3:
        return fp32_to_cell(keep_denormals ? x : store_flush(x));
    case 4:
    case 10:
        return fp32_to_cell(x);
    case 5:
        return store_int8(x);
    case 7:
        return x; /* 32 bits, not shuffled */
    case 8:
        return ((x >> 16) & 0x8000u) | (x & 0x7FFFu);
    case 9:
        return x << 16 | x >> 16; /* 32 bits, halves exchanged, not shuffled */
    case 11:
        return 0;
    case 12:
        return fp32_to_cell(blackhole ? x : i32_to_sm32(x));
    case 13:
        return store_int8(blackhole ? x : i32_to_sm32(x));
    case 15:
        return x >> 16;
    default: /* 6 and 14: low half; 0 is resolved before */
        return x & 0xFFFFu;
    }
}

#endif
