# SPDX-License-Identifier: Apache-2.0
# SETDVALID hands a bank over that the unpacker is still filling.
# chips: wh
# state: the bank of SrcA that unpacker 0 turns to
# remedy: ttstallwait p_stall::STALL_TDMA, p_stall::UNPACK0
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    zero_b
    .word 0x42008081 # first
    ttsetdvalid 1 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
