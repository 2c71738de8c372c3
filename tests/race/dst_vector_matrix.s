# SPDX-License-Identifier: Apache-2.0
# The Matrix Unit adds to rows of Dst that the Vector Unit is storing.
# chips: both
# state: Dst row
# remedy: ttstallwait p_stall::STALL_MATH, p_stall::WAIT_SFPU
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
    sfpstore L10, 0, 2, 3 # first
    ttelwadd 0, 1, 0, 0, 0 # second
