# SPDX-License-Identifier: Apache-2.0
# Banks that nothing has read are given back before the unpackers have handed them over.
# Public: tt-metal #53413, PR 54483; one of the ten of #53394.
# chips: both
# state: whose SrcB bank 0 is
# remedy: p_stall::SRCB_VLD
.include "tile.inc"

.thread unpack
.init
    b_zeros
.tile
.if BLACKHOLE
    .word 0x43800101 # second
.else
    .word 0x43800001
    .word 0x43800007 # second
.endif

.thread math
.tile
    ttsetrwc p_setrwc::CLR_B, 0, 0, 0, 0, 0 # first
