# SPDX-License-Identifier: Apache-2.0
# Three instructions between a product that gives banks back and SETC16 that would keep them.
# chips: both
# idiom: I-CLEAR-VALID
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
    ttelwmul 3, 0, 0, 0, 0
    ttnop # between
    ttnop # between
    ttnop # between
    ttsetc16 CLR_DVALID_SrcA_Disable_ADDR32, 1
