# SPDX-License-Identifier: Apache-2.0
# Experiments about the packers; vector.s says how they are written. Rows of BF16 go to L1 at
# 0x1E000, where the question looks for them.

.macro bf16_packer
    .setcfg THCON_SEC0_REG1_Disable_zero_compress, 1
    .setcfg THCON_SEC0_REG1_In_data_format, 5
    .setcfg THCON_SEC0_REG1_Out_data_format, 5
    .setcfg ALU_FORMAT_SPEC_REG2_Dstacc, 5
    .setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF
    .setcfg PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32
    .setcfg THCON_SEC0_REG1_L1_Dest_addr, 0x1DFF
.endm
# PACR of packer 0: rows by these read interfaces (Blackhole), the end of the stream or not.
.macro rows interfaces=1, last=1
.if BLACKHOLE
    TTI_PACR(0, 0, 0, 0, 0, 0, \interfaces, 0, 0, 0, 0, \last)
.else
    TTI_PACR(0, 0, 1, 0, 0, 0, \last)
.endif
.endm

# So many rows more, which make sixteen with those before: the tile position, which one reading never
# sets back, is at its start behind each program.
.macro fill count
.rept \count - 1
    rows 1, 0
.endr
    rows
.endm

#@ question pack-zw-width
#@ text How much of the counters Z and W does the packer see?
#@ about P1
#@ rule pack-zw-width=13|8
#@ chips bh
#@ load 0x1E000 16
.init
bf16_packer
.setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 2
.tile
ttsetadcxx 4,15,0
ttsetadc 4,0,2,256
rows
fill 15

#@ question pack-rows
#@ text Which rows do the read interfaces read where the first is not a multiple of four?
#@ about P2
#@ rule pack-rows=start|group
#@ chips bh
#@ load 0x1E000 16
.init
bf16_packer
.tile
ttsetadcxx 4,15,0
ttsetadc 4,0,1,1
rows
fill 15

#@ question pack-tile-row
#@ text How does the tile position for edge masks advance?
#@ about P9
#@ rule pack-tile-row=instruction|datum
#@ chips bh
#@ load 0x1E000 32
.init
bf16_packer
.setcfg TILE_ROW_SET_MAPPING_0_row_set_mapping_1, 1
.setcfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1
.tile
ttsetadcxx 4,15,0
rows 0

#@ question pack-tile-reset
#@ text When does the tile position start again?
#@ about P10
#@ rule pack-tile-reset=last|never
#@ load 0x1E000 24
.init
bf16_packer
.setcfg TILE_ROW_SET_MAPPING_0_row_set_mapping_1, 1
.tile
ttsetadcxx 4,15,0
rows
rows
fill 14

#@ question pack-threshold
#@ text What does the exponent threshold make of a datum?
#@ about P11
#@ rule pack-threshold=zero|exponent
#@ load 0x1E000 16
.init
bf16_packer
.setcfg THCON_SEC0_REG1_Exp_threshold_en, 1
.setcfg THCON_SEC0_REG1_Exp_threshold, 255
.tile
ttsetadcxx 4,15,0
rows
fill 15

#@ question pack-yzw-width
#@ text How wide is the offset that the counters add to the output address?
#@ about P15
#@ rule pack-yzw-width=18|32
#@ chips bh
#@ load 0x1E000 16
#@ load 0x5E000 16
.init
bf16_packer
.setcfg PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0x8000
.tile
ttsetadcxx 4,15,0
ttsetadc 4,1,1,8
rows
fill 15

#@ question pack-tail
#@ text Are fewer than sixteen bytes at the end of a stream in L1 without Last?
#@ about P16
#@ rule pack-tail=last|at-once
#@ load 0x1E000 8
.init
bf16_packer
.tile
ttsetadcxx 4,3,0
rows 1, 0
