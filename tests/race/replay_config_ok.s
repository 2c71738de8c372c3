# SPDX-License-Identifier: Apache-2.0
# The multiplication that SETC16 overtakes comes out of the replay buffer: repaired.
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
    ttreplay 0, 2, 0, 1
    ttnop
    ttmova2d 0, 0, 0, 2, 0
    ttreplay 0, 2, 0, 0
    ttstallwait p_stall::STALL_CFG, p_stall::MATH
    ttsetc16 1, 64
