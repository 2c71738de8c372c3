/* SPDX-License-Identifier: Apache-2.0 */
/* Advanced SIMD, which every 64-bit Arm has; empty for other processors. */
#if defined(__aarch64__)
#define FAST_NEON 1
#include "fast/rows_body.h"

const struct fast_level fast_neon = {.name = "neon",
                                     .rows = fast_rows,
                                     .copy = fast_copy,
                                     .exchange = fast_exchange,
                                     .in = fast_in,
                                     .out = fast_out};
#else
typedef int fast_neon_is_for_arm;
#endif
