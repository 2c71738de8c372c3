/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accumulation into L1 by the packer. The exact sum of floats is rounded once, to nearest even; the
 * 16-bit formats have peculiarities. Source: ttsim 1.10.0, one implementation for both chips;
 * formats-and-scalar-unit.md C.8.7. INT32 is described only by a line of tt-isa-documentation's
 * page on L1 and refused by the simulator; pack.md 5.9, P13.
 */
#ifndef TX_FMT_L1_ACCUMULATE_H
#define TX_FMT_L1_ACCUMULATE_H

#include "base/bits.h"

/* sign is in bit 31; the value is man * 2^(exp - 62), with bit 62 of man set, or man is 0. */
struct l1_number {
    uint32_t sign;
    int32_t exp;
    uint64_t man;
};

/* Takes an FP32 pattern apart, where exponent 0 means zero and exponent 255 is an ordinary one. */
static inline struct l1_number l1_number(uint32_t x)
{
    const uint32_t e = x >> 23 & 0xFFu;
    const struct l1_number n = {x & SIGN32, (int32_t)e,
                                e == 0 ? 0 : (uint64_t)((x & 0x7FFFFFu) | 0x800000u) << 39};
    return n;
}

/*
 * Adds. A significand has 39 bits below it; what the smaller operand loses beyond them cannot
 * decide a rounding, because it is then too small to bring the sum near a tie.
 */
static inline struct l1_number l1_add(struct l1_number a, struct l1_number b)
{
    if (a.man == 0 || (b.man != 0 && (b.exp > a.exp || (b.exp == a.exp && b.man > a.man)))) {
        const struct l1_number swap = a;
        a = b;
        b = swap;
    }
    if (a.man == 0) {
        a.sign &= b.sign; /* -0 only if both are */
        return a;
    }
    if (b.man == 0) {
        return a;
    }
    const int32_t d = a.exp - b.exp;
    const uint64_t small = d > 62 ? 0 : b.man >> d;
    a.man = a.sign == b.sign ? a.man + small : a.man - small;
    if (a.man == 0) {
        a.sign = 0;
        return a;
    }
    if (a.man >> 63 != 0) {
        a.man >>= 1;
        a.exp++;
    }
    while (a.man >> 62 == 0) {
        a.man <<= 1;
        a.exp--;
    }
    return a;
}

/* Returns exponent and fraction, rounded; a carry runs into the exponent. exp must be positive. */
static inline uint32_t l1_round(int32_t exp, uint64_t man, unsigned fraction)
{
    const unsigned drop = 62 - fraction;
    const uint64_t low = man & ((UINT64_C(1) << 62) - 1);
    const uint64_t up = (UINT64_C(1) << (drop - 1)) - 1 + (low >> drop & 1u);
    return ((uint32_t)exp << fraction) + (uint32_t)((low + up) >> drop);
}

static inline bool l1_is_nan(uint32_t x)
{
    return (x & 0x7FFFFFFFu) > 0x7F800000u;
}

static inline bool l1_is_inf(uint32_t x)
{
    return (x & 0x7FFFFFFFu) == 0x7F800000u;
}

static inline uint32_t l1_accumulate_fp32(uint32_t old, uint32_t in)
{
    const bool opposite = l1_is_inf(old) && l1_is_inf(in) && old != in;
    if (l1_is_nan(old) || l1_is_nan(in) || opposite) {
        return 0x7FC00000u;
    }
    if (l1_is_inf(old) || l1_is_inf(in)) {
        return l1_is_inf(old) ? old : in;
    }
    const struct l1_number sum = l1_add(l1_number(old), l1_number(in));
    if (sum.man == 0 || sum.exp <= 0) {
        return sum.sign; /* a sum below the normal range is exact before it is flushed */
    }
    const uint32_t out = l1_round(sum.exp, sum.man, 23);
    return sum.sign | (out > 0x7F800000u ? 0x7F800000u : out);
}

/*
 * A NaN in L1 counts as larger than everything but Inf; an incoming NaN is the number that its bits
 * spell.
 */
static inline uint32_t l1_accumulate_bf16(uint32_t old, uint32_t in)
{
    const uint32_t a = old << 16;
    const uint32_t b = in << 16;
    if (l1_is_inf(a) && l1_is_inf(b)) {
        return a == b ? old : 0x7FC0u;
    }
    if (l1_is_inf(b)) {
        return in;
    }
    if (l1_is_inf(a) || l1_is_nan(a)) {
        return (old & 0x8000u) | 0x7F80u;
    }
    const struct l1_number sum = l1_add(l1_number(a), l1_number(b));
    if (sum.man == 0 || sum.exp <= 0) {
        return sum.sign >> 16;
    }
    const uint32_t out = l1_round(sum.exp, sum.man, 7);
    return sum.sign >> 16 | (out > 0x7F80u ? 0x7F80u : out);
}

/* Cancellation of large values and underflow both saturate, which are hardware bugs. */
static inline uint32_t l1_accumulate_fp16(uint32_t old, uint32_t in)
{
    /* 5-bit exponent at bits 27:23. */
    const uint32_t a = (old & 0x8000u) << 16 | (old & 0x7FFFu) << 13;
    const uint32_t b = (in & 0x8000u) << 16 | (in & 0x7FFFu) << 13;
    const struct l1_number sum = l1_add(l1_number(a), l1_number(b));
    const uint32_t sign = sum.sign >> 16;
    if (sum.man == 0) {
        return sign | ((old >> 10 & 31u) >= 30 ? 0x7FFFu : 0);
    }
    if (sum.exp <= 0) {
        return sign | (sum.exp < 0 ? 0x7FFFu : 0);
    }
    const uint32_t out = l1_round(sum.exp, sum.man, 10);
    return sign | (out > 0x7FFFu ? 0x7FFFu : out);
}

/* Adds sign and magnitude. Sums saturate at 2^31 - 1; a zero sum is +0, even of two -0. */
static inline uint32_t l1_accumulate_int32(uint32_t old, uint32_t in)
{
    const uint32_t a = old & 0x7FFFFFFFu;
    const uint32_t b = in & 0x7FFFFFFFu;
    const bool same = ((old ^ in) & SIGN32) == 0;
    const uint32_t magnitude = same ? a + b : a > b ? a - b : b - a;
    if (magnitude == 0) {
        return 0;
    }
    const uint32_t sign = (a > b ? old : in) & SIGN32;
    return sign | (magnitude > 0x7FFFFFFFu ? 0x7FFFFFFFu : magnitude);
}

#endif
