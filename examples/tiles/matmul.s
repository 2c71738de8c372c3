# SPDX-License-Identifier: Apache-2.0
# C = A B, one tile of 32x32 each, in BF16: A goes through SrcB, B through SrcA, sixteen columns of A
# at a time. FIDELITY says how many of the four phases run: 1 is LoFi, 2 HiFi2, 3 HiFi3, 4 HiFi4.
# Both chips; matmul64.s has more tiles.
#
#     tensix run examples/tiles/matmul.s --arch bh --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=c.npy
.title "Multiplies two BF16 tiles"
.include "tile.inc"
.equ FIDELITY, 4

.thread unpack
.init
    a_from 0x18000                      # the right operand
    b_from 0x10000                      # the left one
.tile
    unpack_begin
step = 0
.rept 8                                 # face of C by face, for each two faces of A and of B
    face_a 2 * (step & 1) + (step >> 1 & 1)     # B: row k, column j
    face_b 2 * (step >> 2) + (step & 1)         # A: row i, column k
    unpack_b 0
    unpack_a 0
step = step + 1
.endr

.thread math
.init
    operands
    .setcfg ADDR_MOD_AB_SEC0_SrcBIncr, 8    # the lower eight rows of SrcB next
    .setcfg ADDR_MOD_AB_SEC1_SrcBClear, 1   # the upper ones again, in the next phase
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
    ttmvmul 3, 0, 2, 16 * (step >> 1) + 8   # and both banks back to the unpackers
step = step + 1
.endr
    dst_full

.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    pack_tile
    pack_end
