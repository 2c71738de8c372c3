/* SPDX-License-Identifier: Apache-2.0 */
/* 32-bit sign-magnitude numbers: their order, and conversion from and to two's complement. */
#ifndef TX_NUM_SM32_H
#define TX_NUM_SM32_H

#include "base/bits.h"

/*
 * Compares in the total order -NaN < -Inf < ... < -0 < +0 < ... < +NaN, which is that of
 * sign-magnitude integers.
 */
static inline bool sm32_less(uint32_t a, uint32_t b)
{
    /* ~a if negative, otherwise above all of those. */
    const uint32_t ka = a ^ ((0u - (a >> 31)) | SIGN32);
    const uint32_t kb = b ^ ((0u - (b >> 31)) | SIGN32);
    return ka < kb;
}

/* Converts in both directions on Blackhole: -0 and -2^31 are exchanged. */
static inline uint32_t sm32_swap_i32(uint32_t x)
{
    return (x & SIGN32) != 0 ? SIGN32 | (0u - x) : x;
}

/* Wormhole's conversions of Dst: -0 reads as 0, and -2^31 is stored as -0. */
static inline uint32_t sm32_to_i32(uint32_t x)
{
    return (x & SIGN32) != 0 ? 0u - (x & 0x7FFFFFFFu) : x;
}

static inline uint32_t i32_to_sm32(uint32_t x)
{
    return (x & SIGN32) != 0 ? SIGN32 | (0u - x) : x;
}

#endif
