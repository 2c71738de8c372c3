/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -mavx512bw and others, see CMakeLists.txt; empty for other processors. */
#if defined(__x86_64__)
#define BULK_HAS_OWN
#include "matrix/bulk_body.h"

#include <immintrin.h>

TX_INLINE void bulk_raise(uint32_t v[16], int32_t left[16])
{
    const __m512i all = _mm512_loadu_si512(v);
    const __m512i by = _mm512_sub_epi32(_mm512_lzcnt_epi32(all), _mm512_set1_epi32(1));
    _mm512_storeu_si512(v, _mm512_sllv_epi32(all, by));
    _mm512_storeu_si512(left, by);
}

/* Exponents and parts of SrcA: rows k and k + 8 beside each other, one for each group. */
struct bulk_pairs {
    _Alignas(64) int16_t e[8][32], p[8][32];
};

TX_INLINE __m512i bulk_load(const int16_t *from)
{
    return _mm512_load_si512((const void *)from);
}

/* The lower half; nobody looks at the upper one. */
TX_INLINE __m512i bulk_load_half(const int16_t *from)
{
    return _mm512_castsi256_si512(_mm256_load_si256((const void *)from));
}

/*
 * exact_group over 32 lanes of 16 bits: the columns of the first group, then those of the second.
 * q is eight times a product, less one where it is negative. _mm512_mulhrs_epi16 with 2^(12 - d) is
 * floor(q / 2^(d + 3) + 1/2): the product shifted by d, halves away from zero. From d = 13 on
 * nothing is left of 12 bits. Eight such sums have 15 bits and a sign.
 */
TX_INLINE void bulk_group_row(const struct bulk_pairs *a, __m512i be, __m512i bp, __m512i *top,
                              __m512i *sum)
{
    const __m512i limit = _mm512_set1_epi16(13);
    const __m512i half = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi16(8), 1);
    const __m512i scale = _mm512_castsi256_si512(
        _mm256_setr_epi16(4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0));
    __m512i raw[8];
    *top = _mm512_set1_epi16(INT16_MIN);
    *sum = _mm512_setzero_si512();
    for (int k = 0; k < 8; k++) {
        const __m512i at = _mm512_add_epi16(half, _mm512_set1_epi16((short)k));
        raw[k] = _mm512_add_epi16(bulk_load(a->e[k]), _mm512_permutexvar_epi16(at, be));
        *top = _mm512_max_epi16(*top, raw[k]);
    }
    for (int k = 0; k < 8; k++) {
        const __m512i at = _mm512_add_epi16(half, _mm512_set1_epi16((short)k));
        const __m512i d = _mm512_min_epi16(_mm512_sub_epi16(*top, raw[k]), limit);
        const __m512i p = _mm512_mullo_epi16(bulk_load(a->p[k]), _mm512_permutexvar_epi16(at, bp));
        const __m512i q = _mm512_add_epi16(p, _mm512_srai_epi16(p, 15));
        *sum = _mm512_add_epi16(*sum, _mm512_mulhrs_epi16(q, _mm512_permutexvar_epi16(d, scale)));
    }
}

TX_INLINE void bulk_widen(__m512i lanes, int32_t first[16], int32_t second[16])
{
    _mm512_storeu_si512(first, _mm512_cvtepi16_epi32(_mm512_castsi512_si256(lanes)));
    _mm512_storeu_si512(second, _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(lanes, 1)));
}

/* bulk_operands and bulk_part_a or bulk_part_b in one, times `scale`. */
TX_INLINE void bulk_narrow(const struct bulk *b, bool from_b, const uint32_t *cells, bool low,
                           int32_t scale, int16_t e[16], int16_t p[16])
{
    const uint32_t mask = from_b ? b->mask_b : b->mask_a;
    const uint32_t exponent = b->kind.exp8 != 0 ? 255u : 31u;
    const uint32_t always = from_b && b->keep_b != 0 ? ~0u : 0u;
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t c = cells[j] & mask;
        const uint32_t one = ((c & exponent) != 0 ? ~0u : 0u) | always;
        const uint32_t m = c >> 8 & 0x3FFu;
        const uint32_t high = from_b ? 64u | m >> 4 : 16u | m >> 6;
        const uint32_t part = low ? (from_b ? (m & 15u) << 3 : m >> 1 & 31u) : high;
        const int32_t v = (int32_t)(part & one) * scale;
        e[j] = (int16_t)(one != 0 ? (int32_t)(c & exponent) : BULK_NONE);
        p[j] = (int16_t)bulk_signed(v, -(int32_t)(c >> 18 & 1u));
    }
}

static void bulk_groups(const struct bulk *b, struct bulk_terms terms[BULK_ROWS])
{
    const bool low_a = (b->kind.phase & 1u) != 0;
    const bool low_b = (b->kind.phase & 2u) != 0;
    struct bulk_pairs pairs;
    for (unsigned k = 0; k < 16; k++) {
        bulk_narrow(b, false, b->a[k], low_a, 8, &pairs.e[k % 8][k / 8 * 16],
                    &pairs.p[k % 8][k / 8 * 16]);
    }
    for (unsigned i = 0; i < b->rows; i++) {
        _Alignas(32) int16_t e[16], p[16];
        __m512i top, sum;
        bulk_narrow(b, true, b->b[i], low_b, 1, e, p);
        bulk_group_row(&pairs, bulk_load_half(e), bulk_load_half(p), &top, &sum);
        bulk_widen(top, terms[i].e0, terms[i].e1);
        bulk_widen(sum, terms[i].m0, terms[i].m1);
    }
}

const struct matrix_level matrix_avx512 = {"avx512", bulk_block};
#else
typedef int bulk_avx512_is_for_x86;
#endif
