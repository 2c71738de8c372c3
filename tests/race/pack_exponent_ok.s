# SPDX-License-Identifier: Apache-2.0
# Half of Dst is cleared while exponents are still looked for there. Repaired.
# chips: both
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000, BF16, BFP8
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
    ttstallwait p_stall::STALL_MATH, p_stall::PACK | p_stall::THCON
.if BLACKHOLE
    ttzeroacc 2, 0, 0, 0, 0
.else
    ttzeroacc 2, 0, 0
.endif
