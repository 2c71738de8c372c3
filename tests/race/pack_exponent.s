# SPDX-License-Identifier: Apache-2.0
# Half of Dst is cleared while exponents are still looked for there.
# Public: tt-metal #56073, PR 54157.
# chips: both
# state: Dst row
# remedy: ttstallwait p_stall::STALL_MATH, p_stall::THCON
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000, BF16, BFP8
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    ttstallwait p_stall::STALL_MATH, p_stall::PACK
.if BLACKHOLE
    ttzeroacc 2, 0, 0, 0, 0 # second
.else
    ttzeroacc 2, 0, 0 # second
.endif
