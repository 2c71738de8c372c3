# SPDX-License-Identifier: Apache-2.0
# 32-bit Dst: no exponents are looked for behind the packers.
# chips: both
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000, FP32, BFP8, 1
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
    ttstallwait p_stall::STALL_MATH, p_stall::PACK
.if BLACKHOLE
    ttzeroacc 2, 0, 0, 0, 0
.else
    ttzeroacc 2, 0, 0
.endif
