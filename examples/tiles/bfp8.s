# SPDX-License-Identifier: Apache-2.0
# A BFP8 tile from L1 to L1: in L1 sixteen data share an exponent; in SrcA and Dst each has its own.
# Both chips.
#
#     tensix run examples/tiles/bfp8.s --arch bh \
#         --l1 0x10000=x.npy:bfp8_b --l1-out 0x20000:bfp8_b:32x32=y.npy
.title "Copies a BFP8 tile through SrcA and Dst"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000, BFP8, BFP8          # in SrcA that is BF16, by the name of BFP8
    b_zeros BFP8
.tile
    unpack_begin
.rept 4
    unpack_a
    zero_b
.endr

.thread math
.init
    operands BFP8, BFP8
.tile
face = 0
.rept 4
    copy_face 16 * face
face = face + 1
.endr
    dst_full

.thread pack
.init
    l1_to 0x20000, BF16, BFP8
.tile
    pack_begin
    pack_tile
    pack_end
