/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__x86_64__)

#define ROWS_NAME reference_rows_avx512
#define ROWS_TEXT "avx512"
#include "reference/reference_loops.h"

#else
typedef int reference_rows_avx512_is_of_x86;
#endif
