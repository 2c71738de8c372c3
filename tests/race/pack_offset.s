# SPDX-License-Identifier: Apache-2.0
# The row of Dst where packing begins is written while the packers may still read it.
# chips: both
# state: DEST_TARGET_REG_CFG_PACK_SEC0_Offset
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::PACK
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 4 # second
