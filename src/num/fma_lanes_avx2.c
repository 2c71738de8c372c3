/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-adds of fma_lanes.h, compiled for AVX2, see CMakeLists.txt; empty for other
 * processors.
 */
#if defined(__x86_64__)
#define FMA_LANES_LEVEL fma_lanes_avx2
#include "num/fma_lanes_body.h"
#else
typedef int fma_lanes_avx2_is_for_x86;
#endif
