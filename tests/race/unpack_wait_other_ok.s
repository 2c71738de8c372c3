# SPDX-License-Identifier: Apache-2.0
# The wait is for the other unpacker. Repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    .word 0x420080C1
    ttstallwait p_stall::STALL_CFG, p_stall::UNPACK0
    ttrmwcib0 0xFF, 0, THCON_SEC0_REG3_Base_address_ADDR32

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
