# SPDX-License-Identifier: Apache-2.0
# WRCFG overtakes SETDMAREG on Blackhole.
# Public: tt-isa-documentation #58, tt-llk #1657.
# chips: bh
# state: GPR 4 of T2
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::THCON
.thread pack
.tile
    ttsetdmareg 0, 5, 0, 2 * 4 # first
    ttwrcfg 4, 0, 90 # second
