# SPDX-License-Identifier: Apache-2.0
# The format of Dst is written while a load may still ask for it: repaired.
# Public: tt-metal PR 48360, tt-llk #1652.
# chips: both
.thread math
.tile
    sfploadi L1, 0x4049, 0
    sfpstore L1, 0, 2, 3
    sfpload L0, 0, 0, 3
    ttstallwait p_stall::STALL_CFG, p_stall::WAIT_SFPU
    .setcfg ALU_ACC_CTRL_SFPU_Fp32_enabled, 1
