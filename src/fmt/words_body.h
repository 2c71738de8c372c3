/* SPDX-License-Identifier: Apache-2.0 */
/* Included once by each words_LEVEL.c, whose table is WORDS_LEVEL of its name. */
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

/* In pieces: vectors know numbers of sixteen bits, where the low byte comes first they are data. */
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

#define WORDS_LEVEL(name, fused)                                                       \
    {                                                                                  \
        name, words_table, words_assemble, words_host_assemble, fused, words_widen,    \
            words_narrow, words_cells, words_largest                                   \
    }
