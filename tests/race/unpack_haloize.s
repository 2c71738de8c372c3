# SPDX-License-Identifier: Apache-2.0
# The next operation's transposition is set while the unpacker may still read this one's.
# Public: tt-llk #747.
# chips: both
# open: bh wh
# state: THCON_SEC0_REG2_Haloize_mode
# remedy: p_stall::UNPACK0
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    .word 0x420080C1 # first
    .setcfg THCON_SEC0_REG2_Haloize_mode, 1 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
