# SPDX-License-Identifier: Apache-2.0
# MOVD2B writes a bank of SrcB that the unpacker may be filling.
# Public: tt-metal PR 54683, #53412; one of the ten of #53394.
# chips: both
# state: SrcB bank
# remedy: ttstallwait p_stall::STALL_MATH, p_stall::SRCB_VLD | p_stall::MATH
.include "tile.inc"

.thread unpack
.init
    b_zeros
.tile
.if BLACKHOLE
    .word 0x43800101 # second
.else
    .word 0x43800001 # second
    .word 0x43800007
.endif

.thread math
.tile
    ttmovd2b 0, 0, 3, 2, 0 # first
    ttmovb2d 0, 0, 3, 2, 16
