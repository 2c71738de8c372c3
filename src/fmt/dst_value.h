/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A datum in Dst in its three forms: as a host's word (FP32, or two's complement), as a datum with
 * its bits in plain order, and as the cell. INT8 uses the layout of FP16, with ten magnitude bits.
 * Source: ISA documentation Dst 093af91; formats-and-scalar-unit.md C.2.
 */
#ifndef TX_FMT_DST_VALUE_H
#define TX_FMT_DST_VALUE_H

#include <tensix/asm.h>
#include <tensix/formats.h>

#include "fmt/host.h"
#include "num/dst_cell.h"

/*
 * 16-bit two's complement. The hardware has no such format (its int16 is INT16), so the code is
 * free.
 */
#define TX_FORMAT_TWOS16 13

static inline bool dst_is_32bit(enum tx_format dst)
{
    return dst == TX_FORMAT_FP32 || dst == TX_FORMAT_TF32 || dst == TX_FORMAT_INT32 ||
           dst == TX_FORMAT_UINT32;
}

/* Returns whether the rows of a tile fit the view of Dst. */
static inline bool dst_rows_fit(enum tx_format dst, const struct tx_tile *tile, unsigned row)
{
    const unsigned rows = (unsigned)tile->rows * tile->columns / 16;
    const unsigned limit = dst_is_32bit(dst) ? TX_DST_ROWS / 2 : TX_DST_ROWS;
    return row <= limit && rows <= limit - row;
}

static inline uint32_t clamp_signed(uint32_t x, int32_t limit)
{
    const int32_t value = (int32_t)x;
    return (uint32_t)(value > limit ? limit : value < -limit ? -limit : value);
}

static inline uint32_t clamp_unsigned(uint32_t x, uint32_t limit)
{
    return (x & SIGN32) != 0 ? 0 : x > limit ? limit : x;
}

/*
 * Converts a host's word to the datum in Dst: floats to the nearest, ties to even; integers
 * clamped.
 */
static inline uint32_t dst_datum_of_word(enum tx_format dst, uint32_t x)
{
    switch ((unsigned)dst) {
    case TX_FORMAT_BF16:
        return host_round(x, 1u << 16) >> 16;
    case TX_FORMAT_FP16:
        return host_fp32_fp16(x);
    case TX_FORMAT_INT32:
        return host_i32_sm32(x);
    case TX_FORMAT_INT16:
        return host_i16_sm16(clamp_signed(x, 32767) & 0xFFFFu);
    case TX_FORMAT_UINT16:
        return clamp_unsigned(x, 0xFFFFu);
    case TX_FORMAT_TWOS16: {
        const int32_t value = (int32_t)x;
        return (uint32_t)(value > 32767 ? 32767 : value < -32768 ? -32768 : value) & 0xFFFFu;
    }
    case TX_FORMAT_INT8: {
        const uint32_t sm = i32_to_sm32(clamp_signed(x, 127));
        return unpack_magnitude(sm >> 16 & 0x8000u, sm & 0x7Fu);
    }
    case TX_FORMAT_UINT8:
        return unpack_magnitude(0, clamp_unsigned(x, 255));
    default: /* FP32, UINT32 */
        return x;
    }
}

static inline uint32_t dst_word_of_datum(enum tx_format dst, uint32_t x)
{
    switch ((unsigned)dst) {
    case TX_FORMAT_BF16:
        return x << 16;
    case TX_FORMAT_FP16:
        return host_fp16_fp32(x);
    case TX_FORMAT_INT32:
        return sm32_to_i32(x);
    case TX_FORMAT_INT16:
        return sm32_to_i32((x & 0x8000u) << 16 | (x & 0x7FFFu));
    case TX_FORMAT_TWOS16:
        return (x ^ 0x8000u) - 0x8000u;
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return sm32_to_i32((x & 0x8000u) << 16 | (x & 0x3FFu));
    default: /* FP32, UINT32, UINT16 */
        return x;
    }
}

static inline uint32_t dst_cell_of_datum(enum tx_format dst, uint32_t x)
{
    switch ((unsigned)dst) {
    case TX_FORMAT_BF16:
        return bf16_to_cell(x);
    case TX_FORMAT_FP16:
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return fp16_to_cell(x);
    case TX_FORMAT_INT16:
    case TX_FORMAT_UINT16:
    case TX_FORMAT_TWOS16:
        return x & 0xFFFFu;
    default:
        return fp32_to_cell(x);
    }
}

static inline uint32_t dst_datum_of_cell(enum tx_format dst, uint32_t y)
{
    switch ((unsigned)dst) {
    case TX_FORMAT_BF16:
        return bf16_from_cell(y);
    case TX_FORMAT_FP16:
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return fp16_from_cell(y);
    case TX_FORMAT_INT16:
    case TX_FORMAT_UINT16:
    case TX_FORMAT_TWOS16:
        return y & 0xFFFFu;
    default:
        return fp32_from_cell(y);
    }
}

/* Returns the format of the data that a kernel of this format keeps in Dst. */
static inline enum tx_format dst_datum_format(enum tx_dst_format format)
{
    static const uint8_t of[TX_DST_FORMAT_COUNT] = {
        [TX_DST_FORMAT_UNSET] = TX_FORMAT_FP32,
        [TX_DST_FORMAT_FP32] = TX_FORMAT_FP32,
        [TX_DST_FORMAT_BF16] = TX_FORMAT_BF16,
        [TX_DST_FORMAT_FP16] = TX_FORMAT_FP16,
        [TX_DST_FORMAT_INT32] = TX_FORMAT_UINT32, /* the bits unchanged */
        [TX_DST_FORMAT_INT16] = TX_FORMAT_TWOS16,
        [TX_DST_FORMAT_INT8] = TX_FORMAT_INT8,
        [TX_DST_FORMAT_UINT32] = TX_FORMAT_UINT32,
        [TX_DST_FORMAT_UINT16] = TX_FORMAT_UINT16,
        [TX_DST_FORMAT_UINT8] = TX_FORMAT_UINT8,
        [TX_DST_FORMAT_INT32_SM] = TX_FORMAT_INT32,
        [TX_DST_FORMAT_INT16_SM] = TX_FORMAT_INT16,
        [TX_DST_FORMAT_UINT16_DST32] = TX_FORMAT_UINT16};
    return (enum tx_format)of[(unsigned)format < sizeof of ? format : TX_DST_FORMAT_UNSET];
}

/* Converts the values of a row to cells. One loop per format, so that compilers vectorize them. */
static inline void dst_cells_of_words(enum tx_dst_format format, const uint32_t value[TX_DST_WIDTH],
                                      uint32_t cell[TX_DST_WIDTH])
{
    const enum tx_format dst = dst_datum_format(format);
    for (unsigned i = 0; dst == TX_FORMAT_FP32 && i < TX_DST_WIDTH; i++) {
        cell[i] = dst_cell_of_datum(TX_FORMAT_FP32, dst_datum_of_word(TX_FORMAT_FP32, value[i]));
    }
    for (unsigned i = 0; dst != TX_FORMAT_FP32 && i < TX_DST_WIDTH; i++) {
        cell[i] = dst_cell_of_datum(dst, dst_datum_of_word(dst, value[i]));
    }
}

static inline void dst_words_of_cells(enum tx_dst_format format, const uint32_t cell[TX_DST_WIDTH],
                                      uint32_t value[TX_DST_WIDTH])
{
    const enum tx_format dst = dst_datum_format(format);
    for (unsigned i = 0; dst == TX_FORMAT_FP32 && i < TX_DST_WIDTH; i++) {
        value[i] = dst_word_of_datum(TX_FORMAT_FP32, dst_datum_of_cell(TX_FORMAT_FP32, cell[i]));
    }
    for (unsigned i = 0; dst != TX_FORMAT_FP32 && i < TX_DST_WIDTH; i++) {
        value[i] = dst_word_of_datum(dst, dst_datum_of_cell(dst, cell[i]));
    }
}

#endif
