# SPDX-License-Identifier: Apache-2.0
# Banks that nothing has read are given back before the unpackers have handed them over: repaired.
# Public: tt-metal #53413, PR 54483; one of the ten of #53394.
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
    ttstallwait p_stall::STALL_MATH, p_stall::SRCB_VLD
    ttsetrwc p_setrwc::CLR_B, 0, 0, 0, 0, 0
