# SPDX-License-Identifier: Apache-2.0
# SETC16 changes the address modifier of a multiplication in flight.
# chips: both
# state: ADDR_MOD_
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::MATH
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
.init
    operands
.tile
    ttmvmul 0, 0, 0, 0 # first
    ttsetc16 ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, 8 # second
