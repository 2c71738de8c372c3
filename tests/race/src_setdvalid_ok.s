# SPDX-License-Identifier: Apache-2.0
# SETDVALID hands a bank over that the unpacker is still filling: repaired.
# chips: wh
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    zero_b
    .word 0x42008081
    ttstallwait p_stall::STALL_TDMA, p_stall::UNPACK0
    ttsetdvalid 1

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
