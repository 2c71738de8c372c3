# SPDX-License-Identifier: Apache-2.0
# STALLWAIT asks for a bank that the multiplication before it has yet to turn from.
# Public: tt-metal PR 52256, #55106.
# chips: both
# state: the bank of SrcB that the Matrix Unit turns to
# remedy: the STALLWAIT also waits for p_stall::MATH
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 2
    unpack_a
    zero_b
.endr

.thread math
.init
    operands
.tile
    ttmvmul 3, 0, 0, 0 # first
    ttstallwait p_stall::STALL_MATH, p_stall::SRCB_VLD # second
    ttmovd2b 0, 0, 3, 2, 0
