/* SPDX-License-Identifier: Apache-2.0 */
/* The level every CPU of the build has. */
#include "fast/rows_body.h"

const struct fast_level fast_base = {.name = "base",
                                     .rows = fast_rows,
                                     .kinds = fast_kinds,
                                     .input_tiles = fast_input_tiles,
                                     .output_tiles = fast_output_tiles};
