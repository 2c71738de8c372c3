# SPDX-License-Identifier: Apache-2.0
# An edge mask out of a GPR, behind a STALLWAIT for the packers alone.
# Public: tt-isa-documentation #58, tt-metal PR 48585.
# chips: bh
# open: bh
# state: GPR 28 of T2
# remedy: p_stall::THCON
.include "tile.inc"

.thread pack
.tile
    ttsetdmareg 0, 0x1, 0, 57 # first
    ttstallwait p_stall::STALL_CFG, p_stall::PACK
    ttwrcfg 28, 0, PCK_EDGE_OFFSET_SEC0_mask_ADDR32 # second
