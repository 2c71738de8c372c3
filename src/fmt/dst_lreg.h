/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversion between a Dst cell and an LReg value, by the modes of SFPLOAD and SFPSTORE. Loads:
 * Wormhole converts modes 12 and 13 to two's complement and reads seven magnitude bits in mode 5;
 * Blackhole keeps sign and magnitude and reads eight. Stores truncate; FP32 and BF16 flush
 * denormals to signed zero on both chips (R12; keep_denormals selects the older reading for FP32).
 * Source: isa SFPLOAD, SFPSTORE c63d6d0; formats-and-scalar-unit.md C.7.
 */
#ifndef TX_FMT_DST_LREG_H
#define TX_FMT_DST_LREG_H

#include <tensix/isa_modes.h>

#include "fmt/fp32_to_fp16.h"
#include "num/dst_cell.h"
#include "num/sm32.h"

static inline bool load_is_32bit(unsigned mode)
{
    return mode == TX_MOD_SFPLOAD_FMT_FP32 || mode == TX_MOD_SFPLOAD_FMT_INT32 ||
           mode == TX_MOD_SFPLOAD_FMT_INT32_ALL || mode == TX_MOD_SFPLOAD_FMT_SM32;
}

static inline uint32_t load_fp16(uint32_t cell, bool inf)
{
    const uint32_t x = fp16_from_cell(cell);
    if (inf && (x & 0x7FFFu) == 0x7FFFu) {
        return (x & 0x8000u) << 16 | 0x7F800000u;
    }
    /* Exponent 0 becomes an FP32 denormal, which arithmetic reads as zero. */
    return fp16_to_fp32_keep(x);
}

/*
 * Converts a cell to a value. cell: 16 bits, or, for 32-bit modes, high half and low half. old: the
 * present value of VD.
 */
TX_INLINE uint32_t load_convert(bool blackhole, unsigned mode, uint32_t cell, uint32_t old,
                                bool fp16_inf)
{
    const uint32_t sign16 = (cell & 0x8000u) << 16;
    switch (mode) {
    case TX_MOD_SFPLOAD_FMT_FP16A:
        return load_fp16(cell, fp16_inf);
    case TX_MOD_SFPLOAD_FMT_FP16B:
        return bf16_from_cell(cell) << 16;
    case TX_MOD_SFPLOAD_FMT_FP32:
    case TX_MOD_SFPLOAD_FMT_INT32:
    case TX_MOD_SFPLOAD_FMT_INT32_ALL:
        return fp32_from_cell(cell);
    case TX_MOD_SFPLOAD_FMT_INT8:
        return sign16 | ((cell >> 5) & (blackhole ? 0xFFu : 0x7Fu));
    case TX_MOD_SFPLOAD_FMT_HI16:
        return cell << 16;
    case TX_MOD_SFPLOAD_FMT_INT16:
        return sign16 | (cell & 0x7FFFu);
    case TX_MOD_SFPLOAD_FMT_ZERO:
        return 0;
    case TX_MOD_SFPLOAD_FMT_SM32:
        return blackhole ? fp32_from_cell(cell) : sm32_to_i32(fp32_from_cell(cell));
    case TX_MOD_SFPLOAD_FMT_INT8_COMP: {
        const uint32_t sm = sign16 | ((cell >> 5) & 0x3FFu);
        return blackhole ? sm : sm32_to_i32(sm);
    }
    case TX_MOD_SFPLOAD_FMT_LO16_ONLY:
        return (old & 0xFFFF0000u) | cell;
    case TX_MOD_SFPLOAD_FMT_HI16_ONLY:
        return (old & 0xFFFFu) | cell << 16;
    default: /* UINT16, LO16: zero-extended; SRCB was resolved before */
        return cell;
    }
}

static inline bool store_is_32bit(unsigned mode)
{
    return mode == TX_MOD_SFPSTORE_FMT_FP32 || mode == TX_MOD_SFPSTORE_FMT_INT32 ||
           mode == TX_MOD_SFPSTORE_FMT_HI16 || mode == TX_MOD_SFPSTORE_FMT_LO16 ||
           mode == TX_MOD_SFPSTORE_FMT_INT32_ALL || mode == TX_MOD_SFPSTORE_FMT_SM32;
}

static inline uint32_t store_flush(uint32_t x)
{
    return (x & 0x7F800000u) == 0 ? x & SIGN32 : x;
}

/* Returns sign, ten magnitude bits, and 16 in the exponent field, even for zero. */
static inline uint32_t store_int8(uint32_t x)
{
    return ((x >> 16) & 0x8000u) | (x & 0x3FFu) << 5 | 16u;
}

TX_INLINE uint32_t store_convert(bool blackhole, unsigned mode, uint32_t x, bool keep_denormals)
{
    switch (mode) {
    case TX_MOD_SFPSTORE_FMT_FP16A:
        return fp16_to_cell(fp32_to_fp16_flush(x));
    case TX_MOD_SFPSTORE_FMT_FP16B:
        return bf16_to_cell(store_flush(x) >> 16);
    case TX_MOD_SFPSTORE_FMT_FP32:
        return fp32_to_cell(keep_denormals ? x : store_flush(x));
    case TX_MOD_SFPSTORE_FMT_INT32:
    case TX_MOD_SFPSTORE_FMT_INT32_ALL:
        return fp32_to_cell(x);
    case TX_MOD_SFPSTORE_FMT_INT8:
        return store_int8(x);
    case TX_MOD_SFPSTORE_FMT_HI16:
        return x; /* 32 bits in plain order */
    case TX_MOD_SFPSTORE_FMT_INT16:
        return ((x >> 16) & 0x8000u) | (x & 0x7FFFu);
    case TX_MOD_SFPSTORE_FMT_LO16:
        return x << 16 | x >> 16; /* 32 bits in plain order, halves exchanged */
    case TX_MOD_SFPSTORE_FMT_ZERO:
        return 0;
    case TX_MOD_SFPSTORE_FMT_SM32:
        return fp32_to_cell(blackhole ? x : i32_to_sm32(x));
    case TX_MOD_SFPSTORE_FMT_INT8_COMP:
        return store_int8(blackhole ? x : i32_to_sm32(x));
    case TX_MOD_SFPSTORE_FMT_HI16_ONLY:
        return x >> 16;
    default: /* UINT16, LO16_ONLY: the low half; SRCB was resolved before */
        return x & 0xFFFFu;
    }
}

#endif
