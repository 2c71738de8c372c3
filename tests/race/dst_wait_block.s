# SPDX-License-Identifier: Apache-2.0
# SEMWAIT does not hold the packers.
# chips: both
# state: Dst row
# remedy: the block mask of the SEMWAIT also has p_stall::STALL_PACK
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
    ttmova2d 0, 0, 0, 2, 0 # second
    dst_full

.thread pack
.init
    l1_to 0x20000
.tile
    ttsemwait p_stall::STALL_MATH, p_stall::SEMAPHORE_1, p_stall::STALL_ON_ZERO
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
