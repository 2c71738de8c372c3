# SPDX-License-Identifier: Apache-2.0
# C = A B, 64x64 each, in BF16: two by two tiles, which lie one behind the other in L1, row by row.
# Counter W of the unpackers chooses the tile, Z its face; of the packers W chooses the tile in Dst.
# FIDELITY as in matmul.s. WIDE 1 gathers the sums in FP32, WIDE 0 in BF16, which loses digits with
# every MVMUL: examples/README.md has what remains of each. Both chips.
#
#     tensix run examples/tiles/matmul64.s --arch bh --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
#         --l1-out 0x20000:bf16:64x64=c.npy
.title "Multiplies two BF16 matrices of 64x64"
.include "tile.inc"
.equ FIDELITY, 4
.equ WIDE, 1

.thread unpack
.init
    a_from 0x18000
    b_from 0x10000
.tile
    unpack_begin
step = 0
.rept 64                                # tile of C: two bits; its face: two bits; k: two bits
row = 2 * (step >> 5) + (step >> 3 & 1)         # of faces of C
column = 2 * (step >> 4 & 1) + (step >> 2 & 1)
k = step & 3
    face_a 2 * (k & 1) + (column & 1), 2 * (k >> 1) + (column >> 1)
    face_b 2 * (row & 1) + (k & 1), 2 * (row >> 1) + (k >> 1)
    unpack_b 0
    unpack_a 0
step = step + 1
.endr

.thread math
.init
    operands
.if WIDE
    wide_dst
.endif
    .setcfg ADDR_MOD_AB_SEC0_SrcBIncr, 8
    .setcfg ADDR_MOD_AB_SEC1_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
    .setcfg ADDR_MOD_AB_SEC2_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1
.tile
    clear_dst
step = 0
.rept 64
    .rept FIDELITY - 1
    ttmvmul 0, 0, 0, 16 * (step >> 2)   # tile and face together are sixteen rows of Dst
    ttmvmul 0, 0, 1, 16 * (step >> 2) + 8
    .endr
    ttmvmul 0, 0, 0, 16 * (step >> 2)
    ttmvmul 3, 0, 2, 16 * (step >> 2) + 8
step = step + 1
.endr
    dst_full

.thread pack
.init
    l1_to 0x20000, BF16, BF16, WIDE
.tile
    pack_begin
    pack_tile
tile = 1
.rept 3
    pack_next tile, 0x20000 + 2048 * tile
    pack_tile
tile = tile + 1
.endr
    pack_end
