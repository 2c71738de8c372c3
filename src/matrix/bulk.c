/* SPDX-License-Identifier: Apache-2.0 */
/* The levels of matrix/bulk.h that this CPU can execute. */
#include "matrix/bulk.h"

#include <stddef.h>

const struct matrix_level *matrix_level(unsigned index)
{
    const struct matrix_level *levels[4] = {NULL, NULL, NULL, NULL};
    unsigned count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        levels[count++] = &matrix_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        levels[count++] = &matrix_avx2;
    }
#endif
    levels[count++] = &matrix_scalar;
    return levels[index < count ? index : 3];
}
