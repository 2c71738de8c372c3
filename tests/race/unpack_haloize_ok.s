# SPDX-License-Identifier: Apache-2.0
# The next operation's transposition is set while the unpacker may still read this one's. Repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    .word 0x420080C1
    ttstallwait p_stall::STALL_CFG, p_stall::UNPACK0
    .setcfg THCON_SEC0_REG2_Haloize_mode, 1

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
