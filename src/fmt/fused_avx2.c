/* SPDX-License-Identifier: Apache-2.0 */
/* The conversions of fused.h for AVX2. Compiled with -mavx2, see CMakeLists.txt. */
#if defined(__x86_64__)
#include "fmt/fused.h"

#include "base/bits.h"

#include <immintrin.h>
#include <string.h>

TX_INLINE __m256i load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

TX_INLINE void store(void *p, __m256i v, bool stream)
{
    if (stream) {
        _mm256_stream_si256((__m256i *)p, v);
    } else {
        _mm256_storeu_si256((__m256i *)p, v);
    }
}

/* ---- eight words to BF16 in the low halves ---- */

TX_INLINE __m256i early8(__m256i x)
{
    const __m256i inf = _mm256_set1_epi32(0x7F800000);
    const __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7FFFFFFF));
    const __m256i nan = _mm256_cmpgt_epi32(magnitude, inf);
    const __m256i signed_inf = _mm256_or_si256(_mm256_andnot_si256(magnitude, x), inf);
    const __m256i finite = _mm256_blendv_epi8(x, signed_inf, nan);
    const __m256i t = _mm256_add_epi32(finite, _mm256_set1_epi32(0x8000));
    const __m256i zero = _mm256_cmpeq_epi32(_mm256_and_si256(t, inf), _mm256_setzero_si256());
    return _mm256_srli_epi32(_mm256_andnot_si256(zero, t), 16);
}

TX_INLINE __m256i nearest8(__m256i x)
{
    const __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7FFFFFFF));
    const __m256i nan = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x7F800000));
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(x, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF));
    const __m256i quiet = _mm256_or_si256(x, _mm256_set1_epi32(0x00400000));
    return _mm256_srli_epi32(_mm256_blendv_epi8(_mm256_add_epi32(x, up), quiet, nan), 16);
}

/* Narrows sixteen 32-bit lanes to 16-bit ones, in order. */
TX_INLINE __m256i join16(__m256i low, __m256i high)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xD8);
}

TX_INLINE void to_bf16(const uint32_t *words, size_t groups, uint8_t *data, bool stream, bool early)
{
    for (size_t g = 0; g < groups; g++) {
        const __m256i a = load(words + 16 * g);
        const __m256i b = load(words + 16 * g + 8);
        store(data + 32 * g,
              early ? join16(early8(a), early8(b)) : join16(nearest8(a), nearest8(b)), stream);
    }
}

static void pack_bf16(const uint32_t *words, size_t groups, uint8_t *data, bool stream)
{
    if (stream) {
        to_bf16(words, groups, data, true, true);
    } else {
        to_bf16(words, groups, data, false, true);
    }
}

static void host_bf16(const uint32_t *words, size_t groups, uint8_t *data, bool stream)
{
    if (stream) {
        to_bf16(words, groups, data, true, false);
    } else {
        to_bf16(words, groups, data, false, false);
    }
}

TX_INLINE void widen(const uint8_t *data, size_t groups, uint32_t *words, bool stream)
{
    for (size_t g = 0; g < groups; g++) {
        const __m256i x = load(data + 32 * g);
        const __m256i a = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(x));
        const __m256i b = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(x, 1));
        store(words + 16 * g, _mm256_slli_epi32(a, 16), stream);
        store(words + 16 * g + 8, _mm256_slli_epi32(b, 16), stream);
    }
}

static void widen_bf16(const uint8_t *data, size_t groups, uint32_t *words, bool stream)
{
    if (stream) {
        widen(data, groups, words, true);
    } else {
        widen(data, groups, words, false);
    }
}

/* ---- groups ---- */

/*
 * The sixteen 16-bit lanes of a group are in the order that packing two vectors leaves. What is
 * done to them does not depend on it, and in_order puts the bytes of two groups in order at the
 * end.
 */
TX_INLINE __m256i in_order(__m256i bytes)
{
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* Returns the largest of sixteen 16-bit lanes, in lane 0. */
TX_INLINE __m128i largest16(__m256i x)
{
    const __m128i ones = _mm_set1_epi16(-1);
    const __m128i half = _mm_max_epu16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return _mm_xor_si128(_mm_minpos_epu16(_mm_xor_si128(half, ones)), ones);
}

/* Rounds magnitudes to BF16, in 32-bit lanes; a NaN may reach 8000. */
TX_INLINE __m256i early_magnitude8(__m256i x)
{
    const __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7FFFFFFF));
    return _mm256_srli_epi32(_mm256_add_epi32(magnitude, _mm256_set1_epi32(0x8000)), 16);
}

/*
 * Returns seven-bit magnitudes, up to 128, of sixteen words under their largest exponent. (man +
 * 2^d) >> (d+1) is man * 2^(7-d) * 2^7 rounded at bit 15; the power is looked up in a table that is
 * 0 from d = 8 on.
 */
TX_INLINE __m256i group_early(__m256i a, __m256i b, uint8_t *exponent)
{
    const __m256i powers =
        _mm256_setr_epi8((char)128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, (char)128, 64,
                         32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i joined = _mm256_packus_epi32(early_magnitude8(a), early_magnitude8(b));
    const __m256i x = _mm256_min_epu16(joined, _mm256_set1_epi16(0x7F80));
    const __m128i shared = _mm_srli_epi16(largest16(x), 7);
    *exponent = (uint8_t)_mm_extract_epi8(shared, 0);
    /* The top bit of the high byte makes the table return 0 there. */
    const __m256i from =
        _mm256_or_si256(_mm256_broadcastw_epi16(shared), _mm256_set1_epi16((short)0x8000));
    const __m256i e = _mm256_srli_epi16(x, 7);
    const __m256i d = _mm256_min_epu8(_mm256_sub_epi16(from, e), _mm256_set1_epi16((short)0x800F));
    const __m256i m7 = _mm256_and_si256(_mm256_slli_epi16(x, 7), _mm256_set1_epi16(0x3F80));
    const __m256i zero = _mm256_cmpeq_epi16(e, _mm256_setzero_si256());
    const __m256i man = _mm256_andnot_si256(zero, _mm256_or_si256(m7, _mm256_set1_epi16(0x4000)));
    return _mm256_mulhrs_epi16(man, _mm256_shuffle_epi8(powers, d));
}

/* As tt-metal: 24 bits, truncated by d, then rounded to nearest even at "width" bits. */
TX_INLINE __m256i host8(__m256i magnitude, __m256i shared, unsigned width)
{
    const __m256i e = _mm256_srli_epi32(magnitude, 23);
    const __m256i m23 = _mm256_and_si256(magnitude, _mm256_set1_epi32(0x7FFFFF));
    const __m256i man = _mm256_srlv_epi32(_mm256_or_si256(m23, _mm256_set1_epi32(0x800000)),
                                          _mm256_sub_epi32(shared, e));
    const int drop = 24 - (int)width;
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(man, drop), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(man, _mm256_set1_epi32((1 << (drop - 1)) - 1));
    const __m256i q = _mm256_srli_epi32(_mm256_add_epi32(up, odd), drop);
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(magnitude, _mm256_setzero_si256()), q);
}

TX_INLINE __m256i group_host(__m256i a, __m256i b, unsigned width, uint8_t *exponent)
{
    const __m256i mask = _mm256_set1_epi32(0x7FFFFFFF);
    const __m256i x = _mm256_and_si256(a, mask);
    const __m256i y = _mm256_and_si256(b, mask);
    const __m256i larger = _mm256_srli_epi32(_mm256_max_epu32(x, y), 23);
    const __m128i shared = largest16(_mm256_packus_epi32(larger, larger));
    *exponent = (uint8_t)_mm_extract_epi8(shared, 0);
    const __m256i all = _mm256_broadcastd_epi32(_mm_cvtepu16_epi32(shared));
    return _mm256_packus_epi32(host8(x, all, width), host8(y, all, width));
}

/* Returns 32 data, one byte each, in order: sign and magnitude, no sign on zero. */
TX_INLINE __m256i groups2(const uint32_t *words, unsigned width, bool host, uint8_t *exponents)
{
    const __m256i a = load(words);
    const __m256i b = load(words + 8);
    const __m256i c = load(words + 16);
    const __m256i d = load(words + 24);
    const __m256i p = host ? group_host(a, b, width, exponents) : group_early(a, b, exponents);
    const __m256i q =
        host ? group_host(c, d, width, exponents + 1) : group_early(c, d, exponents + 1);
    const int limit = (1 << width) - 1;
    __m256i magnitude = _mm256_packus_epi16(p, q);
    if (!host && width != 7) {
        magnitude = _mm256_min_epu8(magnitude, _mm256_set1_epi8(127));
        magnitude = _mm256_and_si256(_mm256_srli_epi16(magnitude, 7 - (int)width),
                                     _mm256_set1_epi8((char)limit));
    }
    magnitude = _mm256_min_epu8(magnitude, _mm256_set1_epi8((char)limit));
    /* Saturation keeps the sign of each word. */
    const __m256i signs = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    const __m256i top = _mm256_and_si256(signs, _mm256_set1_epi8((char)0x80));
    const __m256i bit = width == 7 ? top : _mm256_srli_epi16(top, 7 - (int)width);
    const __m256i zero = _mm256_cmpeq_epi8(magnitude, _mm256_setzero_si256());
    return in_order(_mm256_or_si256(magnitude, _mm256_andnot_si256(zero, bit)));
}

/* Narrows 32 data of 16 bits to bytes, in order. */
TX_INLINE __m256i join8(__m256i low, __m256i high)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
}

/* Joins neighbouring bytes, low and high << bits, into one: half as many bytes. */
TX_INLINE __m256i join_pairs(__m256i low, __m256i high, unsigned bits)
{
    const __m256i weights = _mm256_set1_epi16((short)(1 | 1 << (bits + 8)));
    return join8(_mm256_maddubs_epi16(low, weights), _mm256_maddubs_epi16(high, weights));
}

/* Returns 32 bytes of output. The number of words and groups they take depends on the width. */
TX_INLINE __m256i bytes32(const uint32_t *words, unsigned width, bool host, uint8_t *exponents)
{
    if (width == 7) {
        return groups2(words, width, host, exponents);
    }
    __m256i part[4];
    const unsigned parts = width == 3 ? 2 : 4;
    for (unsigned i = 0; i < parts; i++) {
        part[i] = groups2(words + (size_t)32 * i, width, host, exponents + (size_t)2 * i);
    }
    const __m256i low = join_pairs(part[0], part[1], width + 1);
    return width == 3 ? low : join_pairs(low, join_pairs(part[2], part[3], 2), 4);
}

/* Packs the groups that do not fill 32 bytes, through a padded copy. */
TX_INLINE void pack_rest(const uint32_t *words, size_t groups, unsigned width, bool host,
                         uint8_t *exponents, uint8_t *data)
{
    uint32_t last[16 * 8] = {0};
    uint8_t e[8];
    uint8_t bytes[32];
    memcpy(last, words, groups * 64);
    store(bytes, bytes32(last, width, host, e), false);
    memcpy(exponents, e, groups);
    memcpy(data, bytes, groups * 2 * (width + 1));
}

/*
 * Exponents are collected before they are written: writing single bytes to a line that is not in
 * the cache would delay the stores behind them.
 */
TX_INLINE void pack(const uint32_t *words, size_t groups, unsigned width, bool host,
                    uint8_t *exponents, uint8_t *data, bool stream)
{
    enum { BLOCK = 64 };
    const size_t step = 16 / (width + 1); /* groups that fill 32 bytes */
    for (size_t done = 0; done < groups; done += BLOCK) {
        uint8_t e[BLOCK];
        const size_t n = groups - done < BLOCK ? groups - done : BLOCK;
        const size_t whole = n / step * step;
        const uint32_t *const from = words + 16 * done;
        uint8_t *const to = data + done * 2 * (width + 1);
        for (size_t g = 0; g < whole; g += step) {
            store(to + g * 2 * (width + 1), bytes32(from + 16 * g, width, host, e + g), stream);
        }
        if (whole != n) {
            pack_rest(from + 16 * whole, n - whole, width, host, e + whole,
                      to + whole * 2 * (width + 1));
        }
        if (stream && n == BLOCK) {
            store(exponents + done, load(e), true);
            store(exponents + done + 32, load(e + 32), true);
        } else {
            memcpy(exponents + done, e, n);
        }
    }
}

/* ---- and back ---- */

/*
 * Converts eight data of sign and seven magnitude bits in 32-bit lanes. bias is (E - 133) << 23:
 * added to the exponent of the magnitude as FP32, it gives E minus the leading zeros, modulo 256.
 * The conversion is exact.
 */
TX_INLINE __m256i unpack8(__m256i d, __m256i bias, bool host)
{
    const __m256i sign = _mm256_slli_epi32(_mm256_srli_epi32(d, 7), 31);
    const __m256i magnitude = _mm256_and_si256(d, _mm256_set1_epi32(127));
    const __m256i none = _mm256_cmpeq_epi32(magnitude, _mm256_setzero_si256());
    const __m256i exact = _mm256_castps_si256(_mm256_cvtepi32_ps(magnitude));
    const __m256i moved = _mm256_add_epi32(exact, bias);
    if (host) { /* an exponent below 0 and magnitude 0 become signed zero */
        const __m256i gone = _mm256_or_si256(none, _mm256_srai_epi32(moved, 31));
        return _mm256_or_si256(sign, _mm256_andnot_si256(gone, moved));
    }
    const __m256i value = _mm256_and_si256(moved, _mm256_set1_epi32(0x7FFFFFFF));
    const __m256i inf =
        _mm256_and_si256(_mm256_srai_epi32(sign, 31), _mm256_set1_epi32(0x7F800000));
    return _mm256_or_si256(sign, _mm256_blendv_epi8(value, inf, none));
}

/* Returns the sixteen data of a group, one byte each, magnitudes shifted up to seven bits. */
TX_INLINE __m128i group_bytes(const uint8_t *data, unsigned width)
{
    if (width == 7) {
        return _mm_loadu_si128((const __m128i *)data);
    }
    if (width == 3) {
        const __m128i x = _mm_loadl_epi64((const __m128i *)data);
        const __m128i odd = _mm_and_si128(x, _mm_set1_epi8((char)0xF0));
        const __m128i even = _mm_and_si128(_mm_slli_epi16(x, 4), _mm_set1_epi8((char)0xF0));
        return _mm_unpacklo_epi8(even, odd);
    }
    uint32_t word;
    memcpy(&word, data, sizeof word);
    const __m128i spread = _mm_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m128i x = _mm_shuffle_epi8(_mm_cvtsi32_si128((int)word), spread);
    const __m128i mask = _mm_set1_epi32((int)0xC0300C03u);
    const __m128i own = _mm_and_si128(x, mask);
    /* Datum j of a byte is at bits 2j+1:2j: it moves up by 6, 4, 2 or 0 places to bits 7:6. */
    const __m128i factor = _mm_set1_epi32(0x01041040);
    const __m128i low = _mm_mullo_epi16(_mm_and_si128(own, _mm_set1_epi16(0xFF)),
                                        _mm_and_si128(factor, _mm_set1_epi16(0xFF)));
    const __m128i high = _mm_mullo_epi16(_mm_srli_epi16(own, 8), _mm_srli_epi16(factor, 8));
    return _mm_or_si128(_mm_and_si128(low, _mm_set1_epi16(0xFF)), _mm_slli_epi16(high, 8));
}

TX_INLINE void unpack(const uint8_t *exponents, const uint8_t *data, size_t groups, unsigned width,
                      bool host, uint32_t *words, bool stream)
{
    for (size_t g = 0; g < groups; g++) {
        const __m128i bytes = group_bytes(data + g * 2 * (width + 1), width);
        const __m256i bias = _mm256_set1_epi32((int)(((uint32_t)exponents[g] - 133u) << 23));
        const __m256i a = _mm256_cvtepu8_epi32(bytes);
        const __m256i b = _mm256_cvtepu8_epi32(_mm_srli_si128(bytes, 8));
        store(words + 16 * g, unpack8(a, bias, host), stream);
        store(words + 16 * g + 8, unpack8(b, bias, host), stream);
    }
}

#define PACK(name, w, host)                                                                   \
    static void name(const uint32_t *words, size_t groups, uint8_t *exponents, uint8_t *data, \
                     bool stream)                                                             \
    {                                                                                         \
        if (stream) {                                                                         \
            pack(words, groups, w, host, exponents, data, true);                              \
        } else {                                                                              \
            pack(words, groups, w, host, exponents, data, false);                             \
        }                                                                                     \
    }
#define UNPACK(name, w, host)                                                      \
    static void name(const uint8_t *exponents, const uint8_t *data, size_t groups, \
                     uint32_t *words, bool stream)                                 \
    {                                                                              \
        if (stream) {                                                              \
            unpack(exponents, data, groups, w, host, words, true);                 \
        } else {                                                                   \
            unpack(exponents, data, groups, w, host, words, false);                \
        }                                                                          \
    }
PACK(pack_7, 7, false)
PACK(pack_3, 3, false)
PACK(pack_1, 1, false)
PACK(host_7, 7, true)
PACK(host_3, 3, true)
PACK(host_1, 1, true)
UNPACK(unpack_7, 7, false)
UNPACK(unpack_3, 3, false)
UNPACK(unpack_1, 1, false)
UNPACK(unhost_7, 7, true)
UNPACK(unhost_3, 3, true)
UNPACK(unhost_1, 1, true)

static void finish(void)
{
    _mm_sfence();
}

const struct fused fused_avx2 = {{pack_7, pack_3, pack_1},
                                 {host_7, host_3, host_1},
                                 {unpack_7, unpack_3, unpack_1},
                                 {unhost_7, unhost_3, unhost_1},
                                 pack_bf16,
                                 host_bf16,
                                 widen_bf16,
                                 finish};
#else
typedef int fused_avx2_is_for_x86;
#endif
