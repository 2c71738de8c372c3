/* SPDX-License-Identifier: Apache-2.0 */
/* The packers: pairs of formats, ReLU, edge masks, addition to L1, strides and address counters. */
#ifndef TESTS_COSIM_PACK_H
#define TESTS_COSIM_PACK_H

#include "cosim/vector.h"

static bool pack_takes(const struct tx_row *row)
{
    return row->unit == TX_UNIT_PACK || (row->insn >= 0x50 && row->insn <= 0x57) ||
           row->insn == 0x5E;
}

static void pack_block(struct cosim *c)
{
    random_dst(c);
}

/* Of all packers that the chip has; those that it does not have stay out. */
static void put_packers(struct cosim *c, const char *field, uint32_t value)
{
    static const char *const sections[] = {"SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8"};
    for (unsigned i = 0; i < (c->arch == TX_BLACKHOLE ? 1u : 4u); i++) {
        char name[96];
        snprintf(name, sizeof name, "THCON_%s_%s", sections[i], field);
        put_field(c, name, value);
    }
}

static void put_each(struct cosim *c, const char *form, unsigned count, uint32_t value,
                     uint32_t step)
{
    for (unsigned i = 0; i < count; i++) {
        char name[96];
        snprintf(name, sizeof name, form, i);
        put_field(c, name, value + i * step);
    }
}

/* 32-bit Dst, the format in between, that in L1: what kernels use. */
static const struct {
    uint8_t wide, from, to;
} pack_pairs[] = {{0, 1, 0}, {0, 1, 1},  {0, 1, 5}, {0, 1, 10}, {0, 2, 6}, {0, 5, 0},
                  {0, 5, 5}, {0, 5, 6},  {0, 5, 7}, {0, 5, 15}, {0, 6, 0}, {0, 6, 5},
                  {0, 6, 6}, {0, 6, 7},  {0, 9, 9}, {1, 0, 0},  {1, 0, 1}, {1, 0, 6},
                  {1, 0, 7}, {1, 0, 15}, {1, 1, 1}, {1, 1, 10}, {1, 5, 5}, {1, 6, 6},
                  {1, 6, 7}, {1, 8, 8},  {1, 9, 9}, {1, 14, 14}};

static void pack_formats(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const uint8_t any[] = {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 14, 15, 4};
    const unsigned i = draw_below(r, sizeof pack_pairs / sizeof *pack_pairs);
    const bool odd = draw_one_in(r, 16);
    const uint32_t wide = pack_pairs[i].wide;
    const uint32_t from = odd ? any[draw_below(r, sizeof any)] : pack_pairs[i].from;
    const uint32_t to = odd ? any[draw_below(r, sizeof any)] : pack_pairs[i].to;
    const uint32_t size = from % 4 == 0 ? 64 : from % 4 == 1 ? 32 : 16; /* of a row, in bytes */
    put_field(c, "PCK_DEST_RD_CTRL_Read_32b_data", wide);
    put_field(c, "PCK_DEST_RD_CTRL_Round_10b_mant",
              (wide != 0 && from == 1) || (to == 10 && draw_one_in(r, 2)) || draw_one_in(r, 32));
    put_field(c, "PCK_DEST_RD_CTRL_Read_int8", draw_one_in(r, 32));
    put_field(c, "PCK_DEST_RD_CTRL_Read_unsigned", draw_below(r, 2));
    put_field(c, "ALU_FORMAT_SPEC_REG2_Dstacc", from);
    put_packers(c, "In_data_format", from);
    put_packers(c, "Out_data_format", to);
    put_field(c, "THCON_SEC0_REG1_Pac_LF8_4b_exp", draw_one_in(r, 4));
    put_packers(c, "Pack_L1_Acc", draw_one_in(r, to <= 1 || to == 5 ? 2 : 64));
    put_field(c, "PCK0_ADDR_CTRL_XY_REG_0_Ystride", size);
    put_field(c, "PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 16 * size);
    put_field(c, "PCK0_ADDR_CTRL_ZW_REG_0_Wstride", draw_one_in(r, 2) ? 64 * size : 0);
}

static void pack_setup(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const uint32_t masks[] = {0xFFFF, 0xFFFF, 1, 0};
    const bool bh = c->arch == TX_BLACKHOLE;
    const unsigned packers = bh ? 1 : 4;
    fill_l1(c);
    pack_formats(c);
    put_packers(c, "Disable_zero_compress", 1);
    put_packers(c, "Exp_section_size", 8 + draw_below(r, 4));
    for (unsigned i = 0; i < packers; i++) {
        static const char *const sections[] = {"SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8"};
        char name[64];
        snprintf(name, sizeof name, "THCON_%s_L1_Dest_addr", sections[i]);
        put_field(c, name, 0x100 + 0x200 * i + draw_below(r, 64));
    }
    put_field(c, "STACC_RELU_ApplyRelu", draw_one_in(r, 2) ? 0 : draw_below(r, 4));
    put_field(c, "STACC_RELU_ReluThreshold", draw_below(r, 0x8000));
    put_each(c, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", packers, 0, 0);
    put_each(c, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", packers, 1 + draw_below(r, 16), 0);
    put_each(c, "DEST_TARGET_REG_CFG_PACK_SEC%u_Offset", packers, draw_one_in(r, 4) ? 512 : 0, 16);
    put_each(c, "PCK_EDGE_OFFSET_SEC%u_mask", 2, masks[draw_below(r, 4)], 0);
    put_field(c, "PCK_EDGE_OFFSET_SEC1_mask", masks[draw_below(r, 4)]);
    put_field(c, "PCK_EDGE_TILE_ROW_SET_SELECT_select", draw_below(r, 2));
    for (unsigned k = 0; k < 16; k++) {
        char name[96];
        for (unsigned i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "TILE_ROW_SET_MAPPING_%u_row_set_mapping_%u", i, k);
            put_field(c, name, draw_below(r, 2));
        }
    }
    put_each(c, "ADDR_MOD_PACK_SEC%u_YsrcIncr", 4, 1, 0);
    put_field(c, "ADDR_MOD_PACK_SEC1_YsrcClear", 1);
    put_field(c, "ADDR_MOD_PACK_SEC1_ZsrcIncr", 1);
    put_field(c, "ADDR_MOD_PACK_SEC2_YsrcIncr", 4);
    put_field(c, "ADDR_MOD_PACK_SEC3_YsrcCR", 1);
    if (bh) { /* the simulator has no such strides on Wormhole */
        put_field(c, "ADDR_MOD_PACK_SEC2_YdstIncr", draw_below(r, 3));
        put_field(c, "PCK0_ADDR_CTRL_XY_REG_1_Ystride", 16 * draw_below(r, 4));
    }
    c->strided = bh && draw_one_in(r, 16);
    c->choice = draw_one_in(r, 2) ? 1 : draw_one_in(r, 2) ? 3 : 15;
    if (c->strided) {
        put_field(c, "DEST_ACCESS_CFG_remap_addrs", 1);
        put_field(c, "DEST_ACCESS_CFG_swizzle_32b", 1);
    }
    uint32_t adc[16] = {0};
    adc[1] = draw_one_in(r, 2) ? 0 : draw_below(r, 16);
    adc[2] = draw_one_in(r, 2) ? 0 : draw_below(r, 4);
    adc[3] = draw_one_in(r, 4) ? draw_below(r, 3) : 0;
    adc[8] = bh ? (draw_one_in(r, 8) ? 7 : 15) : (1u << draw_below(r, 9)) - 1;
    adc[8] = draw_one_in(r, 2) ? 15 : adc[8];
    (void)put_both(c, TX_FILE_ADC, 3 * c->kind->thread + 2, adc, 16);
}

static uint32_t pack_word(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const uint8_t groups[] = {0, 1, 3, 5, 10};
    const bool bh = c->arch == TX_BLACKHOLE;
    /* On Wormhole the simulator has one note for all packers of whether tiles are open. */
    const uint32_t group = bh ? groups[draw_below(r, 5)] : c->choice;
    if (draw_one_in(r, 8)) {
        const uint32_t other = draw_word(r, &c->forms.form[draw_below(r, c->forms.count)]);
        return !bh && other >> 24 == 0x41 ? (other & ~0xF00u) | group << 8 : other;
    }
    uint32_t word = 0x41000000u | group << 8;
    word |= draw_below(r, 4) << 15;
    word |= draw_one_in(r, 3); /* Last */
    word |= bh && c->strided ? 1u << 17 : 0;
    return word;
}

/* Z or W of the packers' counters: that simulator keeps the lower eight bits. */
static bool only_high_zw(struct cosim *c, const struct difference *d)
{
    (void)c;
    return !d->stops && d->place.file != NULL && d->place.file->file == TX_FILE_ADC &&
           (d->place.value & 2u) != 0 && (d->place.here & 0xFFu) == d->place.there;
}

static bool integer_relu(struct cosim *c, const struct difference *d)
{
    (void)c;
    return d->stops && strstr(d->text, "ReLU of integers has no threshold") != NULL;
}

static bool no_result(struct cosim *c, const struct difference *d)
{
    (void)c;
    return d->stops && strstr(d->text, "has no defined result with these settings") != NULL;
}

/*
 * Which row of Dst a row number means with remap_addrs and swizzle_32b, and where the upper half of
 * a 32-bit row lies (isa Dst 093af91): remap_addrs makes bits 5 to 3 bits 3, 5 and 4; swizzle_32b
 * makes bit 3 the exclusive or of bits 4 and 2, and bit 2 what bit 3 was.
 */
static unsigned remapped_row(unsigned r, bool wide)
{
    r = (r & 0x3C7u) | (r >> 3 & 1u) << 5 | (r >> 5 & 1u) << 4 | (r >> 4 & 1u) << 3;
    if (wide) {
        r = (r & 0x3F3u) | ((r >> 4 ^ r >> 2) & 1u) << 3 | (r >> 3 & 1u) << 2;
    }
    return r;
}

static unsigned upper_half(unsigned r)
{
    return (r & 7u) | (r >> 3 & 63u) << 4 | (r & 0x200u);
}

/* Row `to` of ours gets what the other side has in row `from`. */
static void move_row(struct cosim *c, unsigned from, unsigned to)
{
    uint32_t v[16];
    (void)c->other->get(TX_FILE_DST, from, v);
    (void)tx_write(c->m, TX_FILE_DST, to, v, 16);
    (void)c->other->get(TX_FILE_DST_VALID, from, v);
    (void)tx_write(c->m, TX_FILE_DST_VALID, to, v, 1);
}

/* Ours has the rows where the packers, which map row numbers, find those that the others read. */
static void rows_for_map(struct cosim *c)
{
    uint32_t wide = 0;
    (void)tx_config_get(c->m, c->kind->thread, "PCK_DEST_RD_CTRL_Read_32b_data", &wide);
    for (unsigned r = 0; r < (wide != 0 ? 512u : 1024u); r++) {
        const unsigned row = remapped_row(r, wide != 0);
        if (wide == 0) {
            move_row(c, r, row);
        } else {
            move_row(c, upper_half(r), upper_half(row));
            move_row(c, upper_half(r) + 8, upper_half(row) + 8);
        }
    }
}

/* Dst's rows go by a map that that simulator does not have: with the rows moved nothing differs. */
static bool remapped(struct cosim *c, const struct difference *d)
{
    uint32_t on = 0;
    (void)tx_config_get(c->m, c->kind->thread, "DEST_ACCESS_CFG_remap_addrs", &on);
    return on != 0 && gone_when(c, d, rows_for_map, SIDE(TX_FILE_DST));
}

static const struct known pack_known[] = {
    {"P3", 2, "PACR", remapped,
     "isa Dst 093af91: remap_addrs and swizzle_32b change which row is meant; the simulator reads "
     "the row itself"},
    {"P1", 2, "SETADC SETADCZW INCADCZW ADDRCRZW PACR", only_high_zw,
     "isa ADCs acaf010: thirteen bits on Blackhole"},
    {"ReLU of integers", 3, "PACR", integer_relu,
     "isa ReLU f7fda21 has mode 1 only; the simulator looks at the mode of data that no edge mask "
     "removes"},
    {"Read_int8", 3, "PACR", no_result,
     "isa FormatConversion 411f264 has no line with Read_int8 for FP16 and INT16 out of 32-bit "
     "Dst; the simulator does not look at it there"},
    {.id = NULL}};

static const struct kind pack_class = {
    .name = "pack",
    .unit = "words",
    .steps = &words_steps,
    .files = SIDE(TX_FILE_ADC) | SIDE(TX_FILE_DST) | SIDE(TX_FILE_RWC),
    .thread = 2,
    .words = 12,
    .l1 = 0x10000,
    .rules = {{"pack-tail=at-once", "pack-yzw-width=32"},
              {"pack-tail=at-once", "pack-yzw-width=32", "pack-zw-width=8", "pack-tile-row=datum"}},
    .takes = pack_takes,
    .block = pack_block,
    .setup = pack_setup,
    .word = pack_word,
    .known = pack_known};

#endif
