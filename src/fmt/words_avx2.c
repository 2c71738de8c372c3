/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conversions of words.h for AVX2: compiled with -mavx2, see CMakeLists.txt; empty for other
 * processors.
 */
#if defined(__x86_64__)
#include "fmt/words_body.h"

const struct words_level words_avx2 = WORDS_LEVEL("avx2", &fused_avx2);
#else
typedef int words_avx2_is_for_x86;
#endif
