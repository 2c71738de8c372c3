/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -mavx2, see CMakeLists.txt; empty for other processors. */
#if defined(__x86_64__)
#include "matrix/bulk_body.h"

const struct matrix_level matrix_avx2 = {"avx2", bulk_block, bulk_move};
#else
typedef int bulk_avx2_is_for_x86;
#endif
