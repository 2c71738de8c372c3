/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conversions of words.h for every CPU of the build's target, with the vectors of its baseline
 * (SSE2, NEON), and the choice of the level.
 */
#define WORDS_FUSED fused_base
#include "fmt/words_body.h"

const struct words_level words_base = WORDS_LEVEL("base");

const struct words_level *words_level(void)
{
#if defined(TX_CHECK)
    return words_checked();
#elif defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return &words_avx2;
    }
    return &words_base;
#else
    return &words_base;
#endif
}
