# SPDX-License-Identifier: Apache-2.0
# STALLWAIT asks for a bank that the multiplication before it has yet to turn from: repaired.
# Public: tt-metal PR 52256, #55106.
# chips: both
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
    ttmvmul 3, 0, 0, 0
    ttstallwait p_stall::STALL_MATH, p_stall::MATH | p_stall::SRCB_VLD
    ttmovd2b 0, 0, 3, 2, 0
