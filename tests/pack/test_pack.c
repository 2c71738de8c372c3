/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packers beside a second statement of them (model.h): random configuration, Dst, counters and
 * short programs on both chips, all of L1 that they can reach compared byte by byte, and every pair
 * of formats that starts from 16 bits over all 65536 cells. An argument: how many programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include "pack/model_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { L1_BYTES = 1536 * 1024 };

static uint64_t seed = 1;
static unsigned long programs = 1500;
static uint8_t l1[2][L1_BYTES]; /* the machine's, the model's */
static tx_machine *machine[3];

static uint32_t random_below(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 20) % below);
}

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

static void choose_formats(struct setup *c)
{
    const struct route *r;
    do {
        r = &routes[random_below(ROUTES)];
    } while ((r->chips >> c->bh & 1) == 0);
    c->r32 = r->r32;
    c->raw = r->raw;
    c->r10 = r->r10;
    c->IF = r->IF;
    c->LF = r->LF;
    c->LT = r->outs[random_below(r->count)];
    c->uns = c->LT == 14 && c->r32 && random_below(2) == 0;
    c->e4m3 = c->bh && c->LF == 1 && c->LT == 10 && random_below(2) == 0;
    const bool integer = c->LF == 8 || c->LF == 9 || c->LF == 14;
    c->relu = c->LF == 10 || random_below(2) == 0 ? 0
              : integer || c->IF == 8             ? random_below(2)
                                                  : random_below(4);
    c->T = random_below(0x8000);
    c->threshold = random_below(3) == 0 ? random_below(256) : 256;
    c->acc = random_below(3) == 0 &&
             (c->LT == 0 || c->LT == 1 || c->LT == 4 || c->LT == 5 || c->LT == 8);
}

static void choose_rest(struct setup *c)
{
    const unsigned n = c->LF % 4 == 0 ? 4 : c->LF % 4 == 1 ? 2 : 1;
    c->x_stride = random_below(3) == 0 ? random_below(16) : n;
    c->y_stride = random_below(3) == 0 ? random_below(4096) : 16 * n;
    c->z_stride = random_below(4096);
    c->w_stride = random_below(65536);
    c->base = random_below(3) == 0 ? random_below(65536) : 0;
    c->oy_stride = random_below(256);
    c->oz_stride = random_below(256);
    c->ow_stride = random_below(256);
    c->obase = random_below(256);
    c->low = random_below(4) == 0 && c->LF != 8 && c->LF != 9 && c->LF != 14 && c->IF != 8;
    c->ds = random_below(4) == 0 ? random_below(65536) : 0;
    c->select = random_below(2) == 0 ? 0 : random_below(256);
    c->face_select = random_below(256);
    c->face_enable = random_below(4) == 0;
    c->plane = random_below(2) == 0 ? 16 : random_below(20);
    c->transposed = random_below(8) == 0;
    c->remap = c->bh && random_below(2) == 0;
    c->swizzle = c->bh && random_below(2) == 0;
    for (unsigned i = 0; i < 4; i++) {
        c->exp_size[i] = random_below(8) + (is_block(c->LT) ? 8 : 0); /* no overlap */
        c->dest[i] = 0x100 + 0x800 * i + random_below(256);
        c->offset[i] = random_below(2) == 0 ? 16 * i : random_below(1024);
        c->z_offset[i] = random_below(4) == 0 ? random_below(64) : 0;
        c->edge[i] = random_below(2) == 0 ? 0xFFFF : random_below(65536);
        c->rows[i] = random_below(2) == 0 ? 0 : random_below(0x7FFFFFFF) * 2 + random_below(2);
        c->faces[i] = random_below(0x7FFFFFFF) * 2 + random_below(2);
        c->mode[i] = (uint16_t)random_below(65536);
    }
    if (!c->bh && random_below(2) == 0) { /* relative to packer 0 */
        c->dest[0] |= 0x80000000u;
        for (unsigned i = 1; i < 4; i++) {
            c->dest[i] = 0x800 * i;
        }
    }
}

/* ---- both sides ---- */

static void field(tx_machine *m, const char *name, uint32_t value)
{
    const struct tx_config_field *f = tx_config_field_find(tx_machine_arch(m), name);
    const enum tx_file file = f->thread ? TX_FILE_THREAD_CONFIG : TX_FILE_CONFIG;
    const unsigned row = f->word + (f->thread ? 2 * 128u : 0u);
    uint32_t word;
    assert_int_equal(tx_read(m, file, row, &word, 1), TX_OK);
    const uint32_t mask = f->width == 32 ? 0xFFFFFFFFu : (1u << f->width) - 1;
    word = (word & ~(mask << f->lsb)) | (value & mask) << f->lsb;
    assert_int_equal(tx_write(m, file, row, &word, 1), TX_OK);
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

/* Cells in which every kind of datum is common. */
static uint16_t random_cell(void)
{
    static const uint16_t some[] = {0,      0x8000, 0x00FF, 0x80FF, 0x7FFF, 0xFFFF, 0x0001, 0x8001,
                                    0x7F00, 0x007F, 0x807F, 0x001F, 0x7FE0, 0x0070, 0x40FF, 0x7FFE};
    return random_below(3) == 0 ? some[random_below(16)] : (uint16_t)random_below(65536);
}

static void write_state(tx_machine *m, struct model *x)
{
    uint32_t adc[16];
    for (unsigned row = 0; row < 1024; row++) {
        uint32_t v[16];
        const uint32_t valid = random_below(8) != 0;
        for (unsigned i = 0; i < 16; i++) {
            v[i] = x->dst[row][i] = random_cell();
        }
        x->valid[row] = valid != 0;
        assert_int_equal(tx_write(m, TX_FILE_DST, row, v, 16), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_DST_VALID, row, &valid, 1), TX_OK);
    }
    for (unsigned ch = 0; ch < 2; ch++) {
        for (unsigned d = 0; d < 4; d++) {
            const uint32_t most = d == 1 ? 40 : d == 0 ? 16 : 20;
            x->adc[ch][d] = random_below(2) == 0 ? 0 : random_below(most);
            x->cr[ch][d] = random_below(2) == 0 ? 0 : random_below(most);
        }
    }
    x->adc[0][0] = random_below(3) == 0 ? random_below(12) : 0;
    x->adc[1][0] =
        x->adc[0][0] + (x->c.bh ? random_below(16 - x->adc[0][0] % 16) : random_below(70));
    for (unsigned i = 0; i < 8; i++) {
        adc[2 * (i / 4) * 4 + i % 4] = x->adc[i / 4][i % 4];
        adc[(2 * (i / 4) + 1) * 4 + i % 4] = x->cr[i / 4][i % 4];
    }
    assert_int_equal(tx_write(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16), TX_OK);
    for (uint32_t i = 0; i < 0x40000; i += 4) {
        const uint32_t v = random_below(0x7FFFFFFF) * 2;
        memcpy(l1[0] + i, &v, 4);
    }
    memcpy(l1[1], l1[0], sizeof l1[0]);
}

static uint32_t instruction(const struct setup *c)
{
    static const uint8_t packers[] = {0, 1, 3, 15, 15, 2, 12};
    const uint32_t mask = c->bh ? random_below(16) : packers[random_below(7)];
    uint32_t word = 0x41000000u | mask << 8 | random_below(4) << 15;
    word |= random_below(4) == 0 ? 1 : 0;                    /* Last */
    word |= random_below(16) == 0 ? 2 : 0;                   /* Flush */
    word |= random_below(8) == 0 && mask != 0 ? 1 << 12 : 0; /* ZeroWrite */
    word |= c->bh && random_below(4) == 0 ? 1 << 17 : 0;     /* strided */
    word |= c->bh && random_below(4) == 0 ? random_below(8) << 18 : 0;
    return word;
}

static void check_l1(const struct setup *c, const uint32_t *words, unsigned count)
{
    if (memcmp(l1[0], l1[1], sizeof l1[0]) == 0) {
        return;
    }
    for (uint32_t i = 0; i < L1_BYTES; i++) {
        if (l1[0][i] != l1[1][i]) {
            fprintf(stderr,
                    "%s IF %u LF %u LT %u r32 %d raw %d r10 %d relu %u:", c->bh ? "bh" : "wh",
                    c->IF, c->LF, c->LT, c->r32, c->raw, c->r10, c->relu);
            for (unsigned k = 0; k < count; k++) {
                fprintf(stderr, " %08x", (unsigned)words[k]);
            }
            fail_msg("L1 at %05x: %02x, the second statement has %02x", (unsigned)i, l1[0][i],
                     l1[1][i]);
        }
    }
}

static void check_adc(const tx_machine *m, const struct model *x)
{
    uint32_t adc[16];
    assert_int_equal(tx_read(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16), TX_OK);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(adc[2 * (i / 4) * 4 + i % 4], x->adc[i / 4][i % 4]);
        assert_int_equal(adc[(2 * (i / 4) + 1) * 4 + i % 4], x->cr[i / 4][i % 4]);
    }
}

static void one_program(enum tx_arch arch)
{
    static struct model x;
    tx_machine *m = machine[arch];
    uint32_t words[8];
    const unsigned count = 1 + random_below(8);
    memset(&x, 0, sizeof x);
    x.c.bh = arch == TX_BLACKHOLE;
    x.l1 = l1[1];
    choose_formats(&x.c);
    choose_rest(&x.c);
    tx_reset(m);
    write_setup(m, &x.c);
    write_state(m, &x);
    for (unsigned i = 0; i < count; i++) {
        words[i] = instruction(&x.c);
    }
    if (tx_run(m, 2, words, count) != TX_OK) {
        fail_msg("%08x: %s", (unsigned)words[0], tx_fault(m) ? tx_fault(m)->message : "stuck");
    }
    for (unsigned i = 0; i < count; i++) {
        model_pacr(&x, words[i]);
    }
    check_l1(&x.c, words, count);
    check_adc(m, &x);
    for (unsigned i = 0; i < (x.c.bh ? 1u : 1u); i++) {
        const uint32_t source9 = 0x454048AAu;
        uint32_t most;
        assert_int_equal(tx_run(m, 2, &source9, 1), TX_OK);
        assert_int_equal(tx_read(m, TX_FILE_GPR, 2 * 64 + 21, &most, 1), TX_OK);
        assert_int_equal(most, x.packer[0].most);
    }
}

static void test_programs(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs; i++) {
        one_program(i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE);
    }
}

/* Every pair of formats of 16-bit Dst, over all cells. */
static void test_all_cells(void **state)
{
    static struct model x;
    (void)state;
    for (size_t r = 0; r < ROUTES; r++) {
        for (unsigned o = 0; o < routes[r].count && routes[r].r32 == 0; o++) {
            for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
                tx_machine *m = machine[arch];
                if ((routes[r].chips >> (arch == TX_BLACKHOLE) & 1) == 0) {
                    continue;
                }
                memset(&x, 0, sizeof x);
                x.l1 = l1[1];
                x.c = (struct setup){.bh = arch == TX_BLACKHOLE,
                                     .raw = routes[r].raw,
                                     .r10 = routes[r].r10,
                                     .IF = routes[r].IF,
                                     .LF = routes[r].LF,
                                     .LT = routes[r].outs[o],
                                     .threshold = 256,
                                     .y_stride = routes[r].LF % 4 == 0   ? 64
                                                 : routes[r].LF % 4 == 1 ? 32
                                                                         : 16,
                                     .edge = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF},
                                     .mode = {1, 1, 1, 1}};
                for (unsigned i = 0; i < 4; i++) {
                    x.c.dest[i] = 0x400;
                    x.c.exp_size[i] = 64;
                }
                for (unsigned first = 0; first < 65536; first += 8192) {
                    const uint32_t word = 0x41000101u;
                    static uint32_t words[512];
                    uint32_t adc[16] = {[8] = 15};
                    tx_reset(m);
                    write_setup(m, &x.c);
                    memset(x.adc, 0, sizeof x.adc);
                    memset(x.cr, 0, sizeof x.cr);
                    x.adc[1][0] = 15;
                    for (unsigned i = 0; i < 512; i++) {
                        uint32_t v[16];
                        for (unsigned k = 0; k < 16; k++) {
                            v[k] = x.dst[i][k] = (uint16_t)(first + 16 * i + k);
                        }
                        x.valid[i] = true;
                        assert_int_equal(tx_write(m, TX_FILE_DST, i, v, 16), TX_OK);
                        words[i] = word - (i != 511 ? 1 : 0);
                    }
                    assert_int_equal(tx_write(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16), TX_OK);
                    memset(l1, 0, sizeof l1);
                    assert_int_equal(tx_run(m, 2, words, 512), TX_OK);
                    for (unsigned i = 0; i < 512; i++) {
                        model_pacr(&x, words[i]);
                    }
                    check_l1(&x.c, words, 1);
                }
            }
        }
    }
}

/*
 * Whatever configuration, counters and words say: no crash, and twice the same. Every second
 * program has compression off, so that more happens.
 */
static void anything(enum tx_arch arch, uint64_t start, uint64_t *digest)
{
    tx_machine *m = machine[arch];
    uint32_t adc[16];
    seed = start;
    tx_reset(m);
    memset(l1[0], 0, sizeof l1[0]);
    for (unsigned row = 0; row < 224; row++) {
        const uint32_t v = random_below(4) == 0 ? random_below(0x7FFFFFFF) * 2 : 0;
        (void)tx_write(m, TX_FILE_CONFIG, row, &v, 1);
    }
    if (start % 2 == 0) {
        static struct setup c;
        memset(&c, 0, sizeof c);
        c.bh = arch == TX_BLACKHOLE;
        choose_formats(&c);
        choose_rest(&c);
        write_setup(m, &c);
    }
    for (unsigned i = 0; i < 16; i++) {
        adc[i] = random_below(i % 4 == 0 ? 2000 : 256);
    }
    (void)tx_write(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16);
    for (unsigned i = 0; i < 6; i++) {
        static const uint32_t opcodes[] = {0x41000000, 0x41000000, 0x41000000, 0x4A000000,
                                           0x44000000, 0x45000080, 0x21000000};
        const uint32_t word = opcodes[random_below(7)] | random_below(1 << 24);
        const enum tx_status status = tx_run(m, 2, &word, 1);
        *digest = *digest * 31 + (unsigned)status;
    }
    for (uint32_t i = 0; i < L1_BYTES; i += 8) {
        uint64_t v;
        memcpy(&v, l1[0] + i, 8);
        *digest = *digest * 0x9E3779B97F4A7C15u + v;
    }
    tx_findings_clear(m);
}

static void test_anything(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 160; i++) {
        const enum tx_arch arch = i % 4 < 2 ? TX_WORMHOLE : TX_BLACKHOLE;
        uint64_t digest[2] = {0, 0};
        anything(arch, i, &digest[0]);
        anything(arch, i, &digest[1]);
        assert_true(digest[0] == digest[1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_all_cells),
                                       cmocka_unit_test(test_anything)};
    programs = argc > 1 ? strtoul(argv[1], NULL, 10) : programs;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_settings settings;
        struct tx_host host;
        tx_settings_default(&settings, arch);
        if (tx_open(&settings, &machine[arch]) != TX_OK) {
            return 1;
        }
        tx_host_default(&host);
        host.l1 = l1[0];
        host.l1_size = arch == TX_BLACKHOLE ? L1_BYTES : 1464 * 1024;
        (void)tx_host_set(machine[arch], &host);
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tx_close(machine[TX_WORMHOLE]);
    tx_close(machine[TX_BLACKHOLE]);
    return failed;
}
