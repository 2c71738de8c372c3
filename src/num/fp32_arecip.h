/* SPDX-License-Identifier: Apache-2.0 */
/* Blackhole's table look-ups for 1/x and e^x, of a magnitude (bit 31 clear). Source: SFPARECIP. */
#ifndef TX_NUM_FP32_ARECIP_H
#define TX_NUM_FP32_ARECIP_H

#include "num/arecip_tables.h"

static inline unsigned fp32_arecip_index(uint32_t x)
{
    return (x >> 16) & 127u;
}

/* Returns the approximate reciprocal. entry: of the first table, at fp32_arecip_index. */
static inline uint32_t fp32_arecip_of(uint32_t x, uint32_t entry)
{
    const uint32_t inside = ((253u - (x >> 23)) << 23) | (entry << 16);
    return x < 0x00800000u ? 0x7F800000u : x < 0x7E800000u ? inside : 0;
}

static inline uint32_t fp32_arecip(uint32_t x)
{
    return fp32_arecip_of(x, arecip_recip_table[fp32_arecip_index(x)]);
}

/* Returns the approximate exponential. The low half of x passes into the result. */
static inline uint32_t fp32_aexp(uint32_t x)
{
    const uint32_t low = x & 0xFFFFu;
    if (x < 0x00800000u) {
        return 0x3F800000u;
    }
    if (x < 0x3C800000u) {
        return 0x3F810000u | low;
    }
    if (x >= 0x40000000u) {
        return 0x40800000u | low;
    }
    const uint32_t entry = (uint32_t)arecip_exp_table[(x >> 16) - 0x3C80u] << 16;
    return (x < 0x3F320000u ? 0x3F800000u : 0x40000000u) | entry | low;
}

#endif
