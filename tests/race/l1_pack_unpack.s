# SPDX-License-Identifier: Apache-2.0
# A tile is unpacked that the packers are still writing.
# chips: both
# state: L1 from
# remedy: T2: ttstallwait p_stall::STALL_SYNC, p_stall::PACK and ttsempost
.include "tile.inc"

.thread unpack
.init
    a_from 0x20000
    b_zeros
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    unpack_begin
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
