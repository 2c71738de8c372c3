# SPDX-License-Identifier: Apache-2.0
# BF16 has no shared exponents.
# chips: both
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000, BF16, BF16
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
    ttstallwait p_stall::STALL_MATH, p_stall::PACK
.if BLACKHOLE
    ttzeroacc 2, 0, 0, 0, 0
.else
    ttzeroacc 2, 0, 0
.endif
