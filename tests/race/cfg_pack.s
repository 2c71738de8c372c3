# SPDX-License-Identifier: Apache-2.0
# A format is written while the packers still convert.
# chips: both
# state: THCON_SEC0_REG1_Out_data_format
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::PACK
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    .setcfg THCON_SEC0_REG1_Out_data_format, FP32 # second
