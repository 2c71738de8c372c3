# SPDX-License-Identifier: Apache-2.0
# The softmax of each row of a BF16 tile: e^x / (the sum of e^x over the row), for numbers between -80
# and 80. The Vector Unit makes e^x of each element; the Matrix Unit sums the rows, as it multiplies by
# a tile of ones, which lies behind the input: each column of the product is the sums. SrcB gets e^x
# from Dst (MOVD2B). Then the Vector Unit divides. Units wait for each other by STALLWAIT alone,
# since one thread commands both. Both chips.
#
# e^x = 2^n 2^f: adding 3/2 2^23 to x / ln 2 rounds to n, whose bits stand at the end of the word; a
# polynomial of degree 3 makes 2^f. The reciprocal begins with the difference of bit patterns and
# takes two steps of Newton's method. Largest error 2 % of each result: e^x and its sums have eight
# bits.
#
#     tensix run examples/tiles/softmax.s --arch bh --l1 0x10000=x.npy:bf16 \
#         --l1 0x10800=ones.npy:bf16 --l1-out 0x20000:bf16:32x32=y.npy
.title "Softmax of the rows of a BF16 tile"
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
.rept 4                                 # for each product: ones in SrcA, a bank of SrcB to write into
    face_a 0, 1
    unpack_a 0
    zero_b
.endr

.thread math
.init
    operands
    .setcfg ADDR_MOD_AB_SEC0_SrcBIncr, 8
    .setcfg ADDR_MOD_AB_SEC1_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
    .setcfg ADDR_MOD_AB_SEC2_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1
    .loadi L0, float(-1.0)
    sfpconfig 11, 0, 0
    .loadi L0, float(1.4426950408889634)        # 1 / ln 2
    sfpconfig 12, 0, 0
    .loadi L0, float(12582912.0)                # 3/2 2^23
    sfpconfig 13, 0, 0
    .loadi L4, float(0.0558)
    .loadi L5, float(0.2402)
    .loadi L6, float(0.6931)
    .loadi L7, 0x7EF311C7                       # bits of 1/y are about this less the bits of y
.tile
    clear_dst                           # rows 64 to 95 gather sums
face = 0
.rept 4
    copy_face 16 * face
face = face + 1
.endr
    ttstallwait p_stall::STALL_SFPU, p_stall::MATH
row = 0
.rept 32
    sfpload L0, row, 2, 3
    sfpmad L1, L0, L12, L13, 0          # n in the last bits
    sfpnop
    sfpmad L2, L1, L11, L13, 0          # -n
    sfpnop
    sfpmad L3, L0, L12, L2, 0           # f
    sfpshft L1, L0, 23, 1               # n as an exponent
    sfpmad L2, L4, L3, L5, 0
    sfpnop
    sfpmad L2, L2, L3, L6, 0
    sfpnop
    sfpmad L2, L2, L3, L10, 0           # 2^f
    sfpnop
    sfpiadd L2, L1, 0, 4
    sfpstore L2, row, 2, 3
row = row + 2
.endr
    ttstallwait p_stall::STALL_MATH, p_stall::WAIT_SFPU
face = 0
.rept 4
    # A bank of each: MOVD2B would not wait for SrcB's.
    ttstallwait p_stall::STALL_MATH, p_stall::MATH | p_stall::SRCA_VLD | p_stall::SRCB_VLD
four = 0
.rept 4
    ttmovd2b 0, four, 3, 2, 16 * face + four
four = four + 4
.endr
    .rept 3
    ttmvmul 0, 0, 0, 64 + 16 * (face >> 1)
    ttmvmul 0, 0, 1, 64 + 16 * (face >> 1) + 8
    .endr
    ttmvmul 0, 0, 0, 64 + 16 * (face >> 1)
    ttmvmul 3, 0, 2, 64 + 16 * (face >> 1) + 8
face = face + 1
.endr
    ttstallwait p_stall::STALL_SFPU, p_stall::MATH
step = 0
.rept 16                                # half of the tile: a bit; four rows and half the columns: three
here = 32 * (step >> 3) + 2 * (step & 7)
    sfpload L0, 64 + 16 * (step >> 3) + 2 * (step & 7), 2, 3
    sfpmov L1, L0, 0
    sfpiadd L1, L7, 0, 6                # y: L7 less the bits
    sfpmul L2, L0, L11, 0               # -sum
    sfpnop
.rept 2
    sfpmad L3, L2, L1, L10, 0           # 1 - sum y
    sfpnop
    sfpmad L1, L3, L1, L1, 0
    sfpnop
.endr
face = 0
.rept 2                                 # the left and the right face
    sfpload L0, here + 16 * face, 2, 3
    sfpmul L0, L0, L1, 0
    sfpnop
    sfpstore L0, here + 16 * face, 2, 3
face = face + 1
.endr
step = step + 1
.endr
    dst_full p_stall::MATH | p_stall::WAIT_SFPU

.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    pack_tile
    pack_end
