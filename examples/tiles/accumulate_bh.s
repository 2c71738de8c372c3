# SPDX-License-Identifier: Apache-2.0
# Adds a BF16 tile to one that lies in L1: the packer reads what is there, adds and writes back.
#
#     tensix run examples/tiles/accumulate_bh.s --l1 0x10000=x.npy:bf16 --l1 0x20000=sum.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=y.npy
.arch bh
.title "Adds a BF16 tile to L1"

.thread unpack
.init
    .setcfg THCON_SEC0_REG0_TileDescriptor, 0x15         # BF16, uncompressed
    .setcfg THCON_SEC0_REG0_TileDescriptor_1, 0x00040001 # Y 1, Z 4: four faces
    .setcfg THCON_SEC0_REG2_Out_data_format, 5
    .setcfg THCON_SEC0_REG2_Throttle_mode, 2
    .setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1
    .setcfg THCON_SEC0_REG3_Base_address, 0x10000 / 16 - 1
    .setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 256
    .setcfg THCON_SEC0_REG5_Dest_cntx0_address, 64
    .setcfg UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 512
    .setcfg SRCA_SET_SetOvrdWithAddr, 1
.tile
    ttsetadcxx 1, 255, 0                # 256 data a face
    ttsetadcxy 1, 0, 0, 0, 0, 11
    ttsetadczw 1, 0, 0, 0, 0, 15
.rept 4
    .word 0x42008081 | 1 << 6           # UNPACR SrcA, Z += 1, hands the bank over
    .word 0x43800101                    # UNPACR_NOP SrcB: zeros, handed over
.endr

.thread math
.init
    .setcfg ALU_FORMAT_SPEC_REG1_SrcB, 5
    .setcfg ALU_FORMAT_SPEC_REG0_SrcA, 5
.tile
.set face, 0
.rept 4
    ttmova2d 0, 0, 0, 2, 16 * face      # eight rows
    ttmova2d 0, 8, 0, 2, 16 * face + 8
    ttsetrwc 3, 0, 0, 0, 0, 0           # both banks back to the unpackers
    .set face, face + 1
.endr
    ttstallwait 2, 16                   # B1: semaphores wait for C4, the Matrix Unit
    ttsempost 2

.thread pack
.init
    .setcfg THCON_SEC0_REG1_Disable_zero_compress, 1
    .setcfg THCON_SEC0_REG1_In_data_format, 5
    .setcfg THCON_SEC0_REG1_Out_data_format, 5
    .setcfg THCON_SEC0_REG1_Exp_section_size, 4
    .setcfg THCON_SEC0_REG1_Pack_L1_Acc, 1
    .setcfg THCON_SEC0_REG1_Disable_pack_zero_flags, 1
    .setcfg THCON_SEC0_REG1_L1_Dest_addr, 0x80000000 | (0x20000 / 16 - 1)
    .setcfg ALU_FORMAT_SPEC_REG2_Dstacc, 5
    .setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF
    .setcfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16
    .setcfg PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32
    .setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 512
    .setcfg PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 2048
    .setcfg ADDR_MOD_PACK_SEC0_YsrcIncr, 4, ADDR_MOD_PACK_SEC0_YdstIncr, 4
    .setcfg ADDR_MOD_PACK_SEC1_YsrcClear, 1, ADDR_MOD_PACK_SEC1_YdstClear, 1, ADDR_MOD_PACK_SEC1_ZsrcClear, 1
    .setcfg ADDR_MOD_PACK_SEC2_YsrcClear, 1, ADDR_MOD_PACK_SEC2_YdstIncr, 4, ADDR_MOD_PACK_SEC2_ZsrcIncr, 1
    ttseminit 1, 0, 2
.tile
    ttsetadcxx 4, 15, 0
    ttsetadcxy 4, 0, 0, 0, 0, 11
    ttsetadczw 4, 0, 0, 0, 0, 15
    ttsemwait 4, 2, 1                   # B2: the packer waits until semaphore 1 is above 0
.rept 3
    .word 0x41000000, 0x41000000, 0x41000000, 0x41010000 # four rows each, then the next face
.endr
    .word 0x41000000, 0x41000000, 0x41000000, 0x41008001 # the last one closes the tile
    ttsemget 2
