/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bodies of words.h that unpackers and packers take for whole rows, one pass each. Included by
 * words_body.h.
 */
#ifndef TX_FMT_WORDS_UNITS_H
#define TX_FMT_WORDS_UNITS_H

#include "fmt/l1_accumulate.h"

#include <float.h>

/* ---- data of L1 ---- */

static inline uint16_t words_swap16(uint16_t x)
{
    return words_little() ? x : (uint16_t)(x >> 8 | (x & 255u) << 8);
}

static inline uint32_t words_swap32(uint32_t x)
{
    return words_little() ? x : x >> 24 | (x >> 8 & 0xFF00u) | (x << 8 & 0xFF0000u) | x << 24;
}

/* Sixteen data of two or four bits, one to a byte. */
static inline void words_bytes4(const uint8_t *in, uint8_t out[16])
{
    for (unsigned i = 0; i < 8; i++) {
        out[2 * i] = in[i] & 15u;
        out[2 * i + 1] = in[i] >> 4;
    }
}

static inline void words_bytes2(const uint8_t *in, uint8_t out[16])
{
    for (unsigned i = 0; i < 4; i++) {
        out[4 * i] = in[i] & 3u;
        out[4 * i + 1] = in[i] >> 2 & 3u;
        out[4 * i + 2] = in[i] >> 4 & 3u;
        out[4 * i + 3] = in[i] >> 6;
    }
}

static void words_take(unsigned bits, const uint8_t *in, size_t count, uint32_t *words)
{
    uint8_t bytes[16];
    switch (bits) {
    case 32:
        memcpy(words, in, count * sizeof *words);
        for (size_t i = 0; !words_little() && i < count; i++) {
            words[i] = words_swap32(words[i]);
        }
        return;
    case 16:
        words_widen(in, count, words);
        return;
    case 8:
        for (size_t i = 0; i < count; i++) {
            words[i] = in[i];
        }
        return;
    default:
        for (size_t done = 0; done < count; done += 16) {
            if (bits == 4) {
                words_bytes4(in + done / 2, bytes);
            } else {
                words_bytes2(in + done / 4, bytes);
            }
            for (unsigned i = 0; i < 16; i++) {
                words[done + i] = bytes[i];
            }
        }
    }
}

static void words_give(unsigned bits, const uint32_t *words, size_t count, uint8_t *out)
{
    switch (bits) {
    case 32:
        memcpy(out, words, count * sizeof *words);
        for (size_t i = 0; !words_little() && i < count; i++) {
            const uint32_t x = words_swap32(words[i]);
            memcpy(out + 4 * i, &x, sizeof x);
        }
        return;
    case 16:
        words_narrow(words, count, out);
        return;
    case 8:
        for (size_t i = 0; i < count; i++) {
            out[i] = (uint8_t)words[i];
        }
        return;
    case 4:
        for (size_t i = 0; i < count / 2; i++) {
            out[i] = (uint8_t)(words[2 * i] | words[2 * i + 1] << 4);
        }
        return;
    default:
        for (size_t i = 0; i < count / 4; i++) {
            const uint32_t *const w = words + 4 * i;
            out[i] = (uint8_t)(w[0] | w[1] << 2 | w[2] << 4 | w[3] << 6);
        }
    }
}

/* ---- cells of Src ---- */

/* Data of L1 lie at any address. */
typedef uint16_t __attribute__((aligned(1), may_alias)) words_le16;
typedef uint32_t __attribute__((aligned(1), may_alias)) words_le32;

/* Block formats as FP32 by the pass that arrays take, then cells of these. */
static void words_src_block(enum fused_width width, const uint8_t *in, const uint8_t *exponents,
                            size_t count, uint32_t *cells)
{
    WORDS_FUSED.unpack_bfp[width](exponents, in, count / 16, cells, false);
    for (size_t i = 0; i < count; i++) {
        cells[i] = src_from_tf32(cells[i] >> 13);
    }
}

#define WORDS_BLOCK(name, width)                                                      \
    static void src_##name(const uint8_t *in, const uint8_t *exponents, size_t count, \
                           uint32_t *restrict cells)                                  \
    {                                                                                 \
        words_src_block(width, in, exponents, count, cells);                          \
    }
WORDS_BLOCK(bfp8, FUSED_7)
WORDS_BLOCK(bfp4, FUSED_3)
WORDS_BLOCK(bfp2, FUSED_1)
#undef WORDS_BLOCK

#define WORDS_SRC(name, type, swap, expression)                                  \
    static void src_##name(const uint8_t *in, const uint8_t *none, size_t count, \
                           uint32_t *restrict cells)                             \
    {                                                                            \
        const type *const v = (const type *)in;                                  \
        (void)none;                                                              \
        for (size_t i = 0; i < count; i++) {                                     \
            const uint32_t x = swap(v[i]);                                       \
            cells[i] = (expression);                                             \
        }                                                                        \
    }
static inline uint8_t words_same8(uint8_t x)
{
    return x;
}
WORDS_SRC(bf16, words_le16, words_swap16, (x << 3 & 0x40000u) | (x & 0x7Fu) << 11 | (x << 17 >> 24))
WORDS_SRC(fp16, words_le16, words_swap16, src_from_fp16(x))
WORDS_SRC(int16, words_le16, words_swap16, src_from_dst8(x))
WORDS_SRC(int8, uint8_t, words_same8, src_from_fp16(unpack_int8(x)))
WORDS_SRC(uint8, uint8_t, words_same8, src_from_fp16(unpack_magnitude(0, x)))
WORDS_SRC(fp32_tf32, words_le32, words_swap32, src_from_tf32(x >> 13))
WORDS_SRC(fp32_bf16, words_le32, words_swap32, src_from_tf32(unpack_fp32_bf16(x) << 3))
WORDS_SRC(fp32_fp16, words_le32, words_swap32, src_from_fp16(fp32_to_fp16_keep(x)))
#undef WORDS_SRC

static void words_src(enum words_src kind, const uint8_t *in, const uint8_t *exponents,
                      size_t count, uint32_t *cells)
{
    typedef void src_fn(const uint8_t *in, const uint8_t *exponents, size_t count, uint32_t *cells);
    static src_fn *const kinds[WORDS_SRCS] = {[WORDS_SRC_BF16] = src_bf16,
                                              [WORDS_SRC_FP16] = src_fp16,
                                              [WORDS_SRC_INT16] = src_int16,
                                              [WORDS_SRC_INT8] = src_int8,
                                              [WORDS_SRC_UINT8] = src_uint8,
                                              [WORDS_SRC_FP32_TF32] = src_fp32_tf32,
                                              [WORDS_SRC_FP32_BF16] = src_fp32_bf16,
                                              [WORDS_SRC_FP32_FP16] = src_fp32_fp16,
                                              [WORDS_SRC_BFP8] = src_bfp8,
                                              [WORDS_SRC_BFP4] = src_bfp4,
                                              [WORDS_SRC_BFP2] = src_bfp2};
    kinds[kind](in, exponents, count, cells);
}

/* ---- cells of Dst ---- */

static void words_split(const uint32_t *restrict cells, size_t count, uint16_t *restrict high,
                        uint16_t *restrict low)
{
    for (size_t i = 0; i < count; i++) {
        high[i] = (uint16_t)(cells[i] >> 16);
        low[i] = (uint16_t)cells[i];
    }
}

static void words_halves(const uint8_t *restrict in, size_t count, uint16_t *restrict high,
                         uint16_t *restrict low)
{
    const words_le32 *const v = (const words_le32 *)in;
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = words_swap32(v[i]);
        high[i] = (uint16_t)bf16_to_cell(x >> 16);
        low[i] = (uint16_t)x;
    }
}

static void words_wide(const uint16_t *restrict high, const uint16_t *restrict low, size_t count,
                       uint32_t *restrict words)
{
    for (size_t i = 0; i < count; i++) {
        words[i] = fp32_from_cell((uint32_t)high[i] << 16 | low[i]);
    }
}

/* ---- packing ---- */

static void words_relu(const struct words_relu *how, uint32_t *words, size_t count)
{
    const uint32_t sign = how->sign;
    const uint32_t threshold = how->threshold;
    if (how->zero) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t x = (words[i] & sign) == 0 ? words[i] : 0;
            words[i] = x <= threshold ? 0 : x;
        }
    } else if (how->clamp) {
        const unsigned ignored = how->ignored;
        for (size_t i = 0; i < count; i++) {
            const uint32_t x = (words[i] & sign) == 0 ? words[i] : 0;
            words[i] = x >> ignored > threshold >> ignored ? threshold : x;
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            words[i] = (words[i] & sign) == 0 ? words[i] : 0;
        }
    }
}

static void words_mask(uint32_t columns, uint32_t masked, uint32_t words[16])
{
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t kept = 0u - (columns >> i & 1u);
        words[i] = (words[i] & kept) | (masked & ~kept);
    }
}

/*
 * Sums of floats, rounded once to nearest even by the processor's own addition of FP32: two
 * significands of 8 or 11 bits whose sum has more than 24 are so far apart that the smaller one
 * decides no rounding. Operands below the normal range are zeros of their sign, and sums there
 * become zeros, both before the addition could meet them.
 */
static inline float words_float(uint32_t x)
{
    float value;
    memcpy(&value, &x, sizeof value);
    return value;
}

static inline uint32_t words_bits(float value)
{
    uint32_t x;
    memcpy(&x, &value, sizeof x);
    return x;
}

static inline uint32_t words_flushed(uint32_t x)
{
    return (x & 0x7F800000u) == 0 ? x & 0x80000000u : x;
}

static inline uint32_t words_sum(uint32_t a, uint32_t b)
{
    return words_bits(words_float(words_flushed(a)) + words_float(words_flushed(b)));
}

static inline uint32_t words_add_fp32(uint32_t old, uint32_t in)
{
    if (FLT_EVAL_METHOD != 0) { /* rounded twice */
        return l1_accumulate_fp32(old, in);
    }
    const uint32_t sum = words_flushed(words_sum(old, in));
    return (sum & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : sum;
}

/* Neither has exponent 255. */
static inline uint32_t words_add_bf16(uint32_t old, uint32_t in)
{
    const uint32_t sum = words_flushed(words_sum(old << 16, in << 16));
    return (sum + 0x7FFFu + (sum >> 16 & 1u)) >> 16;
}

/*
 * An exponent of five bits is moved up by 64, so that sums below its range are ordinary numbers
 * here. Below it they saturate, and so do zeros of large numbers (l1_accumulate_fp16).
 */
static inline uint32_t words_fp16_up(uint32_t x)
{
    const uint32_t up = (x & 0x7FFFu) << 13;
    return (x & 0x8000u) << 16 | (up < 1u << 23 ? 0 : up + (64u << 23));
}

static inline uint32_t words_add_fp16(uint32_t old, uint32_t in)
{
    const uint32_t sum =
        words_bits(words_float(words_fp16_up(old)) + words_float(words_fp16_up(in)));
    const uint32_t sign = sum >> 16 & 0x8000u;
    const uint32_t magnitude = sum & 0x7FFFFFFFu;
    const uint32_t rounded = ((magnitude + 0xFFFu + (magnitude >> 13 & 1u)) >> 13) - (64u << 10);
    const uint32_t capped = rounded > 0x7FFFu ? 0x7FFFu : rounded;
    const uint32_t none = (old >> 10 & 31u) >= 30 ? 0x7FFFu : 0;
    const uint32_t small = magnitude < 64u << 23 ? 0x7FFFu : 0;
    const uint32_t normal = magnitude >= 65u << 23 ? capped : small;
    return sign | (magnitude == 0 ? none : normal);
}

#define WORDS_ADD(name, type, swap, expression)                                               \
    static void add_##name(const uint8_t *restrict old, uint8_t *restrict data, size_t count) \
    {                                                                                         \
        const type *const a = (const type *)old;                                              \
        type *const b = (type *)data;                                                         \
        for (size_t i = 0; i < count; i++) {                                                  \
            const uint32_t x = swap(a[i]);                                                    \
            const uint32_t y = swap(b[i]);                                                    \
            b[i] = swap((type)(expression));                                                  \
        }                                                                                     \
    }
WORDS_ADD(fp32, words_le32, words_swap32, words_add_fp32(x, y))
WORDS_ADD(int32, words_le32, words_swap32, l1_accumulate_int32(x, y))
WORDS_ADD(bf16, words_le16, words_swap16, words_add_bf16(x, y))
WORDS_ADD(bf16_any, words_le16, words_swap16, l1_accumulate_bf16(x, y))
WORDS_ADD(fp16, words_le16, words_swap16, words_add_fp16(x, y))
#undef WORDS_ADD

/* Returns whether a BF16 has exponent 255. */
static bool words_special(const uint8_t *data, size_t count)
{
    uint16_t special = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t x = words_swap16(((const words_le16 *)data)[i]);
        special = (uint16_t)(special | ((x & 0x7F80u) == 0x7F80u ? 1u : 0u));
    }
    return special != 0;
}

static void words_add(enum words_add kind, const uint8_t *old, uint8_t *data, size_t count)
{
    typedef void add_fn(const uint8_t *old, uint8_t *data, size_t count);
    static add_fn *const kinds[] = {[WORDS_ADD_FP32] = add_fp32,
                                    [WORDS_ADD_BF16] = add_bf16,
                                    [WORDS_ADD_FP16] = add_fp16,
                                    [WORDS_ADD_INT32] = add_int32};
    const bool any =
        kind == WORDS_ADD_BF16 && (words_special(old, count) || words_special(data, count));
    (any ? add_bf16_any : kinds[kind])(old, data, count);
}

#endif
