# SPDX-License-Identifier: Apache-2.0
# SEMGET gives Dst back while exponents are still looked for there.
# Public: tt-metal #56073, PR 54157.
# chips: both
# state: Dst row
# remedy: T2: ttstallwait p_stall::STALL_SYNC, p_stall::THCON before it tells T1
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
    ttmova2d 0, 0, 0, 2, 0 # second

.thread pack
.init
    l1_to 0x20000, BF16, BFP8
.tile
    pack_begin
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    ttstallwait p_stall::STALL_SYNC, p_stall::PACK
    ttsemget p_stall::SEMAPHORE_1
