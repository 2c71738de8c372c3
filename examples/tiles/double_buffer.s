# SPDX-License-Identifier: Apache-2.0
# Four BF16 tiles through the two halves of Dst: while the packer reads one half the Matrix Unit fills
# the other. Semaphore 1 counts full halves, at most two. The Matrix Unit waits while it is at its
# maximum, the packer while it is zero; SEMPOST and SEMGET stand behind a STALLWAIT, since they would
# not wait for the units by themselves. `tensix trace` shows what runs at once. Both chips.
#
#     tensix run examples/tiles/double_buffer.s --arch bh \
#         --l1 0x10000=x.npy:bf16 --l1-out 0x20000:bf16:32x128=y.npy
.title "Copies four BF16 tiles through two halves of Dst"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept 16                                # two banks: the unpacker is one face ahead
    unpack_a
    zero_b
.endr

.thread math
.init
    operands
.tile
tile = 0
.rept 4
    ttsemwait p_stall::STALL_MATH, p_stall::SEMAPHORE_1, p_stall::STALL_ON_MAX
    .setcfg DEST_TARGET_REG_CFG_MATH_Offset, 512 * (tile & 1)
face = 0
.rept 4
    copy_face 16 * face
face = face + 1
.endr
    dst_full
tile = tile + 1
.endr

.thread pack
.init
    l1_to 0x20000
    ttseminit 2, 0, p_stall::SEMAPHORE_1    # at most two
.tile
    pack_begin
tile = 0
.rept 4
    pack_next 8 * (tile & 1), 0x20000 + 2048 * tile     # the upper half begins with tile 8
    ttsemwait p_stall::STALL_PACK, p_stall::SEMAPHORE_1, p_stall::STALL_ON_ZERO
    pack_tile
    pack_end
tile = tile + 1
.endr
