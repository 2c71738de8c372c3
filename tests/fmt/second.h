/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second statement of every conversion, from the text of formats-and-scalar-unit.md part C and,
 * for SFPLOAD and SFPSTORE, from tests/oracle. It works on fields and on numbers with their
 * remainders where the library shifts and masks whole words; nothing is shared with it.
 */
#ifndef TEST_FMT_SECOND_H
#define TEST_FMT_SECOND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle_num.h"

/* Bits h..l of x. */
static inline uint32_t sl(uint32_t x, unsigned h, unsigned l)
{
    return (uint32_t)((uint64_t)x >> l & ((UINT64_C(1) << (h - l + 1)) - 1));
}

/* Sign, exponent of eb bits and mantissa of mb bits; put joins them, most significant first. */
struct fields {
    uint32_t s, e, m;
};

static inline struct fields get(uint32_t x, unsigned eb, unsigned mb)
{
    const struct fields f = {sl(x, eb + mb, eb + mb), sl(x, eb + mb - 1, mb), sl(x, mb - 1, 0)};
    return f;
}

static inline uint32_t put(uint32_t s, uint32_t e, uint32_t m, unsigned eb, unsigned mb)
{
    return (s * (1u << eb) + e) * (1u << mb) + m;
}

/* ---- cells: s.m.e ---- */

static inline uint32_t cell(uint32_t x, unsigned eb, unsigned mb, unsigned cell_mb,
                            unsigned cell_eb)
{
    const struct fields f = get(x, eb, mb);
    return (f.s * (1u << cell_mb) + f.m * (1u << (cell_mb - mb))) * (1u << cell_eb) + f.e;
}

static inline uint32_t plain(uint32_t c, unsigned eb, unsigned mb, unsigned cell_mb,
                             unsigned cell_eb)
{
    const uint32_t s = sl(c, cell_mb + cell_eb, cell_mb + cell_eb);
    const uint32_t m = sl(c, cell_mb + cell_eb - 1, cell_eb);
    return put(s, c % (1u << eb), m / (1u << (cell_mb - mb)), eb, mb);
}

static inline uint32_t dst32(uint32_t x)
{
    return cell(x / 65536, 8, 7, 7, 8) * 65536 + x % 65536;
}

static inline uint32_t dst32_plain(uint32_t y)
{
    return plain(y / 65536, 8, 7, 7, 8) * 65536 + y % 65536;
}

/* Dst half to Src cell: "BF16 style" leaves out bits 10:8, "FP16 style" bits 7:5. */
static inline uint32_t d2s_bf(uint32_t y)
{
    return sl(y, 15, 8) * 2048 + sl(y, 7, 0);
}

static inline uint32_t d2s_h(uint32_t y)
{
    return sl(y, 15, 5) * 256 + sl(y, 4, 0);
}

static inline uint32_t zeroed(uint32_t c)
{
    return c % 256 == 0 ? 0 : c;
}

static inline uint32_t s2d_bf(uint32_t c)
{
    return sl(c, 18, 11) * 256 + sl(c, 7, 0);
}

static inline uint32_t s2d_h(uint32_t c)
{
    return sl(c, 18, 8) * 32 + sl(c, 4, 0);
}

static inline uint32_t s2d_32(uint32_t c)
{
    return s2d_bf(c) * 65536 + sl(c, 10, 8) * 8192;
}

/* ---- narrowing by truncation ---- */

/* e - 112: below 0 signed zero, above 31 7FFF, else s.e.m10. */
static inline uint32_t to_fp16(uint32_t x)
{
    const struct fields f = get(x, 8, 23);
    const int e = (int)f.e - 112;
    if (e < 0) {
        return put(f.s, 0, 0, 5, 10);
    }
    if (e > 31) {
        return put(f.s, 31, 1023, 5, 10);
    }
    return put(f.s, (uint32_t)e, f.m / 8192, 5, 10);
}

static inline uint32_t flush_signed_bf16(uint32_t x)
{
    const struct fields f = get(x, 8, 23);
    return f.e == 0 ? put(f.s, 0, 0, 8, 7) : put(f.s, f.e, f.m / 65536, 8, 7);
}

/* ---- unpacker ---- */

static inline uint32_t e5m2(bool bh, uint32_t x)
{
    return bh && x % 128 == 127 ? x / 128 * 0x8000 + 0x7FFF : x * 256;
}

static inline uint32_t e4m3(uint32_t x)
{
    const struct fields f = get(x, 4, 3);
    const uint32_t low = f.e == 15 && f.m == 7 ? 127 : 0;
    return put(f.s, f.e != 0 ? f.e + 8 : 0, f.m * 128 + low, 5, 10);
}

static inline uint32_t overlay(uint32_t s, uint32_t mag)
{
    return put(s, mag != 0 ? 16 : 0, mag, 5, 10);
}

/* mag of w bits, leading one moved up one place at a time. mod: 256 or 32. */
static inline uint32_t bfp(uint32_t exponent, uint32_t d, unsigned w, bool a)
{
    const uint32_t s = d >> w;
    uint32_t mag = d % (1u << w);
    uint32_t e = exponent;
    if (mag == 0) {
        return s == 0 ? 0 : a ? 0xFC00 : 0xFF80;
    }
    for (; mag < 1u << (w - 1); mag *= 2) {
        e = e - 1;
    }
    const uint32_t fraction = mag - (1u << (w - 1)); /* of w - 1 bits */
    return a ? put(s, e % 32, fraction << (11 - w), 5, 10)
             : put(s, e % 256, fraction << (8 - w), 8, 7);
}

/* ---- packer, early ---- */

static inline bool nan32(uint32_t x)
{
    return sl(x, 30, 23) == 255 && sl(x, 22, 0) != 0;
}

/* Magnitude to a multiple of 2^k, ties up; exponent 0 afterwards gives +0. */
static inline uint32_t rnd(uint32_t x, unsigned k)
{
    const uint32_t unit = 1u << k;
    uint32_t mag = x % 0x80000000u;
    if (nan32(x)) {
        mag = 0x7F800000u;
    }
    const uint32_t rest = mag % unit;
    mag = mag - rest + (2 * rest >= unit ? unit : 0);
    return mag < 0x00800000u ? 0 : x / 0x80000000u * 0x80000000u + mag;
}

/* Rounded to six mantissa bits after a cut to seven. */
static inline uint32_t e8m6(uint32_t x)
{
    const uint32_t s = x / 0x80000000u * 0x8000u;
    uint32_t mag = nan32(x) ? 0x7F80u : x % 0x80000000u / 65536;
    mag += mag % 2;
    return mag < 0x80 ? 0 : s + mag;
}

static inline uint32_t early_bf(uint32_t x)
{
    const struct fields f = get(x, 8, 7);
    return f.e == 0 ? 0 : f.e == 255 && f.m != 0 ? put(f.s, 255, 0, 8, 7) : x;
}

static inline uint32_t e5m6(uint32_t x)
{
    const uint32_t s = x / 0x8000 * 0x8000;
    uint32_t mag = x % 0x8000;
    if (mag > 0x7FF7) {
        mag = 0x7FF0;
    }
    mag = mag / 16 * 16 + (mag % 16 >= 8 ? 16 : 0);
    return mag < 0x400 ? 0 : s + mag;
}

static inline uint32_t to_int8(uint32_t x, unsigned shift)
{
    const uint64_t mag = x % 0x80000000u;
    const uint64_t unit = UINT64_C(1) << shift;
    const uint64_t q = mag / unit + (shift != 0 && 2 * (mag % unit) >= unit ? 1 : 0);
    return x / 0x80000000u * 128 + (q < 127 ? (uint32_t)q : 127);
}

static inline uint32_t to_uint8(uint32_t x, unsigned shift)
{
    const uint64_t unit = UINT64_C(1) << shift;
    const uint64_t q = x / unit + (shift != 0 && 2 * (x % unit) >= unit ? 1 : 0);
    return x >= 0x80000000u ? 0 : q < 255 ? (uint32_t)q : 255;
}

/* ---- packer, late ---- */

static inline uint32_t fp16_fp32(uint32_t x)
{
    const struct fields f = get(x, 5, 10);
    return put(f.s, f.e != 0 ? f.e + 112 : 0, f.m * 8192, 8, 23);
}

static inline uint32_t fp16_bf16(uint32_t x)
{
    const struct fields f = get(x, 5, 10);
    return f.e == 0 ? 0 : put(f.s, f.e + 112, f.m / 8, 8, 7);
}

static inline uint32_t fp16_e4m3(uint32_t x)
{
    const struct fields f = get(x, 5, 10);
    return f.e <= 8 ? f.s * 128 : f.e >= 24 ? f.s * 128 + 127 : put(f.s, f.e - 8, f.m / 128, 4, 3);
}

/* ---- window ---- */

static inline uint32_t sm_to_int(uint32_t s, uint32_t mag)
{
    return s != 0 ? (uint32_t) - (int64_t)mag : mag;
}

static inline uint32_t int_to_sm(uint32_t x, unsigned bits)
{
    const uint64_t half = UINT64_C(1) << (bits - 1);
    if (x < half) {
        return x;
    }
    const uint64_t mag = 2 * half - x;
    return (uint32_t)(half + (mag < half ? mag : half - 1));
}

static inline uint32_t window_int8(uint32_t v)
{
    const uint32_t mag = (0x180 - v - (v == 0x80 ? 1 : 0)) % 256;
    return v >= 0x80 ? 0x8000 + mag * 32 + 16 : v * 32 + (v != 0 ? 16 : 0);
}

/* ---- host, with the floating point of the host ---- */

static inline double number(uint32_t x)
{
    const struct fields f = get(x, 8, 23);
    const double man = f.e == 0 ? f.m / 8388608.0 : 1.0 + f.m / 8388608.0;
    const double magnitude = ldexp(man, (f.e == 0 ? 1 : (int)f.e) - 127);
    return f.s != 0 ? -magnitude : magnitude;
}

/* Nearest even at 2^-mb of the binade, by nearbyint. magnitude normal. */
static inline double nearest(double magnitude, unsigned mb)
{
    const int e = ilogb(magnitude);
    return ldexp(nearbyint(ldexp(magnitude, (int)mb - e)), e - (int)mb);
}

/* The 5-bit formats of Tensix; the pattern of FP16 with mb mantissa bits. */
static inline uint32_t host_fp16(uint32_t x, unsigned mb)
{
    const uint32_t s = x >> 31;
    const uint32_t ones = (1u << mb) - 1;
    if (sl(x, 30, 23) == 255) {
        return put(s, 31, ones, 5, mb);
    }
    if (sl(x, 30, 23) < 100) {
        return put(s, 0, 0, 5, mb);
    }
    const double r = nearest(fabs(number(x)), mb);
    if (r >= 131072.0 || r < ldexp(1, -14)) {
        return r < 1 ? put(s, 0, 0, 5, mb) : put(s, 31, ones, 5, mb);
    }
    const int e = ilogb(r);
    return put(s, (uint32_t)(e + 15), (uint32_t)ldexp(ldexp(r, -e) - 1, (int)mb), 5, mb);
}

static inline uint32_t host_e4m3(uint32_t x)
{
    const uint32_t s = x >> 31;
    if (nan32(x)) {
        return 0x7F;
    }
    if (sl(x, 30, 23) == 255) {
        return s * 128 + 0x77;
    }
    const double v = fabs(number(x));
    if (v < ldexp(1, -6)) {
        return s * 128;
    }
    const double r = nearest(v, 3);
    if (r > 240.0) {
        return s * 128 + 0x77;
    }
    const int e = ilogb(r);
    return put(s, (uint32_t)(e + 7), (uint32_t)ldexp(ldexp(r, -e) - 1, 3), 4, 3);
}

/* Keeps the top bits of an FP32, remainder against half, ties to even. */
static inline uint32_t host_cut(uint32_t x, unsigned k)
{
    const uint32_t unit = 1u << k;
    if (nan32(x)) {
        return (x | 0x400000u) / unit * unit;
    }
    const uint32_t rest = x % unit;
    const uint32_t q = x / unit;
    return (q + (2 * rest > unit || (2 * rest == unit && q % 2 == 1) ? 1 : 0)) * unit;
}

static inline uint32_t host_fp16_fp32(uint32_t x)
{
    const struct fields f = get(x, 5, 10);
    return f.e == 0 ? put(f.s, 0, 0, 8, 23) : put(f.s, f.e + 112, f.m * 8192, 8, 23);
}

static inline uint32_t host_e4m3_fp32(uint32_t x)
{
    const struct fields f = get(x, 4, 3);
    return f.e == 15  ? 0x7FC00000u
           : f.e == 0 ? put(f.s, 0, 0, 8, 23)
                      : put(f.s, f.e + 120, f.m * 1048576, 8, 23);
}

static inline uint32_t host_bfp(uint32_t exponent, uint32_t d, unsigned w, bool a)
{
    const uint32_t s = d >> w;
    uint32_t mag = d % (1u << w);
    int e = (int)exponent;
    if (mag == 0) {
        return put(s, 0, 0, 8, 23);
    }
    for (; mag < 1u << (w - 1); mag *= 2) {
        e--;
    }
    const uint32_t m = (mag - (1u << (w - 1))) << (24 - w);
    if (a) {
        return put(s, (uint32_t)(e + 112) % 256, m, 8, 23);
    }
    return e < 0 ? put(s, 0, 0, 8, 23) : put(s, (uint32_t)e, m, 8, 23);
}

/* id, what it must give; x has its input bits, bh is the chip */
#define SECOND(S)                                                                       \
    S(CELL_SRC_TF32, cell(x, 8, 10, 10, 8))                                             \
    S(CELL_SRC_TF32_PLAIN, plain(x, 8, 10, 10, 8))                                      \
    S(CELL_SRC_BF16, cell(x, 8, 7, 10, 8))                                              \
    S(CELL_SRC_BF16_PLAIN, plain(x, 8, 7, 10, 8))                                       \
    S(CELL_SRC_FP16, cell(x, 5, 10, 10, 8))                                             \
    S(CELL_SRC_FP16_PLAIN, plain(x, 5, 10, 10, 8))                                      \
    S(CELL_SRC_INT16, sl(x, 15, 8) * 2048 + sl(x, 7, 0))                                \
    S(CELL_SRC_INT16_PLAIN, sl(x, 18, 11) * 256 + sl(x, 7, 0))                          \
    S(CELL_DST_BF16, cell(x, 8, 7, 7, 8))                                               \
    S(CELL_DST_BF16_PLAIN, plain(x, 8, 7, 7, 8))                                        \
    S(CELL_DST_FP16, cell(x, 5, 10, 10, 5))                                             \
    S(CELL_DST_FP16_PLAIN, plain(x, 5, 10, 10, 5))                                      \
    S(CELL_DST_32, dst32(x))                                                            \
    S(CELL_DST_32_PLAIN, dst32_plain(x))                                                \
    S(UNPACK_FP32_TF32, sl(x, 31, 13))                                                  \
    S(UNPACK_FP32_BF16, flush_signed_bf16(x))                                           \
    S(UNPACK_FP32_FP16, to_fp16(x))                                                     \
    S(UNPACK_E5M2_FP16, e5m2(bh, x))                                                    \
    S(UNPACK_E4M3_FP16, e4m3(x))                                                        \
    S(UNPACK_INT8, overlay(x / 128, x % 128))                                           \
    S(UNPACK_UINT8, overlay(0, x))                                                      \
    S(UNPACK_BFP8_BF16, bfp(x / 256, x % 256, 7, false))                                \
    S(UNPACK_BFP4_BF16, bfp(x / 16, x % 16, 3, false))                                  \
    S(UNPACK_BFP2_BF16, bfp(x / 4, x % 4, 1, false))                                    \
    S(UNPACK_BFP8A_FP16, bfp(x / 256, x % 256, 7, true))                                \
    S(UNPACK_BFP4A_FP16, bfp(x / 16, x % 16, 3, true))                                  \
    S(UNPACK_BFP2A_FP16, bfp(x / 4, x % 4, 1, true))                                    \
    S(MOVD2X_BF16, d2s_bf(x))                                                           \
    S(MOVD2X_FP16, d2s_h(x))                                                            \
    S(MOVD2X_TF32_32, (sl(x, 31, 24) * 8 + sl(x, 15, 13)) * 256 + sl(x, 23, 16))        \
    S(MOVD2X_BF16_HI, d2s_bf(x / 65536))                                                \
    S(MOVD2X_FP16_HI, d2s_h(x / 65536))                                                 \
    S(MOVD2X_BF16_LO, d2s_bf(x % 65536))                                                \
    S(MOVD2X_FP16_LO, d2s_h(x % 65536))                                                 \
    S(MOVD2X_TF32_LO, sl(x, 12, 0))                                                     \
    S(MOVX2D_BF16, s2d_bf(zeroed(x)))                                                   \
    S(MOVX2D_BF16_KEEP, s2d_bf(x))                                                      \
    S(MOVX2D_FP16, s2d_h(zeroed(x)))                                                    \
    S(MOVX2D_FP16_KEEP, s2d_h(x))                                                       \
    S(MOVX2D_TF32, s2d_32(zeroed(x)))                                                   \
    S(MOVX2D_TF32_KEEP, s2d_32(x))                                                      \
    S(MOVB2A, zeroed(x))                                                                \
    S(SFPLOAD_FP16, orc_dst_load(bh, 1, x, 0, false))                                   \
    S(SFPLOAD_FP16_INF, orc_dst_load(bh, 1, x, 0, true))                                \
    S(SFPLOAD_BF16, orc_dst_load(bh, 2, x, 0, false))                                   \
    S(SFPLOAD_FP32, orc_dst_load(bh, 3, x, 0, false))                                   \
    S(SFPLOAD_INT32, orc_dst_load(bh, 4, x, 0, false))                                  \
    S(SFPLOAD_INT8, orc_dst_load(bh, 5, x, 0, false))                                   \
    S(SFPLOAD_UINT16, orc_dst_load(bh, 6, x, 0, false))                                 \
    S(SFPLOAD_HI16, orc_dst_load(bh, 7, x, 0, false))                                   \
    S(SFPLOAD_INT16, orc_dst_load(bh, 8, x, 0, false))                                  \
    S(SFPLOAD_LO16, orc_dst_load(bh, 9, x, 0, false))                                   \
    S(SFPLOAD_INT32_SM, orc_dst_load(bh, 12, x, 0, false))                              \
    S(SFPLOAD_INT8_COMP, orc_dst_load(bh, 13, x, 0, false))                             \
    S(SFPLOADI_FP16, put(x / 32768, sl(x, 14, 10) + 112, sl(x, 9, 0) * 8192, 8, 23))    \
    S(SFPSTORE_FP16, orc_dst_store(bh, 1, x))                                           \
    S(SFPSTORE_BF16, orc_dst_store(bh, 2, x))                                           \
    S(SFPSTORE_FP32, orc_dst_store(bh, 3, x))                                           \
    S(SFPSTORE_INT32, orc_dst_store(bh, 4, x))                                          \
    S(SFPSTORE_INT8, orc_dst_store(bh, 5, x))                                           \
    S(SFPSTORE_UINT16, orc_dst_store(bh, 6, x))                                         \
    S(SFPSTORE_HI16, orc_dst_store(bh, 7, x))                                           \
    S(SFPSTORE_INT16, orc_dst_store(bh, 8, x))                                          \
    S(SFPSTORE_LO16, orc_dst_store(bh, 9, x))                                           \
    S(SFPSTORE_INT32_SM, orc_dst_store(bh, 12, x))                                      \
    S(SFPSTORE_INT8_COMP, orc_dst_store(bh, 13, x))                                     \
    S(SFPSTORE_HI16_ONLY, orc_dst_store(bh, 15, x))                                     \
    S(PACK_EARLY_FP32_TF32, rnd(x, 13))                                                 \
    S(PACK_EARLY_FP32_BF16, rnd(x, 16) / 65536)                                         \
    S(PACK_EARLY_FP32_BF16_RAW, x / 65536)                                              \
    S(PACK_EARLY_FP32_E8M6, e8m6(x))                                                    \
    S(PACK_EARLY_FP32_FP16, to_fp16(rnd(x, 13)))                                        \
    S(PACK_EARLY_INT32_INT8, to_int8(x, 0))                                             \
    S(PACK_EARLY_INT32_INT8_RAW, sl(x, 31, 31) * 128 + sl(x, 6, 0))                     \
    S(PACK_EARLY_INT32_UINT8, to_uint8(x, 0))                                           \
    S(PACK_EARLY_INT32_UINT8_RAW, x % 256)                                              \
    S(PACK_EARLY_INT32_INT16, dst32(x) / 65536)                                         \
    S(PACK_EARLY_BF16, early_bf(x))                                                     \
    S(PACK_EARLY_BF16_E8M6, early_bf(x) + early_bf(x) % 2)                              \
    S(PACK_EARLY_BF16_TF32, early_bf(x) * 65536)                                        \
    S(PACK_EARLY_BF16_FP16, to_fp16(x * 65536))                                         \
    S(PACK_EARLY_FP16, sl(x, 14, 10) == 0 ? 0 : x)                                      \
    S(PACK_EARLY_FP16_E5M6, e5m6(x))                                                    \
    S(PACK_EARLY_FP16_E5M7, x - x % 8)                                                  \
    S(PACK_EARLY_FP16_E5M2, sl(x, 15, 8))                                               \
    S(PACK_EARLY_CELL_INT8, sl(x, 15, 15) * 128)                                        \
    S(PACK_LATE_BF16_FP32, x * 65536)                                                   \
    S(PACK_LATE_FP16_FP32, fp16_fp32(x))                                                \
    S(PACK_LATE_FP16_BF16, fp16_bf16(x))                                                \
    S(PACK_LATE_FP32_BF16, sl(x, 30, 23) == 0 ? 0 : x / 65536)                          \
    S(PACK_LATE_FP32_FP16, to_fp16(x))                                                  \
    S(PACK_LATE_BF16_FP16, to_fp16(x * 65536))                                          \
    S(PACK_LATE_FP32_E5M2, to_fp16(x) / 256)                                            \
    S(PACK_LATE_BF16_E5M2, to_fp16(x * 65536) / 256)                                    \
    S(PACK_LATE_FP16_E5M2, (sl(x, 14, 10) == 0 ? x / 32768 * 32768 : x) / 256)          \
    S(PACK_LATE_FP16_E4M3, fp16_e4m3(x))                                                \
    S(PACK_LATE_FP32_E5M7, to_fp16(x) / 8 * 8)                                          \
    S(PACK_LATE_BF16_E5M7, to_fp16(x * 65536) / 8 * 8)                                  \
    S(PACK_LATE_FP16_E5M7, (sl(x, 14, 10) == 0 ? x / 32768 * 32768 : x) / 8 * 8)        \
    S(PACK_L1_32_INT16, sl(x, 31, 16))                                                  \
    S(PACK_L1_16_INT32, x * 65536)                                                      \
    S(PACK_L1_16_INT8, sl(x, 15, 8))                                                    \
    S(PACK_L1_8_BF16, put(x / 128, 0, x % 128, 8, 7))                                   \
    S(PACK_L1_8_E5M7, put(x / 128, 0, x % 128 * 8, 5, 10))                              \
    S(PACK_L1_8_INT32, x * 16777216)                                                    \
    S(PACK_L1_8_INT16, x * 256)                                                         \
    S(WINDOW_LOAD_INT32, sm_to_int(dst32_plain(x) >> 31, dst32_plain(x) % 0x80000000u)) \
    S(WINDOW_LOAD_INT16, sm_to_int(x / 32768, x % 32768))                               \
    S(WINDOW_LOAD_INT8, sm_to_int(x / 32768, sl(x, 11, 5)))                             \
    S(WINDOW_LOAD_UINT8, sl(x, 12, 5))                                                  \
    S(WINDOW_STORE_INT32, dst32(int_to_sm(x, 32)))                                      \
    S(WINDOW_STORE_INT16, int_to_sm(x, 16))                                             \
    S(WINDOW_STORE_INT8, window_int8(x))                                                \
    S(WINDOW_STORE_UINT8, x * 32 + (x != 0 ? 16 : 0))                                   \
    S(HOST_FP32_TF32, host_cut(x, 13))                                                  \
    S(HOST_FP32_BF16, host_cut(x, 16) / 65536)                                          \
    S(HOST_FP32_FP16, host_fp16(x, 10))                                                 \
    S(HOST_FP32_E5M2, host_fp16(x, 2))                                                  \
    S(HOST_FP32_E4M3, host_e4m3(x))                                                     \
    S(HOST_BF16_FP32, x * 65536)                                                        \
    S(HOST_FP16_FP32, host_fp16_fp32(x))                                                \
    S(HOST_E5M2_FP32, host_fp16_fp32(x * 256))                                          \
    S(HOST_E4M3_FP32, host_e4m3_fp32(x))                                                \
    S(HOST_BFP8_FP32, host_bfp(x / 256, x % 256, 7, false))                             \
    S(HOST_BFP4_FP32, host_bfp(x / 16, x % 16, 3, false))                               \
    S(HOST_BFP2_FP32, host_bfp(x / 4, x % 4, 1, false))                                 \
    S(HOST_BFP8A_FP32, host_bfp(x / 256, x % 256, 7, true))                             \
    S(HOST_BFP4A_FP32, host_bfp(x / 16, x % 16, 3, true))                               \
    S(HOST_BFP2A_FP32, host_bfp(x / 4, x % 4, 1, true))                                 \
    S(HOST_I32_SM32, int_to_sm(x, 32))                                                  \
    S(HOST_SM32_I32, sm_to_int(x >> 31, x % 0x80000000u))                               \
    S(HOST_I16_SM16, int_to_sm(x, 16))                                                  \
    S(HOST_SM16_I16, sm_to_int(x >> 15, x % 32768) % 65536)                             \
    S(HOST_I8_SM8, int_to_sm(x, 8))                                                     \
    S(HOST_SM8_I8, sm_to_int(x >> 7, x % 128) % 256)

#endif
