/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOAD: Dst cell to LReg value. Wormhole converts modes 12 and 13 to two's complement and reads
 * seven magnitude bits in mode 5; Blackhole keeps sign-magnitude and reads eight.
 * Source: isa SFPLOAD; formats-and-scalar-unit.md C.7.
 */
#ifndef TX_SEM_SFPLOAD_H
#define TX_SEM_SFPLOAD_H

#include "sem/sem.h"
#include "num/dst_cell.h"
#include "num/sm32.h"

static inline bool load_is_32bit(unsigned mode)
{
    return mode == 3 || mode == 4 || mode == 10 || mode == 12;
}

static inline uint32_t load_fp16(uint32_t cell, bool inf)
{
    const uint32_t x = fp16_from_cell(cell);
    const uint32_t exp = (x >> 10) & 31u;
    const uint32_t man = x & 0x3FFu;
    const uint32_t sign = (x & 0x8000u) << 16;
    if (inf && exp == 31 && man == 0x3FFu) {
        return sign | 0x7F800000u;
    }
    /* Exponent 0 stays 0: an FP32 denormal, which arithmetic reads as zero. */
    return sign | (exp == 0 ? 0 : exp + 112u) << 23 | man << 13;
}

/* cell: 16 bits, or high half . low half for 32-bit modes. old: what VD holds. */
TX_INLINE uint32_t load_convert(bool blackhole, unsigned mode, uint32_t cell, uint32_t old,
                                bool fp16_inf)
{
    const uint32_t sign16 = (cell & 0x8000u) << 16;
    switch (mode) {
    case 1:
        return load_fp16(cell, fp16_inf);
    case 2:
        return bf16_from_cell(cell) << 16;
    case 3:
    case 4:
    case 10:
        return fp32_from_cell(cell);
    case 5:
        return sign16 | ((cell >> 5) & (blackhole ? 0xFFu : 0x7Fu));
    case 7:
        return cell << 16;
    case 8:
        return sign16 | (cell & 0x7FFFu);
    case 11:
        return 0;
    case 12:
        return blackhole ? fp32_from_cell(cell) : sm32_to_i32(fp32_from_cell(cell));
    case 13: {
        const uint32_t sm = sign16 | ((cell >> 5) & 0x3FFu);
        return blackhole ? sm : sm32_to_i32(sm);
    }
    case 14:
        return (old & 0xFFFF0000u) | cell;
    case 15:
        return (old & 0xFFFFu) | cell << 16;
    default: /* 6 and 9: zero-extended; 0 is resolved before */
        return cell;
    }
}

#endif
