# SPDX-License-Identifier: Apache-2.0
# C = gelu(A B + bias), one tile of 32x32 each, in BF16; the bias is the first row of its tile, which
# lies behind A. All of it stays in Dst, in FP32: ELWADD adds the bias to the product, SrcA being
# zeros; the Vector Unit replaces each number; the packer rounds once.
#
# gelu(x) = x Phi(x) = x (1/2 + g(x)), where g is odd: a line on each of five pieces of |x| and 1/2
# beyond 4, from the table of SFPLUTFP32, which puts the sign of x back. Largest error 0.015, at 4.
# Both chips.
#
#     tensix run examples/tiles/matmul_bias_gelu.s --arch bh --l1 0x10000=a.npy:bf16 \
#         --l1 0x10800=bias.npy:bf16 --l1 0x18000=b.npy:bf16 --l1-out 0x20000:bf16:32x32=c.npy
.title "Multiplies two BF16 tiles, adds a bias, gelu on the Vector Unit"
.include "tile.inc"
.equ FIDELITY, 4

.thread unpack
.init
    a_from 0x18000                      # B
    b_from 0x10000                      # A, and as tile 1 the bias
.tile
    unpack_begin
step = 0
.rept 8
    face_a 2 * (step & 1) + (step >> 1 & 1)
    face_b 2 * (step >> 2) + (step & 1)
    unpack_b 0
    unpack_a 0
step = step + 1
.endr
face = 0
.rept 4
    zero_a
    face_b face & 1, 1                  # the first row lies in the upper faces
    unpack_b 0
face = face + 1
.endr

.thread math
.init
    operands
    wide_dst
    .setcfg ADDR_MOD_AB_SEC0_SrcBIncr, 8
    .setcfg ADDR_MOD_AB_SEC1_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
    .setcfg ADDR_MOD_AB_SEC2_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1
    .loadi L0, fp16(0.29466698) << 16 | fp16(0.38563081)    # slopes from 1/2 on, and below
    .loadi L1, fp16(0.08675061) << 16 | fp16(0.18078441)    # from 3/2, from 1
    .loadi L2, 0x7c00 << 16 | fp16(0.00952533)              # from 4: none (0x7c00 is zero here); from 2
    .loadi L4, fp16(0.04922654) << 16 | 0x7c00              # what is added
    .loadi L5, fp16(0.30579302) << 16 | fp16(0.16492486)
    .loadi L6, fp16(0.5) << 16 | fp16(0.46553483)
.tile
    clear_dst
step = 0
.rept 8
    .rept FIDELITY - 1
    ttmvmul 0, 0, 0, 16 * (step >> 1)
    ttmvmul 0, 0, 1, 16 * (step >> 1) + 8
    .endr
    ttmvmul 0, 0, 0, 16 * (step >> 1)
    ttmvmul 3, 0, 2, 16 * (step >> 1) + 8
step = step + 1
.endr
face = 0
.rept 4
    ttelwadd 0, 1, 2, 2, 16 * face      # Dst += zeros + row 0 of SrcB
    ttelwadd 3, 1, 2, 2, 16 * face + 8
face = face + 1
.endr
    ttstallwait p_stall::STALL_SFPU, p_stall::MATH
row = 0
.rept 32
    sfpload L3, row, 3, 3
    sfplutfp32 L7, 7                    # g(x)
    sfpnop
    sfpaddi L7, bf16(0.5), 0
    sfpnop
    sfpmul L7, L7, L3, 0
    sfpnop
    sfpstore L7, row, 3, 3
row = row + 2
.endr
    dst_full p_stall::MATH | p_stall::WAIT_SFPU

.thread pack
.init
    l1_to 0x20000, BF16, BF16, 1
.tile
    pack_begin
    pack_tile
    pack_end
