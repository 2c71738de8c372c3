# SPDX-License-Identifier: Apache-2.0
# One instruction between a product and SETC16 of its modifier.
# chips: both
# idiom: I-ADDR-MOD
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
    ttmvmul 0, 0, 0, 0
    ttnop # between
    ttsetc16 ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, 8
