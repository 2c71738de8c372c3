/* SPDX-License-Identifier: Apache-2.0 */
#define ROWS_NAME reference_rows_base
#define ROWS_TEXT "base"
#include "reference/reference_loops.h"
