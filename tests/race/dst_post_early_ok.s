# SPDX-License-Identifier: Apache-2.0
# SEMPOST says that Dst is full while the Matrix Unit still writes it: repaired.
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
    ttstallwait p_stall::STALL_SYNC, p_stall::MATH
    ttsempost p_stall::SEMAPHORE_1

.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
