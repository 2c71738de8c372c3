# SPDX-License-Identifier: Apache-2.0
# An unpacker reads what the mover is still copying: repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
    .setcfg THCON_SEC0_REG6_Source_address, 0x8000 / 16
    .setcfg THCON_SEC0_REG6_Destination_address, 0x10000 / 16
    .setcfg THCON_SEC0_REG6_Buffer_size, 8
    .setcfg THCON_SEC0_REG6_Transfer_direction, 3
.tile
    unpack_begin
    ttxmov 0, 0
    ttstallwait p_stall::STALL_UNPACK, p_stall::XMOV
    .word 0x420080C1

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
