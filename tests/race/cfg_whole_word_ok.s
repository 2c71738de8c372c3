# SPDX-License-Identifier: Apache-2.0
# WRCFG of a whole word takes the bits of another thread with it: repaired.
# Public: tt-llk #1658, first finding.
# chips: both
.thread math
.tile
    .setcfg ALU_ACC_CTRL_Zero_Flag_disabled_src, 1

.thread pack
.tile
    ttsetdmareg 0, 0, 0, 2 * 4
    ttstallwait p_stall::STALL_CFG, p_stall::THCON
    .setcfg STACC_RELU_ApplyRelu, 1
