# SPDX-License-Identifier: Apache-2.0
# Adds a tile of INT32 to one that lies in L1: sign and magnitude, saturating. 32-bit data do not pass
# through SrcA: the unpacker writes Dst (Unpack_if_sel), the Matrix Unit has nothing to do, and the
# unpacker tells the packers. Both chips.
#
#     tensix run examples/tiles/accumulate_int32.s --arch bh --l1 0x10000=x.npy:int32:sm \
#         --l1 0x20000=sum.npy:int32:sm --l1-out 0x20000:int32:32x32:sm=y.npy
.title "Adds an INT32 tile to L1"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000, INT32, INT32
    .setcfg SRCA_SET_SetOvrdWithAddr, 0
    .setcfg THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1
    .setcfg UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 1024   # Z of channel 1 counts faces in Dst
.tile
    unpack_begin
.rept 4
    # To Dst: Z += 1 on both sides, nothing is handed over.
    TTI_UNPACR(0, 0x11, 0, 0, 0, 1, 0, p_unpacr::RAREFYB_DISABLE, 0, 0, 0, 0, 1)
.endr
    ttstallwait p_stall::STALL_SYNC, p_stall::UNPACK0
    ttsempost p_stall::SEMAPHORE_1

.thread pack
.init
    l1_to 0x20000, INT32, INT32, 1
    l1_accumulate
.tile
    pack_begin
    pack_tile
    pack_end
