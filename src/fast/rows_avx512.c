/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for AVX-512, see CMakeLists.txt; empty for other processors. */
#if defined(__x86_64__)
#include "fast/rows_body.h"

const struct fast_level fast_avx512 = {.name = "avx512",
                                       .rows = fast_rows,
                                       .copy = fast_copy,
                                       .exchange = fast_exchange,
                                       .in = fast_in,
                                       .out = fast_out};
#else
typedef int fast_avx512_is_for_x86;
#endif
