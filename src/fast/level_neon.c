/* SPDX-License-Identifier: Apache-2.0 */
/* Advanced SIMD, which every 64-bit Arm has; empty for other processors. */
#if defined(__aarch64__)
#define FAST_NEON 1
#include "fast/level_body.h"

const struct fast_level fast_neon = {.name = "neon",
                                     .options = "-DFAST_NEON=1",
                                     .rows = fast_rows,
                                     .kinds = fast_kinds,
                                     .input_tiles = fast_input_tiles,
                                     .output_tiles = fast_output_tiles};
#else
typedef int fast_neon_is_for_arm;
#endif
