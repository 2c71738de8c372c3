/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of the lines that begin or end in L1: what configures an unpacker and a packer for
 * BF16, and what each other format or mode changes in it. Included by bench_lines.c alone.
 */
#ifndef LAB_BENCH_L1_TEXT_H
#define LAB_BENCH_L1_TEXT_H

#define SET(field, value) ".setcfg " field ", " value "\n"
#define COUNTERS(unit, last)                                                                  \
    "ttsetadcxx " unit ", " last ", 0\nttsetadcxy " unit ", 0, 0, 0, 0, 11\nttsetadczw " unit \
    ", 0, 0, 0, 0, 15\n"

/* ---- unpacking: a tile to SrcA with one UNPACR, which leaves the bank to the unpacker ---- */

#define UNPACK_INIT                                            \
    ".setcfg THCON_SEC0_REG0_TileDescriptor, 0x15\n"           \
    ".setcfg THCON_SEC0_REG0_TileDescriptor_1, 0x00040001\n"   \
    ".setcfg THCON_SEC0_REG2_Out_data_format, 5\n"             \
    ".setcfg THCON_SEC0_REG2_Throttle_mode, 2\n"               \
    ".setcfg THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1\n" \
    ".setcfg THCON_SEC0_REG3_Base_address, 0x10000 / 16 - 1\n" \
    ".setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 256\n"          \
    ".setcfg THCON_SEC0_REG5_Dest_cntx0_address, 64\n"         \
    ".setcfg UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 512\n"           \
    ".setcfg SRCA_SET_SetOvrdWithAddr, 1\n"
#define UNPACK_TILE "ttunpacr 0,0,0,0,0,1,0,0,0,0,0,0,1\n"
/* in: the format in L1, a hexadecimal digit; out: the format of the cells. */
#define UNPACK_FORMAT(in, out)                      \
    SET("THCON_SEC0_REG0_TileDescriptor", "0x1" in) \
    SET("THCON_SEC0_REG2_Out_data_format", out)
/* 32-bit data to Dst. */
#define UNPACK_DST(format)                          \
    UNPACK_FORMAT(format, format)                   \
    SET("THCON_SEC0_REG2_Unpack_if_sel_cntx0", "1") \
    SET("SRCA_SET_SetOvrdWithAddr", "0")
/* Rows of a matrix of 128 columns, 16 or 32 data from each. */
#define UNPACK_TILIZE                              \
    SET("THCON_SEC0_REG2_Tileize_mode", "1")       \
    SET("THCON_SEC0_REG2_Shift_amount_cntx0", "0") \
    SET("THCON_SEC0_REG2_Shift_amount_cntx1", "1") \
    SET("THCON_SEC0_REG2_Shift_amount_cntx2", "0")

/* ---- packing on Blackhole ---- */

#define PACK_INIT                                                                \
    ".setcfg THCON_SEC0_REG1_Disable_zero_compress, 1\n"                         \
    ".setcfg THCON_SEC0_REG1_In_data_format, 5\n"                                \
    ".setcfg THCON_SEC0_REG1_Out_data_format, 5\n"                               \
    ".setcfg THCON_SEC0_REG1_L1_Dest_addr, 0x80000000 | (0x20000 / 16 - 1)\n"    \
    ".setcfg ALU_FORMAT_SPEC_REG2_Dstacc, 5\n"                                   \
    ".setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF\n"                                \
    ".setcfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16\n"                   \
    ".setcfg PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32\n"                              \
    ".setcfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 512\n"                             \
    ".setcfg PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 2048\n"                            \
    ".setcfg ADDR_MOD_PACK_SEC0_YsrcIncr, 4, ADDR_MOD_PACK_SEC0_YdstIncr, 4\n"   \
    ".setcfg ADDR_MOD_PACK_SEC1_YsrcClear, 1, ADDR_MOD_PACK_SEC1_YdstClear, 1, " \
    "ADDR_MOD_PACK_SEC1_ZsrcClear, 1\n"                                          \
    ".setcfg ADDR_MOD_PACK_SEC2_YsrcClear, 1, ADDR_MOD_PACK_SEC2_YdstIncr, 4, "  \
    "ADDR_MOD_PACK_SEC2_ZsrcIncr, 1\n"
/*
 * Each PACR packs four rows; the fourth goes on to the next face, and the last one closes the tile.
 */
#define FOUR_ROWS "ttpacr 0,0,0,0,0,0,0,0,0,0,0,0\n"
#define PACRS                                                                    \
    ".rept 3\n" FOUR_ROWS FOUR_ROWS FOUR_ROWS "ttpacr 0,0,0,2,0,0,0,0,0,0,0,0\n" \
    ".endr\n" FOUR_ROWS FOUR_ROWS FOUR_ROWS "ttpacr 0,0,0,1,0,0,0,0,0,0,0,1\n"
/* in: the format that the packer reads, of a datum of so many bytes; out: that in L1. */
#define PACK_FORMAT(in, bytes, out)                        \
    SET("THCON_SEC0_REG1_In_data_format", in)              \
    SET("ALU_FORMAT_SPEC_REG2_Dstacc", in)                 \
    SET("THCON_SEC0_REG1_Out_data_format", out)            \
    SET("PCK0_ADDR_CTRL_XY_REG_0_Ystride", bytes " * 16")  \
    SET("PCK0_ADDR_CTRL_ZW_REG_0_Zstride", bytes " * 256") \
    SET("PCK0_ADDR_CTRL_ZW_REG_0_Wstride", bytes " * 1024")
#define PACK_WIDE SET("PCK_DEST_RD_CTRL_Read_32b_data", "1")
#define PACK_EXPONENTS_OF_TILE SET("THCON_SEC0_REG1_Exp_section_size", "4")
#define PACK_ADD SET("THCON_SEC0_REG1_Pack_L1_Acc", "1")
#define PACK_RELU SET("STACC_RELU_ApplyRelu", "1")
/* Of every second row the first datum alone stays. */
#define ROW_MASK(row) SET("TILE_ROW_SET_MAPPING_0_row_set_mapping_" row, "1")
#define PACK_MASK                         \
    SET("PCK_EDGE_OFFSET_SEC1_mask", "1") \
    ROW_MASK("1")                         \
    ROW_MASK("3")                         \
    ROW_MASK("5") ROW_MASK("7") ROW_MASK("9") ROW_MASK("11") ROW_MASK("13") ROW_MASK("15")
/*
 * Two halves of a row of a matrix of 64 columns with each PACR, which closes its output, so that
 * the next one has an address of its own.
 */
#define PACK_UNTILIZE                                                          \
    SET("DEST_ACCESS_CFG_remap_addrs", "1")                                    \
    SET("DEST_ACCESS_CFG_swizzle_32b", "1")                                    \
    SET("PCK0_ADDR_CTRL_ZW_REG_0_Zstride", "1024")                             \
    SET("PCK0_ADDR_CTRL_XY_REG_1_Ystride", "128")                              \
    ".setcfg ADDR_MOD_PACK_SEC0_YsrcIncr, 1, ADDR_MOD_PACK_SEC0_YdstIncr, 1\n" \
    ".setcfg ADDR_MOD_PACK_SEC2_YsrcClear, 1, ADDR_MOD_PACK_SEC2_YdstIncr, 1\n"
#define UNTILIZED                                                                       \
    ".rept 15\nttpacr 0,0,1,0,0,0,3,0,0,0,0,1\n.endr\nttpacr 0,0,1,2,0,0,3,0,0,0,0,1\n" \
    ".rept 16\nttpacr 0,0,1,0,0,0,3,0,0,0,0,1\n.endr\n" COUNTERS("4", "15")

/* ---- packing on Wormhole: one PACR packs a tile, each of the four packers takes a face ---- */

#define EACH(field, value)               \
    SET("THCON_SEC0_REG1_" field, value) \
    SET("THCON_SEC0_REG8_" field, value) \
    SET("THCON_SEC1_REG1_" field, value) SET("THCON_SEC1_REG8_" field, value)
/* Where faces begin in L1, in units of 16 bytes, and how far data are behind exponents. */
#define FACES(units, e0, e1, e2, e3)                      \
    SET("THCON_SEC0_REG8_L1_Dest_addr", units " * 1 - 1") \
    SET("THCON_SEC1_REG1_L1_Dest_addr", units " * 2 - 1") \
    SET("THCON_SEC1_REG8_L1_Dest_addr", units " * 3 - 1") \
    SET("THCON_SEC0_REG1_Exp_section_size", e0)           \
    SET("THCON_SEC0_REG8_Exp_section_size", e1)           \
    SET("THCON_SEC1_REG1_Exp_section_size", e2) SET("THCON_SEC1_REG8_Exp_section_size", e3)
#define ROWS_OF_FACE(n) SET("PACK_COUNTERS_SEC" n "_pack_reads_per_xy_plane", "16")
#define PACK_WH_INIT                                                       \
    EACH("Disable_zero_compress", "1")                                     \
    SET("THCON_SEC0_REG1_L1_Dest_addr", "0x80000000 | (0x20000 / 16 - 1)") \
    FACES("32", "0", "0", "0", "0")                                        \
    ROWS_OF_FACE("0")                                                      \
    ROWS_OF_FACE("1")                                                      \
    ROWS_OF_FACE("2")                                                      \
    ROWS_OF_FACE("3")                                                      \
    ".setcfg DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16\n"                   \
    ".setcfg DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32\n"                   \
    ".setcfg DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 48\n"                   \
    ".setcfg PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF\n" PACK_WH_FORMAT("5", "2", "5")
#define PACK_WH_TILE "ttpacr 1,0,15,0,0,0,1\n"
#define PACK_WH_FORMAT(in, bytes, out)            \
    EACH("In_data_format", in)                    \
    EACH("Out_data_format", out)                  \
    SET("ALU_FORMAT_SPEC_REG2_Dstacc", in)        \
    SET("PCK0_ADDR_CTRL_XY_REG_0_Xstride", bytes) \
    SET("PCK0_ADDR_CTRL_XY_REG_0_Ystride", bytes " * 16")
#define PACK_WH_ADD EACH("Pack_L1_Acc", "1")

#endif
