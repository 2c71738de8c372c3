# SPDX-License-Identifier: Apache-2.0
# The address in L1 is written while a tile of one PACR may not have begun. Repaired.
# chips: both
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
    ttstallwait p_stall::STALL_CFG, p_stall::PACK
    ttwrcfg 4, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32
