/* SPDX-License-Identifier: Apache-2.0 */
/* Exact integers and split FP32 words, shared by the arithmetic of the oracle. */
#ifndef ORACLE_EXACT_H
#define ORACLE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 swide;

static inline wide pow2(int n)
{
    return n <= 0 ? 1 : n < 128 ? (wide)1 << n : 0;
}

/* Nearest integer to m / 2^n, a half goes to the even neighbour; n may be negative. */
static inline uint64_t round_even(uint64_t m, int n)
{
    wide unit, quot, twice;

    if (n <= 0) {
        return (uint64_t)((wide)m * pow2(-n));
    }
    unit = pow2(n);
    quot = (wide)m / unit;
    twice = 2 * ((wide)m % unit);
    if (twice > unit || (twice == unit && quot % 2 == 1)) {
        quot += 1;
    }
    return (uint64_t)quot;
}

static inline int bit_length(uint64_t m)
{
    int n = 0;

    while (m != 0) {
        m /= 2;
        n += 1;
    }
    return n;
}

struct num {
    bool neg;
    int e;      /* biased exponent */
    uint32_t m; /* 24-bit significand, 0 for zero and denormal */
};

static inline struct num split(uint32_t w)
{
    struct num r;

    r.neg = w >= 0x80000000u;
    r.e = (int)(w / 0x800000u % 256u);
    r.m = r.e == 0 ? 0 : 0x800000u + w % 0x800000u;
    return r;
}

static inline bool is_nan(struct num n)
{
    return n.e == 255 && n.m != 0x800000u;
}

static inline bool is_inf(struct num n)
{
    return n.e == 255 && n.m == 0x800000u;
}

static inline uint32_t signed_bits(bool neg, uint32_t bits)
{
    return neg ? bits + 0x80000000u : bits;
}

#endif
