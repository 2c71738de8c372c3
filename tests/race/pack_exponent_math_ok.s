# SPDX-License-Identifier: Apache-2.0
# SEMGET gives Dst back while exponents are still looked for there. Repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    unpack_a
    zero_b

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 16
    dst_full
    ttsemwait p_stall::STALL_MATH, p_stall::SEMAPHORE_1, p_stall::STALL_ON_MAX
    ttmova2d 0, 0, 0, 2, 0

.thread pack
.init
    l1_to 0x20000, BF16, BFP8
.tile
    pack_begin
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
    ttstallwait p_stall::STALL_SYNC, p_stall::PACK | p_stall::THCON
    ttsemget p_stall::SEMAPHORE_1
