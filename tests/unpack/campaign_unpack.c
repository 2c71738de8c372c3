/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UNPACR beside its second statement (second.h): SrcA, SrcB, Dst with its row flags, banks, implied
 * formats and address counters are compared after each instruction.
 *   campaign_unpack ARCH random COUNT SEED   that many random configurations
 *   campaign_unpack ARCH pairs DATA SEED     every pair of formats to SrcA, SrcB and Dst: all
 * values and exponents of up to 16 bits, else DATA random ones
 */
#include "unpack/second.h"

#include <tensix/tensix.h>

#include <stdio.h>
#include <stdlib.h>

struct rig {
    tx_machine *m;
    enum tx_arch arch;
    uint64_t random, cells;
    unsigned failures;
    struct second second;
    struct setting s;
};

static uint32_t draw(struct rig *r)
{
    r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->random >> 32);
}

static uint32_t below(struct rig *r, uint32_t n)
{
    return draw(r) % n;
}

static bool one_in(struct rig *r, uint32_t n)
{
    return below(r, n) == 0;
}

/* ---- configuration ---- */

static void put(struct rig *r, const char *name, uint32_t value)
{
    if (tx_config_set(r->m, r->s.thread, name, value) != TX_OK) {
        fprintf(stderr, "%s cannot be set\n", name);
        r->failures++;
    }
}

static void put_unit(struct rig *r, const char *name, uint32_t value)
{
    char text[96];
    snprintf(text, sizeof text, name, r->s.unit);
    put(r, text, value);
}

static void put_word(struct rig *r, unsigned word, uint32_t value)
{
    (void)tx_write(r->m, TX_FILE_CONFIG, word, &value, 1);
}

static void configure(struct rig *r)
{
    const struct setting *s = &r->s;
    const unsigned word = s->bh ? s->unit == 0 ? 64 : 112 : s->unit == 0 ? 52 : 92;
    put_word(r, word, s->in | 16u | (s->unit == 1 ? s->x_dim << 16 : 0xABC0000u));
    put_word(r, word + 1, s->y_dim | s->z_dim << 16);
    put_word(r, word + 2, s->w_dim);
    put_word(r, word + 3, s->digest << 24);
    put_unit(r, "THCON_SEC%u_REG2_Out_data_format", s->out);
    put_unit(r, "THCON_SEC%u_REG2_Throttle_mode", s->throttle);
    put_unit(r, "THCON_SEC%u_REG2_Haloize_mode", s->transpose);
    put_unit(r, "THCON_SEC%u_REG2_Tileize_mode", s->strided);
    put_unit(r, "THCON_SEC%u_REG2_Unpack_Src_Reg_Set_Upd", s->update);
    put_unit(r, "THCON_SEC%u_REG2_Upsample_rate", s->upsample);
    put_unit(r, "THCON_SEC%u_REG2_Upsample_and_interleave", s->interleave);
    put_unit(r, "THCON_SEC%u_REG2_Shift_amount_cntx0", s->strided ? s->shift[0] : s->column_shift);
    put_unit(r, "THCON_SEC%u_REG2_Shift_amount_cntx1", s->shift[1]);
    put_unit(r, "THCON_SEC%u_REG2_Shift_amount_cntx2", s->shift[2]);
    put_unit(r, "THCON_SEC%u_REG2_Disable_zero_compress_cntx0", 1);
    put_unit(r, "THCON_SEC%u_REG2_Force_shared_exp", s->force);
    put_unit(r, "THCON_SEC%u_REG2_Unpack_limit_address", s->limit);
    put_unit(r, "THCON_SEC%u_REG2_Unpack_fifo_size", s->fifo);
    put_unit(r, "THCON_SEC%u_REG3_Base_address", s->base);
    put_unit(r, "THCON_SEC%u_REG7_Offset_address", s->offset);
    put_unit(r, "UNP%u_ADDR_CTRL_XY_REG_1_Ystride", s->y_stride);
    put_unit(r, "UNP%u_ADDR_CTRL_ZW_REG_1_Zstride", s->z_stride);
    put_unit(r, "UNP%u_ADDR_CTRL_ZW_REG_1_Wstride", s->w_stride);
    put_unit(r, "UNP%u_ADDR_BASE_REG_1_Base", s->address_base);
    put_unit(r, "UNP%u_FORCED_SHARED_EXP_shared_exp", s->shared_exponent);
    put(r, "UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", s->add_dest);
    put(r, "THCON_SEC0_REG5_Dest_cntx0_address", s->dest);
    put(r, "THCON_SEC0_REG5_Tile_x_dim_cntx0", s->unit == 0 ? s->x_dim : 3);
    put(r, "THCON_SEC0_REG2_Unpack_if_sel_cntx0", s->to_dst);
    put(r, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", s->unit == 0 ? s->is_unsigned : !s->is_unsigned);
    put(r, "ALU_FORMAT_SPEC_REG0_SrcBUnsigned", s->unit == 1 ? s->is_unsigned : !s->is_unsigned);
    put(r, "SRCA_SET_SetOvrdWithAddr", s->override);
    put(r, s->unit == 0 ? "SRCA_SET_Base" : "SRCB_SET_Base", s->src_base);
    if (s->bh) {
        put_unit(r, "THCON_SEC%u_REG1_Unp_LF8_4b_exp", s->e4m3);
        put_unit(r, "THCON_SEC%u_REG1_ovrd_default_throttle_mode", s->throttle_used);
        put(r, "DEST_ACCESS_CFG_remap_addrs", s->remap);
        put(r, "DEST_ACCESS_CFG_swizzle_32b", s->swizzle);
    }
}

static void put_counters(struct rig *r)
{
    for (unsigned t = 0; t < 3; t++) {
        const struct counters *c = &r->second.adc[t][r->s.unit];
        uint32_t v[TX_ADC_VALUES] = {0};
        for (unsigned ch = 0; ch < 2; ch++) {
            v[8 * ch] = c->x[ch];
            v[8 * ch + 1] = c->y[ch];
            v[8 * ch + 2] = c->z[ch];
            v[8 * ch + 3] = c->w[ch];
        }
        (void)tx_write(r->m, TX_FILE_ADC, 3 * t + r->s.unit, v, TX_ADC_VALUES);
    }
}

/* The unpackers own all banks again. */
static void free_banks(struct rig *r)
{
    memset(r->second.owned, 0, sizeof r->second.owned);
    for (unsigned src = 0; src < 2; src++) {
        const uint32_t v[4] = {0, r->second.bank[src], 0, 0};
        (void)tx_write(r->m, TX_FILE_SRC_BANK, src, v, 4);
    }
}

/* ---- one instruction ---- */

static void differs(struct rig *r, const char *what, unsigned a, unsigned b, uint32_t want,
                    uint32_t got)
{
    const struct setting *s = &r->s;
    if (r->failures++ == 0) {
        fprintf(stderr, "%s %u, %u: want %x, got %x (unit %u, format %u to %u%s)\n", what, a, b,
                (unsigned)want, (unsigned)got, s->unit, (unsigned)s->in, (unsigned)s->out,
                s->to_dst ? ", to Dst" : "");
    }
}

static void compare(struct rig *r)
{
    const struct second *m = &r->second;
    uint32_t v[16];
    for (unsigned i = 0; i < 256; i++) {
        (void)tx_read(r->m, TX_FILE_SRC, i, v, 16);
        for (unsigned c = 0; c < 16; c++) {
            if (v[c] != m->src[i / 128][i / 64 % 2][i % 64][c]) {
                differs(r, "Src", i, c, m->src[i / 128][i / 64 % 2][i % 64][c], v[c]);
            }
        }
    }
    for (unsigned i = 0; i < 1024 && r->s.to_dst; i++) {
        uint32_t valid;
        (void)tx_read(r->m, TX_FILE_DST, i, v, 16);
        (void)tx_read(r->m, TX_FILE_DST_VALID, i, &valid, 1);
        for (unsigned c = 0; c < 16; c++) {
            if (v[c] != m->dst[i][c]) {
                differs(r, "Dst", i, c, m->dst[i][c], v[c]);
            }
        }
        if (valid != (m->valid[i] ? 1u : 0u)) {
            differs(r, "row flag", i, 0, m->valid[i], valid);
        }
    }
    for (unsigned src = 0; src < 2; src++) {
        (void)tx_read(r->m, TX_FILE_SRC_BANK, src, v, 4);
        if (v[1] != m->bank[src] || v[2] != m->owned[src][0] || v[3] != m->owned[src][1]) {
            differs(r, "bank", src, 0, m->bank[src], v[1]);
        }
        (void)tx_read(r->m, TX_FILE_SRC_FORMAT, src, v, 2);
        for (unsigned b = 0; b < 2 && r->s.bh; b++) {
            if (v[b] != m->format[src][b]) {
                differs(r, "implied format", src, b, m->format[src][b], v[b]);
            }
        }
    }
    for (unsigned t = 0; t < 3; t++) {
        const struct counters *c = &m->adc[t][r->s.unit];
        (void)tx_read(r->m, TX_FILE_ADC, 3 * t + r->s.unit, v, 16);
        for (unsigned ch = 0; ch < 2; ch++) {
            if (v[8 * ch] != c->x[ch] || v[8 * ch + 1] != c->y[ch] || v[8 * ch + 2] != c->z[ch] ||
                v[8 * ch + 3] != c->w[ch]) {
                differs(r, "counters", t, ch, c->z[ch], v[8 * ch + 2]);
            }
        }
    }
}

static void step(struct rig *r)
{
    const struct setting *s = &r->s;
    const uint32_t word = 0x42000081u | (uint32_t)s->unit << 23 | s->y_inc[1] << 21 |
                          s->z_inc[1] << 19 | s->y_inc[0] << 17 | s->z_inc[0] << 15 |
                          s->xy_thread << 8 | (s->give ? 64u : 0) | (s->zero ? 16u : 0);
    const struct counters *xy = &r->second.adc[s->xy_thread][s->unit];
    r->cells += xy->x[1] < xy->x[0] ? 0 : xy->x[1] - xy->x[0] + 1;
    configure(r);
    put_counters(r);
    const enum tx_status status = tx_run(r->m, s->thread, &word, 1);
    if (status != TX_OK) {
        fprintf(stderr, "%s\n", tx_status_text(status));
        r->failures++;
        return;
    }
    second_unpack(&r->second, s);
    compare(r);
    free_banks(r);
    tx_findings_clear(r->m);
}

/* ---- configurations ---- */

static const uint8_t formats[] = {FP32, FP16,  BFP8A, BFP4A, TF32,  BF16, BFP8,
                                  BFP4, INT32, INT16, FP8,   BFP2A, INT8, BFP2};

static uint32_t out_of(struct rig *r, uint32_t in)
{
    static const uint8_t of_fp32[] = {TF32, BF16, FP16};
    return in == FP32 && !one_in(r, 4) ? of_fp32[below(r, 3)] : in;
}

static void plain_setting(struct rig *r, unsigned unit)
{
    r->s = (struct setting){.bh = r->arch == TX_BLACKHOLE,
                            .unit = unit,
                            .x_dim = 1024,
                            .y_dim = 1,
                            .z_dim = 1,
                            .w_dim = 1,
                            .base = 0xFFFFFFFFu,
                            .dest = 64,
                            .override = true,
                            .throttle = 2,
                            .throttle_used = r->arch == TX_BLACKHOLE,
                            .add_dest = true};
}

static void random_counters(struct rig *r)
{
    struct setting *s = &r->s;
    for (unsigned t = 0; t < 3; t++) {
        struct counters *c = &r->second.adc[t][s->unit];
        const uint32_t n = one_in(r, 8)   ? below(r, 1100)
                           : one_in(r, 2) ? 16u << below(r, 5)
                                          : 1 + below(r, 300);
        c->x[0] = one_in(r, 2) ? 0 : one_in(r, 2) ? 16 * below(r, 8) : below(r, 100);
        c->x[1] = c->x[0] + n - 1u;
        c->x[1] = c->x[1] > 0x3FFFF || one_in(r, 50) ? 0 : c->x[1];
        for (unsigned ch = 0; ch < 2; ch++) {
            c->y[ch] = one_in(r, 2) ? 0 : one_in(r, 20) ? below(r, 8192) : below(r, 8);
            c->z[ch] = one_in(r, 2)    ? 0
                       : one_in(r, 20) ? below(r, s->bh ? 8192 : 256)
                                       : below(r, 8);
            c->w[ch] = one_in(r, 2) ? 0 : below(r, 3);
        }
    }
}

static void random_target(struct rig *r)
{
    struct setting *s = &r->s;
    const uint32_t datum = second_wide(s->out) ? 4 : second_bits(s->out) == 16 ? 2 : 1;
    s->to_dst = s->unit == 0 && one_in(r, 3);
    s->y_stride = datum * 16 * below(r, 3);
    s->z_stride = datum * 16 * below(r, 17);
    s->z_stride = s->z_stride > 4095 && !s->bh ? 256 : s->z_stride;
    s->w_stride = datum * 16 * below(r, 40);
    s->address_base = one_in(r, 10) ? datum * below(r, 64) : 0;
    s->dest = one_in(r, 8)   ? below(r, 160)
              : one_in(r, 4) ? below(r, 65536)
                             : 64 + 16 * below(r, s->to_dst ? 1024 : 64);
    s->add_dest = !one_in(r, 4);
    s->override = s->to_dst ? one_in(r, 8) : !one_in(r, 6);
    s->transpose = s->unit == 0 && !s->to_dst && one_in(r, 3);
    s->strided = second_bits(s->in) >= 8 && one_in(r, 3);
    for (unsigned k = 0; k < 3; k++) {
        s->shift[k] = s->strided ? below(r, k == 2 ? 2 : 16) : 0;
    }
    if (s->unit == 0 && !s->to_dst && !s->strided && one_in(r, 8)) {
        s->column_shift = below(r, 16);
    }
    s->upsample = one_in(r, 8) ? below(r, 4) : 0;
    s->interleave = one_in(r, 2);
}

static void random_setting(struct rig *r)
{
    struct setting *s = &r->s;
    plain_setting(r, below(r, 2));
    s->thread = below(r, 3);
    s->xy_thread = below(r, 3);
    s->in = formats[below(r, sizeof formats)];
    s->out = out_of(r, s->in);
    s->x_dim = one_in(r, 3) ? below(r, 1025) : 16u << below(r, 7);
    s->y_dim = one_in(r, 2) ? 1 : below(r, 20);
    s->z_dim = 1 + below(r, 5);
    s->w_dim = 1 + below(r, 2);
    s->digest = one_in(r, 6) ? below(r, 256) : 0;
    s->base = one_in(r, 10) ? draw(r) : below(r, 0x14000);
    s->offset = one_in(r, 4) ? below(r, 0x2000) : 0;
    s->force = one_in(r, 5);
    s->shared_exponent = below(r, 256);
    s->e4m3 = s->bh && one_in(r, 2);
    s->is_unsigned = one_in(r, 2);
    if (one_in(r, 8)) {
        s->limit = below(r, 0x18000);
        s->fifo = below(r, 0x1000);
    }
    random_target(r);
    s->throttle = below(r, s->bh ? 4 : 3);
    s->throttle_used = s->bh && one_in(r, 2);
    s->src_base = one_in(r, 4) ? below(r, 4) : 0;
    s->zero = one_in(r, 10);
    s->give = one_in(r, 2);
    s->update = one_in(r, 8);
    s->remap = s->bh && one_in(r, 4);
    s->swizzle = s->remap && one_in(r, 2);
    for (unsigned ch = 0; ch < 2; ch++) {
        s->y_inc[ch] = below(r, 4);
        s->z_inc[ch] = below(r, 4);
    }
    random_counters(r);
}

static void fill_l1(struct rig *r, uint32_t begin, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t x = draw(r);
        r->second.l1[begin + i] = (uint8_t)((x >> 8) % 4 == 0 ? (x & 1u) * 0x7Fu + (x & 0x80u) : x);
    }
    (void)tx_l1_write(r->m, begin, r->second.l1 + begin, size);
}

/* ---- pairs ---- */

/* 1024 data, numbers from "first" on: datum and exponent of a block format, or the datum. */
static void fill_values(struct rig *r, unsigned in, uint32_t first)
{
    const unsigned bits = second_bits(in);
    uint8_t *l1 = r->second.l1;
    uint8_t *data = second_block(in) ? l1 + 64 : l1;
    memset(l1, 0, 64 + 4096);
    for (uint32_t i = 0; i < 1024; i++) {
        const uint32_t value = bits == 32 ? draw(r) : first + i;
        if (second_block(in)) {
            l1[i / 16] = (uint8_t)(first / 16 + i / 16);
        }
        const uint32_t x = second_block(in) && bits == 8 ? i % 16 + first / 4096 * 16 : value;
        for (unsigned b = 0; b < bits; b++) {
            data[(i * bits + b) / 8] |= (uint8_t)((x >> b & 1u) << (i * bits + b) % 8);
        }
    }
    (void)tx_l1_write(r->m, 0, l1, 64 + 4096);
}

static void pair(struct rig *r, unsigned in, unsigned out, unsigned target, uint64_t data)
{
    const bool all = second_bits(in) <= 16;
    for (uint64_t first = 0; first < (all ? 65536 : data) && r->failures == 0; first += 1024) {
        plain_setting(r, target == 1);
        r->s.in = in;
        r->s.out = out;
        r->s.to_dst = target == 2;
        r->s.override = target != 2;
        r->s.is_unsigned = first / 1024 % 2;
        r->s.e4m3 = r->s.bh && first / 2048 % 2;
        memset(r->second.adc, 0, sizeof r->second.adc);
        r->second.adc[0][r->s.unit].x[1] = 1023;
        fill_values(r, in, (uint32_t)first);
        step(r);
    }
}

static void pairs(struct rig *r, uint64_t data)
{
    for (unsigned i = 0; i < sizeof formats; i++) {
        for (unsigned target = 0; target < 3; target++) {
            const unsigned in = formats[i];
            if (in == FP32) {
                pair(r, in, TF32, target, data);
                pair(r, in, BF16, target, data);
                pair(r, in, FP16, target, data);
            }
            if (!second_wide(in) || target == 2) {
                pair(r, in, in, target, data);
            }
        }
    }
}

/* ---- */

static bool open_rig(struct rig *r)
{
    struct tx_settings settings;
    tx_settings_default(&settings, r->arch);
    r->second.l1 = calloc(1, L1_BYTES_MAX);
    if (r->second.l1 == NULL || tx_open(&settings, &r->m) != TX_OK ||
        tx_l1_allocate(r->m) != TX_OK) {
        return false;
    }
    for (unsigned i = 0; i < 1024; i++) {
        uint32_t v[16];
        (void)tx_read(r->m, TX_FILE_DST, i, v, 16);
        for (unsigned c = 0; c < 16; c++) {
            r->second.dst[i][c] = (uint16_t)v[c];
        }
        (void)tx_read(r->m, TX_FILE_DST_VALID, i, v, 1);
        r->second.valid[i] = v[0] != 0;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct rig r;
    const bool random = argc == 5 && strcmp(argv[2], "random") == 0;
    if (argc != 5 || (!random && strcmp(argv[2], "pairs") != 0) ||
        tx_arch_parse(argv[1], &r.arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_unpack ARCH random|pairs COUNT SEED\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[3], NULL, 0);
    r.random = strtoull(argv[4], NULL, 0);
    if (!open_rig(&r)) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    if (random) {
        fill_l1(&r, 0, tx_l1_size(r.arch));
    } else {
        pairs(&r, count);
    }
    for (uint64_t i = 0; random && i < count && r.failures == 0; i++) {
        random_setting(&r);
        step(&r);
    }
    tx_close(r.m);
    free(r.second.l1);
    printf("%llu data, %u differences\n", (unsigned long long)r.cells, r.failures);
    return r.failures != 0;
}
