/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of bits in Dst cells. Floats are stored as sign, mantissa, exponent; of a 32-bit datum
 * only the high half is reordered. Source: ISA documentation Dst; formats-and-scalar-unit.md C.2.
 */
#ifndef TX_NUM_DST_CELL_H
#define TX_NUM_DST_CELL_H

#include "base/bits.h"

/* s.e8.m7 to s.m7.e8 */
static inline uint32_t bf16_to_cell(uint32_t x)
{
    return (x & 0x8000u) | ((x & 0x7Fu) << 8) | ((x >> 7) & 0xFFu);
}

static inline uint32_t bf16_from_cell(uint32_t y)
{
    return (y & 0x8000u) | ((y & 0xFFu) << 7) | ((y >> 8) & 0x7Fu);
}

/* s.e5.m10 to s.m10.e5 */
static inline uint32_t fp16_to_cell(uint32_t x)
{
    return (x & 0x8000u) | ((x & 0x3FFu) << 5) | ((x >> 10) & 31u);
}

static inline uint32_t fp16_from_cell(uint32_t y)
{
    return (y & 0x8000u) | ((y & 31u) << 10) | ((y >> 5) & 0x3FFu);
}

/* A 32-bit datum, as high half and low half; integers are reordered in the same way. */
static inline uint32_t fp32_to_cell(uint32_t x)
{
    return (bf16_to_cell(x >> 16) << 16) | (x & 0xFFFFu);
}

static inline uint32_t fp32_from_cell(uint32_t y)
{
    return (bf16_from_cell(y >> 16) << 16) | (y & 0xFFFFu);
}

#endif
