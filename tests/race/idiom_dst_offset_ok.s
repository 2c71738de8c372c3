# SPDX-License-Identifier: Apache-2.0
# One instruction between a move and SETC16 of its offset in Dst.
# chips: both
# idiom: I-DST-OFFSET
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
    ttmova2d 0, 0, 0, 2, 0
    ttnop # between
    ttsetc16 1, 64
