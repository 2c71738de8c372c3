# SPDX-License-Identifier: Apache-2.0
# SEMWAIT of Wormhole takes the place of a STALLWAIT that it is not held by: repaired.
# chips: wh
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
    ttseminit 1, 1, p_stall::SEMAPHORE_2
.tile
    ttmova2d 0, 0, 0, 2, 0
    ttstallwait p_stall::STALL_SFPU | p_stall::STALL_SYNC, p_stall::MATH
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfpload L0, 0, 2, 3
