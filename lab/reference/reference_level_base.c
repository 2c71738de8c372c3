/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of the references for every CPU. */
#define LEVEL_NAME reference_level_base
#define LEVEL_TEXT "base"
#include "reference/reference_loops.h"
