# SPDX-License-Identifier: Apache-2.0
# Rows of BF16 numbers become a tile: the unpacker reads a matrix of 32x32 row by row (Tileize_mode: the
# distance of rows is in Shift_amount, in units of 16 bytes). Wormhole moves a face at a time, sixteen
# data of each row; Blackhole takes rows of 32 data, so that left and right rows alternate in Dst, and
# the packer puts them right: it takes rows 0, 2, 4 ..., then 1, 3, 5 ... Both chips.
#
#     tensix run examples/tiles/tilize.s --arch bh --l1 0x10000=x.npy:bf16:rows \
#         --l1-out 0x20000:bf16:32x32=y.npy
.title "Rows of BF16 become a tile"
.include "tile.inc"
ROW_BYTES = 64

.thread unpack
.init
    a_from 0x10000
    b_zeros
    .setcfg THCON_SEC0_REG2_Tileize_mode, 1
    .setcfg THCON_SEC0_REG2_Shift_amount_cntx0, ROW_BYTES / 16 & 15
    .setcfg THCON_SEC0_REG2_Shift_amount_cntx1, ROW_BYTES / 256 & 15
    .setcfg THCON_SEC0_REG2_Shift_amount_cntx2, ROW_BYTES / 4096 & 15
.if BLACKHOLE
    .setcfg THCON_SEC0_REG0_TileDescriptor_1, 0x00010001    # one face
    .setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 1024          # of 1024 data
.else
    .setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 16            # Z moves sixteen data to the right
    # Context 1 is the lower half, sixteen rows further on.
    .setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx1, 1
    .setcfg THCON_SEC0_REG3_Base_cntx1_address, (0x10000 + 16 * ROW_BYTES) / 16 - 1
    .setcfg THCON_SEC0_REG5_Tile_x_dim_cntx1, 16
    .setcfg THCON_SEC0_REG5_Dest_cntx1_address, 64
.endif
.tile
    unpack_begin
.if BLACKHOLE
    ttsetadcxx 1, 1023, 0
    unpack_a 0
    zero_b
.else
half = 0
.rept 2
    .setcfg UNPACK_MISC_CFG_CfgContextOffset_0, half
    face_a 0
.rept 2
    unpack_a
    zero_b
.endr
half = half + 1
.endr
.endif

.thread math
.init
    operands
.tile
.if BLACKHOLE
row = 0
.rept 8
    ttmova2d 0, row, 0, 2, row          # 64 rows of a bank
row = row + 8
.endr
    ttsetrwc 3, 0, 0, 0, 0, 0
.else
face = 0
.rept 4
    copy_face 16 * face
face = face + 1
.endr
.endif
    dst_full

.thread pack
.init
    l1_to 0x20000
.if BLACKHOLE
    .setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 1024   # the lower half begins at row 32 of Dst
    .setcfg ADDR_MOD_PACK_SEC1_YsrcClear, 1, ADDR_MOD_PACK_SEC1_YdstClear, 1
.endif
.tile
    pack_begin
.if BLACKHOLE
half = 0
.rept 2
.rept 7
    pack_rows 0, 0b0101                 # read interfaces 0 and 2: two rows of the left face
.endr
    pack_rows 1, 0b0101
.rept 7
    pack_rows 0, 0b1010                 # 1 and 3: of the right face
.endr
    pack_rows 2, 0b1010, half           # on to the lower half; the last one closes the tile
half = half + 1
.endr
.else
    pack_tile
.endif
    pack_end
