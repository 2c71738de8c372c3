/* SPDX-License-Identifier: Apache-2.0 */
/* Included once by each words_LEVEL.c, which names its table WORDS_LEVEL. */
#include "fmt/pack_bfp.h"
#include "fmt/primitives.h"
#include "fmt/words.h"

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
