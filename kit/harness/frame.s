# SPDX-License-Identifier: Apache-2.0
# What stands around a question about Dst and the Vector Unit: data of 32 bits go from L1 to Dst by
# the first unpacker, thread 0, and a tile of 32 bits goes from Dst to L1 by the packer, thread 2.
# scripts/kit_data.py assembles it; .init is done once a question, .tile each time.
.title "The kit's way into Dst and out of it"
.include "tile.inc"

.thread unpack
.init
    a_from 0x110000, INT32, INT32
    .setcfg SRCA_SET_SetOvrdWithAddr, 0
    .setcfg THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1
    .setcfg UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 1024
.tile
    unpack_begin
.rept 4
    TTI_UNPACR(0, 0x11, 0, 0, 0, 1, 0, p_unpacr::RAREFYB_DISABLE, 0, 0, 0, 0, 1)
.endr

.thread pack
.init
    l1_to 0x130000, INT32, INT32, 1
.tile
.if BLACKHOLE
    ttsetadcxx 4, 15, 0
.else
    ttsetadcxx 4, 255, 0
.endif
    ttsetadcxy 4, 0, 0, 0, 0, 11
    ttsetadczw 4, 0, 0, 0, 0, 15
    pack_tile
