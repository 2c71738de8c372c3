# SPDX-License-Identifier: Apache-2.0
# Two BF16 tiles side by side become a matrix of 32x64, row by row. Blackhole reads strided: with both
# switches of DEST_ACCESS_CFG an instruction takes the same row of two faces, which lie sixteen rows
# apart; each row of the matrix has an address, which the Scalar Unit counts up. Wormhole gives each
# packer eight rows of the tiles, row by row, and one address. Both chips.
#
#     tensix run examples/tiles/untilize.s --arch bh --l1 0x10000=x.npy:bf16 \
#         --l1-out 0x20000:bf16:32x64:rows=y.npy
.title "Two BF16 tiles become rows"
.include "tile.inc"
ROW_BYTES = 128

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 8                                 # Z goes on from the first tile to the second
    unpack_a
    zero_b
.endr

.thread math
.init
    operands
.if BLACKHOLE
    .setcfg DEST_ACCESS_CFG_remap_addrs, 1
    .setcfg DEST_ACCESS_CFG_swizzle_32b, 1
.endif
.tile
face = 0
.rept 8
    copy_face 16 * face
face = face + 1
.endr
    dst_full

.thread pack
.macro set_gpr gpr, value               # both halves
    ttsetdmareg (\value) >> 14 & 3, (\value) & 0x3FFF, 0, 2 * (\gpr)
    ttsetdmareg (\value) >> 30 & 3, (\value) >> 16 & 0x3FFF, 0, 2 * (\gpr) + 1
.endm
ADDRESS = 16                            # registers of the Scalar Unit
STEP = 17
.if BLACKHOLE
.init
    l1_to 0x20000
    .setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 1024   # the lower two faces: 32 rows of Dst further on
    .setcfg ADDR_MOD_PACK_SEC0_YsrcIncr, 0
    set_gpr ADDRESS, 0x80000000 | (0x20000 / 16 - 1)
    set_gpr STEP, ROW_BYTES / 16
.tile
    pack_begin
    ttsetadc 4, 0, 3, 15                # 15 + 1 is 16, which is tile 0: Dst has sixteen tiles
half = 0
.rept 2
.rept 16
    ttaddrcrzw 4, 0, 0, 0, 0, 2         # W as it began
tile = 0
.rept 2
    ttincadczw 4, 0, 0, 1, 0
    # Strided: two rows. The last one closes the stream.
    TTI_PACR(0, 0, p_pacr::DST_ACCESS_STRIDED_MODE, 0, 0, 0, 0b0011, 0, 0, 0, 0, tile)
tile = tile + 1
.endr
    ttincadcxy 4, 0, 0, 1, 0            # the next row
    ttadddmareg 0, ADDRESS, STEP, ADDRESS
    ttstallwait p_stall::STALL_CFG, p_stall::THCON | p_stall::PACK   # tt-llk #97
    ttwrcfg ADDRESS, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32
    ttnop                               # a word passes before what is written counts
.endr
.if half == 0
    ttincadczw 4, 0, 0, 0, 1
    ttsetadcxy 4, 0, 0, 0, 0, 2
.endif
half = half + 1
.endr
.else
.init
    l1_to 0x20000
    .setcfg THCON_SEC0_REG1_L1_Dest_addr, 0x20000 / 16 - 1          # bit 31 clear: each has its own
    .setcfg THCON_SEC0_REG8_L1_Dest_addr, (0x20000 + 8 * ROW_BYTES) / 16 - 1
    .setcfg THCON_SEC1_REG1_L1_Dest_addr, (0x20000 + 16 * ROW_BYTES) / 16 - 1
    .setcfg THCON_SEC1_REG8_L1_Dest_addr, (0x20000 + 24 * ROW_BYTES) / 16 - 1
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 8                 # rows of Dst
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 40
    .setcfg ADDR_MOD_PACK_SEC0_YsrcIncr, 15
    .setcfg ADDR_MOD_PACK_SEC1_YsrcCR, 1
    .setcfg ADDR_MOD_PACK_SEC2_YsrcClear, 1
.tile
    pack_begin
    ttsetadcxx 4, 15, 0                 # a row of a face each
.rept 8
    ttsetadc 4, 0, 3, 0
.rept 2
    pack_faces 0                        # the left face, then fifteen rows further on
    ttincadcxy 4, 0, 0, 1, 0            # and one: the right face
    pack_faces 1                        # back to the row that the stream began with
    ttincadczw 4, 0, 0, 1, 0            # the next tile
.endr
    ttaddrcrxy 4, 0, 0, 1, 0, 2         # the next row
.endr
    pack_faces 2, flush=1, last=1       # what is left goes to L1
.endif
    pack_end
