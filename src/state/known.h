/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of the cells of SrcA and SrcB. A cell is bad to read where nothing was ever written
 * to it, or a value that depends on such a cell; and where it is left from an earlier hand-over
 * although data have been written to its bank since: two tiles ago another one lay there. What a
 * clear has written is good until it is overwritten: kernels clear once and then unpack a part.
 * Results of bad cells are bad themselves, silently, because kernels compute rows that nobody
 * needs; a finding comes where one leaves Dst (E-SRC).
 */
#ifndef TX_STATE_KNOWN_H
#define TX_STATE_KNOWN_H

#include "base/bits.h"

#include <tensix/machine.h>

#include <string.h>

struct src_known {
    /* Bits per column: bad for ever; data of this hand-over; data of an earlier one. */
    uint16_t unknown[TX_SRC_ROWS], fresh[TX_SRC_ROWS], old[TX_SRC_ROWS];
    uint32_t by[TX_SRC_ROWS];        /* the hand-over that data of the row came with, from 1 */
    uint64_t unknown_rows, old_rows; /* bit per row in which any column is */
    uint32_t handed;                 /* hand-overs to the Matrix Unit so far */
    uint32_t wrote;                  /* data have been written since the bank came back */
};

/* The first bad cell that a result depends on. */
struct src_origin {
    uint32_t by, handed; /* the hand-over that left it, 0: none has written it; the present one */
    uint8_t src, bank, row;
    uint8_t set;
};

static inline uint64_t known_row_bits(unsigned row, unsigned rows)
{
    const uint64_t set = rows >= 64 ? UINT64_MAX : (UINT64_C(1) << rows) - 1;
    row &= 63u;
    return set << row | (row == 0 ? 0 : set >> (64 - row));
}

static inline uint64_t known_bad_rows(const struct src_known *k)
{
    return k->unknown_rows | (k->wrote != 0 ? k->old_rows : 0);
}

/* Returns the bad columns of a row, as bits. */
static inline uint32_t known_bad(const struct src_known *k, unsigned row)
{
    return k->unknown[row & 63u] | (k->wrote != 0 ? k->old[row & 63u] : 0u);
}

/* Data are written to whole rows, which do not wrap around. */
static inline void known_rows_written(struct src_known *k, unsigned row, unsigned rows)
{
    const uint64_t bits = known_row_bits(row, rows);
    memset(&k->unknown[row], 0, rows * sizeof k->unknown[0]);
    memset(&k->old[row], 0, rows * sizeof k->old[0]);
    memset(&k->fresh[row], 0xFF, rows * sizeof k->fresh[0]);
    for (unsigned i = 0; i < rows; i++) {
        k->by[row + i] = k->handed + 1;
    }
    k->unknown_rows &= ~bits;
    k->old_rows &= ~bits;
    k->wrote = 1;
}

/* Data are written to columns of a row; those in "unknown" depend on bad cells. */
static inline void known_written(struct src_known *k, unsigned row, uint32_t columns,
                                 uint32_t unknown)
{
    row &= 63u;
    k->unknown[row] = (uint16_t)((k->unknown[row] & ~columns) | (unknown & columns));
    k->old[row] = (uint16_t)(k->old[row] & ~columns);
    k->fresh[row] = (uint16_t)(k->fresh[row] | columns);
    k->by[row] = k->handed + 1;
    k->unknown_rows = (k->unknown_rows & ~(UINT64_C(1) << row)) | (uint64_t)(k->unknown[row] != 0)
                                                                      << row;
    k->old_rows = (k->old_rows & ~(UINT64_C(1) << row)) | (uint64_t)(k->old[row] != 0) << row;
    k->wrote = 1;
}

/* A constant is written to the whole bank, or the host writes a row. */
static inline void known_cleared(struct src_known *k)
{
    memset(k->unknown, 0, sizeof k->unknown);
    memset(k->fresh, 0, sizeof k->fresh);
    memset(k->old, 0, sizeof k->old);
    k->unknown_rows = k->old_rows = 0;
}

static inline void known_columns_given(struct src_known *k, unsigned row, uint32_t columns)
{
    k->unknown[row] &= (uint16_t)~columns;
    k->fresh[row] &= (uint16_t)~columns;
    k->old[row] &= (uint16_t)~columns;
    k->unknown_rows &= ~((uint64_t)(k->unknown[row] == 0) << row);
    k->old_rows &= ~((uint64_t)(k->old[row] == 0) << row);
}

static inline void known_row_given(struct src_known *k, unsigned row)
{
    known_columns_given(k, row, 0xFFFFu);
}

static inline void known_flip_columns(uint16_t rows[16])
{
    uint16_t turned[16] = {0};
    for (unsigned i = 0; i < 16; i++) {
        for (unsigned j = 0; j < 16; j++) {
            turned[j] = (uint16_t)(turned[j] | ((uint32_t)rows[i] >> j & 1u) << i);
        }
    }
    memcpy(rows, turned, sizeof turned);
}

/* Rows and columns of sixteen rows change places. */
static inline void known_transpose(struct src_known *k, unsigned first)
{
    const uint64_t block = known_row_bits(first, 16);
    const bool mixed = ((k->unknown_rows | k->old_rows) & block) != 0;
    known_flip_columns(&k->fresh[first]);
    if (!mixed) {
        return;
    }
    known_flip_columns(&k->unknown[first]);
    known_flip_columns(&k->old[first]);
    k->unknown_rows &= ~block;
    k->old_rows &= ~block;
    for (unsigned row = first; row < first + 16; row++) {
        k->unknown_rows |= (uint64_t)(k->unknown[row] != 0) << row;
        k->old_rows |= (uint64_t)(k->old[row] != 0) << row;
    }
}

/* The bank goes to the Matrix Unit, or back to the unpackers. */
static inline void known_handed(struct src_known *k, bool to_matrix)
{
    if (to_matrix) {
        k->handed++;
        return;
    }
    uint64_t rows = 0;
    for (unsigned i = 0; k->wrote != 0 && i < TX_SRC_ROWS; i++) {
        k->old[i] |= k->fresh[i];
        k->fresh[i] = 0;
        rows |= (uint64_t)(k->old[i] != 0) << i;
    }
    k->old_rows = k->wrote != 0 ? rows : k->old_rows;
    k->wrote = 0;
}

/* Nothing is known any more, as after power-up. */
static inline void known_lost(struct src_known *k)
{
    memset(k, 0, sizeof *k);
    memset(k->unknown, 0xFF, sizeof k->unknown);
    k->unknown_rows = UINT64_MAX;
}

static inline struct src_origin known_origin(const struct src_known *k, unsigned src, unsigned bank,
                                             unsigned row)
{
    const bool never = k->unknown[row & 63u] != 0;
    return (struct src_origin){.by = never ? 0 : k->by[row & 63u],
                               .handed = k->handed,
                               .src = (uint8_t)src,
                               .bank = (uint8_t)bank,
                               .row = (uint8_t)(row & 63u),
                               .set = 1};
}

#endif
