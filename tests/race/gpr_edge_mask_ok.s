# SPDX-License-Identifier: Apache-2.0
# An edge mask out of a GPR, behind a STALLWAIT for the packers and the Scalar Unit.
# chips: bh
.include "tile.inc"

.thread pack
.tile
    ttsetdmareg 0, 0x1, 0, 57
    ttstallwait p_stall::STALL_CFG, p_stall::PACK | p_stall::THCON
    ttwrcfg 28, 0, PCK_EDGE_OFFSET_SEC0_mask_ADDR32
