/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of the packers' configuration fields on both chips, and which words of configuration
 * packers read at all.
 */
#include "isa/chip.h"
#include "pack/places.h"

#include "base/bits.h"
#include "isa/config_names.h"

#include <stddef.h>

/*
 * The fields that both chips have: C is the chip, SEC names the section, N is the number in the
 * names of the counters, RING names the limit and size of the output ring. Wormhole's packers and
 * Blackhole's contexts have the same names (tt-llk #61).
 */
#define BOTH_CHIPS(C, SEC, N, RING)                                                          \
    .exp_size = AT(C##_THCON_##SEC##_Exp_section_size),                                      \
    .dest_addr = AT(C##_THCON_##SEC##_L1_Dest_addr),                                         \
    .no_compress = AT(C##_THCON_##SEC##_Disable_zero_compress),                              \
    .add_offset = AT(C##_THCON_##SEC##_Add_l1_dest_addr_offset),                             \
    .out_format = AT(C##_THCON_##SEC##_Out_data_format),                                     \
    .in_format = AT(C##_THCON_##SEC##_In_data_format),                                       \
    .no_assembler = AT(C##_THCON_##SEC##_Dis_shared_exp_assembler),                          \
    .out_fifo = AT(C##_THCON_##SEC##_Enable_out_fifo),                                       \
    .sub_header = AT(C##_THCON_##SEC##_Sub_l1_tile_header_size),                             \
    .from_l1 = AT(C##_THCON_##SEC##_Source_interface_selection),                             \
    .add_header = AT(C##_THCON_##SEC##_Add_tile_header_size),                                \
    .l1_source = AT(C##_THCON_##SEC##_L1_source_addr),                                       \
    .ds_mask = AT(C##_THCON_##SEC##_Downsample_mask),                                        \
    .ds_rate = AT(C##_THCON_##SEC##_Downsample_rate),                                        \
    .accumulate = AT(C##_THCON_##SEC##_Pack_L1_Acc),                                         \
    .threshold_en = AT(C##_THCON_##SEC##_Exp_threshold_en),                                  \
    .threshold = AT(C##_THCON_##SEC##_Exp_threshold),                                        \
    .per_plane = AT(C##_PACK_COUNTERS_SEC##N##_pack_per_xy_plane),                           \
    .reads_per_plane = AT(C##_PACK_COUNTERS_SEC##N##_pack_reads_per_xy_plane),               \
    .transposed = AT(C##_PACK_COUNTERS_SEC##N##_pack_yz_transposed),                         \
    .concat_mask = AT(C##_PACK_CONCAT_MASK_SEC##N##_pack_concat_mask),                       \
    .edge_mask = AT(C##_PCK_EDGE_OFFSET_SEC##N##_mask),                                      \
    .dst_offset = AT(C##_DEST_TARGET_REG_CFG_PACK_SEC##N##_Offset),                          \
    .z_offset = AT(C##_DEST_TARGET_REG_CFG_PACK_SEC##N##_ZOffset),                           \
    .limit = AT(C##_THCON_##RING##_limit_address), .fifo = AT(C##_THCON_##RING##_fifo_size), \
    .row_set = AT(C##_TILE_ROW_SET_MAPPING_##N##_row_set_mapping_0),                         \
    .face_set = AT(C##_TILE_FACE_SET_MAPPING_##N##_face_set_mapping_0)

#define SECTION_WH(SEC, N, RING)                                          \
    {                                                                     \
        BOTH_CHIPS(WH, SEC, N, RING),                                     \
            .addr_context = AT(WH_THCON_##SEC##_Addr_cnt_context),        \
            .by_plane = AT(WH_THCON_##SEC##_Force_pack_per_max_xy_plane), \
            .read_mode = AT(WH_THCON_##SEC##_Read_mode)                   \
    }
#define SECTION_BH(SEC, N, RING, UNIT)                                           \
    {                                                                            \
        BOTH_CHIPS(BH, SEC, N, RING),                                            \
            .auto_select = AT(BH_THCON_##SEC##_Auto_set_last_pacr_intf_sel),     \
            .e4m3 = AT(BH_THCON_##UNIT##_REG1_Pac_LF8_4b_exp),                   \
            .auto_context = AT(BH_PACK_COUNTERS_SEC##N##_auto_ctxt_inc_xys_cnt), \
            .start_select = AT(BH_THCON_##UNIT##_REG1_pack_start_intf_pos)       \
    }

#define COMMON(C)                                                                                  \
    .x_stride = AT(C##_PCK0_ADDR_CTRL_XY_REG_0_Xstride),                                           \
    .y_stride = AT(C##_PCK0_ADDR_CTRL_XY_REG_0_Ystride),                                           \
    .z_stride = AT(C##_PCK0_ADDR_CTRL_ZW_REG_0_Zstride),                                           \
    .w_stride = AT(C##_PCK0_ADDR_CTRL_ZW_REG_0_Wstride),                                           \
    .base = AT(C##_PCK0_ADDR_BASE_REG_0_Base),                                                     \
    .out_y_stride = AT(C##_PCK0_ADDR_CTRL_XY_REG_1_Ystride),                                       \
    .out_z_stride = AT(C##_PCK0_ADDR_CTRL_ZW_REG_1_Zstride),                                       \
    .out_w_stride = AT(C##_PCK0_ADDR_CTRL_ZW_REG_1_Wstride),                                       \
    .out_base = AT(C##_PCK0_ADDR_BASE_REG_1_Base), .wide = AT(C##_PCK_DEST_RD_CTRL_Read_32b_data), \
    .is_unsigned = AT(C##_PCK_DEST_RD_CTRL_Read_unsigned),                                         \
    .raw = AT(C##_PCK_DEST_RD_CTRL_Read_int8), .round10 = AT(C##_PCK_DEST_RD_CTRL_Round_10b_mant), \
    .face_select = AT(C##_PCK_EDGE_TILE_FACE_SET_SELECT_select),                                   \
    .face_enable = AT(C##_PCK_EDGE_TILE_FACE_SET_SELECT_enable),                                   \
    .row_select = AT(C##_PCK_EDGE_TILE_ROW_SET_SELECT_select),                                     \
    .edge_mode = AT(C##_PCK_EDGE_MODE_mode), .dstacc = AT(C##_ALU_FORMAT_SPEC_REG2_Dstacc),        \
    .dstacc_val = AT(C##_ALU_FORMAT_SPEC_REG_Dstacc_val),                                          \
    .dstacc_override = AT(C##_ALU_FORMAT_SPEC_REG_Dstacc_override),                                \
    .packer_stochastic = AT(C##_ALU_ROUNDING_MODE_Packer_srnd_en),                                 \
    .gasket_stochastic = AT(C##_ALU_ROUNDING_MODE_Gasket_srnd_en),                                 \
    .relu = AT(C##_STACC_RELU_ApplyRelu), .relu_threshold = AT(C##_STACC_RELU_ReluThreshold),      \
    .descale = AT(C##_INT_DESCALE_Enable), .descale_mode = AT(C##_INT_DESCALE_Mode),               \
    .descale_value = AT(C##_INT_DESCALE_VALUES_SEC0_Value),                                        \
    .statistics = AT(C##_ENABLE_ACC_STATS_Enable),                                                 \
    .y_incr = {AT(C##_ADDR_MOD_PACK_SEC0_YsrcIncr), AT(C##_ADDR_MOD_PACK_SEC0_YdstIncr)},          \
    .y_cr = {AT(C##_ADDR_MOD_PACK_SEC0_YsrcCR), AT(C##_ADDR_MOD_PACK_SEC0_YdstCR)},                \
    .y_clear = {AT(C##_ADDR_MOD_PACK_SEC0_YsrcClear), AT(C##_ADDR_MOD_PACK_SEC0_YdstClear)},       \
    .z_incr = {AT(C##_ADDR_MOD_PACK_SEC0_ZsrcIncr), AT(C##_ADDR_MOD_PACK_SEC0_ZdstIncr)},          \
    .z_clear = {AT(C##_ADDR_MOD_PACK_SEC0_ZsrcClear), AT(C##_ADDR_MOD_PACK_SEC0_ZdstClear)}

static const struct pack_places places_wh = {
    .section = {SECTION_WH(SEC0_REG1, 0, SEC0_REG9_Pack_0_2),
                SECTION_WH(SEC0_REG8, 1, SEC0_REG9_Pack_1_3),
                SECTION_WH(SEC1_REG1, 2, SEC1_REG9_Pack_0_2),
                SECTION_WH(SEC1_REG8, 3, SEC1_REG9_Pack_1_3)},
    COMMON(WH),
    .all_no_compress = AT(WH_THCON_SEC0_REG1_All_pack_disable_zero_compress),
    .all_no_compress_ovrd = AT(WH_THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd),
};

static const struct pack_places places_bh = {
    .section = {SECTION_BH(SEC0_REG1, 0, SEC0_REG9_Pack_0_2, SEC0),
                SECTION_BH(SEC0_REG8, 1, SEC0_REG9_Pack_1_3, SEC0),
                SECTION_BH(SEC1_REG1, 2, SEC1_REG9_Pack_0_2, SEC1),
                SECTION_BH(SEC1_REG8, 3, SEC1_REG9_Pack_1_3, SEC1)},
    COMMON(BH),
    .reg_address = {AT(BH_THCON_SEC0_REG10_Packer_Reg_Wr_Addr),
                    AT(BH_THCON_SEC1_REG10_Packer_Reg_Wr_Addr)},
};

const struct pack_places *pack_places(enum tx_arch arch)
{
    return chip_column(arch) == CHIP_COLUMN_BH ? &places_bh : &places_wh;
}

static bool fills_word(const struct pack_places *p, unsigned word)
{
    for (unsigned i = 0; i < PACK_SECTIONS; i++) {
        if (p->section[i].row_set.word == word || p->section[i].face_set.word == word) {
            return true;
        }
    }
    return word >= p->descale_value.word && word < p->descale_value.word + 16u;
}

uint32_t pack_places_mask(const struct pack_places *p, unsigned word)
{
    const size_t count = offsetof(struct pack_places, statistics) / sizeof(struct cfg_place);
    const struct cfg_place *at = (const struct cfg_place *)(const void *)p;
    uint32_t mask = fills_word(p, word) ? 0xFFFFFFFFu : 0;
    _Static_assert(sizeof(struct pack_section) % sizeof(struct cfg_place) == 0,
                   "nothing but places before the thread's");
    for (size_t i = 0; i < count; i++) {
        if (at[i].width != 0 && at[i].word == word) {
            mask |= bits_mask(at[i].width) << at[i].lsb;
        }
    }
    return mask;
}

bool pack_places_address(const struct pack_places *p, unsigned word)
{
    for (unsigned i = 0; i < PACK_SECTIONS; i++) {
        if (p->section[i].dest_addr.word == word) {
            return true;
        }
    }
    return false;
}

uint32_t pack_places_row(const struct pack_places *p, unsigned word)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < PACK_SECTIONS; i++) {
        const struct cfg_place offset = p->section[i].dst_offset;
        if (offset.width != 0 && offset.word == word) {
            mask |= bits_mask(offset.width) << offset.lsb;
        }
    }
    return mask;
}
