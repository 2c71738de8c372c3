# SPDX-License-Identifier: Apache-2.0
# The next tile's address, behind a STALLWAIT for its GPR alone. Repaired.
# chips: both
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
.rept 3
    .word 0x41000000 | (BLACKHOLE ? 0x8000 : 0x8F00)
.endr
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
    ttsetdmareg 0, 0x2100, 0, 8
    ttsetdmareg 0, 0x2000, 0, 9
    ttstallwait p_stall::STALL_CFG, p_stall::THCON | p_stall::PACK
    ttwrcfg 4, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32
    ttsetdmareg 0, 0, 0, 9
    ttdmanop
