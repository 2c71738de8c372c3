/* SPDX-License-Identifier: Apache-2.0 */
/* The level every CPU of the build has: vectors as the target's baseline allows (SSE2, NEON). */
#include "fmt/words_body.h"

const struct words_level words_base = WORDS_LEVEL("base", &fused_base);

const struct words_level *words_level(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return &words_avx2;
    }
#endif
    return &words_base;
}
