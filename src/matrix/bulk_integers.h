/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all levels of matrix/bulk.h share: access to rows of Dst, moves, and the arithmetic of
 * integers, for which the compiler's vectors suffice.
 */
#ifndef TX_MATRIX_BULK_INTEGERS_H
#define TX_MATRIX_BULK_INTEGERS_H

#include "fmt/src_cell.h"
#include "matrix/bulk.h"

/* The type of the cells of Dst. */
enum bulk_type { BULK_FP32, BULK_BF16, BULK_FP16 };

/* ---- rows of Dst ---- */

TX_INLINE void bulk_load(const struct bulk *b, unsigned i, uint32_t cells[16])
{
    const uint16_t *high = b->old[i][0];
    const uint16_t *low = b->old[i][1];
    for (unsigned j = 0; j < 16; j++) {
        cells[j] = b->kind.wide != 0 ? (uint32_t)high[j] << 16 | low[j] : high[j];
    }
}

TX_INLINE void bulk_store(const struct bulk *b, unsigned i, const uint32_t cells[16])
{
    for (unsigned j = 0; j < 16; j++) {
        b->now[i][0][j] = (uint16_t)(b->kind.wide != 0 ? cells[j] >> 16 : cells[j]);
    }
    for (unsigned j = 0; b->kind.wide != 0 && j < 16; j++) {
        b->now[i][1][j] = (uint16_t)cells[j];
    }
}

static void bulk_move(const struct bulk_move *v, uint16_t *to)
{
    uint32_t c[16];
    for (unsigned j = 0; j < 16; j++) {
        c[j] = v->zero_flag ? src_zero_flag(v->from[j]) & v->kept : v->from[j] & v->kept;
    }
    for (unsigned j = 0; j < 16 && v->exponent8; j++) {
        to[j] = (uint16_t)src_to_dst8(c[j]);
    }
    for (unsigned j = 0; j < 16 && !v->exponent8; j++) {
        to[j] = (uint16_t)src_to_dst5(c[j]);
    }
}

/* ---- integers (7.4) ---- */

TX_INLINE void bulk_integers(const struct bulk *b, bool from_b, const uint32_t *cells,
                             int32_t out[16])
{
    const bool multiply = b->job == JOB_PRODUCTS || b->job == JOB_MULTIPLY;
    const bool low = (b->kind.phase & (from_b ? 2u : 1u)) != 0;
    const uint32_t mask = !multiply ? 0x3FFu
                          : from_b  ? (low ? 0x0Fu : 0x3F0u)
                                    : (low ? 0x1Fu : 0xE0u);
    const uint32_t always = from_b && b->keep_b != 0 ? 1u : 0u;
    for (unsigned j = 0; j < 16; j++) {
        const int32_t v = (int32_t)(cells[j] >> 8 & mask);
        const int32_t signed_v = (cells[j] >> 18 & 1u) != 0 ? -v : v;
        out[j] = ((cells[j] & 0xFFu) | always) != 0 ? signed_v : 0;
    }
}

/* Adds a row of sums to cells, with the limits 2^31 - 1 and its opposite. */
TX_INLINE void bulk_saturate(const int32_t sum[16], uint32_t cells[16])
{
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t c = cells[j];
        const uint32_t before = (c >> 16 & 255u) << 23 | (c >> 24 & 0x7Fu) << 16 | (c & 0xFFFFu);
        const uint32_t old = c >> 31 != 0 ? 0u - before : before;
        const uint32_t r = old + (uint32_t)sum[j];
        const uint32_t over = 0u - (((old ^ r) & ((uint32_t)sum[j] ^ r)) >> 31);
        const uint32_t negative = 0u - (((old & over) | (r & ~over)) >> 31);
        const uint32_t least = 0u - (uint32_t)(r == 0x80000000u);
        const uint32_t size = (r ^ negative) - negative;
        const uint32_t magnitude = (0x7FFFFFFFu & (over | least)) | (size & ~(over | least));
        const uint32_t e = magnitude >> 23;
        cells[j] = (negative & 0x80000000u) | (magnitude >> 16 & 0x7Fu) << 24 | e << 16 |
                   (magnitude & 0xFFFFu);
    }
}

static void bulk_integer_block(const struct bulk *b)
{
    int32_t a[16][16];
    if (b->job == JOB_PRODUCTS) {
        for (unsigned k = 0; k < 16; k++) {
            bulk_integers(b, false, b->a[k], a[k]);
        }
    }
    for (unsigned i = 0; i < b->rows; i++) {
        int32_t x[16], y[16], sum[16] = {0};
        bulk_integers(b, true, b->b[i], y);
        if (b->job == JOB_PRODUCTS) {
            for (unsigned k = 0; k < 16; k++) {
                for (unsigned j = 0; j < 16; j++) {
                    sum[j] += a[k][j] * y[k];
                }
            }
        } else if (b->job != JOB_NOTHING) {
            bulk_integers(b, false, b->a[i], x);
            const int32_t first = y[0];
            for (unsigned j = 0; j < 16; j++) {
                const int32_t v = b->column0 != 0 ? first : y[j];
                sum[j] = b->job == JOB_MULTIPLY ? x[j] * v
                         : b->job == JOB_ADD    ? x[j] + v
                                                : x[j] - v;
            }
        }
        uint32_t cells[16];
        bulk_load(b, i, cells);
        bulk_saturate(sum, cells);
        bulk_store(b, i, cells);
    }
}

#endif
