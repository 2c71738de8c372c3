# SPDX-License-Identifier: Apache-2.0
# C = max(A B, 0), one tile of 32x32 each, in BF16: the product stays in Dst, where the Vector Unit
# replaces what is below zero before the packer takes it.
#
#     tensix run examples/tiles/matmul_relu_wh.s --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=c.npy
.arch wh
.title "Multiplies two BF16 tiles, ReLU on the Vector Unit"
.equ FIDELITY, 4

.thread unpack
.init
    .setcfg THCON_SEC0_REG0_TileDescriptor, 0x15         # SrcA: BF16, uncompressed
    .setcfg THCON_SEC0_REG0_TileDescriptor_1, 0x00040001 # Y 1, Z 4: four faces
    .setcfg THCON_SEC0_REG2_Out_data_format, 5
    .setcfg THCON_SEC0_REG2_Throttle_mode, 2
    .setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1
    .setcfg THCON_SEC0_REG3_Base_address, 0x18000 / 16 - 1
    .setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 256
    .setcfg THCON_SEC0_REG5_Dest_cntx0_address, 64
    .setcfg THCON_SEC1_REG0_TileDescriptor, 256 << 16 | 0x15 # SrcB
    .setcfg THCON_SEC1_REG0_TileDescriptor_1, 0x00040001 # Y 1, Z 4: four faces
    .setcfg THCON_SEC1_REG2_Out_data_format, 5
    .setcfg THCON_SEC1_REG2_Throttle_mode, 2
    .setcfg THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1
    .setcfg THCON_SEC1_REG3_Base_address, 0x10000 / 16 - 1
    .setcfg SRCA_SET_SetOvrdWithAddr, 1
.tile
    ttsetadcxx 3, 255, 0                # 256 data a face, of both
    ttsetadcxy 3, 0, 0, 0, 0, 11
    ttsetadczw 3, 0, 0, 0, 0, 15
.set step, 0
.rept 8                                 # face of C by face, for each two faces of A and of B
    ttsetadczw 1, 0, 0, 0, 2 * (step & 1) + (step >> 1 & 1), 1 # B: row k, column j
    ttsetadczw 2, 0, 0, 0, 2 * (step >> 2) + (step & 1), 1     # A: row i, column k
    .word 0x428000C1                    # UNPACR SrcB, hands the bank over
    .word 0x420000C1                    # UNPACR SrcA, likewise
    .set step, step + 1
.endr

.thread math
.init
    .setcfg ALU_FORMAT_SPEC_REG0_SrcA, 5
    .setcfg ALU_FORMAT_SPEC_REG1_SrcB, 5
    .setcfg ADDR_MOD_AB_SEC0_SrcBIncr, 8    # the lower eight rows of SrcB next
    .setcfg ADDR_MOD_AB_SEC1_SrcBClear, 1   # the upper ones again, in the next phase
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
    .setcfg ADDR_MOD_AB_SEC2_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1
.tile
    ttzeroacc 3, 0, 0                   # all of Dst reads as zero
.set step, 0
.rept 8
    .rept FIDELITY - 1
    ttmvmul 0, 0, 0, 16 * (step >> 1)
    ttmvmul 0, 0, 1, 16 * (step >> 1) + 8
    .endr
    ttmvmul 0, 0, 0, 16 * (step >> 1)
    ttmvmul 3, 0, 2, 16 * (step >> 1) + 8   # and both banks back to the unpackers
    .set step, step + 1
.endr
    ttstallwait 256, 128                # B8: the Vector Unit waits for C7, the Matrix Unit
    sfpencc 3, 10
.set row, 0
.rept 32
    sfpload L0, row, 2, 3
    sfpsetcc L0, 0, 0                   # below zero:
    sfploadi L0, 0, 0
    sfpencc 3, 10
    sfpstore L0, row, 2, 3
    .set row, row + 2
.endr
    ttstallwait 2, 16512                # B1: semaphores wait for C7 and C14, both units
    ttsempost 2

.thread pack
.init
.macro packer section, offset, dest
    .setcfg THCON_\section\()_Disable_zero_compress, 1
    .setcfg THCON_\section\()_In_data_format, 5
    .setcfg THCON_\section\()_Out_data_format, 5
    .setcfg THCON_\section\()_L1_Dest_addr, \dest
.endm
    # Packers 1 to 3 take one face each: 16 * 16 data of 2 bytes, 32 units of 16 bytes.
    packer SEC0_REG1, 0, 0x80000000 | (0x20000 / 16 - 1)
    packer SEC0_REG8, 16, 32 - 1
    packer SEC1_REG1, 32, 64 - 1
    packer SEC1_REG8, 48, 96 - 1
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32
    .setcfg DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 48
    .setcfg ALU_FORMAT_SPEC_REG2_Dstacc, 5
    .setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF
    .setcfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16
    .setcfg PACK_COUNTERS_SEC1_pack_reads_per_xy_plane, 16
    .setcfg PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 16
    .setcfg PACK_COUNTERS_SEC3_pack_reads_per_xy_plane, 16
    .setcfg PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2
    .setcfg PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32
    .setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 512
    .setcfg PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 2048
    .setcfg ADDR_MOD_PACK_SEC1_YsrcClear, 1, ADDR_MOD_PACK_SEC1_YdstClear, 1
    ttseminit 1, 0, 2
.tile
    ttsetadcxx 4, 255, 0                # a face each
    ttsetadcxy 4, 0, 0, 0, 0, 11
    ttsetadczw 4, 0, 0, 0, 0, 15
    ttsemwait 4, 2, 1                   # B2: the packers wait until semaphore 1 is above 0
    .word 0x41008F01                    # PACR: four packers, address modifier 1, closes the tile
    ttsemget 2
