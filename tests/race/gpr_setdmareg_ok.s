# SPDX-License-Identifier: Apache-2.0
# WRCFG overtakes SETDMAREG on Blackhole: repaired.
# Public: tt-isa-documentation #58, tt-llk #1657.
# chips: bh
.thread pack
.tile
    ttsetdmareg 0, 5, 0, 2 * 4
    ttstallwait p_stall::STALL_CFG, p_stall::THCON
    ttwrcfg 4, 0, 90
