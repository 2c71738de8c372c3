# SPDX-License-Identifier: Apache-2.0
# The next tile's address, behind a STALLWAIT for its GPR alone.
# Public: tt-llk #97, tt-metal #18779; tt-llk cpack_common.h of 2026 is like this again.
# chips: both
# open: bh
# state: THCON_SEC0_REG1_L1_Dest_addr
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::PACK
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
.rept 3
    .word 0x41000000 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
.endr
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    ttsetdmareg 0, 0x2100, 0, 8
    ttsetdmareg 0, 0x2000, 0, 9
    ttstallwait p_stall::STALL_CFG, p_stall::THCON
    ttwrcfg 4, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32 # second
    ttsetdmareg 0, 0, 0, 9
    ttdmanop
