# SPDX-License-Identifier: Apache-2.0
# MOVD2B writes a bank of SrcB that the unpacker may be filling: repaired.
# Public: tt-metal PR 54683, #53412; one of the ten of #53394.
# chips: both
.include "tile.inc"

.thread unpack
.init
    b_zeros
.tile
.if BLACKHOLE
    .word 0x43800101
.else
    .word 0x43800001
    .word 0x43800007
.endif

.thread math
.tile
    ttstallwait p_stall::STALL_MATH, p_stall::MATH | p_stall::SRCB_VLD
    ttmovd2b 0, 0, 3, 2, 0
    ttmovb2d 0, 0, 3, 2, 16
