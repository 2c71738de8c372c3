/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for AVX2 and FMA, see CMakeLists.txt; empty for other processors. */
#if defined(__x86_64__)
#include "fast/level_body.h"

const struct fast_level fast_avx2 = {.name = "avx2",
                                     .options = FAST_OPTIONS,
                                     .rows = fast_rows,
                                     .kinds = fast_kinds,
                                     .input_tiles = fast_input_tiles,
                                     .output_tiles = fast_output_tiles};
#else
typedef int fast_avx2_is_for_x86;
#endif
