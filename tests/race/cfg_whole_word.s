# SPDX-License-Identifier: Apache-2.0
# WRCFG of a whole word takes the bits of another thread with it.
# Public: tt-llk #1658, first finding.
# chips: both
# state: ALU_ACC_CTRL_Zero_Flag_disabled_src
# remedy: ttsempost
.thread math
.tile
    .setcfg ALU_ACC_CTRL_Zero_Flag_disabled_src, 1 # either

.thread pack
.tile
    ttsetdmareg 0, 0, 0, 2 * 4
    ttstallwait p_stall::STALL_CFG, p_stall::THCON
    ttwrcfg 4, 0, STACC_RELU_ApplyRelu_ADDR32 # either
