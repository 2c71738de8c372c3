# SPDX-License-Identifier: Apache-2.0
# A register is used before the load has brought its value: repaired.
# chips: both
.thread unpack
.tile
    ttsetdmareg 0, 0x1000, 0, 2 * 12
    ttsetdmareg 0, 0, 0, 2 * 12 + 1
    ttsetdmareg 0, 0, 0, 2 * 14
    ttloadind 1, 28, 0, 8, 12
    ttstallwait p_stall::STALL_THCON, p_stall::THCON
    ttadddmareg 0, 9, 8, 8
