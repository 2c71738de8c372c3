/* SPDX-License-Identifier: Apache-2.0 */
/* Included once by each words_LEVEL.c, which names its table WORDS_LEVEL. */
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
