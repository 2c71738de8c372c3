# SPDX-License-Identifier: Apache-2.0
# Adds a BF16 tile to one that lies in L1: the packer reads what is there, adds and writes back, so
# that partial results of many products can gather in L1. Both chips.
#
#     tensix run examples/tiles/accumulate.s --arch bh --l1 0x10000=x.npy:bf16 \
#         --l1 0x20000=sum.npy:bf16 --l1-out 0x20000:bf16:32x32=y.npy
.title "Adds a BF16 tile to L1"
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
    l1_accumulate
.tile
    pack_begin
    pack_tile
    pack_end
