/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Matrix Unit's arithmetic on one Dst cell, in integers. A term is M * 2^-23 * 2^(E - bias);
 * two terms and the old Dst value are aligned to the largest exponent, added exactly and rounded
 * once (32-bit Dst) or twice (16-bit Dst). There are no denormals, no NaN and no -0; the largest
 * exponent is an ordinary binade until a result reaches it. Source: spec/matrix-unit.md section 6,
 * which was compared with the vendor's simulator on 66 million cells; silicon evidence in its
 * section 9.
 */
#ifndef TX_MATRIX_EXACT_H
#define TX_MATRIX_EXACT_H

#include <stdint.h>

#include "base/bits.h"

/* What the arithmetic depends on, of the style and of the Dst view. */
struct exact_kind {
    uint8_t wide;          /* 32-bit Dst view */
    uint8_t exp8;          /* operands with eight exponent bits: BF16 and TF32 style */
    uint8_t phase;         /* fidelity phase, 0..3 */
    uint8_t arithmetic_wh; /* Wormhole's normaliser, see exact_normalise */
};

/* An operand from a Src bank. */
struct exact_operand {
    uint8_t sign;
    uint8_t one; /* it has a leading one; else it is zero, whatever the mantissa */
    uint8_t exponent;
    uint16_t mantissa; /* 10 bits, without the leading one */
};

struct exact_term {
    int32_t e;
    int32_t m;
};

/* floor(v / 2^d + 1/2): halves go up, so that those of negative numbers go toward zero. */
static inline int32_t exact_half_up(int32_t v, unsigned d)
{
    return d == 0 ? v : (v + (INT32_C(1) << (d - 1))) >> d;
}

/* Halves go away from zero. */
static inline int32_t exact_half_away(int32_t v, unsigned d)
{
    const uint32_t magnitude = (uint32_t)(v < 0 ? -v : v);
    const uint32_t rounded = d == 0 ? magnitude : (magnitude + (1u << (d - 1))) >> d;
    return v < 0 ? -(int32_t)rounded : (int32_t)rounded;
}

/* Returns the constant part of a product's exponent, to which those of its operands are added. */
static inline int32_t exact_bias(const struct exact_kind *k)
{
    const int32_t base = k->exp8 != 0 ? -127 : k->wide != 0 ? 97 : -15;
    return base - ((k->phase & 1u) != 0 ? 5 : 0) - ((k->phase & 2u) != 0 ? 7 : 0);
}

/* The five bits of SrcA's mantissa and the seven of SrcB's that the multiplier sees in a phase. */
static inline int32_t exact_part_a(uint32_t mantissa, unsigned phase)
{
    return (int32_t)((phase & 1u) != 0 ? mantissa >> 1 & 31u : 16u | mantissa >> 6);
}

static inline int32_t exact_part_b(uint32_t mantissa, unsigned phase)
{
    return (int32_t)((phase & 2u) != 0 ? (mantissa & 15u) << 3 : 64u | mantissa >> 4);
}

/* One product; m is the 12-bit product itself, not yet in units of a term. */
static inline struct exact_term exact_product(const struct exact_kind *k, struct exact_operand a,
                                              struct exact_operand b)
{
    const int32_t bias = exact_bias(k);
    if (a.one == 0 || b.one == 0) {
        const struct exact_term zero = {bias > 0 ? bias : 0, 0};
        return zero;
    }
    const int32_t p = exact_part_a(a.mantissa, k->phase) * exact_part_b(b.mantissa, k->phase);
    const struct exact_term t = {a.exponent + b.exponent + bias, a.sign != b.sign ? -p : p};
    return t;
}

/*
 * Eight products of one group: each is rounded to the unit of the largest, zeros counting with
 * their exponent; the sum is exact. Beyond 30 places nothing is left of a 12-bit product.
 */
static inline struct exact_term exact_group(const struct exact_term p[8])
{
    struct exact_term sum = {p[0].e, 0};
    for (unsigned k = 1; k < 8; k++) {
        sum.e = p[k].e > sum.e ? p[k].e : sum.e;
    }
    if (sum.e <= 0) {
        sum.e = 0;
        return sum;
    }
    for (unsigned k = 0; k < 8; k++) {
        const int32_t d = sum.e - p[k].e;
        sum.m += exact_half_away(p[k].m, (unsigned)(d > 30 ? 30 : d));
    }
    sum.m *= 1 << 13;
    return sum;
}

/* One product as a term, for ELWMUL. */
static inline struct exact_term exact_single(const struct exact_kind *k, struct exact_operand a,
                                             struct exact_operand b)
{
    struct exact_term t = exact_product(k, a, b);
    if (t.e <= 0) {
        const int32_t bias = exact_bias(k);
        t.e = bias > 0 ? bias : 0;
        t.m = 0;
    } else {
        t.m *= 1 << 13;
    }
    return t;
}

/* a + b; the smaller one is rounded to the unit of the larger. */
static inline struct exact_term exact_sum(const struct exact_kind *k, struct exact_operand a,
                                          struct exact_operand b)
{
    const uint32_t order_a = (uint32_t)a.exponent << 10 | a.mantissa;
    const uint32_t order_b = (uint32_t)b.exponent << 10 | b.mantissa;
    const struct exact_operand large = order_a >= order_b ? a : b;
    const struct exact_operand small = order_a >= order_b ? b : a;
    const int32_t ml = large.one != 0 ? 1024 + large.mantissa : 0;
    const int32_t ms = small.one != 0 ? 1024 + small.mantissa : 0;
    const unsigned d = (unsigned)(large.exponent - small.exponent);
    const int32_t aligned = d < 12 ? exact_half_away(ms, d) : 0;
    struct exact_term t = {large.exponent, 0};
    t.m = ((large.sign != 0 ? -ml : ml) + (small.sign != 0 ? -aligned : aligned)) * (1 << 13);
    if (k->wide != 0 && k->exp8 == 0) {
        t.e = large.exponent != 0 ? large.exponent + 112 : 97;
    }
    if (t.m != 0) { /* a fidelity phase divides the sum; nobody documents it well (M9) */
        t.e -= ((k->phase & 1u) != 0 ? 5 : 0) + ((k->phase & 2u) != 0 ? 7 : 0);
    }
    return t;
}

/*
 * Sign, exponent and fraction of an exact sum t whose unit is 2^(x - 23): rounded to 23, 7 or 10
 * fraction bits, halves away. The value is in plain FP32, BF16 or FP16 order. Wormhole's leading
 * sign counter is wrong for the sum -1 (tt-metal #38306): the result is 2^27 times too large.
 */
static inline uint32_t exact_normalise(const struct exact_kind *k, int32_t x, int32_t t)
{
    const unsigned keep = k->wide != 0 ? 23 : k->exp8 != 0 ? 7 : 10;
    const bool five = k->wide == 0 && k->exp8 == 0;
    const uint32_t sign = t < 0 ? 1u : 0u;
    uint32_t magnitude = (uint32_t)(t < 0 ? -t : t);
    int32_t e = x;
    if (t == 0) {
        return 0;
    }
    if (t == -1 && k->arithmetic_wh != 0 && k->wide != 0) {
        e = x + 4;
        magnitude = 1u << keep;
    } else {
        const unsigned n = 31u - bits_clz(magnitude);
        e = x + (int32_t)n - 23;
        if (n > keep) {
            magnitude = (magnitude + (1u << (n - keep - 1))) >> (n - keep);
            if (magnitude >> (keep + 1) != 0) {
                magnitude >>= 1;
                e++;
            }
        } else {
            magnitude <<= keep - n;
        }
    }
    if (e <= 0) {
        return 0;
    }
    const uint32_t fraction = magnitude & ((1u << keep) - 1u);
    if (five) {
        return e >= 32 ? sign << 15 | 0x7FFFu : sign << 15 | (uint32_t)e << 10 | fraction;
    }
    return (e >= 255 ? sign << 8 | 255u : sign << 8 | (uint32_t)e) << keep |
           (e >= 255 ? 0u : fraction);
}

/* The new content of a Dst cell; old and the result are in plain order of the Dst type. */
static inline uint32_t exact_accumulate(const struct exact_kind *k, struct exact_term t0,
                                        struct exact_term t1, uint32_t old)
{
    const bool five = k->wide == 0 && k->exp8 == 0;
    const unsigned keep = k->wide != 0 ? 23 : k->exp8 != 0 ? 7 : 10;
    const int32_t ed = (int32_t)(old >> keep & (five ? 31u : 255u));
    const bool negative = (old >> (keep + (five ? 5 : 8)) & 1u) != 0;
    int32_t md = ed == 0 ? 0 : (int32_t)((1u << keep | (old & ((1u << keep) - 1u))) << (23 - keep));
    md = negative ? -md : md;
    int32_t x = t0.e > t1.e ? t0.e : t1.e;
    x = ed > x ? ed : x;
    if (x <= 0) {
        return 0;
    }
    int32_t m0 = x - t0.e >= 31 ? 0 : exact_half_up(t0.m, (unsigned)(x - t0.e));
    int32_t m1 = x - t1.e >= 31 ? 0 : exact_half_up(t1.m, (unsigned)(x - t1.e));
    md = x - ed >= 31 ? 0 : exact_half_away(md, (unsigned)(x - ed));
    if (k->wide == 0) { /* ten fraction bits below 2^x are all the accumulator has here */
        m0 = exact_half_up(m0, 13) * (1 << 13);
        m1 = exact_half_up(m1, 13) * (1 << 13);
        md = exact_half_away(md, 13) * (1 << 13);
    }
    return exact_normalise(k, x, m0 + m1 + md);
}

#endif
