/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conversions of fused.h for every CPU: the scalar primitives, in loops that a compiler can
 * vectorize.
 */
#include "fmt/fused.h"

#include "fmt/host.h"
#include "fmt/pack_bfp.h"
#include "fmt/pack_early.h"

/* Packs the data of a group into bytes, low bits first. */
TX_INLINE void put_group(const uint32_t datum[16], unsigned width, uint8_t *data)
{
    const unsigned bits = width + 1;
    const unsigned per_byte = 8 / bits;
    for (unsigned i = 0; i < 16 / per_byte; i++) {
        uint32_t byte = 0;
        for (unsigned k = 0; k < per_byte; k++) {
            byte |= datum[i * per_byte + k] << (k * bits);
        }
        data[i] = (uint8_t)byte;
    }
}

TX_INLINE void pack(const uint32_t *words, size_t groups, unsigned width, uint8_t *exponents,
                    uint8_t *data)
{
    for (size_t g = 0; g < groups; g++) {
        uint32_t x[16], datum[16];
        uint32_t shared = 0;
        for (unsigned i = 0; i < 16; i++) {
            x[i] = early_fp32_bf16(words[16 * g + i]);
            const uint32_t e = x[i] >> 7 & 0xFFu;
            shared = e > shared ? e : shared;
        }
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t q = bfp_magnitude(x[i] >> 7 & 0xFFu, x[i] & 0x7Fu, shared);
            datum[i] = bfp_datum(x[i] >> 15, q, width);
        }
        exponents[g] = (uint8_t)shared;
        put_group(datum, width, data + g * 2 * (width + 1));
    }
}

TX_INLINE void host(const uint32_t *words, size_t groups, unsigned width, uint8_t *exponents,
                    uint8_t *data)
{
    for (size_t g = 0; g < groups; g++) {
        const uint32_t *const x = words + 16 * g;
        uint32_t datum[16];
        uint32_t shared = 0;
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t e = host_bfp_exponent(x[i], false);
            shared = e > shared ? e : shared;
        }
        for (unsigned i = 0; i < 16; i++) {
            datum[i] = host_bfp_datum(x[i], shared, false, width);
        }
        exponents[g] = (uint8_t)shared;
        put_group(datum, width, data + g * 2 * (width + 1));
    }
}

/* Returns a datum as sign and seven magnitude bits. */
TX_INLINE uint32_t get_datum(const uint8_t *data, unsigned i, unsigned width)
{
    const unsigned bits = width + 1;
    const unsigned per_byte = 8 / bits;
    return (uint32_t)data[i / per_byte] >> (i % per_byte * bits) << (7 - width) & 0xFFu;
}

TX_INLINE void unpack(const uint8_t *exponents, const uint8_t *data, size_t groups, unsigned width,
                      uint32_t *words, bool by_host)
{
    for (size_t g = 0; g < groups; g++) {
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t d = get_datum(data + g * 2 * (width + 1), i, width);
            words[16 * g + i] = by_host ? host_bfp_fp32(exponents[g], d, 0)
                                        : unpack_bfp_bf16(exponents[g], d) << 16;
        }
    }
}

#define WIDTH(w)                                                                                  \
    static void pack_##w(const uint32_t *words, size_t groups, uint8_t *exponents, uint8_t *data, \
                         bool stream)                                                             \
    {                                                                                             \
        (void)stream;                                                                             \
        pack(words, groups, w, exponents, data);                                                  \
    }                                                                                             \
    static void host_##w(const uint32_t *words, size_t groups, uint8_t *exponents, uint8_t *data, \
                         bool stream)                                                             \
    {                                                                                             \
        (void)stream;                                                                             \
        host(words, groups, w, exponents, data);                                                  \
    }                                                                                             \
    static void unpack_##w(const uint8_t *exponents, const uint8_t *data, size_t groups,          \
                           uint32_t *words, bool stream)                                          \
    {                                                                                             \
        (void)stream;                                                                             \
        unpack(exponents, data, groups, w, words, false);                                         \
    }                                                                                             \
    static void unhost_##w(const uint8_t *exponents, const uint8_t *data, size_t groups,          \
                           uint32_t *words, bool stream)                                          \
    {                                                                                             \
        (void)stream;                                                                             \
        unpack(exponents, data, groups, w, words, true);                                          \
    }
WIDTH(7)
WIDTH(3)
WIDTH(1)
#undef WIDTH

TX_INLINE void put_half(uint32_t x, uint8_t *at)
{
    at[0] = (uint8_t)x;
    at[1] = (uint8_t)(x >> 8);
}

static void pack_bf16(const uint32_t *words, size_t groups, uint8_t *data, bool stream)
{
    (void)stream;
    for (size_t g = 0; g < groups; g++) {
        for (unsigned i = 0; i < 16; i++) {
            put_half(early_fp32_bf16(words[16 * g + i]), data + 32 * g + 2 * i);
        }
    }
}

static void host_bf16(const uint32_t *words, size_t groups, uint8_t *data, bool stream)
{
    (void)stream;
    for (size_t g = 0; g < groups; g++) {
        for (unsigned i = 0; i < 16; i++) {
            put_half(host_round(words[16 * g + i], 1u << 16) >> 16, data + 32 * g + 2 * i);
        }
    }
}

static void widen_bf16(const uint8_t *data, size_t groups, uint32_t *words, bool stream)
{
    (void)stream;
    for (size_t g = 0; g < groups; g++) {
        for (unsigned i = 0; i < 16; i++) {
            const uint8_t *const at = data + 32 * g + 2 * i;
            words[16 * g + i] = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 24;
        }
    }
}

static void finish(void)
{
}

const struct fused fused_base = {{pack_7, pack_3, pack_1},
                                 {host_7, host_3, host_1},
                                 {unpack_7, unpack_3, unpack_1},
                                 {unhost_7, unhost_3, unhost_1},
                                 pack_bf16,
                                 host_bf16,
                                 widen_bf16,
                                 finish};
