/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__x86_64__)

#define LEVEL_NAME reference_level_avx512
#define LEVEL_TEXT "avx512"
#include "reference/reference_loops.h"

#else
typedef int reference_level_avx512_is_of_x86;
#endif
