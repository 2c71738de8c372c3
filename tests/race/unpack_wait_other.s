# SPDX-License-Identifier: Apache-2.0
# The wait is for the other unpacker.
# chips: both
# state: THCON_SEC0_REG3_Base_address
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::UNPACK0
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    .word 0x420080C1 # first
    ttstallwait p_stall::STALL_CFG, p_stall::UNPACK1
    ttrmwcib0 0xFF, 0, THCON_SEC0_REG3_Base_address_ADDR32 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
