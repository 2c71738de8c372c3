# SPDX-License-Identifier: Apache-2.0
# Accumulation in L1 is switched while the packer still writes: repaired.
# Public: tt-llk #1384.
# chips: bh
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | 0x8000
    ttstallwait p_stall::STALL_CFG, p_stall::PACK
    .setcfg THCON_SEC0_REG1_Pack_L1_Acc, 1
