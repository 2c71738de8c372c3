/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of inputs through the library's scalar and array forms against the second statement. */
#ifndef TEST_FMT_SECOND_SCAN_H
#define TEST_FMT_SECOND_SCAN_H

#include <tensix/formats.h>

#include "fmt/words.h"
#include "second.h"

#include <string.h>

enum { SCAN_BLOCK = 2048 };

struct scan_error {
    uint64_t count;
    uint32_t x, got, want;
};

/* What the second statement gives for one input. */
typedef uint32_t second_fn(bool bh, uint32_t x);
/* count inputs from first: levels of the CPU (in place over a copy) against the statement. */
typedef void second_run(bool bh, uint32_t first, size_t count, const uint32_t *got,
                        struct scan_error *error);

#define S(id, statement) \
    static uint32_t second_##id(bool bh, uint32_t x)                                               \
    {                                                                                              \
        (void)bh;                                                                                  \
        return (statement); \
    }                                                                                              \
    static void run_##id(bool bh, uint32_t first, size_t count, const uint32_t *got,               \
                         struct scan_error *error)                                                 \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            const uint32_t x = first + (uint32_t)i;                                                \
            const uint32_t expected = second_##id(bh, x);                                          \
            if (got[i] != expected) {                                                              \
                if (error->count++ == 0) {                                                         \
                    error->x = x;                                                                  \
                    error->got = got[i];                                                           \
                    error->want = expected;                                                        \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
SECOND(S)
#undef S

static const struct {
    second_fn *value;
    second_run *run;
} second_table[TX_CONVERSION_COUNT] = {
#define S(id, statement) [TX_##id] = {second_##id, run_##id},
    SECOND(S)
#undef S
};

/* Both levels of the array form over inputs first .. first + count - 1, count <= SCAN_BLOCK. */
static inline void scan_block(enum tx_conversion c, bool bh, uint32_t first, size_t count,
                              struct scan_error *error)
{
    uint32_t base[SCAN_BLOCK];
    uint32_t fast[SCAN_BLOCK];
    for (size_t i = 0; i < count; i++) {
        base[i] = first + (uint32_t)i;
    }
    memcpy(fast, base, sizeof fast);
    words_base.convert[c](bh, base, count);
    second_table[c].run(bh, first, count, base, error);
    if (words_level() != &words_base) {
        words_level()->convert[c](bh, fast, count);
        if (memcmp(fast, base, count * sizeof fast[0]) != 0) {
            second_table[c].run(bh, first, count, fast, error);
        }
    }
}

/* A chip the conversion has and that says something of its own. */
static inline bool scan_wanted(enum tx_conversion c, int arch)
{
    const struct tx_conversion_info *info = tx_conversion_info(c);
    const bool has = (info->chips >> arch & 1) != 0;
    const bool same = !info->differs && (info->chips >> TX_WORMHOLE & 1) != 0;
    return has && (arch == TX_WORMHOLE || !same);
}

#endif
