/* SPDX-License-Identifier: Apache-2.0 */
/* The level every CPU of the build has. */
#include "fast/rows_body.h"

const struct fast_level fast_base = {.name = "base",
                                     .rows = fast_rows,
                                     .copy = fast_copy,
                                     .exchange = fast_exchange,
                                     .in = fast_in,
                                     .out = fast_out};
