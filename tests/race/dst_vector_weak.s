# SPDX-License-Identifier: Apache-2.0
# The STALLWAIT is there and waits for the wrong unit.
# chips: both
# state: Dst row
# remedy: ttstallwait p_stall::STALL_SFPU, p_stall::MATH
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
    ttstallwait p_stall::STALL_SFPU, p_stall::THCON
    sfpload L0, 0, 2, 3 # second
