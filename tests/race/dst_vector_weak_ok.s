# SPDX-License-Identifier: Apache-2.0
# The STALLWAIT is there and waits for the wrong unit: repaired.
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
    ttstallwait p_stall::STALL_SFPU, p_stall::MATH
    sfpload L0, 0, 2, 3
