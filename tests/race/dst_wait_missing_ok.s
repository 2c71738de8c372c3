# SPDX-License-Identifier: Apache-2.0
# Nobody tells the packers that Dst is full: repaired.
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
    dst_full

.thread pack
.init
    l1_to 0x20000
.tile
    ttsemwait p_stall::STALL_PACK, p_stall::SEMAPHORE_1, p_stall::STALL_ON_ZERO
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
