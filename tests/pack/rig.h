/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packers of a machine and their second statement (model.h) side by side: the routes of
 * formats, the configuration of both, and one pair of formats over many data.
 */
#ifndef TEST_PACK_RIG_H
#define TEST_PACK_RIG_H

#include <tensix/tensix.h>

#include "pack/model_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { L1_BYTES = 1536 * 1024 };

static uint8_t l1[2][L1_BYTES]; /* the machine's, the model's */

/* ---- formats: spec/pack.md section 13 ---- */

struct route {
    uint8_t chips, r32, raw, r10, IF, LF, outs[14], count; /* chips: 1 Wormhole, 2 Blackhole */
};
#define OUTS(...) {__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})
#define FLOATS OUTS(0, 5, 1, 10, 6, 7, 15, 2, 3, 11)
static const struct route routes[] = {
    {3, 1, 0, 0, 0, 0, FLOATS},
    {3, 1, 0, 1, 0, 0, FLOATS},
    {3, 1, 1, 1, 0, 0, FLOATS},
    {3, 1, 0, 0, 4, 4, OUTS(4, 0, 5, 1, 6, 2)},
    {3, 1, 0, 0, 5, 5, OUTS(0, 4, 5, 1, 10, 6, 7, 15, 2, 3, 11)},
    {3, 1, 1, 0, 5, 5, OUTS(0, 5, 6, 7, 15)},
    {3, 1, 0, 1, 5, 5, OUTS(0, 5, 6)},
    {3, 1, 0, 1, 5, 4, OUTS(1)},
    {3, 1, 0, 0, 6, 6, OUTS(0, 5, 6, 7, 15, 2)},
    {3, 1, 1, 0, 6, 6, OUTS(5, 6)},
    {3, 1, 0, 1, 1, 1, OUTS(1, 0, 5, 10, 6)},
    {3, 0, 0, 0, 5, 5, OUTS(0, 4, 5, 1, 10, 6, 7, 15, 2, 3, 11)},
    {3, 0, 1, 0, 5, 5, OUTS(0, 5, 6)},
    {3, 0, 0, 0, 6, 6, OUTS(0, 5, 6, 7, 15)},
    {3, 0, 0, 0, 4, 4, OUTS(4, 0, 1)},
    {3, 0, 0, 1, 0, 0, OUTS(0, 5, 1)},
    {3, 0, 0, 0, 1, 1, OUTS(1, 0, 4, 5, 10, 6, 7, 15, 2, 3, 11)},
    {3, 0, 1, 0, 1, 1, OUTS(1, 0, 5, 10, 2, 3, 11)},
    {2, 0, 0, 1, 1, 1, OUTS(1, 5, 0)},
    {3, 0, 0, 0, 2, 2, OUTS(2, 3, 11, 6, 1, 10)},
    {3, 0, 1, 0, 2, 2, OUTS(2, 3, 10, 1)},
    {3, 0, 1, 0, 10, 10, OUTS(10)},
    {3, 1, 0, 0, 8, 8, OUTS(8)},
    {3, 1, 1, 0, 8, 0, OUTS(0)},
    {3, 1, 0, 0, 9, 9, OUTS(9)},
    {3, 0, 0, 0, 9, 9, OUTS(9)},
    {3, 1, 0, 0, 14, 14, OUTS(14)},
    {3, 1, 1, 0, 14, 14, OUTS(14)},
    {3, 0, 1, 0, 14, 14, OUTS(14)},
};
enum { ROUTES = sizeof routes / sizeof routes[0] };

/* ---- both sides ---- */

/* The table is long, and the same few names are asked for a hundred thousand times. */
static const struct tx_config_field *field_named(enum tx_arch arch, const char *name)
{
    static const struct tx_config_field *seen[3][1024];
    uint32_t hash = 0;
    for (const char *c = name; *c != '\0'; c++) {
        hash = hash * 31 + (unsigned char)*c;
    }
    const struct tx_config_field **f = &seen[arch][hash % 1024];
    if (*f == NULL || strcmp((*f)->name, name) != 0) {
        *f = tx_config_field_find(arch, name);
    }
    return *f;
}

static void field(tx_machine *m, const char *name, uint32_t value)
{
    const struct tx_config_field *f = field_named(tx_machine_arch(m), name);
    const enum tx_file file = f->thread ? TX_FILE_THREAD_CONFIG : TX_FILE_CONFIG;
    const unsigned row = f->word + (f->thread ? 2 * 128u : 0u);
    uint32_t word;
    bool good = tx_read(m, file, row, &word, 1) == TX_OK;
    const uint32_t mask = f->width == 32 ? 0xFFFFFFFFu : (1u << f->width) - 1;
    word = (word & ~(mask << f->lsb)) | (value & mask) << f->lsb;
    good = good && tx_write(m, file, row, &word, 1) == TX_OK;
    if (!good) {
        fprintf(stderr, "%s cannot be set\n", name);
        exit(1);
    }
}

static void field_of(tx_machine *m, const char *format, unsigned i, uint32_t value)
{
    char name[96];
    snprintf(name, sizeof name, format, i);
    field(m, name, value);
}

static void write_section(tx_machine *m, const struct setup *c, unsigned i)
{
    static const char *const sections[] = {"SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8"};
    const struct {
        const char *name;
        uint32_t value;
    } fields[] = {{"Disable_zero_compress", 1},         {"In_data_format", c->LF},
                  {"Out_data_format", c->LT},           {"L1_Dest_addr", c->dest[i]},
                  {"Exp_section_size", c->exp_size[i]}, {"Pack_L1_Acc", c->acc},
                  {"Downsample_mask", c->ds},           {"Exp_threshold_en", c->threshold < 256},
                  {"Exp_threshold", c->threshold}};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        char name[96];
        snprintf(name, sizeof name, "THCON_%s_%s", sections[i], fields[k].name);
        field(m, name, fields[k].value);
    }
    field_of(m, "PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", i, c->plane);
    field_of(m, "PACK_COUNTERS_SEC%u_pack_yz_transposed", i, c->transposed);
    field_of(m, "PCK_EDGE_OFFSET_SEC%u_mask", i, c->edge[i]);
    field_of(m, "DEST_TARGET_REG_CFG_PACK_SEC%u_Offset", i, c->offset[i]);
    field_of(m, "DEST_TARGET_REG_CFG_PACK_SEC%u_ZOffset", i, c->z_offset[i]);
    for (unsigned k = 0; k < 16; k++) {
        char name[96];
        snprintf(name, sizeof name, "TILE_ROW_SET_MAPPING_%u_row_set_mapping_%u", i, k);
        field(m, name, c->rows[i] >> 2 * k & 3);
        snprintf(name, sizeof name, "TILE_FACE_SET_MAPPING_%u_face_set_mapping_%u", i, k);
        field(m, name, c->faces[i] >> 2 * k & 3);
    }
    field_of(m, "ADDR_MOD_PACK_SEC%u_YsrcIncr", i, c->mode[i] & 15);
    field_of(m, "ADDR_MOD_PACK_SEC%u_YsrcCR", i, c->mode[i] >> 4 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_YsrcClear", i, c->mode[i] >> 5 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_YdstIncr", i, c->mode[i] >> 6 & 15);
    field_of(m, "ADDR_MOD_PACK_SEC%u_YdstCR", i, c->mode[i] >> 10 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_YdstClear", i, c->mode[i] >> 11 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_ZsrcIncr", i, c->mode[i] >> 12 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_ZsrcClear", i, c->mode[i] >> 13 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_ZdstIncr", i, c->mode[i] >> 14 & 1);
    field_of(m, "ADDR_MOD_PACK_SEC%u_ZdstClear", i, c->mode[i] >> 15 & 1);
}

static void write_setup(tx_machine *m, const struct setup *c)
{
    for (unsigned i = 0; i < 4; i++) {
        write_section(m, c, i);
    }
    field(m, "THCON_SEC0_REG1_Out_data_format", c->LT);
    if (c->bh) {
        field(m, "THCON_SEC0_REG1_Pac_LF8_4b_exp", c->e4m3);
        field(m, "DEST_ACCESS_CFG_remap_addrs", c->remap);
        field(m, "DEST_ACCESS_CFG_swizzle_32b", c->swizzle);
    }
    field(m, "PCK0_ADDR_CTRL_XY_REG_0_Xstride", c->x_stride);
    field(m, "PCK0_ADDR_CTRL_XY_REG_0_Ystride", c->y_stride);
    field(m, "PCK0_ADDR_CTRL_ZW_REG_0_Zstride", c->z_stride);
    field(m, "PCK0_ADDR_CTRL_ZW_REG_0_Wstride", c->w_stride);
    field(m, "PCK0_ADDR_BASE_REG_0_Base", c->base);
    field(m, "PCK0_ADDR_CTRL_XY_REG_1_Ystride", c->oy_stride);
    field(m, "PCK0_ADDR_CTRL_ZW_REG_1_Zstride", c->oz_stride);
    field(m, "PCK0_ADDR_CTRL_ZW_REG_1_Wstride", c->ow_stride);
    field(m, "PCK0_ADDR_BASE_REG_1_Base", c->obase);
    field(m, "PCK_DEST_RD_CTRL_Read_32b_data", c->r32);
    field(m, "PCK_DEST_RD_CTRL_Read_int8", c->raw);
    field(m, "PCK_DEST_RD_CTRL_Round_10b_mant", c->r10);
    field(m, "PCK_DEST_RD_CTRL_Read_unsigned", c->uns);
    field(m, "ALU_FORMAT_SPEC_REG2_Dstacc", c->IF);
    field(m, "STACC_RELU_ApplyRelu", c->relu);
    field(m, "STACC_RELU_ReluThreshold", c->T);
    field(m, "PCK_EDGE_MODE_mode", c->low);
    field(m, "PCK_EDGE_TILE_ROW_SET_SELECT_select", c->select);
    field(m, "PCK_EDGE_TILE_FACE_SET_SELECT_select", c->face_select);
    field(m, "PCK_EDGE_TILE_FACE_SET_SELECT_enable", c->face_enable);
}

static bool same_l1(const struct setup *c, const uint32_t *words, unsigned count)
{
    uint32_t at = 0;
    if (memcmp(l1[0], l1[1], sizeof l1[0]) == 0) {
        return true;
    }
    while (l1[0][at] == l1[1][at]) {
        at++;
    }
    fprintf(stderr, "%s IF %u LF %u LT %u r32 %d raw %d r10 %d uns %d e4m3 %d relu %u:",
            c->bh ? "bh" : "wh", c->IF, c->LF, c->LT, c->r32, c->raw, c->r10, c->uns, c->e4m3,
            c->relu);
    for (unsigned k = 0; k < count; k++) {
        fprintf(stderr, " %08x", (unsigned)words[k]);
    }
    fprintf(stderr, "\nL1 at %05x: %02x, the second statement has %02x\n", (unsigned)at, l1[0][at],
            l1[1][at]);
    return false;
}

static bool open_machine(enum tx_arch arch, tx_machine **m)
{
    struct tx_settings settings;
    struct tx_host host;
    tx_settings_default(&settings, arch);
    if (tx_open(&settings, m) != TX_OK) {
        return false;
    }
    tx_host_default(&host);
    host.l1 = l1[0];
    host.l1_size = arch == TX_BLACKHOLE ? L1_BYTES : 1464 * 1024;
    return tx_host_set(*m, &host) == TX_OK;
}

/* ---- one pair of formats, row after row ---- */

enum { PAIR_ROWS = 512 };

/* Nothing but the conversion; variant 1 is another reading of the same formats, where there is one.
 */
static bool plain_setup(struct setup *c, bool bh, const struct route *r, unsigned out,
                        unsigned variant)
{
    const unsigned n = r->LF % 4 == 0 ? 64 : r->LF % 4 == 1 ? 32 : 16;
    const bool sign = out == 14 && r->r32 != 0;
    const bool eight = bh && out == 10 && r->LF == 1;
    *c = (struct setup){.bh = bh,
                        .r32 = r->r32,
                        .raw = r->raw,
                        .r10 = r->r10,
                        .IF = r->IF,
                        .LF = r->LF,
                        .LT = out,
                        .uns = sign && variant == 1,
                        .e4m3 = eight && variant == 1,
                        .threshold = 256,
                        .y_stride = n,
                        .edge = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF},
                        .mode = {1, 1, 1, 1}};
    for (unsigned i = 0; i < 4; i++) {
        c->dest[i] = 0x400;
        c->exp_size[i] = 64;
    }
    return variant == 0 || sign || eight;
}

/* Packs rows 0 to 511 of the Dst that x has, on both sides. */
static bool run_rows_of_both(tx_machine *m, struct model *x, uint32_t words[PAIR_ROWS])
{
    uint32_t adc[16] = {[8] = 15};
    const uint32_t valid = 1;
    memset(x->adc, 0, sizeof x->adc);
    memset(x->cr, 0, sizeof x->cr);
    x->adc[1][0] = 15;
    bool good = tx_write(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16) == TX_OK;
    for (unsigned row = 0; row < 1024; row++) {
        uint32_t v[16];
        for (unsigned k = 0; k < 16; k++) {
            v[k] = x->dst[row][k];
        }
        x->valid[row] = true;
        good = good && tx_write(m, TX_FILE_DST, row, v, 16) == TX_OK &&
               tx_write(m, TX_FILE_DST_VALID, row, &valid, 1) == TX_OK;
    }
    for (unsigned i = 0; i < PAIR_ROWS; i++) {
        words[i] = 0x41000100u | (i == PAIR_ROWS - 1);
    }
    good = good && tx_run(m, 2, words, PAIR_ROWS) == TX_OK;
    for (unsigned i = 0; i < PAIR_ROWS; i++) {
        model_pacr(x, words[i]);
    }
    return good;
}

static bool same_rows(tx_machine *m, struct model *x)
{
    uint32_t words[PAIR_ROWS];
    tx_reset(m);
    write_setup(m, &x->c);
    memset(l1, 0, sizeof l1);
    return run_rows_of_both(m, x, words) && same_l1(&x->c, words, 1);
}

/* All cells of 16-bit Dst. */
static bool same_cells(tx_machine *m, struct model *x)
{
    for (unsigned first = 0; first < 65536; first += 16 * PAIR_ROWS) {
        for (unsigned i = 0; i < 16 * PAIR_ROWS; i++) {
            x->dst[i / 16][i % 16] = (uint16_t)(first + i);
        }
        if (!same_rows(m, x)) {
            return false;
        }
    }
    return true;
}

#endif
