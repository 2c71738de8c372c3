/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiply-adds over lanes without vector instructions, and the choice of the version for this CPU.
 */
#include "num/fma_lanes.h"
#include "num/fp32_fma_bh.h"
#include "num/fp32_fma_wh.h"

/* Without vector shifts by variable amounts, the model lane by lane is the fastest version. */
void fma_lanes_base(bool blackhole, struct fma_lanes *l)
{
    for (unsigned i = 0; i < FMA_LANES; i++) {
        l->out[i] = blackhole ? fp32_fma_bh(l->x[i], l->y[i], l->z[i])
                              : fp32_fma_wh(l->x[i], l->y[i], l->z[i]);
    }
}

fma_lanes_fn *fma_lanes_level(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        return fma_lanes_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return fma_lanes_avx2;
    }
#endif
    return fma_lanes_base;
}
