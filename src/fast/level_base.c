/* SPDX-License-Identifier: Apache-2.0 */
/* The level that every CPU of the build's target has. */
#include "fast/level_body.h"

const struct fast_level fast_base = {.name = "base",
                                     .options = FAST_OPTIONS,
                                     .rows = fast_rows,
                                     .kinds = fast_kinds,
                                     .input_tiles = fast_input_tiles,
                                     .output_tiles = fast_output_tiles};
