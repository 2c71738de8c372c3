# SPDX-License-Identifier: Apache-2.0
# SETC16 of the offset in Dst right behind MOVD2B.
# chips: both
# idiom: I-DST-OFFSET-MOVD2B
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    unpack_a
    zero_b

.thread math
.init
    operands
.tile
    ttstallwait p_stall::STALL_MATH, p_stall::SRCA_VLD | p_stall::SRCB_VLD
    ttmovd2b 0, 0, 0, 0, 0
    ttsetc16 1, 64
