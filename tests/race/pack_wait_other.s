# SPDX-License-Identifier: Apache-2.0
# The wait is for the Matrix Unit, not for the packers.
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
    ttstallwait p_stall::STALL_CFG, p_stall::MATH
    .setcfg THCON_SEC0_REG1_Out_data_format, FP32 # second
