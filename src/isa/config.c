/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration fields of config.def: the public table, and the places of those that the
 * emulator itself reads.
 */
#include "isa/chip.h"
#include "isa/config.h"

#include "base/bits.h"
#include "isa/config_names.h"

#include <string.h>

/*
 * The fields of each chip, in their order, and the lengths of their names: only names of the right
 * length are compared.
 */
#define FIELD_IN_WH(row) row
#define FIELD_IN_BH(row)
#define FIELD_IN_BOTH(row) row
#define ROW(...) {__VA_ARGS__},
#define CFG(chips, name, word, lsb, width) FIELD_IN_##chips(ROW(#name, false, word, lsb, width))
#define THREAD_CFG(chips, name, word, lsb, width) \
    FIELD_IN_##chips(ROW(#name, true, word, lsb, width))
static const struct tx_config_field fields_wh[] = {
#include "isa/config.def"
};
#undef FIELD_IN_WH
#undef FIELD_IN_BH
#define FIELD_IN_WH(row)
#define FIELD_IN_BH(row) row
static const struct tx_config_field fields_bh[] = {
#include "isa/config.def"
};
#undef ROW
#undef CFG
#undef THREAD_CFG
#define ROW(name, ...) sizeof(name) - 1,
#define CFG(chips, name, word, lsb, width) FIELD_IN_##chips(ROW(#name, 0))
#define THREAD_CFG(chips, name, word, lsb, width) FIELD_IN_##chips(ROW(#name, 0))
static const uint8_t lengths_bh[] = {
#include "isa/config.def"
};
#undef FIELD_IN_WH
#undef FIELD_IN_BH
#define FIELD_IN_WH(row) row
#define FIELD_IN_BH(row)
static const uint8_t lengths_wh[] = {
#include "isa/config.def"
};
#undef CFG
#undef THREAD_CFG

static const struct cfg_places places_wh = {
    .words = 188,
    .thcon = 52,
    .mover = WH_THCON_SEC0_REG6_Source_address >> 16,
    .global = 152,
    .thread_words = 57, /* CFG_STATE_SIZE 47, ISA documentation */
    .prng_seed = AT(WH_PRNG_SEED_Seed_Val),
    .regw_base = AT(WH_DEST_REGW_BASE_Base),
    .fp32_enabled = AT(WH_ALU_ACC_CTRL_SFPU_Fp32_enabled),
    .srcb_override = AT(WH_ALU_FORMAT_SPEC_REG_SrcB_override),
    .srcb_val = AT(WH_ALU_FORMAT_SPEC_REG_SrcB_val),
    .srcb = AT(WH_ALU_FORMAT_SPEC_REG1_SrcB),
    .srca_override = AT(WH_ALU_FORMAT_SPEC_REG_SrcA_override),
    .srca_val = AT(WH_ALU_FORMAT_SPEC_REG_SrcA_val),
    .srca = AT(WH_ALU_FORMAT_SPEC_REG0_SrcA),
    .fpu_fp32 = AT(WH_ALU_ACC_CTRL_Fp32_enabled),
    .int8 = AT(WH_ALU_ACC_CTRL_INT8_math_enabled),
    .zero_flag_src = AT(WH_ALU_ACC_CTRL_Zero_Flag_disabled_src),
    .zero_flag_dst = AT(WH_ALU_ACC_CTRL_Zero_Flag_disabled_dst),
    .fpu_stochastic = AT(WH_ALU_ROUNDING_MODE_Fpu_srnd_en),
    .fidelity = AT(WH_FIDELITY_BASE_Phase),
    .force_fp16 = AT(WH_FP16A_FORCE_Enable),
    .state_reset = AT(WH_STATE_RESET_EN),
    .clr_dvalid = {AT(WH_CLR_DVALID_SrcA_Disable), AT(WH_CLR_DVALID_SrcB_Disable)},
    .state_id = AT(WH_CFG_STATE_ID_StateID),
    .math_offset = AT(WH_DEST_TARGET_REG_CFG_MATH_Offset),
    .addr_mod_set = AT(WH_ADDR_MOD_SET_Base),
    .mod_ab = WH_ADDR_MOD_AB_SEC0_SrcAIncr >> 16,
    .mod_ab_stride = (WH_ADDR_MOD_AB_SEC1_SrcAIncr >> 16) - (WH_ADDR_MOD_AB_SEC0_SrcAIncr >> 16),
    .mod_dst = WH_ADDR_MOD_DST_SEC0_DestIncr >> 16,
    .mod_bias = WH_ADDR_MOD_BIAS_SEC0_BiasIncr >> 16,
};

static const struct cfg_places places_bh = {
    .words = 224,
    .mover = BH_THCON_SEC0_REG6_Source_address >> 16,
    .thcon = 64, /* the first word with such a name; Blackhole's page does not say it */
    .global = 180,
    .thread_words = 68, /* CFG_STATE_SIZE 56 */
    .prng_seed = AT(BH_PRNG_SEED_Seed_Val),
    .regw_base = AT(BH_DEST_REGW_BASE_Base),
    .sp_base = AT(BH_DEST_SP_BASE_Base),
    .fp32_enabled = AT(BH_ALU_ACC_CTRL_SFPU_Fp32_enabled),
    .srcb_override = AT(BH_ALU_FORMAT_SPEC_REG_SrcB_override),
    .srcb_val = AT(BH_ALU_FORMAT_SPEC_REG_SrcB_val),
    .srcb = AT(BH_ALU_FORMAT_SPEC_REG1_SrcB),
    .srca_override = AT(BH_ALU_FORMAT_SPEC_REG_SrcA_override),
    .srca_val = AT(BH_ALU_FORMAT_SPEC_REG_SrcA_val),
    .srca = AT(BH_ALU_FORMAT_SPEC_REG0_SrcA),
    .fpu_fp32 = AT(BH_ALU_ACC_CTRL_Fp32_enabled),
    .int8 = AT(BH_ALU_ACC_CTRL_INT8_math_enabled),
    .zero_flag_src = AT(BH_ALU_ACC_CTRL_Zero_Flag_disabled_src),
    .zero_flag_dst = AT(BH_ALU_ACC_CTRL_Zero_Flag_disabled_dst),
    .fpu_stochastic = AT(BH_ALU_ROUNDING_MODE_Fpu_srnd_en),
    .fidelity = AT(BH_FIDELITY_BASE_Phase),
    .force_fp16 = AT(BH_FP16A_FORCE_Enable),
    .zeroacc_absolute = AT(BH_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode),
    .no_implied = {AT(BH_DISABLE_IMPLIED_SRCA_FMT_Base), AT(BH_DISABLE_IMPLIED_SRCB_FMT_Base)},
    .remap = AT(BH_DEST_ACCESS_CFG_remap_addrs),
    .swizzle = AT(BH_DEST_ACCESS_CFG_swizzle_32b),
    .state_reset = AT(BH_STATE_RESET_EN),
    .scratch = AT(BH_SCRATCH_SEC0_val),
    .clr_dvalid = {AT(BH_CLR_DVALID_SrcA_Disable), AT(BH_CLR_DVALID_SrcB_Disable)},
    .state_id = AT(BH_CFG_STATE_ID_StateID),
    .math_offset = AT(BH_DEST_TARGET_REG_CFG_MATH_Offset),
    .dest_fmt_en = AT(BH_SFPU_DEST_FMT_Enable),
    .dest_fmt = AT(BH_SFPU_DEST_FMT_Base),
    .stack_incr = AT(BH_SFPU_STACK_Incr),
    .mod_ab = BH_ADDR_MOD_AB_SEC0_SrcAIncr >> 16,
    .mod_ab_stride = (BH_ADDR_MOD_AB_SEC1_SrcAIncr >> 16) - (BH_ADDR_MOD_AB_SEC0_SrcAIncr >> 16),
    .mod_dst = BH_ADDR_MOD_DST_SEC0_DestIncr >> 16,
    .mod_bias = BH_ADDR_MOD_BIAS_SEC0_BiasIncr >> 16,
};

const struct cfg_places *cfg_places(enum tx_arch arch)
{
    return chip_column(arch) == CHIP_COLUMN_BH ? &places_bh : &places_wh;
}

static const struct tx_config_field *fields_of(enum tx_arch arch, size_t *count)
{
    const bool first = chip_column(arch) == CHIP_COLUMN_WH;
    *count = !chip_known(arch) ? 0
             : first           ? sizeof fields_wh / sizeof fields_wh[0]
                               : sizeof fields_bh / sizeof fields_bh[0];
    return first ? fields_wh : fields_bh;
}

const struct tx_config_field *tx_config_field_at(enum tx_arch arch, size_t index)
{
    size_t count;
    const struct tx_config_field *fields = fields_of(arch, &count);
    return index < count ? &fields[index] : NULL;
}

const struct tx_config_field *tx_config_field_find(enum tx_arch arch, const char *name)
{
    /* The vendor's header adds endings to the same names; users bring them along. */
    static const char *const endings[] = {"", "_RMW", "_ADDR32"};
    size_t count;
    const struct tx_config_field *fields = fields_of(arch, &count);
    const uint8_t *lengths = chip_column(arch) == CHIP_COLUMN_WH ? lengths_wh : lengths_bh;
    /* A caller that walks through the table passes its own names. */
    for (size_t i = 0; i < count; i++) {
        if (fields[i].name == name) {
            return &fields[i];
        }
    }
    const size_t all = strlen(name);
    for (size_t e = 0; e < sizeof endings / sizeof endings[0]; e++) {
        const size_t more = strlen(endings[e]);
        const size_t length = all - more;
        if (all < more || strcmp(name + length, endings[e]) != 0) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            if (lengths[i] == length && memcmp(fields[i].name, name, length) == 0) {
                return &fields[i];
            }
        }
    }
    return NULL;
}
