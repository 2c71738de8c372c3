# SPDX-License-Identifier: Apache-2.0
# C = A + B, one tile of 32x32 each, in BF16, face by face. Both chips; eltwise.s has the other
# operations, and broadcasts.
#
#     tensix run examples/tiles/add.s --arch bh --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=c.npy
.title "Adds two BF16 tiles"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_from 0x18000
.tile
    unpack_begin
.rept 4
    unpack_a
    unpack_b
.endr

.thread math
.init
    operands
    .setcfg ADDR_MOD_AB_SEC0_SrcAIncr, 8, ADDR_MOD_AB_SEC0_SrcBIncr, 8
    .setcfg ADDR_MOD_AB_SEC1_SrcAClear, 1, ADDR_MOD_AB_SEC1_SrcBClear, 1
.tile
face = 0
.rept 4
    ttelwadd 0, 0, 0, 0, 16 * face      # eight rows
    ttelwadd 3, 0, 0, 1, 16 * face + 8  # the others, and both banks back to the unpackers
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
