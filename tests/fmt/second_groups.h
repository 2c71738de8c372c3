/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Second statements of what needs more than one value: BFP groups by the packer and by tt-metal's
 * host, and L1 accumulation in the host's floating point.
 */
#ifndef TEST_FMT_SECOND_GROUPS_H
#define TEST_FMT_SECOND_GROUPS_H

#include <tensix/formats.h>

#include "second.h"

#include <string.h>

static const enum tx_format block_formats[] = {TX_FORMAT_BFP8,  TX_FORMAT_BFP4,  TX_FORMAT_BFP2,
                                               TX_FORMAT_BFP8A, TX_FORMAT_BFP4A, TX_FORMAT_BFP2A};
#define BLOCK_FORMATS (sizeof block_formats / sizeof block_formats[0])

/* splitmix64 */
static inline uint32_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 16);
}

/* C.8.5: largest exponent; M / 2^(d+1) to the nearest, ties up; 128 becomes 127; then cut. */
static inline void second_pack(const uint16_t in[16], bool a, unsigned w, uint8_t *exponent,
                               uint8_t out[16])
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < 16; i++) {
        const struct fields f = a ? get(in[i], 5, 10) : get(in[i], 8, 7);
        if (f.e >= largest) {
            largest = f.e;
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        const struct fields f = a ? get(in[i], 5, 10) : get(in[i], 8, 7);
        const uint32_t m = (a ? f.m / 8 : f.m) + (f.e != 0 ? 128 : 0);
        uint32_t q = 0;
        if (largest - f.e < 8) {
            const uint32_t unit = 2u << (largest - f.e);
            q = m / unit + (m % unit >= unit / 2 ? 1 : 0);
        }
        q = q > 127 ? 127 : q;
        q = w == 7 ? q : w == 3 ? q / 16 : q / 64;
        out[i] = (uint8_t)(q == 0 ? 0 : q + (f.s != 0 ? 1u << w : 0));
    }
    *exponent = (uint8_t)largest;
}

/* part D: 24 bits, aligned by cutting, then to the nearest, ties to even. */
static inline void second_pack_host(const uint32_t in[16], bool a, unsigned w, uint8_t *exponent,
                                    uint8_t out[16])
{
    int e[16];
    int largest = 0;
    for (unsigned i = 0; i < 16; i++) {
        e[i] = (int)sl(in[i], 30, 23);
        if (a) {
            e[i] = e[i] - 112 < 0 ? 0 : e[i] - 112 > 31 ? 31 : e[i] - 112;
        }
        largest = e[i] > largest ? e[i] : largest;
    }
    for (unsigned i = 0; i < 16; i++) {
        uint64_t man = 8388608u + sl(in[i], 22, 0);
        const uint64_t unit = UINT64_C(1) << (24 - w);
        if (a && sl(in[i], 30, 23) > 143) {
            man = 16777215;
        } else if (a && sl(in[i], 30, 23) < 112) {
            man = 8388608;
        }
        for (int k = e[i]; k < largest; k++) {
            man /= 2;
        }
        uint64_t q = man / unit;
        const uint64_t rest = man % unit;
        q += rest > unit / 2 || (rest == unit / 2 && q % 2 == 1) ? 1 : 0;
        q = q >= UINT64_C(1) << w ? (UINT64_C(1) << w) - 1 : q;
        q = sl(in[i], 30, 0) == 0 ? 0 : q;
        out[i] = (uint8_t)(q == 0 ? 0 : q + (in[i] >> 31 != 0 ? 1u << w : 0));
    }
    *exponent = (uint8_t)largest;
}

/* Directed by n: any bits; near one exponent; ties; denormals and zeros; Inf and NaN mixed in. */
static inline uint32_t group_word(unsigned n, uint32_t base, uint64_t *seed)
{
    const uint32_t r = next(seed);
    switch (n % 5) {
    case 0:
        return r;
    case 1:
        return (r & 0x807FFFFFu) | ((base + r % 12) & 0xFFu) << 23;
    case 2: /* few mantissa bits, so that ties are common */
        return (r & 0x80000000u) | ((base + (r >> 8) % 10) & 0xFFu) << 23 | (r & 0x7F0000u);
    case 3:
        return (r & 0x807FFFFFu) | ((r >> 24) % 3) << 23;
    default:
        return r % 7 == 0 ? (r & 0x80000000u) | 0x7F800000u | (r >> 5 & 0x30000u)
                          : (r & 0x80000000u) | (r % 3 == 0 ? 0 : r & 0x7FFF0000u);
    }
}

static inline bool packer_agrees(enum tx_format format, unsigned n, uint64_t *seed)
{
    const bool a = tx_format_info(format)->exponent_bits == 5;
    uint16_t in[16];
    uint8_t got[16], want[16], e1, e2;
    const uint32_t base = next(seed);
    for (unsigned i = 0; i < 16; i++) {
        in[i] = (uint16_t)(group_word(n, base, seed) >> (n / 5 % 2 == 0 ? 16 : 9));
    }
    tx_bfp_pack(format, in, &e1, got);
    second_pack(in, a, tx_format_info(format)->mantissa_bits, &e2, want);
    return e1 == e2 && memcmp(got, want, 16) == 0;
}

static inline bool host_agrees(enum tx_format format, unsigned n, uint64_t *seed)
{
    const bool a = tx_format_info(format)->exponent_bits == 5;
    uint32_t in[16];
    uint8_t got[16], want[16], e1, e2;
    const uint32_t base = a ? 105 + next(seed) % 45 : next(seed);
    for (unsigned i = 0; i < 16; i++) {
        in[i] = group_word(n, base, seed);
    }
    tx_bfp_pack_host(format, in, &e1, got);
    second_pack_host(in, a, tx_format_info(format)->mantissa_bits, &e2, want);
    return e1 == e2 && memcmp(got, want, 16) == 0;
}

/* ---- L1 accumulation, C.8.7 ---- */

static inline float as_float(uint32_t x)
{
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static inline uint32_t flushed(uint32_t x)
{
    return sl(x, 30, 23) == 0 ? x / 0x80000000u * 0x80000000u : x;
}

static inline uint32_t second_accumulate_fp32(uint32_t old, uint32_t in)
{
    const volatile float sum = as_float(flushed(old)) + as_float(flushed(in));
    const float stored = sum;
    uint32_t x;
    memcpy(&x, &stored, sizeof x);
    return nan32(x) ? 0x7FC00000u : flushed(x);
}

/* (-1)^s * (1 + m / 2^mb) * 2^e as a double; exact sums of two of them round once below. */
static inline double make_double(uint32_t s, int e, uint32_t m, unsigned mb)
{
    const uint64_t bits = (uint64_t)s << 63 | (uint64_t)(e + 1023) << 52 | (uint64_t)m << (52 - mb);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

struct rounded {
    int e;
    uint32_t m;
};

/* A double's exponent and mb mantissa bits, remainder against half, ties to even. */
static inline struct rounded round_double(double d, unsigned mb)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    const uint64_t unit = UINT64_C(1) << (52 - mb);
    const uint64_t man = bits % (UINT64_C(1) << 52) + (UINT64_C(1) << 52);
    uint64_t q = man / unit;
    const uint64_t rest = man % unit;
    q += 2 * rest > unit || (2 * rest == unit && q % 2 == 1) ? 1 : 0;
    struct rounded r = {(int)(bits >> 52 & 2047) - 1023, 0};
    if (q == UINT64_C(2) << mb) {
        r.e++;
        q /= 2;
    }
    r.m = (uint32_t)(q - (UINT64_C(1) << mb));
    return r;
}

/* The number that a 16-bit operand stands for. */
static inline double bf16_operand(uint32_t x, bool in_l1)
{
    const struct fields f = get(x, 8, 7);
    if (f.e == 0) {
        return f.s != 0 ? -0.0 : 0.0;
    }
    if (f.e == 255 && f.m == 0) {
        return f.s != 0 ? -HUGE_VAL : HUGE_VAL;
    }
    return make_double(f.s, f.e == 255 && in_l1 ? 1000 : (int)f.e - 127, f.m, 7);
}

static inline uint32_t second_accumulate_bf16(uint32_t old, uint32_t in)
{
    const double a = bf16_operand(old, true);
    const double b = bf16_operand(in, false);
    if (isinf(a) && isinf(b) && a != b) {
        return 0x7FC0;
    }
    const double sum = a + b;
    const uint32_t s = signbit(sum) ? 1 : 0;
    const double mag = fabs(sum);
    if (mag < 0x1p-126) {
        return put(s, 0, 0, 8, 7);
    }
    const struct rounded r = round_double(mag, 7);
    return isinf(mag) || r.e > 127 ? put(s, 255, 0, 8, 7)
                                   : put(s, (uint32_t)(r.e + 127), r.m, 8, 7);
}

static inline double fp16_operand(uint32_t x)
{
    const struct fields f = get(x, 5, 10);
    return f.e != 0 ? make_double(f.s, (int)f.e - 15, f.m, 10) : f.s != 0 ? -0.0 : 0.0;
}

static inline uint32_t second_accumulate_fp16(uint32_t old, uint32_t in)
{
    const double sum = fp16_operand(old) + fp16_operand(in);
    const uint32_t s = signbit(sum) ? 1 : 0;
    const double mag = fabs(sum);
    if (mag == 0) {
        return get(old, 5, 10).e >= 30 ? put(s, 31, 1023, 5, 10) : put(s, 0, 0, 5, 10);
    }
    if (mag < 0x1p-14) { /* result exponent 0: zero; below: saturated */
        return mag >= 0x1p-15 ? put(s, 0, 0, 5, 10) : put(s, 31, 1023, 5, 10);
    }
    const struct rounded r = round_double(mag, 10);
    return r.e > 16 ? put(s, 31, 1023, 5, 10) : put(s, (uint32_t)(r.e + 15), r.m, 5, 10);
}

/* pack.md 5.9: the sum of the numbers, cut to what sign and magnitude hold. */
static inline uint32_t second_accumulate_int32(uint32_t old, uint32_t in)
{
    const int64_t most = INT64_C(2147483647);
    const int64_t x = old >> 31 ? -(int64_t)(old - 0x80000000u) : (int64_t)old;
    const int64_t y = in >> 31 ? -(int64_t)(in - 0x80000000u) : (int64_t)in;
    const int64_t sum = x + y > most ? most : x + y < -most ? -most : x + y;
    return sum < 0 ? 0x80000000u + (uint32_t)-sum : (uint32_t)sum;
}

static inline uint32_t accumulate_operand(unsigned n, uint64_t *seed)
{
    return group_word(n, 120, seed);
}

#endif
