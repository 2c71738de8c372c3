# SPDX-License-Identifier: Apache-2.0
# An unpacker reads what STOREIND is still sending: repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    ttsetdmareg 0, 0x1000, 0, 2 * 12
    ttsetdmareg 0, 0, 0, 2 * 12 + 1
    ttsetdmareg 0, 0, 0, 2 * 14
    ttstoreind 1, 0, 1, 28, 0, 4, 12
    ttstallwait p_stall::STALL_UNPACK, p_stall::THCON
    .word 0x420080C1

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
