# SPDX-License-Identifier: Apache-2.0
# The address in L1 is written while a tile of one PACR may not have begun.
# Public: tt-llk #97, tt-metal #18779.
# chips: both
# state: THCON_SEC0_REG1_L1_Dest_addr
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::PACK
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    ttwrcfg 4, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32 # second
