/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of both chips over arrays, with this CPU's floating point where that is exact,
 * else lane by lane with the integer model. Needs denormals as zero on input and output and
 * rounding to nearest (level.c sets them). spec/speed.md 3 has the formulas and why they hold;
 * tests/engines compares them with the model. A result that rounds up to the smallest normal number
 * is that number on x86, which flushes what is tiny after rounding, and zero on Arm, which looks
 * before rounding (measured; SDM 4.9.1.5, Arm ARM A1.5.4): no tier relies on either.
 *
 * Tiers, for groups of FMA_GROUP lanes: TRY one hardware instruction, right where no bit of the
 * product is lost that the model would lose otherwise; FORMULA adds the low parts, rounded to odd
 * at the model's working unit; NONE and ALONE where only the addend or only the product counts; ALL
 * whatever comes, with the model for lanes outside the range of the formula.
 */
#ifndef TX_FAST_FMA_H
#define TX_FAST_FMA_H

#include "sem/fma.h"

#include <string.h>

enum { FMA_GROUP = 64, FMA_RETRY = 32 };

enum fma_tier { FMA_TRY, FMA_NONE, FMA_ALONE, FMA_FORMULA, FMA_ALL };
#define FMA_INF __builtin_inff()
#define FMA_EXP 0x7F800000u

TX_INLINE uint32_t fma_model(bool bh, uint32_t x, uint32_t y, uint32_t z)
{
    return bh ? fp32_fma_bh(x, y, z) : fp32_fma_wh(x, y, z);
}

#if defined(__AVX512F__)
#include "fast/fma_avx512.h"
#else

static inline float fma_float(uint32_t x)
{
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static inline uint32_t fma_bits(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
}

TX_INLINE float fma_abs(float f)
{
    return fma_float(fma_bits(f) & 0x7FFFFFFFu);
}

/*
 * 1 if the condition holds. Conditions are kept as numbers, since compilers turn them into branches
 * otherwise.
 */
#define FMA_IF(condition) ((condition) ? 1u : 0u)

/* Returns one of two values by a condition that is 0 or 1. */
TX_INLINE uint32_t fma_pick(uint32_t condition, uint32_t yes, uint32_t no)
{
    const uint32_t mask = 0u - condition;
    return (yes & mask) | (no & ~mask);
}

/* Returns the power of two with the exponent of x: 0 for denormals, Inf if x is not finite. */
TX_INLINE float fma_power(uint32_t x)
{
    return fma_float(x & 0x7F800000u);
}

/*
 * Returns whether Wormhole's ERR (spec/wormhole.md 2.6) is possible. It needs a sum of four times
 * the larger exponent, and a product without bits below two of the model's units.
 */
TX_INLINE uint32_t fma_may_err(float a, float b, float c, float h, float r)
{
    const float p = fma_power(fma_bits(a)) * fma_power(fma_bits(b));
    const float w = fma_power(fma_bits(c));
    const float top = w > p ? w : p;
    const float magic = top * 0.375f; /* 1.5 * 2^23 * 2^-25 */
    const float l = __builtin_fmaf(a, b, -h);
    return FMA_IF(fma_abs(r) >= 4.0f * top) & FMA_IF((l + magic) - magic == l);
}

/*
 * Tier TRY. Returns true if there is no cancellation and z keeps all its bits even when shifted to
 * the product: then hardware and model round the same sum.
 */
TX_INLINE bool fma_try(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float a = fma_float(x[i]);
        const float b = fma_float(y[i]);
        const float c = fma_float(z[i]);
        const float h = a * b;
        const float r = __builtin_fmaf(a, b, c);
        const float w = fma_abs(c);
        const float most = fma_abs(h) > w ? fma_abs(h) : w;
        const float twice = w + w;
        const float least = twice < fma_abs(r) ? twice : fma_abs(r);
        const uint32_t good =
            FMA_IF(most <= least + least) & FMA_IF(most >= 0x1p-80f) & FMA_IF(most < 0x1p127f);
        bad |= (good ^ 1u) | (bh ? 0 : fma_may_err(a, b, c, h, r));
        out[i] = fma_bits(r);
    }
    return bad == 0;
}

/*
 * Tier TRY for a z that is known to lie between 2^-79 and 2^125. Returns true if the product, also
 * before it was rounded, is below half of z: no cancellation beyond one bit, and what the product
 * loses below z's bits is sticky in both.
 */
TX_INLINE bool fma_bound(const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float a = fma_float(x[i]);
        const float b = fma_float(y[i]);
        const float c = fma_float(z[i]);
        const float h = fma_abs(a * b);
        bad |= FMA_IF(h + h < fma_abs(c)) ^ 1u;
        out[i] = fma_bits(__builtin_fmaf(a, b, c));
    }
    return bad == 0;
}

/*
 * Returns twice the power of two in a product, 0 if the product's exponent is negative or a factor
 * is zero.
 */
TX_INLINE float fma_twice(uint32_t x, uint32_t y)
{
    return fma_power(x) * (fma_power(y) + fma_power(y));
}

/*
 * Tier NONE: all products lie below the range or have a factor of zero, so that z and the product's
 * sign remain. Returns false if this is not so or a z is not finite.
 */
TX_INLINE bool fma_none(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                        uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(x[i]) * fma_float(y[i]) + fma_float(z[i]);
        bad |= (FMA_IF(fma_twice(x[i], y[i]) == 0) & FMA_IF(fma_power(z[i]) < FMA_INF)) ^ 1u;
        out[i] = fma_bits(bh ? r : r + 0.0f);
    }
    return bad == 0;
}

/*
 * Tier ALONE: all z lie so far below their products that the model drops them, so that the product
 * is rounded alone, to Inf above the range, and stays clear of the range's lower end. Returns false
 * if this is not so, for NaN, and on Wormhole for a factor of Inf.
 */
TX_INLINE bool fma_alone(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float px = fma_power(x[i]);
        const float py = fma_power(y[i]);
        const float p = px * py * 0x1p-26f;
        const float r = fma_float(x[i]) * fma_float(y[i]);
        bad |= (FMA_IF(fma_power(z[i]) < p) & FMA_IF(p > 0x1p-120f)) ^ 1u;
        bad |= (bh ? FMA_IF(r == r) : FMA_IF(px < FMA_INF) & FMA_IF(py < FMA_INF)) ^ 1u;
        out[i] = fma_bits(r);
    }
    return bad == 0;
}

/*
 * Rounds v to a multiple of the unit for which magic is 1.5 * 2^23 units; to the odd one if
 * inexact.
 */
TX_INLINE float fma_odd(float v, float magic)
{
    const float near = v + magic;
    const float rest = v - (near - magic); /* exact: at most half a unit; never -0 */
    const uint32_t below = fma_bits(near) - (fma_bits(rest) >> 31);
    return fma_float(below | FMA_IF(rest != 0)) - magic;
}

/* The formula of spec/speed.md 3.1. top, the larger exponent, must lie within its range. */
TX_INLINE float fma_formula(bool bh, float a, float b, float z, float p, float w, float top)
{
    const float c = w < p * 0x1p-26f ? 0.0f : z;
    const float magic = top * 0.1875f; /* 1.5 * 2^23 * 2^-26 */
    const float h = a * b;
    const float l = __builtin_fmaf(a, b, -h);
    const float g = h + c; /* h + c = g + e */
    const float t = g - h;
    const float e = (h - (g - t)) + (c - t);
    const float low = fma_odd(e, magic) + fma_odd(l, magic);
    float r = g + low;
    if (!bh) {
        /* ERR: the normalising shift by two loses its upper bit (spec/wormhole.md 2.6). */
        const float lost = low - (r - g);
        const float step = top * (14.0f * 0x1p-26f);
        const uint32_t bits = fma_bits(r);
        const float against = fma_float(fma_bits(step) | (~bits & SIGN32));
        r = fma_float(bits - (bits & FMA_IF(lost == against)));
    }
    const uint32_t far = FMA_IF(w > 4.0f * p);
    r = fma_float(fma_pick(far, fma_bits(__builtin_fmaf(a, b, z)), fma_bits(r)));
    return bh ? r : r + 0.0f;
}

/* Tier FORMULA. Returns false if a lane is outside the range of the formula. */
TX_INLINE bool fma_inside(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                          uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float p = fma_power(x[i]) * fma_power(y[i]);
        const float w = fma_power(z[i]);
        const float top = w > p ? w : p; /* NaN if p is, from Inf times zero */
        bad |= (FMA_IF(top >= 0x1p-75f) & FMA_IF(top < 0x1p123f)) ^ 1u;
        out[i] =
            fma_bits(fma_formula(bh, fma_float(x[i]), fma_float(y[i]), fma_float(z[i]), p, w, top));
    }
    return bad == 0;
}

/*
 * Tier ALL, one lane; near the ends of the range it is scaled by 2^64 and back. *model becomes
 * nonzero if the lane needs the model: results near the smallest number, and on Wormhole operands
 * that are not finite.
 */
TX_INLINE uint32_t fma_any(bool bh, uint32_t x, uint32_t y, uint32_t z, uint32_t *model)
{
    const int32_t ex = (int32_t)(x >> 23 & 255u);
    const int32_t ey = (int32_t)(y >> 23 & 255u);
    const int32_t ez = (int32_t)(z >> 23 & 255u);
    const int32_t pe = ex + ey - 127;
    const int32_t te = pe > ez ? pe : ez;
    const uint32_t beyond = FMA_IF(ex == 255) | FMA_IF(ey == 255) | FMA_IF(ez == 255);
    /* A product below the range vanishes, one above it is Inf, whatever the sum would have been. */
    const uint32_t none = FMA_IF(ex == 0) | FMA_IF(ey == 0) | FMA_IF(pe < 0);
    const uint32_t huge = FMA_IF(pe >= 255);
    const uint32_t small = FMA_IF(te < 52);
    const uint32_t shift = 64 * small - 64 * FMA_IF(te >= 250);
    const float scale = fma_float((127 + shift) << 23);
    const float back = fma_float((127 - shift) << 23);
    const float a = fma_float(x) * scale;
    const float b = fma_float(y);
    const float c = fma_float(z) * scale;
    const float p = fma_power(fma_bits(a)) * fma_power(y);
    const float w = fma_power(fma_bits(c));
    const uint32_t sign = (x ^ y) & SIGN32;
    uint32_t r = fma_bits(fma_formula(bh, a, b, c, p, w, w > p ? w : p) * back);
    r = fma_pick(huge, sign | FMA_EXP, r);
    r = fma_pick(none, fma_bits(fma_float(z) + fma_float(sign)), r);
    if (bh) {
        r = fma_pick(beyond, fma_bits(__builtin_fmaf(fma_float(x), b, fma_float(z))), r);
        r = fma_pick(FMA_IF((r & 0x7FFFFFFFu) > FMA_EXP), 0x7FC00000u, r);
    } else {
        r = fma_bits(fma_float(r) + 0.0f);
    }
    *model =
        (small & FMA_IF((r & 0x7FFFFFFFu) < 2u << 23) & ((none | beyond) ^ 1u)) | (bh ? 0 : beyond);
    return r;
}

TX_INLINE void fma_rest(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                        uint32_t *restrict out)
{
    uint32_t model[FMA_GROUP];
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        out[i] = fma_any(bh, x[i], y[i], z[i], &model[i]);
    }
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        if (model[i] != 0) {
            out[i] = fma_model(bh, x[i], y[i], z[i]);
        }
    }
}

/*
 * For a factor of 1.0. A sum of two numbers is exact below the range and flushed alike, so that
 * hardware and model differ in the pattern of a NaN only; and Wormhole never returns a negative
 * zero.
 */
TX_INLINE void fma_sum(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       const uint32_t *sum_of, uint32_t *restrict out)
{
    uint32_t nan = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(sum_of[i]) + fma_float(z[i]);
        const uint32_t bits = fma_bits(bh ? r : r + 0.0f);
        const bool is = (bits & 0x7FFFFFFFu) > FMA_EXP;
        nan |= FMA_IF(is);
        out[i] = is ? 0x7FC00000u : bits;
    }
    for (unsigned i = 0; !bh && nan != 0 && i < FMA_GROUP; i++) {
        out[i] = fma_model(bh, x[i], y[i], z[i]);
    }
}

/*
 * For z = +0. The result is a plain product if it is an ordinary number, and zero if the product
 * lies below the range or has a factor of zero.
 */
TX_INLINE void fma_times(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    uint32_t odd = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(x[i]) * fma_float(y[i]);
        out[i] = fma_bits(r);
        odd |= FMA_IF(fma_abs(r) >= 0x1p-125f) ^ 1u;
    }
    if (odd == 0) {
        return;
    }
    odd = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(x[i]) * fma_float(y[i]) + 0.0f;
        const uint32_t good = FMA_IF(fma_abs(r) >= 0x1p-125f) | FMA_IF(fma_twice(x[i], y[i]) == 0);
        out[i] = fma_bits(r);
        odd |= good ^ 1u;
    }
    if (odd != 0) {
        fma_rest(bh, x, y, z, out);
    }
}

#endif

/*
 * Computes a group in the tier where the last one succeeded. *tier holds an fma_tier and, in steps
 * of 8, the number of groups until FMA_TRY gets another chance; FMA_NONE and FMA_ALONE stay until a
 * group does not fit them. bound: z is known to lie well within the range, see fma_bound. out must
 * not overlap the operands.
 */
TX_INLINE void fma_group(bool bh, bool bound, const uint32_t *x, const uint32_t *y,
                         const uint32_t *z, uint32_t *restrict out, uint8_t *tier)
{
    unsigned is = *tier % 8u;
    *tier = *tier >= 16 ? (uint8_t)(*tier - 8) : FMA_TRY;
    if (is == FMA_TRY) {
        if (bound ? fma_bound(x, y, z, out) : fma_try(bh, x, y, z, out)) {
            return;
        }
        is = FMA_FORMULA;
        *tier = FMA_FORMULA + 8 * (FMA_RETRY - 1);
    }
    if (is == FMA_FORMULA) {
        if (fma_inside(bh, x, y, z, out)) {
            return;
        }
        is = FMA_NONE;
        *tier = FMA_ALL + 8 * (FMA_RETRY - 1);
    }
    if (is == FMA_NONE) {
        if (fma_none(bh, x, y, z, out)) {
            *tier = FMA_NONE;
            return;
        }
        is = FMA_ALONE;
    }
    if (is == FMA_ALONE && fma_alone(bh, x, y, z, out)) {
        *tier = FMA_ALONE;
        return;
    }
    fma_rest(bh, x, y, z, out);
}

#endif
