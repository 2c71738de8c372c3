/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conversions of words.h for AVX2: compiled with -mavx2, see CMakeLists.txt; empty for other
 * processors.
 */
#if defined(__x86_64__)
#define WORDS_FUSED fused_avx2
#include "fmt/words_body.h"

const struct words_level words_avx2 = WORDS_LEVEL("avx2");
#else
typedef int words_avx2_is_for_x86;
#endif
