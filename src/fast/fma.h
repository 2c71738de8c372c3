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
 * product is lost that the model would lose otherwise; EXACT adds the low parts, rounded to odd at
 * the model's working unit; lanes outside its range go through the model.
 */
#ifndef TX_FAST_FMA_H
#define TX_FAST_FMA_H

#include "sem/fma.h"

#include <string.h>

enum { FMA_GROUP = 64, FMA_RETRY = 32 };
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
TX_INLINE uint32_t fma_try(const uint32_t *x, const uint32_t *y, const uint32_t *z,
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
    return bad;
}

/*
 * z between 2^-79 and 2^125, and the product at most half of it: no cancellation beyond one bit,
 * and what the product loses below z's bits is sticky in both.
 */
TX_INLINE uint32_t fma_bound(const uint32_t *x, const uint32_t *y, const uint32_t *z,
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
    return bad;
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

/*
 * *tier: 0 try first; else groups until the next attempt. out must not overlap the operands. bound:
 * z is known to lie well inside the range, see fma_bound.
 */
TX_INLINE void fma_group(bool bh, bool bound, const uint32_t *x, const uint32_t *y,
                         const uint32_t *z, uint32_t *restrict out, uint8_t *tier)
{
    uint8_t bad[FMA_GROUP];
    if (*tier == 0) {
        if ((bound ? fma_bound(x, y, z, out) : fma_try(x, y, z, out)) == 0) {
            return;
        }
        *tier = FMA_RETRY;
    } else {
        (*tier)--;
    }
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

#endif
