# SPDX-License-Identifier: Apache-2.0
# Sums (OPERATION 0) or maxima (OPERATION 1) of the columns of a BF16 tile, in the first row of the
# result; all else is zero. GAPOOL multiplies the first row of SrcB by sixteen rows of SrcA and adds:
# with ones it sums, with 1/32 it averages. GMPOOL takes maxima, where the row must be ones. The second
# tile of the input begins with that row. Both chips.
#
#     tensix run examples/tiles/reduce.s --arch bh --l1 0x10000=x.npy:bf16 --l1 0x18000=row.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=y.npy
.title "Sums or maxima of the columns of a BF16 tile"
.include "tile.inc"
.equ OPERATION, 0

.thread unpack
.init
    a_from 0x10000
    b_from 0x18000
.tile
    unpack_begin
    ttsetadcxx 2, 15, 0                 # of B one row
column = 0
.rept 2
    face_a column
.rept 2                                 # the upper face, the lower face
    unpack_a 2
    unpack_b 0
.endr
column = column + 1
.endr

.thread math
.init
    operands
    .setcfg ADDR_MOD_DST_SEC0_FidelityClear, 1
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
.macro pool row
.if OPERATION
    ttgmpool 3, 1, 0, 0, \row
.else
.rept 3                                 # four phases, HiFi4
    ttgapool 0, 1, 1, 0, \row
.endr
    ttgapool 3, 1, 0, 0, \row
.endif
.endm
.tile
    clear_dst                           # rows that hold nothing: zero for a sum, the least for a maximum
column = 0
.rept 2
    pool 16 * column
    pool 16 * column
column = column + 1
.endr
    dst_full

.thread pack
.init
    l1_to 0x20000
    # Of the upper two faces the first row passes: row 0 has mask 1, which is all sixteen columns, the
    # others mask 0, which is none. Blackhole's one packer does so with each face.
    .setcfg PCK_EDGE_OFFSET_SEC0_mask, 0
    .setcfg PCK_EDGE_OFFSET_SEC1_mask, 0xFFFF
    .setcfg PCK_EDGE_TILE_ROW_SET_SELECT_select, 5
    .setcfg TILE_ROW_SET_MAPPING_1_row_set_mapping_0, 1
.tile
    pack_begin
    pack_tile
    pack_end
