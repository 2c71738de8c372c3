# SPDX-License-Identifier: Apache-2.0
# SETC16 moves Dst under a move of the Matrix Unit that still reads where it is.
# Public: tt-metal #54683.
# chips: both
# state: DEST_TARGET_REG_CFG_MATH_Offset
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::MATH
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
    ttmova2d 0, 0, 0, 2, 0 # first
    ttsetc16 1, 64 # second
