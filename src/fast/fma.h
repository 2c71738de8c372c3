/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of both chips over arrays, with this CPU's floating point where that is exact,
 * else lane by lane with the integer model. Needs denormals as zero on input and output and
 * rounding to nearest (fast.c sets them). spec/speed.md 3 has the formulas and why they hold;
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

/* One of two by a condition that is 0 or 1. */
TX_INLINE uint32_t fma_pick(uint32_t condition, uint32_t yes, uint32_t no)
{
    const uint32_t mask = 0u - condition;
    return (yes & mask) | (no & ~mask);
}

/* A power of two with the exponent of x; 0 for denormals, Inf where x is not finite. */
TX_INLINE float fma_power(uint32_t x)
{
    return fma_float(x & 0x7F800000u);
}

/*
 * No cancellation, and z keeps all its bits even when shifted to the product: then hardware and
 * model round the same sum.
 */
TX_INLINE bool fma_try(const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float a = fma_float(x[i]);
        const float b = fma_float(y[i]);
        const float c = fma_float(z[i]);
        const float h = fma_abs(a * b);
        const float r = __builtin_fmaf(a, b, c);
        const float w = fma_abs(c);
        const float most = h > w ? h : w;
        const float twice = w + w;
        const float least = twice < fma_abs(r) ? twice : fma_abs(r);
        const bool good = most <= least + least && most >= 0x1p-80f && most < 0x1p127f;
        bad |= good ? 0u : 1u;
        out[i] = fma_bits(r);
    }
    return bad == 0;
}

/*
 * z between 2^-79 and 2^125, and the product at most half of it: no cancellation beyond one bit,
 * and what the product loses below z's bits is sticky in both.
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
        bad |= h + h <= fma_abs(c) ? 0u : 1u;
        out[i] = fma_bits(__builtin_fmaf(a, b, c));
    }
    return bad == 0;
}

/* Twice the power of two in a product: 0 where the product's exponent is negative, or a zero. */
TX_INLINE float fma_twice(uint32_t x, uint32_t y)
{
    return fma_power(x) * (fma_power(y) + fma_power(y));
}

/*
 * All products lie below the range or have a factor of zero: what is left is z and their sign.
 * False where one does not, or z is not finite.
 */
TX_INLINE bool fma_none(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                        uint32_t *restrict out)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(x[i]) * fma_float(y[i]) + fma_float(z[i]);
        bad |= (fma_twice(x[i], y[i]) == 0 ? 0u : 1u) | (fma_power(z[i]) < FMA_INF ? 0u : 1u);
        out[i] = fma_bits(bh ? r : r + 0.0f);
    }
    return bad == 0;
}

/*
 * All z lie so far below their products that the model drops them, so that the product is rounded
 * alone: to Inf above the range, and far enough from its lower end. False for NaN, and on Wormhole
 * for factors of Inf.
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
        bad |= (fma_power(z[i]) < p ? 0u : 1u) | (p > 0x1p-120f ? 0u : 1u);
        bad |= bh ? (r == r ? 0u : 1u) : (px < FMA_INF ? 0u : 1u) | (py < FMA_INF ? 0u : 1u);
        out[i] = fma_bits(r);
    }
    return bad == 0;
}

static void fma_lanes(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                      uint32_t *out, const uint8_t *bad)
{
    for (unsigned at = 0; at < FMA_GROUP; at += 8) {
        uint64_t some;
        memcpy(&some, bad + at, sizeof some);
        for (unsigned i = at; some != 0 && i < at + 8; i++) {
            if (bad[i] != 0) {
                out[i] = fma_model(bh, x[i], y[i], z[i]);
            }
        }
    }
}

/* To a multiple of the unit that magic = 1.5 * 2^23 units stands for; odd where not exact. */
TX_INLINE float fma_odd(float v, float magic)
{
    const float near = v + magic;
    const float rest = v - (near - magic); /* exact: at most half a unit */
    const uint32_t bits = fma_bits(near);
    /* The neighbour on the side of v, where the nearest one is even. */
    const uint32_t next = rest > 0 ? bits + 1u : bits - 1u;
    return fma_float(rest != 0 && (bits & 1u) == 0 ? next : bits) - magic;
}

/* bad[i]: the lane lies outside the range in which the formula holds. */
TX_INLINE void fma_exact(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out, uint8_t *restrict bad)
{
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float a = fma_float(x[i]);
        const float b = fma_float(y[i]);
        const float p = fma_power(x[i]) * fma_power(y[i]);
        const float w = fma_power(z[i]);
        const float c = w < p * 0x1p-26f ? 0.0f : fma_float(z[i]);
        const float top = w > p ? w : p;   /* not a number where p is none: Inf times zero */
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
            r = fma_float(bits - (bits & (lost == against ? 1u : 0u)));
        }
        /*
         * A factor of zero leaves z; Blackhole's Inf and NaN are those of the hardware, but for
         * what a NaN looks like. Written with & and |, or compilers make branches of it.
         */
        const uint32_t ex = x[i] & FMA_EXP;
        const uint32_t ey = y[i] & FMA_EXP;
        const uint32_t beyond =
            (ex == FMA_EXP ? 1u : 0u) | (ey == FMA_EXP ? 1u : 0u) | (w < FMA_INF ? 0u : 1u);
        const uint32_t zero = ((ex == 0 ? 1u : 0u) | (ey == 0 ? 1u : 0u)) & (beyond ^ 1u);
        const uint32_t simple = zero | (bh ? beyond : 0u);
        const uint32_t far = w > 4.0f * p ? 1u : 0u;
        const uint32_t inside = (top >= 0x1p-75f ? 1u : 0u) & (top < 0x1p123f ? 1u : 0u);
        const float direct = __builtin_fmaf(a, b, fma_float(z[i]));
        uint32_t result = fma_pick(simple | far, fma_bits(direct), fma_bits(r));
        if (bh) {
            result = fma_pick((result & 0x7FFFFFFFu) > FMA_EXP ? 1u : 0u, 0x7FC00000u, result);
        } else {
            result = fma_pick(result == SIGN32 ? 1u : 0u, 0, result);
        }
        bad[i] = (uint8_t)((simple | inside) ^ 1u);
        out[i] = result;
    }
}

/* False: some lane lies outside the range of the formula. */
TX_INLINE bool fma_inside(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                          uint32_t *restrict out)
{
    uint8_t bad[FMA_GROUP];
    uint8_t any = 0;
    fma_exact(bh, x, y, z, out, bad);
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        any |= bad[i];
    }
    return any == 0;
}

TX_INLINE void fma_rest(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                        uint32_t *restrict out)
{
    uint8_t bad[FMA_GROUP];
    fma_exact(bh, x, y, z, out, bad);
    fma_lanes(bh, x, y, z, out, bad);
}

/*
 * One factor is 1.0: the sum of two numbers is exact below the range and flushed alike, so hardware
 * and model differ in what a NaN looks like only; and Wormhole has no negative zero as a result.
 */
TX_INLINE void fma_sum(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                       const uint32_t *sum_of, uint32_t *restrict out)
{
    uint32_t nan = 0;
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(sum_of[i]) + fma_float(z[i]);
        const uint32_t bits = fma_bits(bh ? r : r + 0.0f);
        const bool is = (bits & 0x7FFFFFFFu) > FMA_EXP;
        nan |= is ? 1u : 0u;
        out[i] = is ? 0x7FC00000u : bits;
    }
    for (unsigned i = 0; !bh && nan != 0 && i < FMA_GROUP; i++) {
        out[i] = fma_model(bh, x[i], y[i], z[i]);
    }
}

/*
 * z is +0: a plain product, and +0 where a factor is zero or the product lies far below the range.
 * The model decides near the range's end, and what NaN looks like on Wormhole.
 */
TX_INLINE void fma_times(bool bh, const uint32_t *x, const uint32_t *y, const uint32_t *z,
                         uint32_t *restrict out)
{
    uint32_t odd = 0;
    uint8_t bad[FMA_GROUP];
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const float r = fma_float(x[i]) * fma_float(y[i]) + 0.0f;
        out[i] = fma_bits(r);
        odd |= fma_abs(r) >= 0x1p-125f ? 0u : 1u;
    }
    if (odd == 0) {
        return;
    }
    for (unsigned i = 0; i < FMA_GROUP; i++) {
        const uint32_t ex = x[i] & FMA_EXP;
        const uint32_t ey = y[i] & FMA_EXP;
        const uint32_t bits = out[i];
        const uint32_t nan = (bits & 0x7FFFFFFFu) > FMA_EXP ? 1u : 0u;
        const uint32_t none = ((ex == 0 ? 1u : 0u) | (ey == 0 ? 1u : 0u)) & (nan ^ 1u);
        const float far = fma_power(x[i]) * 0x1p32f * fma_power(y[i]);
        const uint32_t plain = fma_abs(fma_float(bits)) >= 0x1p-125f ? 1u : 0u;
        const uint32_t good = plain | none | (far < 0x1p-96f ? 1u : 0u) | (bh ? nan : 0u);
        bad[i] = (uint8_t)(good ^ 1u);
        out[i] = fma_pick(nan, 0x7FC00000u, bits);
    }
    fma_lanes(bh, x, y, z, out, bad);
}

#endif

/*
 * *tier: an fma_tier, and in steps of 8 the groups until FMA_TRY gets another chance; FMA_NONE and
 * FMA_ALONE stay until a group refuses. bound: z is known to lie well inside the range, see
 * fma_bound. out must not overlap the operands.
 */
TX_INLINE void fma_group(bool bh, bool bound, const uint32_t *x, const uint32_t *y,
                         const uint32_t *z, uint32_t *restrict out, uint8_t *tier)
{
    unsigned is = *tier % 8u;
    *tier = *tier >= 16 ? (uint8_t)(*tier - 8) : FMA_TRY;
    if (is == FMA_TRY) {
        if (bound ? fma_bound(x, y, z, out) : fma_try(x, y, z, out)) {
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
