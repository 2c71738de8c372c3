# SPDX-License-Identifier: Apache-2.0
# A base address moves on while the unpacker may still read it.
# Public: tt-llk #1658, fifth finding; tt-metal PR 49201.
# chips: bh
# state: THCON_SEC0_REG3_Base_address
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::UNPACK0
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    .word 0x420080C1 # first
    ttcfgshiftmask 0, 3, 31, 0, 0, THCON_SEC0_REG3_Base_address_ADDR32 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
