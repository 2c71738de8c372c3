# SPDX-License-Identifier: Apache-2.0
# The multiplication that SETC16 overtakes comes out of the replay buffer.
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
    ttreplay 0, 2, 0, 1
    ttnop
    ttmova2d 0, 0, 0, 2, 0 # first
    ttreplay 0, 2, 0, 0
    ttsetc16 1, 64 # second
