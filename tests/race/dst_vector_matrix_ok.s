# SPDX-License-Identifier: Apache-2.0
# The Matrix Unit adds to rows of Dst that the Vector Unit is storing: repaired.
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
    sfpstore L10, 0, 2, 3
    ttstallwait p_stall::STALL_MATH, p_stall::WAIT_SFPU
    ttelwadd 0, 1, 0, 0, 0
