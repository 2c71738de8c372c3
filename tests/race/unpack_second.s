# SPDX-License-Identifier: Apache-2.0
# The base address of unpacker 1 is written while it may still read it.
# chips: both
# state: THCON_SEC1_REG3_Base_address
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::UNPACK1
.include "tile.inc"

.thread unpack
.init
    b_from 0x10000
.tile
    unpack_begin
    .word 0x428080C1 # first
    ttrmwcib0 0xFF, 0, THCON_SEC1_REG3_Base_address_ADDR32 # second

.thread math
.init
    operands
.tile
    ttmovb2d 0, 0, 0, 0, 0
