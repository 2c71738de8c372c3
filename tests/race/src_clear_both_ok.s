# SPDX-License-Identifier: Apache-2.0
# Nothing is wrong: STALLWAIT waits for the bank of SrcA, and SETRWC gives that of SrcB back with it,
# which was handed over beside it (I-CLEAR-BOTH).
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 2
    zero_b
    unpack_a
.endr

.thread math
.init
    operands
.tile
.rept 2
    ttstallwait p_stall::STALL_MATH, p_stall::SRCA_VLD | p_stall::MATH
    ttmovd2a 0, 0, 0, 2, 0
    ttsetrwc 3, 0, 0, 0, 0, 0
.endr
