/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bodies of words.h. Each words_LEVEL.c includes this once, with WORDS_FUSED its conversions of
 * fused.h, and takes its table from WORDS_LEVEL.
 */
#include "fmt/pack_bfp.h"
#include "fmt/primitives.h"
#include "fmt/words.h"
#include "num/dst_cell.h"

#include <string.h>

#define C(id, name, in, out, chips, differs, expr, rule, evidence)                                 \
    static void words_##id(bool bh, uint32_t *words, size_t count)                                 \
    {                                                                                              \
        (void)bh;                                                                                  \
        for (size_t i = 0; i < count; i++) {                                                       \
            const uint32_t x = words[i] & (uint32_t)(0xFFFFFFFFu >> (32 - (in)));                  \
            words[i] = (uint32_t)(expr) & (uint32_t)(0xFFFFFFFFu >> (32 - (out)));                 \
        }                                                                                          \
    }
#include "fmt/conversions.def"
#undef C

static words_fn *const words_table[TX_CONVERSION_COUNT] = {
#define C(id, name, in, out, chips, differs, expr, rule, evidence) [TX_##id] = words_##id,
#include "fmt/conversions.def"
#undef C
};

static void words_assemble(uint32_t *words, size_t groups, bool a, unsigned width,
                           uint8_t *exponents)
{
    const unsigned mantissa = a ? 10 : 7;
    for (size_t g = 0; g < groups; g++) {
        uint32_t *const x = words + 16 * g;
        uint32_t shared = 0;
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t e = (x[i] & 0x7FFFu) >> mantissa;
            shared = e > shared ? e : shared;
        }
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t m7 = x[i] >> (mantissa - 7) & 0x7Fu;
            const uint32_t q = bfp_magnitude((x[i] & 0x7FFFu) >> mantissa, m7, shared);
            x[i] = bfp_datum(x[i] >> 15 & 1u, q, width);
        }
        exponents[g] = (uint8_t)shared;
    }
}

static void words_host_assemble(uint32_t *words, size_t groups, bool a, unsigned width,
                                uint8_t *exponents)
{
    for (size_t g = 0; g < groups; g++) {
        uint32_t *const x = words + 16 * g;
        uint32_t shared = 0;
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t e = host_bfp_exponent(x[i], a);
            shared = e > shared ? e : shared;
        }
        for (unsigned i = 0; i < 16; i++) {
            x[i] = host_bfp_datum(x[i], shared, a, width);
        }
        exponents[g] = (uint8_t)shared;
    }
}

/*
 * Converted in pieces: vectors handle 16-bit numbers, whose bytes are the data if the low byte
 * comes first.
 */
enum { WORDS_PIECE = 256 };

static inline bool words_little(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

static void words_widen(const uint8_t *in, size_t count, uint32_t *words)
{
    uint16_t v[WORDS_PIECE];
    for (size_t done = 0; done < count; done += WORDS_PIECE) {
        const size_t n = count - done < WORDS_PIECE ? count - done : WORDS_PIECE;
        memcpy(v, in + 2 * done, n * sizeof v[0]);
        for (size_t i = 0; i < n; i++) {
            words[done + i] = words_little() ? v[i] : (uint32_t)(v[i] >> 8 | (v[i] & 255u) << 8);
        }
    }
}

static void words_narrow(const uint32_t *words, size_t count, uint8_t *out)
{
    uint16_t v[WORDS_PIECE];
    for (size_t done = 0; done < count; done += WORDS_PIECE) {
        const size_t n = count - done < WORDS_PIECE ? count - done : WORDS_PIECE;
        for (size_t i = 0; i < n; i++) {
            const uint32_t x = words[done + i];
            v[i] = (uint16_t)(words_little() ? x : (x >> 8 & 255u) | x << 8);
        }
        memcpy(out + 2 * done, v, n * sizeof v[0]);
    }
}

static void words_cells(enum words_cells kind, const uint16_t *cells, size_t count,
                        uint32_t *words)
{
    for (size_t i = 0; kind == WORDS_CELLS_BF16 && i < count; i++) {
        words[i] = bf16_from_cell(cells[i]);
    }
    for (size_t i = 0; kind == WORDS_CELLS_FP16 && i < count; i++) {
        words[i] = fp16_from_cell(cells[i]);
    }
    for (size_t i = 0; kind == WORDS_CELLS_INT16 && i < count; i++) {
        words[i] = cells[i];
    }
}

static uint32_t words_largest(const uint32_t *words, size_t count, unsigned lsb, uint32_t mask)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t e = words[i] >> lsb & mask;
        most = e > most ? e : most;
    }
    return most;
}

/*
 * bf16_from_cell, fp16_from_cell, early_bf16 and early_fp16 (num/dst_cell.h, fmt/pack_early.h) once
 * more, in sixteen bits throughout, so that a vector holds twice as many: tests/fmt/test_words.c
 * compares them over all cells.
 */
static inline uint16_t words_cell_bf16(uint16_t y)
{
    return (uint16_t)((y & 0x8000u) | (y & 0xFFu) << 7 | (y >> 8 & 0x7Fu));
}

static inline uint16_t words_cell_fp16(uint16_t y)
{
    return (uint16_t)((y & 0x8000u) | (y & 31u) << 10 | (y >> 5 & 0x3FFu));
}

static inline uint16_t words_early_bf16(uint16_t x)
{
    const uint16_t e = x & 0x7F80u;
    const uint16_t kept = e == 0x7F80u ? 0xFF80u : 0xFFFFu;
    const uint16_t some = e == 0 ? 0 : kept;
    return x & some;
}

static inline uint16_t words_early_fp16(uint16_t x)
{
    const uint16_t some = (uint16_t)(0u - (uint32_t)((x & 0x7C00u) != 0));
    return x & some;
}

static inline uint16_t words_same(uint16_t x)
{
    return x;
}

/* Each is a loop of its own, which compilers vectorize with 16-bit lanes. */
#define PACK(name, from_cell, early, lsb, mask)                                                 \
    static uint32_t pack_##name(const uint16_t *restrict cells, size_t n, uint16_t *restrict v) \
    {                                                                                           \
        uint16_t most = 0;                                                                      \
        for (size_t i = 0; i < n; i++) {                                                        \
            const uint16_t y = early(from_cell(cells[i]));                                      \
            const uint16_t e = y & (uint16_t)((mask) << (lsb));                                 \
            most = e > most ? e : most;                                                         \
            v[i] = y;                                                                           \
        }                                                                                       \
        return (uint32_t)most >> (lsb);                                                         \
    }
PACK(none, words_same, words_same, 0, 0u)
PACK(bf16, words_cell_bf16, words_early_bf16, 7, 255u)
PACK(bf16_raw, words_cell_bf16, words_same, 7, 255u)
PACK(fp16, words_cell_fp16, words_early_fp16, 10, 31u)
PACK(fp16_raw, words_cell_fp16, words_same, 10, 31u)
#undef PACK

static uint32_t words_pack(enum words_pack kind, const uint16_t *cells, size_t count,
                           uint16_t *out)
{
    typedef uint32_t pack_fn(const uint16_t *restrict cells, size_t n, uint16_t *restrict v);
    static pack_fn *const kinds[] = {[WORDS_PACK_NONE] = pack_none,
                                     [WORDS_PACK_BF16] = pack_bf16,
                                     [WORDS_PACK_BF16_RAW] = pack_bf16_raw,
                                     [WORDS_PACK_FP16] = pack_fp16,
                                     [WORDS_PACK_FP16_RAW] = pack_fp16_raw};
    const uint32_t most = kinds[kind](cells, count, out);
    for (size_t i = 0; !words_little() && i < count; i++) {
        out[i] = (uint16_t)(out[i] >> 8 | (uint32_t)out[i] << 8);
    }
    return most;
}

#include "fmt/words_units.h"

#define WORDS_LEVEL(name)                                                                  \
    {                                                                                      \
        name, words_table, words_assemble, words_host_assemble, &WORDS_FUSED, words_widen, \
            words_narrow, words_cells, words_largest, words_src, words_take, words_give,   \
            words_split, words_halves, words_wide, words_relu, words_mask, words_add,      \
            words_pack                                                                     \
    }
