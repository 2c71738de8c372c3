# SPDX-License-Identifier: Apache-2.0
# The instruction behind WRCFG reads the word that it writes: repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    ttsetdmareg 0, 32, 0, 2 * 4
    ttstallwait p_stall::STALL_CFG, p_stall::THCON
    ttwrcfg 4, 0, UNP0_ADDR_BASE_REG_1_Base_ADDR32
    ttnop
    .word 0x420080C1

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
