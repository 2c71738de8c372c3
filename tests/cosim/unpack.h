/* SPDX-License-Identifier: Apache-2.0 */
/* The unpackers: formats to SrcA, SrcB and Dst, tilize, transposing, strides, address counters. */
#ifndef TESTS_COSIM_UNPACK_H
#define TESTS_COSIM_UNPACK_H

#include "cosim/matrix.h"
#include "cosim/pack.h"

static bool unpack_takes(const struct tx_row *row)
{
    return row->insn == TX_INSN_UNPACR_NOP || (row->insn >= 0x50 && row->insn <= 0x57) ||
           row->insn == 0x5E;
}

/* One field of the unpacker: SEC and UNP of its number. */
static void put_unpacker(struct cosim *c, const char *form, uint32_t value)
{
    char name[96];
    snprintf(name, sizeof name, form, c->choice);
    put_field(c, name, value);
}

/* A field of the first unpacker, which the simulator does not have of the second one. */
static void put_first(struct cosim *c, const char *name, uint32_t value)
{
    put_field(c, name, c->choice == 0 ? value : 0);
}

static void put_descriptor(struct cosim *c, uint32_t in, uint32_t x_dim)
{
    struct bridge_rng *r = &c->random;
    const unsigned word = c->arch == TX_BLACKHOLE ? c->choice == 0 ? 64 : 112
                          : c->choice == 0        ? 52
                                                  : 92;
    const uint32_t first = in | 16u | x_dim << 16;
    const uint32_t second = (1 + draw_below(r, 4)) | (1 + draw_below(r, 4)) << 16;
    const uint32_t third = 1;
    (void)put_both(c, TX_FILE_CONFIG, word, &first, 1);
    (void)put_both(c, TX_FILE_CONFIG, word + 1, &second, 1);
    if (tx_write(c->m, TX_FILE_CONFIG, word + 2, &third, 1) != TX_OK) { /* it takes 1 for all */
        cosim_fail("a tile descriptor");
    }
}

static void unpack_counters(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    uint32_t adc[16] = {0};
    const uint32_t count = draw_one_in(r, 4) ? 1 + draw_below(r, 300) : 16u << draw_below(r, 7);
    adc[0] = draw_one_in(r, 8) ? draw_below(r, 40) : 0;
    adc[1] = draw_one_in(r, 2) ? 0 : draw_below(r, 8);
    adc[2] = draw_one_in(r, 2) ? 0 : draw_below(r, 8);
    adc[8] = adc[0] + count - 1;
    adc[9] = draw_one_in(r, 2) ? 0 : draw_below(r, 8);
    adc[10] = draw_one_in(r, 2) ? 0 : draw_below(r, 8);
    (void)put_both(c, TX_FILE_ADC, 3 * c->kind->thread + c->choice, adc, 16);
}

static void unpack_setup(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const uint8_t formats[] = {0, 0, 1, 4, 5, 5, 6, 6, 7, 8, 9, 10, 14, 15, 2, 3, 11};
    static const uint8_t of_fp32[] = {0, 4, 5, 1};
    const uint32_t in = formats[draw_below(r, sizeof formats)];
    const uint32_t out = in == 0 ? of_fp32[draw_below(r, 4)] : in;
    const bool wide = in == 8 || out == 0;
    const uint32_t datum = in % 4 == 0 ? 4 : in % 4 == 1 ? 2 : 1;
    c->choice = wide ? 0 : draw_below(r, 2);
    const bool to_dst = c->choice == 0 && (wide || (out == 4 && draw_one_in(r, 2)));
    const bool tilize = c->choice == 0 && draw_one_in(r, 6);
    const uint32_t x_dim = draw_one_in(r, 2) ? 256 : 16u << draw_below(r, 7);
    fill_l1(c);
    put_descriptor(c, in, x_dim);
    put_unpacker(c, "THCON_SEC%u_REG2_Out_data_format", out);
    put_unpacker(c, "THCON_SEC%u_REG2_Throttle_mode", draw_below(r, 3));
    put_unpacker(c, "THCON_SEC%u_REG2_Haloize_mode",
                 c->choice == 0 && !to_dst && draw_one_in(r, 4));
    put_unpacker(c, "THCON_SEC%u_REG2_Tileize_mode", tilize);
    put_field(c, "THCON_SEC0_REG2_Shift_amount_cntx0", tilize ? draw_below(r, 16) : 0);
    put_field(c, "THCON_SEC0_REG2_Shift_amount_cntx1", tilize ? draw_below(r, 2) : 0);
    put_unpacker(c, "THCON_SEC%u_REG2_Disable_zero_compress_cntx0", 1);
    put_unpacker(c, "THCON_SEC%u_REG2_Force_shared_exp", draw_one_in(r, 8));
    put_first(c, "UNP0_FORCED_SHARED_EXP_shared_exp", draw_below(r, 256));
    put_unpacker(c, "THCON_SEC%u_REG3_Base_address", draw_below(r, 0x800));
    put_unpacker(c, "THCON_SEC%u_REG7_Offset_address", draw_one_in(r, 4) ? draw_below(r, 64) : 0);
    put_first(c, "UNP0_ADDR_CTRL_XY_REG_1_Ystride", datum * 16 * draw_below(r, 3));
    put_unpacker(c, "UNP%u_ADDR_CTRL_ZW_REG_1_Zstride", datum * 16 * draw_below(r, 17));
    put_unpacker(c, "THCON_SEC%u_REG1_Unp_LF8_4b_exp", draw_below(r, 2));
    put_first(c, "THCON_SEC0_REG1_ovrd_default_throttle_mode", draw_one_in(r, 4));
    put_field(c, "UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", draw_below(r, 2));
    put_field(c, "THCON_SEC0_REG5_Dest_cntx0_address",
              64 + 16 * (draw_one_in(r, 2) ? 0 : draw_below(r, to_dst ? 512 : 48)));
    put_field(c, "THCON_SEC0_REG5_Tile_x_dim_cntx0", x_dim);
    put_field(c, "THCON_SEC0_REG2_Unpack_if_sel_cntx0", to_dst);
    put_field(c, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", draw_below(r, 2));
    put_field(c, "ALU_FORMAT_SPEC_REG0_SrcBUnsigned", draw_below(r, 2));
    put_field(c, "SRCA_SET_SetOvrdWithAddr", !to_dst);
    unpack_counters(c);
}

static uint32_t unpack_word(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    if (draw_one_in(r, 6)) {
        return draw_word(r, &c->forms.form[draw_below(r, c->forms.count)]);
    }
    uint32_t word = 0x42000081u | c->choice << 23 | draw_below(r, 4) << 21 | draw_below(r, 4) << 19;
    word |= draw_below(r, 4) << 17 | draw_below(r, 4) << 15;
    word |= draw_one_in(r, 6) ? 64u : 0; /* gives the bank away */
    word |= draw_one_in(r, 12) ? 16u : 0;
    return word;
}

static const struct known unpack_known[] = {{"P1", 2, "SETADC SETADCZW INCADCZW ADDRCRZW UNPACR",
                                             only_high_zw,
                                             "isa ADCs acaf010: thirteen bits on Blackhole"},
                                            {.id = NULL}};

static const struct kind unpack_class = {.name = "unpack",
                                         .unit = "words",
                                         .steps = &words_steps,
                                         .files = SIDE(TX_FILE_ADC) | SIDE(TX_FILE_DST) |
                                                  SIDE(TX_FILE_DST_VALID) | SIDE(TX_FILE_SRC) |
                                                  SIDE(TX_FILE_SRC_BANK) | SIDE(TX_FILE_SRC_FORMAT),
                                         .thread = 0,
                                         .words = 8,
                                         .queues = true,
                                         .l1 = 0x10000,
                                         .rules = {{NULL}, {NULL}},
                                         .takes = unpack_takes,
                                         .block = matrix_block,
                                         .setup = unpack_setup,
                                         .word = unpack_word,
                                         .known = unpack_known};

#endif
