# SPDX-License-Identifier: Apache-2.0
# The instruction behind CFGSHIFTMASK reads the word that it writes.
# chips: bh
# state: THCON_SEC0_REG3_Base_address
# remedy: ttnop
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    ttcfgshiftmask 0, 3, 31, 0, 0, THCON_SEC0_REG3_Base_address_ADDR32 # first
    .word 0x420080C1 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
