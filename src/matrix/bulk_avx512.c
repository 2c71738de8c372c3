/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled with -mavx512bw and others, see CMakeLists.txt; empty for other processors. Floats have
 * their own form here.
 */
#if defined(__x86_64__)
#include "matrix/bulk_integers.h"

#include <immintrin.h>

/* ---- from terms to Dst: exact_accumulate, exact_normalise ---- */

/* Two terms for each column: exponents, and eight times the mantissas of struct exact_term. */
struct bulk_sums {
    __m512i e0, s0, e1, s1;
};

TX_INLINE __m512i bulk_all(int value)
{
    return _mm512_set1_epi32(value);
}

TX_INLINE __m512i bulk_row_of(const uint16_t *cells)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)cells));
}

TX_INLINE void bulk_put_row(uint16_t *cells, __m512i v)
{
    _mm256_storeu_si256((__m256i *)(void *)cells, _mm512_cvtepi32_epi16(v));
}

/* Two rows from the lower halves of 32-bit lanes. */
TX_INLINE void bulk_put_rows(uint16_t *const to[2], __m512i first, __m512i second)
{
    const __m512i even =
        _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26,
                         24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i both = _mm512_permutex2var_epi16(first, even, second);
    _mm256_storeu_si256((__m256i *)(void *)to[0], _mm512_castsi512_si256(both));
    _mm256_storeu_si256((__m256i *)(void *)to[1], _mm512_extracti64x4_epi64(both, 1));
}

/* (mask & yes) | (~mask & no) */
TX_INLINE __m512i bulk_select(__m512i mask, __m512i yes, __m512i no)
{
    return _mm512_ternarylogic_epi32(mask, yes, no, 0xCA);
}

/*
 * Adds a half to twice a value and drops what is behind the point: twice the value for 32-bit Dst;
 * for 16-bit Dst the value itself, rounded by 13 more places. It may have a sign.
 */
TX_INLINE __m512i bulk_round(__m512i twice, bool wide)
{
    return wide ? _mm512_and_si512(_mm512_add_epi32(twice, bulk_all(1)), bulk_all(-2))
                : _mm512_srai_epi32(_mm512_add_epi32(twice, bulk_all(8193)), 14);
}

/*
 * exact_half_up by n - 2 places of what comes eightfold, so that a half can be added even if
 * nothing is shifted; as bulk_round gives it. Counts beyond 31 leave 0 or -1, which rounds to 0.
 */
TX_INLINE __m512i bulk_align(__m512i eight, __m512i n, bool wide)
{
    return bulk_round(_mm512_srav_epi32(eight, n), wide);
}

/*
 * Returns the upper half of stored cells: sign of the sum, the 7 or 10 bits of r behind the leading
 * one at bit 23, and the exponent, but not above the largest. Zero where "some" has no bit.
 */
TX_INLINE __m512i bulk_cell(enum bulk_type type, __m512i sum, __m512i r, __m512i e, __mmask16 some)
{
    const int most = type == BULK_FP16 ? 31 : 255;
    const __m512i bits = bulk_all(type == BULK_FP16 ? 0x7FE0 : 0x7F00);
    const __m512i f = _mm512_and_si512(_mm512_srli_epi32(r, 8), bits);
    const __m512i x = _mm512_min_epi32(e, bulk_all(most));
    const __m512i sign = _mm512_and_si512(_mm512_srli_epi32(sum, 16), bulk_all(0x8000));
    return _mm512_maskz_ternarylogic_epi32(some, sign, f, x, 0xFE);
}

/*
 * Sums of 16-bit Dst have fewer than 24 bits: a float holds them exactly, and adding to its bits
 * rounds it.
 */
TX_INLINE void bulk_finish_narrow(enum bulk_type type, __m512i x, __m512i sum, uint16_t *to)
{
    const int most = type == BULK_FP16 ? 32 : 255;
    const __m512i bits = _mm512_castps_si512(_mm512_cvtepi32_ps(sum));
    const __m512i r = _mm512_add_epi32(bits, bulk_all(type == BULK_FP16 ? 0x1000 : 0x8000));
    const __m512i n = _mm512_and_si512(_mm512_srli_epi32(r, 23), bulk_all(255));
    const __m512i e = _mm512_add_epi32(_mm512_add_epi32(x, n), bulk_all(-137));
    const __mmask16 beyond = _mm512_cmpge_epi32_mask(e, bulk_all(most));
    const __m512i last = bulk_all(type == BULK_FP16 ? 0x7FFFFF : 0);
    __mmask16 some = _mm512_test_epi32_mask(sum, sum);
    some = _mm512_mask_test_epi32_mask(some, x, x);
    some = _mm512_mask_cmpgt_epi32_mask(some, e, _mm512_setzero_si512());
    bulk_put_row(to, bulk_cell(type, sum, _mm512_mask_mov_epi32(r, beyond, last), e, some));
}

/*
 * Takes twice the sums of 32-bit Dst, of which a float keeps 24 bits. Where more come, the upper
 * ones are put among those to be dropped, all of them behind the first, so that halves go upwards.
 */
TX_INLINE void bulk_finish_wide(bool wh, __m512i x, __m512i twice, uint16_t *const to[2])
{
    const __m512i size = _mm512_abs_epi32(twice);
    const __m512i sticky = _mm512_or_si512(size, _mm512_srli_epi32(size, 25));
    __m512i r = _mm512_castps_si512(
        _mm512_cvt_roundepi32_ps(sticky, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    __m512i e = _mm512_add_epi32(_mm512_add_epi32(x, bulk_all(-151)), _mm512_srli_epi32(r, 23));
    if (wh) { /* the error of Wormhole's sign counter, see exact_normalise */
        const __mmask16 lost = _mm512_cmpeq_epi32_mask(twice, bulk_all(-2));
        e = _mm512_mask_add_epi32(e, lost, x, bulk_all(4));
        r = _mm512_mask_mov_epi32(r, lost, _mm512_setzero_si512());
    }
    __mmask16 some = _mm512_test_epi32_mask(twice, twice);
    some = _mm512_mask_test_epi32_mask(some, x, x);
    some = _mm512_mask_cmpgt_epi32_mask(some, e, _mm512_setzero_si512());
    r = _mm512_maskz_mov_epi32(some & _mm512_cmplt_epi32_mask(e, bulk_all(255)), r);
    bulk_put_rows(to, bulk_cell(BULK_FP32, twice, r, e, some), r);
}

TX_INLINE void bulk_add(const struct bulk *b, unsigned i, enum bulk_type type, bool wh,
                        const struct bulk_sums *t)
{
    const bool wide = type == BULK_FP32;
    const __m512i c = bulk_row_of(b->old[i][0]);
    const __m512i ed = _mm512_and_si512(c, bulk_all(type == BULK_FP16 ? 31 : 255));
    /* Twice the old fraction: its leading one is at bit 24, while a term's is at bit 23. */
    const __m512i high = _mm512_slli_epi32(c, 9);
    const __m512i kept = bulk_all(type == BULK_FP16 ? 0x7FE0 << 9 : 0x7F00 << 9);
    __m512i md = _mm512_ternarylogic_epi32(high, kept, bulk_all(1 << 24), 0xEA);
    if (wide) {
        md = _mm512_or_si512(md, _mm512_slli_epi32(bulk_row_of(b->old[i][1]), 1));
    }
    const __m512i x = _mm512_max_epi32(ed, _mm512_max_epi32(t->e0, t->e1));
    const __m512i by = _mm512_add_epi32(x, bulk_all(2));
    const __m512i m0 = bulk_align(t->s0, _mm512_sub_epi32(by, t->e0), wide);
    const __m512i m1 = bulk_align(t->s1, _mm512_sub_epi32(by, t->e1), wide);
    const __mmask16 present = _mm512_test_epi32_mask(ed, ed);
    md = bulk_round(_mm512_maskz_srlv_epi32(present, md, _mm512_sub_epi32(x, ed)), wide);
    const __mmask16 negative = _mm512_test_epi32_mask(c, bulk_all(0x8000));
    __m512i sum = _mm512_add_epi32(m0, m1);
    const __m512i plus = _mm512_add_epi32(sum, md);
    sum = _mm512_mask_sub_epi32(plus, negative, sum, md);
    if (wide) {
        bulk_finish_wide(wh, x, sum, b->now[i]);
    } else {
        bulk_finish_narrow(type, x, sum, b->now[i][0]);
    }
}

static void bulk_add_terms(const struct bulk *b, unsigned i, const struct bulk_sums *t)
{
    if (b->kind.wide != 0) {
        bulk_add(b, i, BULK_FP32, b->kind.arithmetic_wh != 0, t);
    } else if (b->kind.exp8 != 0) {
        bulk_add(b, i, BULK_BF16, false, t);
    } else {
        bulk_add(b, i, BULK_FP16, false, t);
    }
}

/* ---- products ---- */

/*
 * Operands of two rows, or halves of two rows, beside each other in 16-bit lanes: the first in the
 * even ones. e: exponent plus OPERAND, so that the sum for two operands is above any that has a
 * zero in it; 0 for zero. p: the part that the multiplier sees; sign: all ones where negative.
 */
enum { OPERAND = 0x4000 };

/*
 * How the multiplier's parts come out of a cell's mantissa: exact_part_a, eight times, and
 * exact_part_b. always: all lanes count, even with exponent 0.
 */
struct bulk_side {
    __m512i mask, exponent, bits, one;
    __m128i left, right;
    __mmask32 always;
};

TX_INLINE struct bulk_side bulk_side_of(const struct bulk *b, bool from_b)
{
    const bool low = (b->kind.phase & (from_b ? 2u : 1u)) != 0;
    const int bits = from_b ? (low ? 15 << 3 : 63) : low ? 31 << 3 : 15 << 3;
    const struct bulk_side s = {.mask = _mm512_set1_epi32((int)(from_b ? b->mask_b : b->mask_a)),
                                .exponent = _mm512_set1_epi16(b->kind.exp8 != 0 ? 255 : 31),
                                .bits = _mm512_set1_epi16((short)bits),
                                .one = _mm512_set1_epi16(low      ? 0
                                                         : from_b ? 64
                                                                  : 128),
                                .left = _mm_cvtsi32_si128(!low     ? 0
                                                          : from_b ? 3
                                                                   : 2),
                                .right = _mm_cvtsi32_si128(low      ? 0
                                                           : from_b ? 4
                                                                    : 3),
                                .always = from_b && b->keep_b != 0 ? 0xFFFFFFFFu : 0};
    return s;
}

TX_INLINE void bulk_pair(const struct bulk_side *s, __m512i first, __m512i second, __m512i *e,
                         __m512i *p, __m512i *sign)
{
    const __m512i x = _mm512_and_si512(first, s->mask);
    const __m512i y = _mm512_and_si512(second, s->mask);
    const __m512i low = _mm512_set1_epi32(0xFFFF);
    const __m512i c = bulk_select(low, x, _mm512_slli_epi32(y, 16));
    const __m512i m = bulk_select(low, _mm512_srli_epi32(x, 8), _mm512_slli_epi32(y, 8));
    const __mmask32 one = _mm512_test_epi16_mask(c, s->exponent) | s->always;
    const __m512i field = _mm512_and_si512(c, s->exponent);
    const __m512i part = _mm512_srl_epi16(_mm512_sll_epi16(m, s->left), s->right);
    const __m512i v = _mm512_ternarylogic_epi32(part, s->bits, s->one, 0xEA);
    *e = _mm512_maskz_add_epi16(one, field, _mm512_set1_epi16(OPERAND));
    *p = _mm512_maskz_mov_epi16(one, v);
    *sign = _mm512_srai_epi16(_mm512_slli_epi16(m, 5), 15);
}

/* Rows of SrcB: for each its cells k and k + 8 in pairs. */
struct bulk_products {
    _Alignas(64) int32_t be[BULK_ROWS][8], bp[BULK_ROWS][8], bs[BULK_ROWS][8];
};

TX_INLINE __m512i bulk_src(const uint32_t *cells)
{
    return _mm512_loadu_si512((const void *)cells);
}

/* Returns whether the rows of SrcA are those that were kept. */
TX_INLINE bool bulk_known(const struct bulk *b, uint32_t kind)
{
    __m512i other = _mm512_setzero_si512();
    if (b->memo == NULL || b->memo->kind != kind) {
        return false;
    }
    for (unsigned k = 0; k < 16; k++) { /* other | (row ^ kept) */
        other =
            _mm512_ternarylogic_epi32(other, bulk_src(b->a[k]), bulk_src(b->memo->rows[k]), 0xF6);
    }
    return _mm512_test_epi32_mask(other, other) == 0;
}

static void bulk_prepare_a(const struct bulk *b, struct bulk_parts *parts)
{
    const struct bulk_side side = bulk_side_of(b, false);
    for (unsigned k = 0; k < 8; k++) {
        __m512i e, p, sign;
        bulk_pair(&side, bulk_src(b->a[k]), bulk_src(b->a[k + 8]), &e, &p, &sign);
        _mm512_store_si512((void *)parts->exponents[k], e);
        _mm512_store_si512((void *)parts->parts[k], p);
        _mm512_store_si512((void *)parts->signs[k], sign);
    }
}

/* Returns the parts of SrcA: those that are kept, if they are of the same rows, or new ones. */
static const struct bulk_parts *bulk_parts_of(const struct bulk *b, struct bulk_parts *own)
{
    const uint32_t kind =
        1u << 31 | (b->kind.phase & 1u) << 30 | (b->kind.exp8 != 0 ? 1u << 29 : 0) | b->mask_a;
    if (b->memo == NULL) {
        bulk_prepare_a(b, own);
        return own;
    }
    if (!bulk_known(b, kind)) {
        bulk_prepare_a(b, &b->memo->made);
        for (unsigned k = 0; k < 16; k++) {
            _mm512_store_si512((void *)b->memo->rows[k], bulk_src(b->a[k]));
        }
        b->memo->kind = kind;
    }
    return &b->memo->made;
}

static void bulk_prepare(const struct bulk *b, struct bulk_products *p)
{
    const struct bulk_side b_side = bulk_side_of(b, true);
    for (unsigned i = 0; i < b->rows; i += 2) {
        const __m512i x = bulk_src(b->b[i]);
        const __m512i y = bulk_src(b->b[i + 1]);
        __m512i e, v, sign;
        bulk_pair(&b_side, _mm512_shuffle_i64x2(x, y, 0x44), _mm512_shuffle_i64x2(x, y, 0xEE), &e,
                  &v, &sign);
        _mm512_store_si512((void *)p->be[i], e);
        _mm512_store_si512((void *)p->bp[i], v);
        _mm512_store_si512((void *)p->bs[i], sign);
    }
}

/* Rows of SrcA, k and k + 8 in pairs. */
struct bulk_vectors {
    __m512i e[8], p[8], sign[8];
};

/*
 * exact_group of a row over 32 lanes of 16 bits, the groups of a column beside each other. q is
 * eight times a product, its ones' complement (the exclusive or with both signs) if negative.
 * _mm512_mulhrs_epi16 with 2^(12 - d) is floor(q / 2^(d + 3) + 1/2): the product shifted by d,
 * halves away from zero. From d = 13 on nothing is left of 12 bits. Eight such sums have 15 bits
 * and a sign.
 */
TX_INLINE void bulk_group_row(const struct bulk_vectors *a, const struct bulk_products *t,
                              unsigned i, __m512i *top, __m512i *sum)
{
    const __m512i scale = _mm512_set1_epi16(4096);
    __m512i raw[8];
    __m512i most = _mm512_setzero_si512();
    __m512i all = _mm512_setzero_si512();
    for (int k = 0; k < 8; k++) { /* no carry from one lane to the other */
        raw[k] = _mm512_add_epi32(a->e[k], _mm512_set1_epi32(t->be[i][k]));
        most = _mm512_max_epu16(most, raw[k]);
    }
    for (int k = 0; k < 8; k++) {
        const __m512i d = _mm512_sub_epi16(most, raw[k]);
        const __m512i p = _mm512_mullo_epi16(a->p[k], _mm512_set1_epi32(t->bp[i][k]));
        const __m512i q =
            _mm512_ternarylogic_epi32(p, a->sign[k], _mm512_set1_epi32(t->bs[i][k]), 0x96);
        all = _mm512_add_epi16(all, _mm512_mulhrs_epi16(q, _mm512_srlv_epi16(scale, d)));
    }
    *top = most;
    *sum = all;
}

/*
 * Turns largest exponents, which still have OPERAND twice, and sums into terms. A product with a
 * zero operand has the exponent max(bias, 0), which is never above that of another product: it
 * counts only where all are zero, and there the sum is 0 anyway. So the subtraction, with a bias
 * below 0, may saturate at 0. Where the exponent is 0, the sum is zero.
 */
TX_INLINE struct bulk_sums bulk_settled(__m512i top, __m512i sum, int32_t bias)
{
    const int32_t below = bias < 0 ? -bias : 0;
    const int32_t above = bias > 0 ? bias : 0;
    const __m512i high = bulk_all((int)0xFFFF0000u);
    __m512i e = _mm512_subs_epu16(top, _mm512_set1_epi16((short)(2 * OPERAND + below)));
    e = _mm512_add_epi16(e, _mm512_set1_epi16((short)above));
    const __m512i s = _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(e, e), sum);
    const struct bulk_sums t = {.e0 = _mm512_andnot_si512(high, e),
                                .s0 = _mm512_slli_epi32(s, 16),
                                .e1 = _mm512_srli_epi32(e, 16),
                                .s1 = _mm512_and_si512(s, high)};
    return t;
}

/* What rows have come to: largest exponents and sums, as bulk_group_row leaves them. */
struct bulk_grouped {
    __m512i top[BULK_ROWS], sum[BULK_ROWS];
};

TX_INLINE void bulk_add_groups(const struct bulk *b, enum bulk_type type, bool wh,
                               const struct bulk_grouped *g)
{
    const int32_t bias = exact_bias(&b->kind);
    for (unsigned i = 0; i < b->rows; i++) {
        const struct bulk_sums t = bulk_settled(g->top[i], g->sum[i], bias);
        bulk_add(b, i, type, wh, &t);
    }
}

/* All rows of products first, then all sums, so that either loop keeps its constants in registers.
 */
static void bulk_product_block(const struct bulk *b)
{
    struct bulk_parts own;
    struct bulk_vectors a;
    struct bulk_products p;
    struct bulk_grouped g;
    const struct bulk_parts *parts = bulk_parts_of(b, &own);
    bulk_prepare(b, &p);
    for (unsigned k = 0; k < 8; k++) {
        a.e[k] = _mm512_load_si512((const void *)parts->exponents[k]);
        a.p[k] = _mm512_load_si512((const void *)parts->parts[k]);
        a.sign[k] = _mm512_load_si512((const void *)parts->signs[k]);
    }
    for (unsigned i = 0; i < b->rows; i++) {
        bulk_group_row(&a, &p, i, &g.top[i], &g.sum[i]);
    }
    if (b->kind.wide == 0) {
        if (b->kind.exp8 != 0) {
            bulk_add_groups(b, BULK_BF16, false, &g);
        } else {
            bulk_add_groups(b, BULK_FP16, false, &g);
        }
    } else if (b->kind.arithmetic_wh == 0) {
        bulk_add_groups(b, BULK_FP32, false, &g);
    } else {
        bulk_add_groups(b, BULK_FP32, true, &g);
    }
}

/* ---- the others ---- */

/*
 * As bulk_operands: exponents, mantissas without their leading one, all ones where negative; one:
 * the columns with a leading one.
 */
struct bulk_vector {
    __m512i e, m, sign;
    __mmask16 one;
};

TX_INLINE struct bulk_vector bulk_vector_of(const struct bulk *b, bool from_b, bool sum, __m512i c)
{
    const __m512i exponent = bulk_all(b->kind.exp8 != 0 ? 255 : 31);
    const bool keep = from_b && b->keep_b != 0;
    struct bulk_vector v;
    c = _mm512_and_si512(c, bulk_all((int)(from_b ? b->mask_b : b->mask_a)));
    v.one = !keep ? _mm512_test_epi32_mask(c, exponent)
            : sum ? _mm512_cmpneq_epi32_mask(c, bulk_all((int)bulk_no_addend(b)))
                  : (__mmask16)0xFFFF;
    v.e = _mm512_maskz_and_epi32(v.one, c, exponent);
    v.m = _mm512_and_si512(_mm512_srli_epi32(c, 8), bulk_all(0x3FF));
    v.sign = _mm512_srai_epi32(_mm512_slli_epi32(c, 13), 31);
    return v;
}

TX_INLINE __m512i bulk_with_sign(__m512i v, __m512i sign)
{
    return _mm512_sub_epi32(_mm512_xor_si512(v, sign), sign);
}

/* exact_single */
TX_INLINE struct bulk_sums bulk_single(const struct bulk *b, const struct bulk_vector *x,
                                       const struct bulk_vector *y)
{
    const int32_t bias = exact_bias(&b->kind);
    const __m512i none = bulk_all(bias > 0 ? bias : 0);
    const bool low_a = (b->kind.phase & 1u) != 0;
    const bool low_b = (b->kind.phase & 2u) != 0;
    const __m512i pa = low_a ? _mm512_and_si512(_mm512_srli_epi32(x->m, 1), bulk_all(31))
                             : _mm512_or_si512(_mm512_srli_epi32(x->m, 6), bulk_all(16));
    const __m512i pb = low_b ? _mm512_and_si512(_mm512_slli_epi32(y->m, 3), bulk_all(15 << 3))
                             : _mm512_or_si512(_mm512_srli_epi32(y->m, 4), bulk_all(64));
    /* both parts have 7 bits or fewer: one multiplication of 16 bits will do */
    const __m512i p =
        bulk_with_sign(_mm512_mullo_epi16(pa, pb), _mm512_xor_si512(x->sign, y->sign));
    const __m512i e = _mm512_add_epi32(_mm512_add_epi32(x->e, y->e), bulk_all(bias));
    const __mmask16 some = _mm512_mask_cmpgt_epi32_mask(x->one & y->one, e, _mm512_setzero_si512());
    const struct bulk_sums t = {.e0 = _mm512_mask_mov_epi32(none, some, e),
                                .s0 = _mm512_maskz_slli_epi32(some, p, 16),
                                .e1 = _mm512_setzero_si512(),
                                .s1 = _mm512_setzero_si512()};
    return t;
}

/* exact_sum */
TX_INLINE struct bulk_sums bulk_sum(const struct bulk *b, const struct bulk_vector *x,
                                    const struct bulk_vector *y)
{
    const __m512i flip = bulk_all(b->job == JOB_SUBTRACT ? -1 : 0);
    const int by = ((b->kind.phase & 1u) != 0 ? 5 : 0) + ((b->kind.phase & 2u) != 0 ? 7 : 0);
    const __m512i lead = bulk_all(1024);
    const __m512i xm = _mm512_maskz_or_epi32(x->one, x->m, lead);
    const __m512i ym = _mm512_maskz_or_epi32(y->one, y->m, lead);
    const __m512i ys = _mm512_xor_si512(y->sign, flip);
    /*
     * Where SrcB has the larger exponent. With equal ones nothing is shifted, and the order does
     * not matter.
     */
    const __mmask16 second = _mm512_cmplt_epi32_mask(x->e, y->e);
    const __m512i e = _mm512_max_epi32(x->e, y->e);
    const __m512i d = _mm512_sub_epi32(e, _mm512_min_epi32(x->e, y->e));
    const __m512i large = bulk_with_sign(_mm512_mask_mov_epi32(xm, second, ym),
                                         _mm512_mask_mov_epi32(x->sign, second, ys));
    /* halves away from zero; beyond eleven places nothing is left */
    __m512i small = _mm512_slli_epi32(_mm512_mask_mov_epi32(ym, second, xm), 1);
    small = _mm512_maskz_srlv_epi32(_mm512_cmplt_epi32_mask(d, bulk_all(12)), small, d);
    small = _mm512_srli_epi32(_mm512_add_epi32(small, bulk_all(1)), 1);
    small = bulk_with_sign(small, _mm512_mask_mov_epi32(ys, second, x->sign));
    const __m512i sum = _mm512_add_epi32(large, small);
    const __mmask16 some = _mm512_test_epi32_mask(sum, sum);
    __m512i at = e;
    if (b->kind.wide != 0 && b->kind.exp8 == 0) {
        at = _mm512_mask_add_epi32(bulk_all(97), _mm512_test_epi32_mask(e, e), e, bulk_all(112));
    }
    const struct bulk_sums t = {.e0 = _mm512_mask_sub_epi32(at, some, at, bulk_all(by)),
                                .s0 = _mm512_slli_epi32(sum, 16),
                                .e1 = _mm512_setzero_si512(),
                                .s1 = _mm512_setzero_si512()};
    return t;
}

static void bulk_element_block(const struct bulk *b)
{
    const bool multiplies = b->job == JOB_MULTIPLY;
    const __m512i zero = _mm512_setzero_si512();
    for (unsigned i = 0; i < b->rows; i++) {
        struct bulk_sums t = {zero, zero, zero, zero};
        if (b->job != JOB_NOTHING) {
            const __m512i cells = b->column0 != 0 ? bulk_all((int)b->b[i][0]) : bulk_src(b->b[i]);
            const struct bulk_vector x = bulk_vector_of(b, false, !multiplies, bulk_src(b->a[i]));
            const struct bulk_vector y = bulk_vector_of(b, true, !multiplies, cells);
            t = multiplies ? bulk_single(b, &x, &y) : bulk_sum(b, &x, &y);
        }
        bulk_add_terms(b, i, &t);
    }
}

static void bulk_own_block(const struct bulk *b)
{
    if (b->integer != 0) {
        bulk_integer_block(b);
    } else if (b->job == JOB_PRODUCTS) {
        bulk_product_block(b);
    } else {
        bulk_element_block(b);
    }
}

const struct matrix_level matrix_avx512 = {"avx512", bulk_own_block, bulk_move};
#else
typedef int bulk_avx512_is_for_x86;
#endif
