/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of fma.h for AVX-512: rounding to odd by two additions with their own rounding
 * modes, and lanes near the ends of the range scaled by 2^64 rather than left to the model.
 */
#ifndef TX_FAST_FMA_AVX512_H
#define TX_FAST_FMA_AVX512_H

#include <immintrin.h>

enum { FMA_PARTS = FMA_GROUP / 16 };
#define FMA_DOWN (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define FMA_UP (_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)
#define FMA_EACH _Pragma("GCC unroll 4") for (unsigned u = 0; u < FMA_PARTS; u++)

struct fma_vectors {
    __m512 v[FMA_PARTS];
};

TX_INLINE __m512 fma_floats(const uint32_t *from, unsigned part)
{
    return _mm512_loadu_ps((const float *)(const void *)(from + 16 * part));
}

TX_INLINE void fma_put(uint32_t *to, unsigned part, __m512 v)
{
    _mm512_storeu_ps((float *)(void *)(to + 16 * part), v);
}

TX_INLINE __m512 fma_splat(uint32_t word)
{
    return _mm512_castsi512_ps(_mm512_set1_epi32((int)word));
}

TX_INLINE __m512 fma_abs(__m512 v)
{
    return _mm512_and_ps(v, fma_splat(0x7FFFFFFFu));
}

/* Returns the power of two with the exponent of v: 0 for denormals, Inf if v is not finite. */
TX_INLINE __m512 fma_power(__m512 v)
{
    return _mm512_and_ps(v, fma_splat(0x7F800000u));
}

/* Compares non-negative floats by their bits: least <= v < above. */
TX_INLINE __mmask16 fma_between(__m512 v, float least, float above)
{
    uint32_t low;
    uint32_t high;
    memcpy(&low, &least, sizeof low);
    memcpy(&high, &above, sizeof high);
    const __m512i from = _mm512_sub_epi32(_mm512_castps_si512(v), _mm512_set1_epi32((int)low));
    return _mm512_cmplt_epu32_mask(from, _mm512_set1_epi32((int)(high - low)));
}

/*
 * Returns the lanes where Wormhole's ERR (spec/wormhole.md 2.6) is possible. It needs a sum of four
 * times the larger exponent, and a product without bits below two of the model's units.
 */
TX_INLINE __mmask16 fma_may_err(__m512 a, __m512 b, __m512 c, __m512 h, __m512 r)
{
    const __m512 top = _mm512_max_ps(_mm512_mul_ps(fma_power(a), fma_power(b)), fma_power(c));
    const __m512 magic = _mm512_mul_ps(top, _mm512_set1_ps(0.375f)); /* 1.5 * 2^23 * 2^-25 */
    const __m512 l = _mm512_fmsub_ps(a, b, h);
    const __m512 rounded = _mm512_sub_ps(_mm512_add_ps(l, magic), magic);
    const __mmask16 large =
        _mm512_cmp_ps_mask(fma_abs(r), _mm512_mul_ps(top, _mm512_set1_ps(4.0f)), _CMP_GE_OQ);
    return _mm512_mask_cmp_ps_mask(large, rounded, l, _CMP_EQ_OQ);
}

/*
 * Tier TRY. Returns true if there is no cancellation and z keeps all its bits even when shifted to
 * the product: then hardware and model round the same sum.
 */
TX_INLINE bool fma_try(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       uint32_t *restrict out)
{
    unsigned good = 0xFFFFu;
    FMA_EACH
    {
        const __m512 a = fma_floats(x, u);
        const __m512 b = fma_floats(y, u);
        const __m512 c = fma_floats(z, u);
        const __m512 r = _mm512_fmadd_ps(a, b, c);
        const __m512 h = _mm512_mul_ps(a, b);
        const __m512 most = _mm512_range_ps(h, c, 0xB); /* of the magnitudes */
        const __m512 w = fma_abs(c);
        /*
         * min returns its second operand if one is NaN: then r is, and all comparisons with it fail
         */
        const __m512 least = _mm512_min_ps(_mm512_add_ps(w, w), fma_abs(r));
        good &= _mm512_cmp_ps_mask(most, _mm512_add_ps(least, least), _CMP_LE_OQ);
        good &= fma_between(most, 0x1p-80f, 0x1p127f);
        good &= bh ? 0xFFFFu : ~(unsigned)fma_may_err(a, b, c, h, r);
        fma_put(out, u, r);
    }
    return good == 0xFFFFu;
}

/*
 * Tier TRY for a z that is known to lie between 2^-79 and 2^125. Returns true if the product, also
 * before it was rounded, is below half of z: no cancellation beyond one bit, and what the product
 * loses below z's bits is sticky in both.
 */
TX_INLINE bool fma_bound(const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    unsigned good = 0xFFFFu;
    FMA_EACH
    {
        const __m512 a = fma_floats(x, u);
        const __m512 b = fma_floats(y, u);
        const __m512 c = fma_floats(z, u);
        const __m512 twice = _mm512_mul_ps(_mm512_add_ps(a, a), b);
        good &= _mm512_cmp_ps_mask(fma_abs(twice), fma_abs(c), _CMP_LT_OQ);
        fma_put(out, u, _mm512_fmadd_ps(a, b, c));
    }
    return good == 0xFFFFu;
}

/*
 * Rounds v to a multiple of the unit for which magic is 1.5 * 2^23 units; to the odd one if
 * inexact.
 */
TX_INLINE __m512 fma_odd(__m512 v, __m512 magic)
{
    const __m512i down = _mm512_castps_si512(_mm512_add_round_ps(v, magic, FMA_DOWN));
    const __m512i up = _mm512_castps_si512(_mm512_add_round_ps(v, magic, FMA_UP));
    const __m512i odd = _mm512_ternarylogic_epi32(down, up, _mm512_set1_epi32(1), 0xF8);
    return _mm512_sub_ps(_mm512_castsi512_ps(odd), magic);
}

/* The formula of spec/speed.md 3.1. top, the larger exponent, must lie within its range. */
TX_INLINE __m512 fma_formula(bool bh, __m512 a, __m512 b, __m512 z, __m512 p, __m512 w, __m512 top)
{
    const __mmask16 keeps =
        _mm512_cmp_ps_mask(w, _mm512_mul_ps(p, _mm512_set1_ps(0x1p-26f)), _CMP_GE_OQ);
    const __m512 c = _mm512_maskz_mov_ps(keeps, z);
    const __m512 magic = _mm512_mul_ps(top, _mm512_set1_ps(0.1875f)); /* 1.5 * 2^23 * 2^-26 */
    const __m512 h = _mm512_mul_ps(a, b);
    const __m512 l = _mm512_fmsub_ps(a, b, h);
    const __m512 g = _mm512_add_ps(h, c); /* h + c = g + e */
    const __m512 t = _mm512_sub_ps(g, h);
    const __m512 e = _mm512_add_ps(_mm512_sub_ps(h, _mm512_sub_ps(g, t)), _mm512_sub_ps(c, t));
    const __m512 low = _mm512_add_ps(fma_odd(e, magic), fma_odd(l, magic));
    __m512 r = _mm512_add_ps(g, low);
    if (!bh) {
        /* ERR: the normalising shift by two loses its upper bit (spec/wormhole.md 2.6). */
        const __m512 lost = _mm512_sub_ps(low, _mm512_sub_ps(r, g));
        const __m512 step = _mm512_mul_ps(top, _mm512_set1_ps(14.0f * 0x1p-26f));
        const __m512i bits = _mm512_castps_si512(r);
        const __m512 against = _mm512_castsi512_ps(_mm512_ternarylogic_epi32(
            _mm512_castps_si512(step), bits, _mm512_set1_epi32((int)SIGN32), 0xF2));
        const __mmask16 same = _mm512_cmp_ps_mask(lost, against, _CMP_EQ_OQ);
        const __m512i last = _mm512_and_si512(bits, _mm512_set1_epi32(1));
        r = _mm512_castsi512_ps(_mm512_mask_sub_epi32(bits, same, bits, last));
    }
    const __mmask16 far = _mm512_cmp_ps_mask(w, _mm512_mul_ps(p, _mm512_set1_ps(4.0f)), _CMP_GT_OQ);
    r = _mm512_mask_mov_ps(r, far, _mm512_fmadd_ps(a, b, z));
    return bh ? r : _mm512_add_ps(r, _mm512_setzero_ps());
}

/* Tier FORMULA. Returns false if a lane is outside the range of the formula. */
TX_INLINE bool fma_inside(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                          uint32_t *restrict out)
{
    unsigned good = 0xFFFFu;
    FMA_EACH
    {
        const __m512 a = fma_floats(x, u);
        const __m512 b = fma_floats(y, u);
        const __m512 c = fma_floats(z, u);
        const __m512 p = _mm512_mul_ps(fma_power(a), fma_power(b));
        const __m512 w = fma_power(c);
        const __m512 top = _mm512_max_ps(w, p); /* max returns p if p is NaN */
        good &= fma_between(top, 0x1p-75f, 0x1p123f);
        fma_put(out, u, fma_formula(bh, a, b, c, p, w, top));
    }
    return good == 0xFFFFu;
}

/*
 * Returns twice the power of two in a product, 0 if the product's exponent is negative or a factor
 * is zero.
 */
TX_INLINE __m512 fma_twice(__m512 a, __m512 b)
{
    return _mm512_mul_ps(fma_power(a), _mm512_add_ps(fma_power(b), fma_power(b)));
}

/*
 * Tier NONE: all products lie below the range or have a factor of zero, so that z and the product's
 * sign remain. Returns false if this is not so or a z is not finite.
 */
TX_INLINE bool fma_none(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                        uint32_t *restrict out)
{
    __m512 product = _mm512_setzero_ps();
    __m512 most = product;
    FMA_EACH
    {
        const __m512 a = fma_floats(x, u);
        const __m512 b = fma_floats(y, u);
        const __m512 c = fma_floats(z, u);
        const __m512 r = _mm512_add_ps(_mm512_mul_ps(a, b), c);
        product = _mm512_add_ps(product, fma_twice(a, b));
        most = _mm512_max_ps(most, fma_power(c));
        fma_put(out, u, bh ? r : _mm512_add_ps(r, _mm512_setzero_ps()));
    }
    return _mm512_cmp_ps_mask(product, _mm512_setzero_ps(), _CMP_EQ_OQ) == 0xFFFFu &&
           _mm512_cmp_ps_mask(most, _mm512_set1_ps(FMA_INF), _CMP_LT_OQ) == 0xFFFFu;
}

/*
 * Tier ALONE: all z lie so far below their products that the model drops them, so that the product
 * is rounded alone, to Inf above the range, and stays clear of the range's lower end. Returns false
 * if this is not so, for NaN, and on Wormhole for a factor of Inf.
 */
TX_INLINE bool fma_alone(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    unsigned good = 0xFFFFu;
    __m512 most = _mm512_setzero_ps();
    FMA_EACH
    {
        const __m512 a = fma_floats(x, u);
        const __m512 b = fma_floats(y, u);
        const __m512 p = _mm512_mul_ps(fma_power(a), fma_power(b));
        const __m512 w = _mm512_max_ps(fma_power(fma_floats(z, u)), _mm512_set1_ps(0x1p-120f));
        const __m512 r = _mm512_mul_ps(a, b);
        good &= _mm512_cmp_ps_mask(w, _mm512_mul_ps(p, _mm512_set1_ps(0x1p-26f)), _CMP_LT_OQ);
        /* maximum of the bits: NaN, and on Wormhole Inf, is left to the model */
        most = _mm512_castsi512_ps(_mm512_max_epu32(
            _mm512_castps_si512(most),
            _mm512_castps_si512(bh ? fma_abs(r) : _mm512_max_ps(fma_power(a), fma_power(b)))));
        fma_put(out, u, r);
    }
    const __m512 inf = _mm512_set1_ps(FMA_INF);
    return good == 0xFFFFu && (bh ? _mm512_cmp_ps_mask(most, inf, _CMP_LE_OQ)
                                  : _mm512_cmp_ps_mask(most, inf, _CMP_LT_OQ)) == 0xFFFFu;
}

TX_INLINE __m512i fma_exponent(__m512 v)
{
    return _mm512_and_si512(_mm512_srli_epi32(_mm512_castps_si512(v), 23), _mm512_set1_epi32(0xFF));
}

/*
 * Tier ALL. Bit i of the result is set if lane i needs the model: results near the smallest number,
 * and on Wormhole operands that are not finite.
 */
TX_INLINE __mmask16 fma_any(bool bh, __m512 a, __m512 b, __m512 c, __m512 *out)
{
    const __m512i ea = fma_exponent(a);
    const __m512i eb = fma_exponent(b);
    const __m512i ec = fma_exponent(c);
    const __m512i pe = _mm512_sub_epi32(_mm512_add_epi32(ea, eb), _mm512_set1_epi32(127));
    const __m512i te = _mm512_max_epi32(pe, ec);
    const __m512i most = _mm512_max_epi32(_mm512_max_epi32(ea, eb), ec);
    const __mmask16 beyond = _mm512_cmpeq_epi32_mask(most, _mm512_set1_epi32(255));
    /* A product below the range vanishes, one above it is Inf, whatever the sum would have been. */
    const __mmask16 none =
        _mm512_cmpeq_epi32_mask(_mm512_min_epi32(ea, eb), _mm512_setzero_si512()) |
        _mm512_cmplt_epi32_mask(pe, _mm512_setzero_si512());
    const __mmask16 huge = _mm512_cmpge_epi32_mask(pe, _mm512_set1_epi32(255));
    const __mmask16 big = _mm512_cmpge_epi32_mask(te, _mm512_set1_epi32(250));
    const __mmask16 small = _mm512_cmplt_epi32_mask(te, _mm512_set1_epi32(52));
    __m512 scale = _mm512_set1_ps(1.0f);
    __m512 back = scale;
    scale = _mm512_mask_mov_ps(scale, big, _mm512_set1_ps(0x1p-64f));
    scale = _mm512_mask_mov_ps(scale, small, _mm512_set1_ps(0x1p64f));
    back = _mm512_mask_mov_ps(back, big, _mm512_set1_ps(0x1p64f));
    back = _mm512_mask_mov_ps(back, small, _mm512_set1_ps(0x1p-64f));
    const __m512 as = _mm512_mul_ps(a, scale);
    const __m512 cs = _mm512_mul_ps(c, scale);
    const __m512 p = _mm512_mul_ps(fma_power(as), fma_power(b));
    const __m512 w = fma_power(cs);
    const __m512 inner = fma_formula(bh, as, b, cs, p, w, _mm512_max_ps(w, p));
    const __m512 sign = _mm512_and_ps(_mm512_xor_ps(a, b), fma_splat(SIGN32));
    __m512 r = _mm512_mul_ps(inner, back);
    r = _mm512_mask_mov_ps(r, huge, _mm512_or_ps(sign, fma_splat(0x7F800000u)));
    r = _mm512_mask_add_ps(r, none, c, sign);
    if (bh) {
        r = _mm512_mask_mov_ps(r, beyond, _mm512_fmadd_ps(a, b, c));
        r = _mm512_mask_mov_ps(r, _mm512_cmp_ps_mask(r, r, _CMP_UNORD_Q), fma_splat(0x7FC00000u));
    } else {
        r = _mm512_add_ps(r, _mm512_setzero_ps());
    }
    *out = r;
    const __mmask16 low = _mm512_cmp_ps_mask(fma_abs(r), _mm512_set1_ps(0x1p-125f), _CMP_LT_OQ);
    return (__mmask16)((small & low & ~(none | beyond)) | (bh ? 0 : beyond));
}

#ifdef FAST_COMPILED
/* Out of line, with its arguments in registers, so that a kernel's values need not go to memory. */
static __attribute__((noinline)) __m512 fma_all_of(bool bh, __m512 a, __m512 b, __m512 c)
{
    __m512 r;
    unsigned model = bh ? fma_any(true, a, b, c, &r) : fma_any(false, a, b, c, &r);
    if (model != 0) {
        uint32_t words[4][16];
        fma_put(words[0], 0, a);
        fma_put(words[1], 0, b);
        fma_put(words[2], 0, c);
        fma_put(words[3], 0, r);
        for (; model != 0; model &= model - 1) {
            const unsigned i = (unsigned)__builtin_ctz(model);
            words[3][i] = fma_model(bh, words[0][i], words[1][i], words[2][i]);
        }
        r = fma_floats(words[3], 0);
    }
    return r;
}

TX_INLINE void fma_rest(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                        uint32_t *restrict out)
{
    FMA_EACH
    {
        fma_put(out, u, fma_all_of(bh, fma_floats(x, u), fma_floats(y, u), fma_floats(z, u)));
    }
}
#else
TX_INLINE void fma_all(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       uint32_t *restrict out)
{
    FMA_EACH
    {
        __m512 r;
        unsigned model = fma_any(bh, fma_floats(x, u), fma_floats(y, u), fma_floats(z, u), &r);
        fma_put(out, u, r);
        for (; model != 0; model &= model - 1) {
            const unsigned i = 16 * u + (unsigned)__builtin_ctz(model);
            out[i] = fma_model(bh, x[i], y[i], z[i]);
        }
    }
}

static __attribute__((noinline)) void fma_rest(bool bh, const uint32_t *x, const uint32_t *y,
                                               const uint32_t *z, uint32_t *restrict out)
{
    if (bh) {
        fma_all(true, x, y, z, out);
    } else {
        fma_all(false, x, y, z, out);
    }
}
#endif

/*
 * For a factor of 1.0. A sum of two numbers is exact below the range and flushed alike, so that
 * hardware and model differ in the pattern of a NaN only; and Wormhole never returns a negative
 * zero.
 */
TX_INLINE void fma_sum(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       const uint32_t *sum_of, uint32_t *restrict out)
{
    struct fma_vectors r;
    __m512 any = _mm512_setzero_ps();
    FMA_EACH
    {
        const __m512 sum = _mm512_add_ps(fma_floats(sum_of, u), fma_floats(z, u));
        r.v[u] = bh ? sum : _mm512_add_ps(sum, _mm512_setzero_ps());
        any = _mm512_add_ps(any, r.v[u]); /* NaN if one of them is, or if both infinities occur */
        fma_put(out, u, r.v[u]);
    }
    if (_mm512_cmp_ps_mask(any, any, _CMP_UNORD_Q) == 0) {
        return;
    }
    FMA_EACH
    {
        unsigned nan = _mm512_cmp_ps_mask(r.v[u], r.v[u], _CMP_UNORD_Q);
        if (bh) {
            fma_put(out, u, _mm512_mask_mov_ps(r.v[u], (__mmask16)nan, fma_splat(0x7FC00000u)));
        }
        for (; !bh && nan != 0; nan &= nan - 1) {
            const unsigned i = 16 * u + (unsigned)__builtin_ctz(nan);
            out[i] = fma_model(bh, x[i], y[i], z[i]);
        }
    }
}

/*
 * For z = +0. The result is a plain product if it is an ordinary number, and zero if the product
 * lies below the range or has a factor of zero.
 */
TX_INLINE void fma_times(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    __m512i least = _mm512_set1_epi32(-1);
    __m512i most = _mm512_setzero_si512();
    FMA_EACH
    {
        const __m512 r = _mm512_mul_ps(fma_floats(x, u), fma_floats(y, u));
        const __m512i size = _mm512_castps_si512(fma_abs(r));
        least = _mm512_min_epu32(least, size);
        most = _mm512_max_epu32(most, size);
        fma_put(out, u, r);
    }
    const __m512i above = _mm512_set1_epi32(2 << 23); /* 2^-125 */
    const __mmask16 low = _mm512_cmplt_epu32_mask(least, above);
    unsigned odd = _mm512_cmpgt_epu32_mask(most, _mm512_set1_epi32(0x7F800000));
    if ((low | odd) == 0) {
        return;
    }
    FMA_EACH
    {
        const __m512 a = fma_floats(x, u);
        const __m512 b = fma_floats(y, u);
        const __m512 r = _mm512_add_ps(_mm512_mul_ps(a, b), _mm512_setzero_ps());
        const __mmask16 small = _mm512_cmplt_epu32_mask(_mm512_castps_si512(fma_abs(r)), above);
        odd |= _mm512_mask_cmp_ps_mask(small, fma_twice(a, b), _mm512_setzero_ps(), _CMP_NEQ_UQ);
        fma_put(out, u, r);
    }
    if (odd != 0) {
        fma_rest(bh, x, y, z, out);
    }
}

#endif
