/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-adds of fp32_fma_bh.h and fp32_fma_wh.h over the 32 lanes of a vector. Where the CPU
 * has vectors that can do it, ordinary lanes take a form without branches, and those with an Inf, a
 * NaN or a result at the ends of the range the model; tests/num compares the two. Which one runs is
 * decided by the CPU each time.
 */
#ifndef TX_NUM_FMA_LANES_H
#define TX_NUM_FMA_LANES_H

#include "base/bits.h"

enum { FMA_LANES = 32 };

/* Operands and results of all lanes. */
struct fma_lanes {
    uint32_t x[FMA_LANES], y[FMA_LANES], z[FMA_LANES], out[FMA_LANES];
};

typedef void fma_lanes_fn(bool blackhole, struct fma_lanes *lanes);

fma_lanes_fn fma_lanes_base;   /* the model alone */
fma_lanes_fn fma_lanes_avx2;   /* this and the next on x86 only */
fma_lanes_fn fma_lanes_avx512; /* needs F, BW, DQ, VL and CD */

/* Returns the best version that this CPU can execute. */
fma_lanes_fn *fma_lanes_level(void);

#endif
