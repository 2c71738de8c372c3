/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of levels without a form of their own: the steps of exact.h, each over the sixteen
 * columns of a row, under the names of exact.h.
 */
#ifndef TX_MATRIX_BULK_BODY_H
#define TX_MATRIX_BULK_BODY_H

#include "matrix/bulk_integers.h"

/*
 * Operands of a row: exponent and mantissa; one: all ones if there is a leading one; sign: all ones
 * if negative.
 */
struct bulk_operand {
    int32_t e[16], m[16], one[16], sign[16];
};

/* Two terms for each column, as struct exact_term. */
struct bulk_terms {
    int32_t e0[16], m0[16], e1[16], m1[16];
};

/* An exponent so small that it is never the largest, also with another one added. */
enum { BULK_NONE = -4000 };

TX_INLINE int32_t bulk_max(int32_t x, int32_t y)
{
    return x > y ? x : y;
}

TX_INLINE int32_t bulk_min(int32_t x, int32_t y)
{
    return x < y ? x : y;
}

/* Selects by a mask, because compilers would turn many conditions into branches. */
TX_INLINE int32_t bulk_choose(int32_t mask, int32_t yes, int32_t no)
{
    return (yes & mask) | (no & ~mask);
}

/* ---- operands ---- */

TX_INLINE void bulk_operands(const struct bulk *b, bool from_b, const uint32_t *cells,
                             struct bulk_operand *r)
{
    const uint32_t mask = from_b ? b->mask_b : b->mask_a;
    const uint32_t exponent = b->kind.exp8 != 0 ? 255u : 31u;
    const bool sum = b->job == JOB_ADD || b->job == JOB_SUBTRACT;
    /*
     * The bits of which one makes the cell a number other than zero: those of the exponent; where a
     * SrcB with exponent 0 is kept (M7), all in sums, while in products it always counts.
     */
    const uint32_t seen = !from_b || b->keep_b == 0 ? exponent : mask;
    const uint32_t always = from_b && b->keep_b != 0 && !sum ? 1u : 0u;
    const uint32_t none = from_b && b->keep_b != 0 ? bulk_no_addend(b) : 0;
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t c = cells[j] & mask;
        const uint32_t one = (((c ^ none) & seen) != 0 ? 1u : 0u) | always;
        const uint32_t all = 0u - one;
        r->e[j] = (int32_t)(c & exponent & all);
        r->m[j] = (int32_t)(c >> 8 & 0x3FFu & all);
        r->one[j] = (int32_t)all;
        r->sign[j] = -(int32_t)(c >> 18 & 1u);
    }
}

/* ---- terms ---- */

TX_INLINE int32_t bulk_signed(int32_t v, int32_t sign)
{
    return (v ^ sign) - sign;
}

/* exact_part_a, exact_part_b with the operand's sign; 0 if the operand is zero. */
TX_INLINE int32_t bulk_part_a(const struct bulk_operand *r, unsigned j, bool low)
{
    const int32_t part = low ? r->m[j] >> 1 & 31 : 16 | r->m[j] >> 6;
    return bulk_signed(part & r->one[j], r->sign[j]);
}

TX_INLINE int32_t bulk_part_b(const struct bulk_operand *r, unsigned j, bool low)
{
    const int32_t part = low ? (r->m[j] & 15) << 3 : 64 | r->m[j] >> 4;
    return bulk_signed(part & r->one[j], r->sign[j]);
}

/* exact_single */
TX_INLINE void bulk_times(const struct bulk *b, const struct bulk_operand *x,
                          const struct bulk_operand *y, struct bulk_terms *t)
{
    const int32_t bias = exact_bias(&b->kind);
    const int32_t none = bulk_max(bias, 0);
    const bool low_a = (b->kind.phase & 1u) != 0;
    const bool low_b = (b->kind.phase & 2u) != 0;
    for (unsigned j = 0; j < 16; j++) {
        const int32_t e = x->e[j] + y->e[j] + bias;
        const int32_t product = bulk_part_a(x, j, low_a) * bulk_part_b(y, j, low_b);
        const int32_t some = x->one[j] & y->one[j] & (e > 0 ? -1 : 0);
        t->e0[j] = (e & some) | (none & ~some);
        t->m0[j] = (product & some) * (1 << 13);
        t->e1[j] = 0;
        t->m1[j] = 0;
    }
}

/* exact_sum */
TX_INLINE void bulk_plus(const struct bulk *b, const struct bulk_operand *x,
                         const struct bulk_operand *y, struct bulk_terms *t)
{
    const int32_t flip = b->job == JOB_SUBTRACT ? -1 : 0;
    const int32_t shifted = b->kind.wide != 0 && b->kind.exp8 == 0 ? -1 : 0;
    const int32_t by = ((b->kind.phase & 1u) != 0 ? 5 : 0) + ((b->kind.phase & 2u) != 0 ? 7 : 0);
    for (unsigned j = 0; j < 16; j++) {
        const int32_t xm = (1024 | x->m[j]) & x->one[j];
        const int32_t ym = (1024 | y->m[j]) & y->one[j];
        const int32_t ys = y->sign[j] ^ flip;
        const int32_t order = (x->e[j] << 10 | x->m[j]) - (y->e[j] << 10 | y->m[j]);
        const int32_t second = order >> 31; /* all ones if SrcB is the larger one */
        const int32_t e = bulk_choose(second, y->e[j], x->e[j]);
        const int32_t d = e - bulk_choose(second, x->e[j], y->e[j]);
        const int32_t n = bulk_min(d, 12);
        const int32_t small = (bulk_choose(second, xm, ym) + ((1 << n) >> 1)) >> n;
        const int32_t aligned = small & (d - 12) >> 31;
        const int32_t sum =
            bulk_signed(bulk_choose(second, ym, xm), bulk_choose(second, ys, x->sign[j])) +
            bulk_signed(aligned, bulk_choose(second, x->sign[j], ys));
        const int32_t rebased = e != 0 ? e + 112 : 97;
        t->e0[j] = bulk_choose(shifted, rebased, e) - (sum != 0 ? by : 0);
        t->m0[j] = sum * (1 << 13);
        t->e1[j] = 0;
        t->m1[j] = 0;
    }
}

/*
 * exact_group for all rows: e0 and e1 become the largest sum of two exponents in each group,
 * without the bias, m0 and m1 the sums in units of the 12-bit products.
 */
static void bulk_groups(const struct bulk *b, struct bulk_terms terms[BULK_ROWS])
{
    const bool low_a = (b->kind.phase & 1u) != 0;
    const bool low_b = (b->kind.phase & 2u) != 0;
    struct bulk_operand row;
    int32_t ae[16][16], ap[16][16];
    for (unsigned k = 0; k < 16; k++) {
        bulk_operands(b, false, b->a[k], &row);
        for (unsigned j = 0; j < 16; j++) {
            ae[k][j] = row.one[j] != 0 ? row.e[j] : BULK_NONE;
            ap[k][j] = 2 * bulk_part_a(&row, j, low_a);
        }
    }
    for (unsigned i = 0; i < b->rows; i++) {
        int32_t be[16], bp[16];
        bulk_operands(b, true, b->b[i], &row);
        for (unsigned k = 0; k < 16; k++) {
            be[k] = row.one[k] != 0 ? row.e[k] : BULK_NONE;
            bp[k] = bulk_part_b(&row, k, low_b);
        }
        for (unsigned g = 0; g < 2; g++) {
            int32_t *top = g == 0 ? terms[i].e0 : terms[i].e1;
            int32_t *sum = g == 0 ? terms[i].m0 : terms[i].m1;
            for (unsigned j = 0; j < 16; j++) {
                top[j] = ae[8 * g][j] + be[8 * g];
                sum[j] = 0;
            }
            for (unsigned k = 8 * g + 1; k < 8 * g + 8; k++) {
                for (unsigned j = 0; j < 16; j++) {
                    top[j] = bulk_max(top[j], ae[k][j] + be[k]);
                }
            }
            for (unsigned k = 8 * g; k < 8 * g + 8; k++) {
                /* twice: less one where negative, so that halves go away from zero */
                for (unsigned j = 0; j < 16; j++) {
                    const int32_t d = bulk_min(top[j] - (ae[k][j] + be[k]), 13);
                    const int32_t twice = ap[k][j] * bp[k];
                    sum[j] += (twice + (twice >> 31) + (1 << d)) >> (d + 1);
                }
            }
        }
    }
}

/*
 * Turns the largest sums of exponents into terms. A product with a zero operand has the exponent
 * max(bias, 0), which is never above that of another product: it counts only where all are zero,
 * and there the sum is 0 anyway.
 */
TX_INLINE void bulk_settle(int32_t bias, struct bulk_terms *t)
{
    const int32_t none = bulk_max(bias, 0);
    for (unsigned j = 0; j < 16; j++) {
        const int32_t e0 = bulk_max(t->e0[j] + bias, none);
        const int32_t e1 = bulk_max(t->e1[j] + bias, none);
        t->m0[j] = t->m0[j] * (1 << 13) & -(int32_t)(e0 > 0);
        t->m1[j] = t->m1[j] * (1 << 13) & -(int32_t)(e1 > 0);
        t->e0[j] = e0;
        t->e1[j] = e1;
    }
}

/* ---- what becomes of a row ---- */

/* exact_half_up by d places; v has at most 29 bits. */
TX_INLINE int32_t bulk_half_up(int32_t v, int32_t d)
{
    const int32_t n = bulk_min(d, 30);
    const int32_t r = (v + ((1 << n) >> 1)) >> n;
    return d >= 31 ? 0 : r;
}

#define BULK_STEP(v, left, by)                                   \
    do {                                                         \
        const uint32_t low = (v) < 1u << (31 - (by)) ? ~0u : 0u; \
        (v) = (low & (v) << (by)) | (~low & (v));                \
        (left) += (int32_t)(low & (by));                         \
    } while (0)

/*
 * Shifts each magnitude, of 30 bits at most, left until bit 30 is set. left[] receives by how many.
 */
TX_INLINE void bulk_raise(uint32_t v[16], int32_t left[16])
{
    for (unsigned j = 0; j < 16; j++) {
        int32_t by = 0;
        BULK_STEP(v[j], by, 16u);
        BULK_STEP(v[j], by, 8u);
        BULK_STEP(v[j], by, 4u);
        BULK_STEP(v[j], by, 2u);
        BULK_STEP(v[j], by, 1u);
        left[j] = by;
    }
}

/* exact_accumulate and exact_normalise, from and to stored cells. */
TX_INLINE void bulk_accumulate(enum bulk_type type, bool wh, const struct bulk_terms *t,
                               uint32_t cells[16])
{
    const bool wide = type == BULK_FP32;
    const unsigned keep = wide ? 23 : type == BULK_BF16 ? 7 : 10;
    const int32_t most = type == BULK_FP16 ? 32 : 255;
    int32_t sums[16], xs[16], left[16];
    uint32_t v[16];
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t c = cells[j];
        const int32_t ed = (int32_t)(wide                ? c >> 16 & 255u
                                     : type == BULK_BF16 ? c & 255u
                                                         : c & 31u);
        const uint32_t f = wide                ? (c >> 24 & 0x7Fu) << 16 | (c & 0xFFFFu)
                           : type == BULK_BF16 ? (c >> 8 & 0x7Fu) << 16
                                               : (c >> 5 & 0x3FFu) << 13;
        const bool negative = (c >> (wide ? 31 : 15) & 1u) != 0;
        const int32_t x = bulk_max(ed, bulk_max(t->e0[j], t->e1[j]));
        int32_t m0 = bulk_half_up(t->m0[j], x - t->e0[j]);
        int32_t m1 = bulk_half_up(t->m1[j], x - t->e1[j]);
        int32_t md = bulk_half_up(ed != 0 ? (int32_t)(0x800000u | f) : 0, x - ed);
        if (!wide) {
            m0 = ((m0 + 4096) >> 13) * (1 << 13);
            m1 = ((m1 + 4096) >> 13) * (1 << 13);
            md = ((md + 4096) >> 13) * (1 << 13);
        }
        sums[j] = m0 + m1 + (negative ? -md : md);
        v[j] = (uint32_t)(sums[j] < 0 ? -sums[j] : sums[j]);
        xs[j] = x;
    }
    bulk_raise(v, left);
    for (unsigned j = 0; j < 16; j++) {
        const int32_t sum = sums[j];
        const int32_t x = xs[j];
        uint32_t r = (v[j] + (1u << (29 - keep))) >> (30 - keep);
        const uint32_t carry = r >> (keep + 1);
        r >>= carry;
        int32_t e = x + 7 - left[j] + (int32_t)carry;
        if (wide) { /* the error of Wormhole's sign counter, see exact_normalise */
            const bool lost = wh && sum == -1;
            e = lost ? x + 4 : e;
            r = lost ? 1u << keep : r;
        }
        const uint32_t nothing = sum == 0 || e <= 0 || x <= 0 ? 0u : ~0u;
        const bool beyond = e >= most;
        const uint32_t fraction =
            beyond ? (type == BULK_FP16 ? 0x3FFu : 0u) : r & ((1u << keep) - 1u);
        const uint32_t exponent = beyond ? (type == BULK_FP16 ? 31u : 255u) : (uint32_t)e;
        const uint32_t sign = sum < 0 ? 1u : 0u;
        const uint32_t cell =
            wide ? sign << 31 | fraction >> 16 << 24 | exponent << 16 | (fraction & 0xFFFFu)
            : type == BULK_BF16 ? sign << 15 | fraction << 8 | exponent
                                : sign << 15 | fraction << 5 | exponent;
        cells[j] = cell & nothing;
    }
}

/* ---- a block ---- */

static void bulk_row_b(const struct bulk *b, unsigned i, struct bulk_operand *r)
{
    if (b->column0 != 0) {
        uint32_t same[16];
        for (unsigned j = 0; j < 16; j++) {
            same[j] = b->b[i][0];
        }
        bulk_operands(b, true, same, r);
    } else {
        bulk_operands(b, true, b->b[i], r);
    }
}

static void bulk_terms_of(const struct bulk *b, struct bulk_terms terms[BULK_ROWS])
{
    if (b->job == JOB_PRODUCTS) {
        bulk_groups(b, terms);
    }
    for (unsigned i = 0; i < b->rows; i++) {
        struct bulk_operand x, y;
        if (b->job == JOB_PRODUCTS) {
            bulk_settle(exact_bias(&b->kind), &terms[i]);
            continue;
        }
        if (b->job == JOB_NOTHING) {
            terms[i] = (struct bulk_terms){{0}, {0}, {0}, {0}};
            continue;
        }
        bulk_operands(b, false, b->a[i], &x);
        bulk_row_b(b, i, &y);
        if (b->job == JOB_MULTIPLY) {
            bulk_times(b, &x, &y, &terms[i]);
        } else {
            bulk_plus(b, &x, &y, &terms[i]);
        }
    }
}

static void bulk_block(const struct bulk *b)
{
    struct bulk_terms terms[BULK_ROWS];
    if (b->integer != 0) {
        bulk_integer_block(b);
        return;
    }
    bulk_terms_of(b, terms);
    for (unsigned i = 0; i < b->rows; i++) {
        uint32_t cells[16];
        bulk_load(b, i, cells);
        if (b->kind.wide != 0) {
            bulk_accumulate(BULK_FP32, b->kind.arithmetic_wh != 0, &terms[i], cells);
        } else if (b->kind.exp8 != 0) {
            bulk_accumulate(BULK_BF16, false, &terms[i], cells);
        } else {
            bulk_accumulate(BULK_FP16, false, &terms[i], cells);
        }
        bulk_store(b, i, cells);
    }
}

#endif
