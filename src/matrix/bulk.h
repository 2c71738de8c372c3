/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A block of Dst cells at once, in a form without branches that compilers make vectors of: the same
 * integers as exact.h, which stays the reference; tests/matrix compares the two. One source for
 * each level of the CPU that gains by it, chosen when a machine is opened.
 */
#ifndef TX_MATRIX_BULK_H
#define TX_MATRIX_BULK_H

#include "matrix/exact.h"

#include <stdbool.h>

enum { BULK_ROWS = 8 };

/*
 * What a block computes and adds to the old value: two groups of eight products, one product, a
 * sum, a difference, or nothing.
 */
enum job { JOB_PRODUCTS, JOB_MULTIPLY, JOB_ADD, JOB_SUBTRACT, JOB_NOTHING };

/* SrcA as prepared for products by a level, two rows in pairs. */
struct bulk_parts {
    _Alignas(64) int16_t exponents[8][32], parts[8][32], signs[8][32];
};

/*
 * The same, kept for as long as rows and kind are the same: kernels let several SrcB blocks meet
 * one SrcA. "kind" is 0 while nothing is kept.
 */
struct bulk_memo {
    _Alignas(64) uint32_t rows[16][16];
    struct bulk_parts made;
    uint32_t kind;
};

struct bulk {
    struct bulk_memo *memo; /* NULL: nothing is kept */
    struct exact_kind kind;
    enum job job;
    uint8_t integer; /* INT8: sign-magnitude integers in 32-bit Dst */
    /* A SrcB with exponent 0 is a number (M7); an integer, whatever its low byte. */
    uint8_t keep_b;
    uint8_t column0; /* column 0 of SrcB is used for all */
    uint8_t rows;
    uint32_t mask_a, mask_b; /* of floats: the bits of a cell that its format keeps (5.3) */
    const uint32_t *a[16];   /* rows of SrcA: sixteen for products, else one for each row of Dst */
    const uint32_t *b[BULK_ROWS];
    /*
     * Rows of Dst as stored; [1]: low halves of 32-bit Dst. A row of "now" may be the same as that
     * of "old", but overlaps no other.
     */
    const uint16_t *old[BULK_ROWS][2]; /* zeros where there is nothing to add to */
    uint16_t *now[BULK_ROWS][2];
};

typedef void bulk_fn(const struct bulk *b);

/* The cell of SrcB that adds an all-zero word; a difference inverts the sign first. */
static inline uint32_t bulk_no_addend(const struct bulk *b)
{
    return b->job == JOB_SUBTRACT ? 0x40000u : 0;
}

/*
 * A move of a row of Src to 16-bit Dst. kept: the bits of a cell that its format keeps; zero_flag:
 * cells whose exponent field is 0 become 0; exponent8: the format has eight exponent bits.
 */
struct bulk_move {
    const uint32_t *from;
    uint32_t kept;
    bool zero_flag, exponent8;
};
typedef void bulk_move_fn(const struct bulk_move *v, uint16_t *to);

struct matrix_level {
    const char *name;
    bulk_fn *block;
    bulk_move_fn *move;
};

extern const struct matrix_level matrix_scalar;
extern const struct matrix_level matrix_avx2, matrix_avx512; /* x86 only */

/*
 * Returns one of the levels that this CPU can execute, the best first, matrix_scalar last; NULL
 * beyond that.
 */
const struct matrix_level *matrix_level(unsigned index);
/* By this level; in the build that checks itself by all others, too. */
#if defined(TX_CHECK)
void bulk_compute(const struct matrix_level *level, const struct bulk *b);
void bulk_moves(const struct matrix_level *level, const struct bulk_move *v, uint16_t *to);
#else
static inline void bulk_compute(const struct matrix_level *level, const struct bulk *b)
{
    level->block(b);
}
static inline void bulk_moves(const struct matrix_level *level, const struct bulk_move *v,
                              uint16_t *to)
{
    level->move(v, to);
}
#endif

#endif
