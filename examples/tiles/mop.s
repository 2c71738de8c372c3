# SPDX-License-Identifier: Apache-2.0
# datacopy.s with three loops: a MOP makes many words out of one, so that a core pushes one word where
# the units need a dozen. MopCfg of template 1 has the counts of the outer and the inner loop, the word
# before the inner loop, two words behind it, the two words of its body, and what stands for the last
# word of the body at the very end and at the end of each inner loop. Words that are NOP are left out.
# Both chips.
#
#     tensix run examples/tiles/mop.s --arch bh \
#         --l1 0x10000=x.npy:bf16 --l1-out 0x20000:bf16:32x32=y.npy
.title "Copies a BF16 tile by MOPs"
.include "tile.inc"
NOP = 0x02000000

.thread unpack
.if BLACKHOLE                           # four faces: UNPACR of SrcA, then zeros in SrcB
    .mop 0, 4, 1, 0x420080C1, NOP, NOP, 0x43800101, NOP, 0x43800101, 0x43800101
.else                                   # clear and hand over are two words
    .mop 0, 4, 1, 0x420080C1, NOP, NOP, 0x43800001, 0x43800007, 0x43800007, 0x43800007
.endif
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    ttmop 1, 0, 0

.thread math                            # four faces: MOVA2D twice, SETRWC
MOVE = 0x12002000                       # eight rows, address modifier 0
SETRWC = 0x37C00001                     # both banks back, row 0 of SrcA again
    .mop 0, 4, 2, NOP, SETRWC, NOP, MOVE, NOP, MOVE, MOVE
.init
    operands
    .setcfg ADDR_MOD_AB_SEC0_SrcAIncr, 8
    .setcfg ADDR_MOD_DST_SEC0_DestIncr, 8
.tile
    ttmop 1, 0, 0
    dst_full

.thread pack
.if BLACKHOLE                           # four faces: PACR four times
    .mop 0, 4, 4, NOP, NOP, NOP, 0x41000000, NOP, 0x41008001, 0x41010000
.else                                   # one PACR for all
    .mop 0, 1, 1, NOP, NOP, NOP, 0x41008F01, NOP, 0x41008F01, 0x41008F01
.endif
.init
    l1_to 0x20000
.tile
    pack_begin
    ttmop 1, 0, 0
    pack_end
