# SPDX-License-Identifier: Apache-2.0
# The transpose of a BF16 tile from L1 to L1: the unpacker exchanges rows and columns of each face
# (Haloize_mode) and reads the faces in the order 0, 2, 1, 3. Both chips.
#
#     tensix run examples/tiles/transpose.s --arch bh \
#         --l1 0x10000=x.npy:bf16 --l1-out 0x20000:bf16:32x32=y.npy
.title "Transposes a BF16 tile"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
    .setcfg THCON_SEC0_REG2_Haloize_mode, 1
.tile
    unpack_begin
column = 0
.rept 2
    face_a column
.rept 2
    unpack_a 2                          # the face below comes next
    zero_b
.endr
column = column + 1
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
