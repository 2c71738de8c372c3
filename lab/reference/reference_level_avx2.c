/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of the references for CPUs with AVX2; compiled with its options. */
#if defined(__x86_64__)

#define LEVEL_NAME reference_level_avx2
#define LEVEL_TEXT "avx2"
#include "reference/reference_loops.h"

#else
typedef int reference_level_avx2_is_of_x86;
#endif
