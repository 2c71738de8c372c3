# SPDX-License-Identifier: Apache-2.0
# The post is there and does not wait for the packers.
# chips: both
# state: L1 from
# remedy: T2: ttstallwait p_stall::STALL_SYNC, p_stall::PACK before it tells T0
.include "tile.inc"

.thread unpack
.init
    a_from 0x20000
    b_zeros
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    unpack_begin
    ttsemwait p_stall::STALL_UNPACK, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    .word 0x420080C1 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 64

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    ttsempost p_stall::SEMAPHORE_2
