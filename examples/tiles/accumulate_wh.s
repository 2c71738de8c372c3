# SPDX-License-Identifier: Apache-2.0
# Adds a BF16 tile to one that lies in L1: the packer reads what is there, adds and writes back.
#
#     tensix run examples/tiles/accumulate_wh.s --l1 0x10000=x.npy:bf16 --l1 0x20000=sum.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=y.npy
.arch wh
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
    .word 0x43800001                    # UNPACR_NOP SrcB: zeros
    .word 0x43800007                    # and handed over
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
    ttstallwait 2, 128                  # B1: semaphores wait for C7, the Matrix Unit
    ttsempost 2

.thread pack
.init
.macro packer section, offset, dest
    .setcfg THCON_\section\()_Disable_zero_compress, 1
    .setcfg THCON_\section\()_In_data_format, 5
    .setcfg THCON_\section\()_Out_data_format, 5
    .setcfg THCON_\section\()_Pack_L1_Acc, 1
    .setcfg THCON_\section\()_Disable_pack_zero_flags, 1
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
