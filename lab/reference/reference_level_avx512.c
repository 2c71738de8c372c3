/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of the references for CPUs with AVX-512; compiled with its options. */
#if defined(__x86_64__)

#define LEVEL_NAME reference_level_avx512
#define LEVEL_TEXT "avx512"
#include "reference/reference_loops.h"

#else
typedef int reference_level_avx512_is_of_x86;
#endif
