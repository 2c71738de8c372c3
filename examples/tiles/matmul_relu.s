# SPDX-License-Identifier: Apache-2.0
# C = max(A B, 0), one tile of 32x32 each, in BF16: the product stays in Dst, where the Vector Unit
# replaces what is below zero before the packer takes it. Both chips.
#
#     tensix run examples/tiles/matmul_relu.s --arch bh --l1 0x10000=a.npy:bf16 \
#         --l1 0x18000=b.npy:bf16 --l1-out 0x20000:bf16:32x32=c.npy
.title "Multiplies two BF16 tiles, ReLU on the Vector Unit"
.include "tile.inc"
.equ FIDELITY, 4

.thread unpack
.init
    a_from 0x18000
    b_from 0x10000
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

.thread math
.init
    operands
    .setcfg ADDR_MOD_AB_SEC0_SrcBIncr, 8
    .setcfg ADDR_MOD_AB_SEC1_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
    .setcfg ADDR_MOD_AB_SEC2_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1
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
    ttstallwait p_stall::STALL_SFPU, p_stall::MATH  # the Vector Unit waits for the Matrix Unit
    sfpencc 3, 10
row = 0
.rept 32
    sfpload L0, row, 2, 3
    sfpsetcc L0, 0, 0                   # below zero:
    sfploadi L0, 0, 0
    sfpencc 3, 10
    sfpstore L0, row, 2, 3
row = row + 2
.endr
    dst_full p_stall::MATH | p_stall::WAIT_SFPU

.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    pack_tile
    pack_end
