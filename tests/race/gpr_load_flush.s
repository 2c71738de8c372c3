# SPDX-License-Identifier: Apache-2.0
# FLUSHDMA orders a load before its use, a plain DMANOP does not.
# chips: both
# state: GPR 8 of T0
# remedy: ttstallwait p_stall::STALL_THCON, p_stall::THCON
.thread unpack
.tile
    ttsetdmareg 0, 0x1000, 0, 2 * 12
    ttsetdmareg 0, 0, 0, 2 * 12 + 1
    ttsetdmareg 0, 0, 0, 2 * 14
    ttloadind 1, 28, 0, 8, 12 # first
    ttdmanop
    ttadddmareg 0, 9, 8, 8 # second
