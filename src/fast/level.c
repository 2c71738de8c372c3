/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses among the versions of the fast engine that this CPU can execute, and sets its
 * floating-point mode.
 */
#include "fast/level.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

const struct fast_level *fast_level_at(size_t index)
{
    const struct fast_level *have[3];
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        have[count++] = &fast_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        have[count++] = &fast_avx2;
    }
#elif defined(__aarch64__)
    have[count++] = &fast_neon;
#endif
    have[count++] = &fast_base;
    return index < count ? have[index] : NULL;
}

const struct fast_level *fast_level_named(const char *name)
{
    const struct fast_level *level;
    for (size_t i = 0; (level = fast_level_at(i)) != NULL; i++) {
        if (name == NULL || strcmp(level->name, name) == 0) {
            return level;
        }
    }
    return NULL;
}

uint64_t fast_arithmetic_begin(void)
{
    uint64_t old = 0;
#if defined(__x86_64__)
    old = _mm_getcsr();
    /* Denormals are zero on input and output, no exceptions, rounding to nearest. */
    _mm_setcsr(0x9FC0u);
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(old));
    const uint64_t flush = UINT64_C(1) << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(flush));
#endif
    return old;
}

void fast_arithmetic_end(uint64_t old)
{
#if defined(__x86_64__)
    _mm_setcsr((unsigned)old);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(old));
#else
    (void)old;
#endif
}
