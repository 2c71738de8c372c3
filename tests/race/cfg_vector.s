# SPDX-License-Identifier: Apache-2.0
# The format of Dst is written while a load may still ask for it.
# Public: tt-metal PR 48360, tt-llk #1652.
# chips: both
# state: ALU_ACC_CTRL_SFPU_Fp32_enabled
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::WAIT_SFPU
.thread math
.tile
    sfploadi L1, 0x4049, 0
    sfpstore L1, 0, 2, 3
    sfpload L0, 0, 0, 3 # first
    .setcfg ALU_ACC_CTRL_SFPU_Fp32_enabled, 1 # second
