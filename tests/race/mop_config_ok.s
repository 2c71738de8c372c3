# SPDX-License-Identifier: Apache-2.0
# The moves that SETC16 overtakes are made by a MOP: repaired.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 1
    unpack_a
    zero_b
.endr

.thread math
    .mop 0, 2, 1, 0x02000000, 0x02000000, 0x02000000, 0x12002000, 0x02000000, 0x12002000, 0x12002000
.init
    operands
.tile
    ttmop 1, 0, 0
    ttstallwait p_stall::STALL_CFG, p_stall::MATH
    ttsetc16 1, 64
