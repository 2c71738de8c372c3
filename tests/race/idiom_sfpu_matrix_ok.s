# SPDX-License-Identifier: Apache-2.0
# Three instructions between SFPSTORE and a product that adds to its rows.
# chips: both
# idiom: I-SFPU-MATRIX
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    unpack_a
    zero_b

.thread math
.init
    operands
.tile
    sfpstore L0, 0, 2, 3
    ttnop # between
    ttnop # between
    ttnop # between
    ttmvmul 0, 0, 0, 0
