# SPDX-License-Identifier: Apache-2.0
# A BF16 tile of 32x32 from L1 to L1: thread 0 unpacks it into SrcA, thread 1 copies it into Dst,
# thread 2 packs it. Both chips.
#
#     tensix run examples/tiles/datacopy.s --arch bh \
#         --l1 0x10000=x.npy:bf16 --l1-out 0x20000:bf16:32x32=y.npy
.title "Copies a BF16 tile through SrcA and Dst"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 4
    unpack_a
    zero_b
.endr

.thread math
.init
    operands
.tile
face = 0
.rept 4
    copy_face 16 * face
face = face + 1
.endr
    dst_full

.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    pack_tile
    pack_end
