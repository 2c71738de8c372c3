/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of SrcA and SrcB: 19 bits, in the order sign, mantissa, exponent. FP16 keeps its five
 * exponent bits, so that only cells with eight exponent bits are floats of one kind. Source: ISA
 * documentation SrcASrcB 545c98a, MOVD2A, MOVA2D; formats-and-scalar-unit.md C.2, C.6.
 */
#ifndef TX_FMT_SRC_CELL_H
#define TX_FMT_SRC_CELL_H

#include "base/bits.h"

/* s.e8.m10 to s.m10.e8 */
TX_INLINE uint32_t src_from_tf32(uint32_t t)
{
    return (t & 0x40000u) | (t & 0x3FFu) << 8 | (t >> 10 & 0xFFu);
}

TX_INLINE uint32_t src_to_tf32(uint32_t c)
{
    return (c & 0x40000u) | (c & 0xFFu) << 10 | (c >> 8 & 0x3FFu);
}

/* s.e5.m10 to s.m10.000.e5; 8-bit integers use the same bits. */
TX_INLINE uint32_t src_from_fp16(uint32_t x)
{
    return (x & 0x8000u) << 3 | (x & 0x3FFu) << 8 | (x >> 10 & 31u);
}

TX_INLINE uint32_t src_to_fp16(uint32_t c)
{
    return (c >> 3 & 0x8000u) | (c & 31u) << 10 | (c >> 8 & 0x3FFu);
}

/* A 16-bit Dst cell with an 8-bit exponent, or an opaque integer: three bits stay 0. */
TX_INLINE uint32_t src_from_dst8(uint32_t y)
{
    return (y & 0xFF00u) << 3 | (y & 0xFFu);
}

TX_INLINE uint32_t src_to_dst8(uint32_t c)
{
    return (c >> 3 & 0xFF00u) | (c & 0xFFu);
}

/* A 16-bit Dst cell with a 5-bit exponent. */
TX_INLINE uint32_t src_from_dst5(uint32_t y)
{
    return (y & 0xFFE0u) << 3 | (y & 31u);
}

TX_INLINE uint32_t src_to_dst5(uint32_t c)
{
    return (c >> 3 & 0xFFE0u) | (c & 31u);
}

/* TF32, and a 32-bit Dst cell as high half and low half. */
TX_INLINE uint32_t src_from_dst32(uint32_t y)
{
    return (y >> 24) << 11 | (y >> 13 & 7u) << 8 | (y >> 16 & 0xFFu);
}

TX_INLINE uint32_t src_to_dst32(uint32_t c)
{
    return src_to_dst8(c) << 16 | (c >> 8 & 7u) << 13;
}

/*
 * MOVA2D, MOVB2D, MOVB2A with Zero_Flag_disabled_src = 0: a cell whose low eight bits are 0 becomes
 * 0.
 */
TX_INLINE uint32_t src_zero_flag(uint32_t c)
{
    return (c & 0xFFu) == 0 ? 0 : c;
}

#endif
