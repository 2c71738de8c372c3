/* SPDX-License-Identifier: Apache-2.0 */
/* The places of the unpackers' configuration fields, by chip and unpacker. */
#include "isa/chip.h"
#include "base/check.h"
#include "unpack/places.h"

#include "base/bits.h"
#include "isa/config_names.h"

/* c: WH or BH; n: the unpacker; s: SrcA or SrcB as in the names. */
#define BY_CONTEXT4(c, n, a, z)                                                \
    {                                                                          \
        AT(c##_THCON_SEC##n##_##a##0##z), AT(c##_THCON_SEC##n##_##a##1##z),    \
            AT(c##_THCON_SEC##n##_##a##2##z), AT(c##_THCON_SEC##n##_##a##3##z) \
    }
#define BY_CONTEXT8(c, n, a)                                              \
    {                                                                     \
        AT(c##_THCON_SEC##n##_##a##0), AT(c##_THCON_SEC##n##_##a##1),     \
            AT(c##_THCON_SEC##n##_##a##2), AT(c##_THCON_SEC##n##_##a##3), \
            AT(c##_THCON_SEC##n##_##a##4), AT(c##_THCON_SEC##n##_##a##5), \
            AT(c##_THCON_SEC##n##_##a##6), AT(c##_THCON_SEC##n##_##a##7)  \
    }

/* The fields that both unpackers have on both chips. */
#define COMMON(c, n, s)                                                 \
    .descriptor = AT(c##_THCON_SEC##n##_REG0_TileDescriptor),           \
    .out = AT(c##_THCON_SEC##n##_REG2_Out_data_format),                 \
    .throttle = AT(c##_THCON_SEC##n##_REG2_Throttle_mode),              \
    .context_count = AT(c##_THCON_SEC##n##_REG2_Context_count),         \
    .transpose = AT(c##_THCON_SEC##n##_REG2_Haloize_mode),              \
    .tileize = AT(c##_THCON_SEC##n##_REG2_Tileize_mode),                \
    .set_update = AT(c##_THCON_SEC##n##_REG2_Unpack_Src_Reg_Set_Upd),   \
    .upsample = AT(c##_THCON_SEC##n##_REG2_Upsample_rate),              \
    .interleave = AT(c##_THCON_SEC##n##_REG2_Upsample_and_interleave),  \
    .override_formats = AT(c##_THCON_SEC##n##_REG2_Ovrd_data_format),   \
    .force_exponent = AT(c##_THCON_SEC##n##_REG2_Force_shared_exp),     \
    .limit = AT(c##_THCON_SEC##n##_REG2_Unpack_limit_address),          \
    .fifo = AT(c##_THCON_SEC##n##_REG2_Unpack_fifo_size),               \
    .shift = BY_CONTEXT4(c, n, REG2_Shift_amount_cntx, ),               \
    .offset = {AT(c##_THCON_SEC##n##_REG7_Offset_address),              \
               AT(c##_THCON_SEC##n##_REG7_Offset_cntx1_address),        \
               AT(c##_THCON_SEC##n##_REG7_Offset_cntx2_address),        \
               AT(c##_THCON_SEC##n##_REG7_Offset_cntx3_address)},       \
    .uncompressed = BY_CONTEXT8(c, n, REG2_Disable_zero_compress_cntx), \
    .base = {AT(c##_THCON_SEC##n##_REG3_Base_address),                  \
             AT(c##_THCON_SEC##n##_REG3_Base_cntx1_address),            \
             AT(c##_THCON_SEC##n##_REG3_Base_cntx2_address),            \
             AT(c##_THCON_SEC##n##_REG3_Base_cntx3_address),            \
             AT(c##_THCON_SEC##n##_REG4_Base_cntx4_address),            \
             AT(c##_THCON_SEC##n##_REG4_Base_cntx5_address),            \
             AT(c##_THCON_SEC##n##_REG4_Base_cntx6_address),            \
             AT(c##_THCON_SEC##n##_REG4_Base_cntx7_address)},           \
    .in_of = BY_CONTEXT8(c, n, REG7_Unpack_data_format_cntx),           \
    .out_of = BY_CONTEXT8(c, n, REG7_Unpack_out_data_format_cntx),      \
    .y_stride = AT(c##_UNP##n##_ADDR_CTRL_XY_REG_1_Ystride),            \
    .z_stride = AT(c##_UNP##n##_ADDR_CTRL_ZW_REG_1_Zstride),            \
    .w_stride = AT(c##_UNP##n##_ADDR_CTRL_ZW_REG_1_Wstride),            \
    .address_base = AT(c##_UNP##n##_ADDR_BASE_REG_1_Base),              \
    .shared_exponent = AT(c##_UNP##n##_FORCED_SHARED_EXP_shared_exp),   \
    .is_unsigned = AT(c##_ALU_FORMAT_SPEC_REG0_##s##Unsigned),          \
    .context_offset = AT(c##_UNPACK_MISC_CFG_CfgContextOffset_##n),     \
    .count_reset = AT(c##_UNPACK_MISC_CFG_CfgContextCntReset_##n),      \
    .count_increment = AT(c##_UNPACK_MISC_CFG_CfgContextCntInc_##n)

/*
 * SrcA and Dst belong to unpacker 0. Unpacker 1 has registers of these names, which are not read.
 */
#define ONLY_0(c)                                                   \
    .to_dst = AT(c##_THCON_SEC0_REG2_Unpack_If_Sel),                \
    .to_dst_of = BY_CONTEXT8(c, 0, REG2_Unpack_if_sel_cntx),        \
    .dest = BY_CONTEXT4(c, 0, REG5_Dest_cntx, _address),            \
    .x_dim = BY_CONTEXT4(c, 0, REG5_Tile_x_dim_cntx, ),             \
    .add_dest = AT(c##_UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr), \
    .blobs = {AT(c##_UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start),     \
              AT(c##_UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start)},    \
    .src_base = AT(c##_SRCA_SET_Base), .src_override = AT(c##_SRCA_SET_SetOvrdWithAddr)

#define BLACKHOLE(n)                                                              \
    .e4m3 = AT(BH_THCON_SEC##n##_REG1_Unp_LF8_4b_exp),                            \
    .throttle_used = AT(BH_THCON_SEC##n##_REG1_ovrd_default_throttle_mode),       \
    .clear_value = AT(BH_UNP##n##_NOP_REG_CLR_VAL_nop_reg_clr_val),               \
    .unexplained = {AT(BH_THCON_SEC##n##_REG2_Context_count_non_log2),            \
                    AT(BH_THCON_SEC##n##_REG2_Context_count_non_log2_en),         \
                    AT(BH_THCON_SEC##n##_REG2_Metadata_x_end),                    \
                    AT(BH_THCON_SEC##n##_REG6_Metadata_misc),                     \
                    AT(BH_THCON_SEC##n##_REG8_unpack_tile_offset),                \
                    AT(BH_THCON_SEC##n##_REG10_Unpack_limit_address),             \
                    AT(BH_THCON_SEC##n##_REG10_Unpack_fifo_size),                 \
                    AT(BH_THCON_SEC##n##_REG10_Unpack_limit_address_en),          \
                    AT(BH_THCON_SEC##n##_REG11_Metadata_l1_addr),                 \
                    AT(BH_THCON_SEC##n##_REG11_Metadata_limit_addr),              \
                    AT(BH_THCON_SEC##n##_REG11_Metadata_fifo_size),               \
                    AT(BH_THCON_SEC##n##_REG11_Metadata_z_cntr_rst_unpacr_count), \
                    AT(BH_THCON_SEC##n##_REG11_Metadata_cntxt_switch_unpacr_count)}

static const struct unpack_places places_wh[2] = {
    {COMMON(WH, 0, SrcA), ONLY_0(WH)},
    {COMMON(WH, 1, SrcB), .src_base = AT(WH_SRCB_SET_Base)},
};

static const struct unpack_places places_bh[2] = {
    {COMMON(BH, 0, SrcA), ONLY_0(BH), BLACKHOLE(0)},
    {COMMON(BH, 1, SrcB), .src_base = AT(BH_SRCB_SET_Base), BLACKHOLE(1)},
};

const struct unpack_places *unpack_places(enum tx_arch arch, unsigned unpacker)
{
    CHECK(unpacker < 2, "fields are those of one of two unpackers");
    return chip_column(arch) == CHIP_COLUMN_BH ? &places_bh[unpacker] : &places_wh[unpacker];
}

static uint32_t mask_of(const struct cfg_place *fields, size_t count, unsigned word)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].width != 0 && fields[i].word == word) {
            mask |= bits_mask(fields[i].width) << fields[i].lsb;
        }
    }
    return mask;
}

/*
 * Base and offset addresses are not among them, which tt-llk 36b092e moves on right behind an
 * UNPACR (llk_unpack_tilize.h, llk_unpack_untilize.h); nor is the sign of integers, which has a
 * check of its own (move.c).
 */
uint32_t unpack_places_mask(const struct unpack_places *p, unsigned word)
{
    const struct cfg_place fields[] = {
        p->out,      p->throttle,         p->context_count,   p->transpose,  p->tileize,
        p->upsample, p->interleave,       p->force_exponent,  p->y_stride,   p->z_stride,
        p->w_stride, p->address_base,     p->shared_exponent, p->add_dest,   p->e4m3,
        p->to_dst,   p->override_formats, p->throttle_used,   p->set_update, p->limit,
        p->fifo,
    };
    return (word - p->descriptor.word < 4u ? 0xFFFFFFFFu : 0) |
           mask_of(fields, sizeof fields / sizeof fields[0], word);
}

/* Kernels write those of one context while an unpack of another waits. */
uint32_t unpack_places_context_mask(const struct unpack_places *p, unsigned context, unsigned word)
{
    const unsigned four = context & 3u;
    const struct cfg_place fields[] = {
        p->uncompressed[context], p->to_dst_of[context], p->in_of[context], p->out_of[context],
        p->shift[four],           p->dest[four],         p->x_dim[four]};
    return mask_of(fields, sizeof fields / sizeof fields[0], word);
}
