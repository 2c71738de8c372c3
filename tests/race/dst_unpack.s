# SPDX-License-Identifier: Apache-2.0
# An unpacker writes Dst while the Matrix Unit reads it.
# chips: both
# state: Dst row
# remedy: T0: ttstallwait p_stall::STALL_SYNC, p_stall::UNPACK0 and ttsempost
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
    .setcfg THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1
    .setcfg SRCA_SET_SetOvrdWithAddr, 0
    .setcfg THCON_SEC0_REG3_Base_address, 0x10000 / 16 - 1
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    unpack_begin
    .word 0x42008081 # second

.thread math
.tile
    sfpload L0, 0, 2, 3 # first
