/* SPDX-License-Identifier: Apache-2.0 */
#define LEVEL_NAME reference_level_base
#define LEVEL_TEXT "base"
#include "reference/reference_loops.h"
