/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every one-operand behaviour as a pair of functions of one word: what the body computes, and what
 * the oracle says. mix(x) gives a second, random-looking word where one is needed (draw, shift).
 */
#ifndef TEST_NUM_BODIES_H
#define TEST_NUM_BODIES_H

#include "oracle/oracle_num.h"
#include "num/prng.h"
#include "sem/all.h"

static inline uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

static inline uint32_t boxed(struct sem_out (*body)(const struct tx_op *, const struct sem_in *),
                             unsigned mode, unsigned rnd, uint32_t imm, uint32_t b, uint32_t c,
                             uint32_t draw)
{
    const struct tx_op op = {.mode = (uint8_t)mode, .rnd = (uint8_t)rnd, .imm = imm};
    const struct sem_in in = {.b = b, .c = c, .draw = draw, .arithmetic_bh = true};
    return body(&op, &in).value;
}

/* Rule stoch-compare: what is dropped, shifted to the threshold's place, against all its 23 bits.
 */
static inline uint32_t want_shifted(uint32_t x, uint32_t unit, uint32_t p)
{
    const uint32_t rest = x % unit;
    const uint32_t exponent = x / 0x800000u % 256u;
    const uint32_t whole = x - rest + ((uint64_t)rest * (0x800000u / unit) >= p ? unit : 0);
    return exponent == 0 ? 0 : exponent == 255 ? x / 0x800000u * 0x800000u : whole;
}

/* name, what the emulator gives, what the oracle gives; x is the word, r = mix(x) */
#define BODIES(P)                                                                                  \
    P(cast_rne, boxed(sem_sfpcast_rne, 0, 0, 0, 0, x, 0), orc_cast_sm32_fp32_rne(x))               \
    P(cast_rns, boxed(sem_sfpcast_rns, 1, 0, 0, 0, x, r), orc_cast_sm32_fp32_stoch(x, r))          \
    P(cast_rns_0, boxed(sem_sfpcast_rns, 1, 0, 0, 0, x, 0), orc_cast_sm32_fp32_stoch(x, 0))        \
    P(cast_abs, boxed(sem_sfpcast_abs, 2, 0, 0, 0, x, 0), orc_abs_int(x))                          \
    P(cast_sm, boxed(sem_sfpcast_sm, 3, 0, 0, 0, x, 0), orc_cast_int_sm(x))                        \
    P(abs_int, boxed(sem_sfpabs, 0, 0, 0, 0, x, 0), orc_abs_int(x))                                \
    P(abs_float, boxed(sem_sfpabs, 1, 0, 0, 0, x, 0), orc_abs_float(x))                            \
    P(lz, boxed(sem_sfplz, 0, 0, 0, 0, x, 0), orc_lz(x))                                           \
    P(lz_magnitude, boxed(sem_sfplz, 4, 0, 0, 0, x, 0), orc_lz(x & 0x7FFFFFFFu))                   \
    P(exexp, boxed(sem_sfpexexp, 0, 0, 0, 0, x, 0), orc_exexp(x, false))                           \
    P(exexp_raw, boxed(sem_sfpexexp, 1, 0, 0, 0, x, 0), orc_exexp(x, true))                        \
    P(arecip, boxed(sem_sfparecip, 0, 0, 0, r, x, 0), orc_arecip(0, r, x))                         \
    P(arecip_cond, boxed(sem_sfparecip, 1, 0, 0, r, x, 0), orc_arecip(1, r, x))                    \
    P(aexp, boxed(sem_sfparecip, 2, 0, 0, r, x, 0), orc_arecip(2, r, x))                           \
    P(prng_step, prng_step(x), orc_prng_step(x))                                                   \
    P(sm_less, (uint32_t)sm32_less(x, r), (uint32_t)orc_sm_less(x, r))                             \
    P(sm_less_self, (uint32_t)sm32_less(x, x ^ (r & 0x80000001u)),                                 \
      (uint32_t)orc_sm_less(x, x ^ (r & 0x80000001u)))                                             \
    P(shift_left, boxed(sem_sfpshft2_lreg, 5, 0, 0, x, r & 31u, 0),                                \
      orc_shift(x, (int32_t)(r & 31u), false))                                                     \
    P(shift_right, boxed(sem_sfpshft2_lreg, 5, 0, 0, x, 0u - (r & 31u), 0),                        \
      orc_shift(x, -(int32_t)(r & 31u), false))                                                    \
    P(shift_arith, boxed(sem_sfpshft, 2, 0, 0, x, 0u - (r & 31u), 0),                              \
      orc_shift(x, -(int32_t)(r & 31u), true))                                                     \
    P(rnd_fp16a, boxed(sem_sfpstochrnd_float, 0, 0, 0, 0, x, r), orc_stochrnd(1, 0, 0, r, 0, x))   \
    P(rnd_fp16b, boxed(sem_sfpstochrnd_float, 1, 0, 0, 0, x, r), orc_stochrnd(1, 1, 0, r, 0, x))   \
    P(rnd_u8, boxed(sem_sfpstochrnd_int, 2, 0, 0, 0, x, r), orc_stochrnd(1, 2, 0, r, 0, x))        \
    P(rnd_i8, boxed(sem_sfpstochrnd_int, 3, 0, 0, 0, x, r), orc_stochrnd(1, 3, 0, r, 0, x))        \
    P(rnd_u16, boxed(sem_sfpstochrnd_int, 6, 0, 0, 0, x, r), orc_stochrnd(1, 6, 0, r, 0, x))       \
    P(rnd_i16, boxed(sem_sfpstochrnd_int, 7, 0, 0, 0, x, r), orc_stochrnd(1, 7, 0, r, 0, x))       \
    P(rnd_shift_u8, boxed(sem_sfpstochrnd_shift, 4, 0, 0, r, x, r),                                \
      orc_stochrnd(1, 4, 0, r, r & 31u, x))                                                        \
    P(rnd_shift_i8, boxed(sem_sfpstochrnd_shift, 5, 0, 0, r, x, r),                                \
      orc_stochrnd(1, 5, 0, r, r & 31u, x))                                                        \
    P(stoch_fp16a, boxed(sem_sfpstochrnd_float, 0, 1, 0, 0, x, r), orc_stochrnd(1, 0, 1, r, 0, x)) \
    P(stoch_fp16b, boxed(sem_sfpstochrnd_float, 1, 1, 0, 0, x, r), orc_stochrnd(1, 1, 1, r, 0, x)) \
    P(stoch_u8, boxed(sem_sfpstochrnd_int, 2, 1, 0, 0, x, r), orc_stochrnd(1, 2, 1, r, 0, x))      \
    P(stoch_i16, boxed(sem_sfpstochrnd_int, 7, 1, 0, 0, x, r), orc_stochrnd(1, 7, 1, r, 0, x))     \
    P(stoch_shift_i8, boxed(sem_sfpstochrnd_shift, 13, 1, r & 31u, 0, x, r),                       \
      orc_stochrnd(1, 5, 1, r, r & 31u, x))                                                        \
    P(zero_fp16a, boxed(sem_sfpstochrnd_float, 0, 2, 0, 0, x, r), orc_stochrnd(1, 0, 2, r, 0, x))  \
    P(zero_fp16b, boxed(sem_sfpstochrnd_float, 1, 2, 0, 0, x, r), orc_stochrnd(1, 1, 2, r, 0, x))  \
    P(shifted_fp16a, fp32_stochrnd_fp32(x, 10, r & 0x7FFFFFu, true),                               \
      want_shifted(x, 0x2000u, r & 0x7FFFFFu))                                                     \
    P(shifted_fp16b, fp32_stochrnd_fp32(x, 7, r & 0x7FFFFFu, true),                                \
      want_shifted(x, 0x10000u, r & 0x7FFFFFu))                                                    \
    P(zero_u16, boxed(sem_sfpstochrnd_int, 6, 2, 0, 0, x, r), orc_stochrnd(1, 6, 2, r, 0, x))      \
    P(load_32_bh, load_convert(true, 3, x, r, false), orc_dst_load(1, 3, x, r, false))             \
    P(load_12_bh, load_convert(true, 12, x, r, false), orc_dst_load(1, 12, x, r, false))           \
    P(load_12_wh, load_convert(false, 12, x, r, false), orc_dst_load(0, 12, x, r, false))          \
    P(load_16_bh, load16(true, x), want16(1, x))                                                   \
    P(load_16_wh, load16(false, x), want16(0, x))                                                  \
    P(store_fp16, store_convert(true, 1, x, false), orc_dst_store(1, 1, x))                        \
    P(store_bf16, store_convert(true, 2, x, false), orc_dst_store(1, 2, x))                        \
    P(store_fp32_bh, store_convert(true, 3, x, false), orc_dst_store(1, 3, x))                     \
    P(store_fp32_wh, store_convert(false, 3, x, false), orc_dst_store(0, 3, x))                    \
    P(store_int32, store_convert(true, 4, x, false), orc_dst_store(1, 4, x))                       \
    P(store_int8, store_convert(true, 5, x, false), orc_dst_store(1, 5, x))                        \
    P(store_uint16, store_convert(true, 6, x, false), orc_dst_store(1, 6, x))                      \
    P(store_hi16, store_convert(true, 7, x, false), orc_dst_store(1, 7, x))                        \
    P(store_int16, store_convert(true, 8, x, false), orc_dst_store(1, 8, x))                       \
    P(store_lo16, store_convert(true, 9, x, false), orc_dst_store(1, 9, x))                        \
    P(store_sm_bh, store_convert(true, 12, x, false), orc_dst_store(1, 12, x))                     \
    P(store_sm_wh, store_convert(false, 12, x, false), orc_dst_store(0, 12, x))                    \
    P(store_comp_bh, store_convert(true, 13, x, false), orc_dst_store(1, 13, x))                   \
    P(store_comp_wh, store_convert(false, 13, x, false), orc_dst_store(0, 13, x))                  \
    P(store_lo_only, store_convert(true, 14, x, false), orc_dst_store(1, 14, x))                   \
    P(store_hi_only, store_convert(true, 15, x, false), orc_dst_store(1, 15, x))

/* Low half of x is the cell, the top bits choose among the 16-bit modes and the Inf switch. */
static inline unsigned mode16(uint32_t x)
{
    static const unsigned modes[8] = {1, 2, 5, 6, 7, 8, 9, 13};
    return (x >> 28 & 1u) != 0 ? 14u + (x >> 29 & 1u) : modes[x >> 29];
}

static inline uint32_t load16(bool bh, uint32_t x)
{
    return load_convert(bh, mode16(x), x & 0xFFFFu, mix(x), (x >> 27 & 1u) != 0);
}

static inline uint32_t want16(int bh, uint32_t x)
{
    return orc_dst_load(bh, mode16(x), x & 0xFFFFu, mix(x), (x >> 27 & 1u) != 0);
}

#define P(name, got, want)                         \
    static inline uint32_t got_##name(uint32_t x)  \
    {                                              \
        const uint32_t r = mix(x);                 \
        (void)r;                                   \
        return got;                                \
    }                                              \
    static inline uint32_t want_##name(uint32_t x) \
    {                                              \
        const uint32_t r = mix(x);                 \
        (void)r;                                   \
        return want;                               \
    }
BODIES(P)
#undef P

/* Differences in first <= x <= last, every step; *at is the first of them. */
#define P(name, got, want)                                                                  \
    static uint64_t scan_##name(uint64_t first, uint64_t last, uint64_t step, uint32_t *at) \
    {                                                                                       \
        uint64_t wrong = 0;                                                                 \
        for (uint64_t i = first; i <= last; i += step) {                                    \
            const uint32_t x = (uint32_t)i;                                                 \
            if (got_##name(x) != want_##name(x) && wrong++ == 0) {                          \
                *at = x;                                                                    \
            }                                                                               \
        }                                                                                   \
        return wrong;                                                                       \
    }
BODIES(P)
#undef P

struct body_pair {
    const char *name;
    uint64_t (*scan)(uint64_t first, uint64_t last, uint64_t step, uint32_t *at);
    uint32_t (*got)(uint32_t x);
    uint32_t (*want)(uint32_t x);
};

#define P(name, got, want) {#name, scan_##name, got_##name, want_##name},
static const struct body_pair body_pairs[] = {BODIES(P)};
#undef P
#define BODY_PAIRS (sizeof body_pairs / sizeof body_pairs[0])

#endif
