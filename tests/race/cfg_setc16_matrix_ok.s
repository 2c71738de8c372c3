# SPDX-License-Identifier: Apache-2.0
# SETC16 moves Dst under a move of the Matrix Unit that still reads where it is: repaired.
# Public: tt-metal #54683.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 1
    unpack_a
    zero_b
.endr

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
    ttstallwait p_stall::STALL_CFG, p_stall::MATH
    ttsetc16 1, 64
