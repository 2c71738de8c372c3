/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Matrix Unit: products, sums, pools, moves, what clears Src and Dst, and counters. Exponents
 * of a program's cells lie close together, so that sums round, cancel and carry.
 */
#ifndef TESTS_COSIM_MATRIX_H
#define TESTS_COSIM_MATRIX_H

#include "cosim/vector.h"

enum { NEAR_ROWS = 64 }; /* of Dst, where most words of a program work */

static bool matrix_takes(const struct tx_row *row)
{
    return row->unit == TX_UNIT_MATRIX;
}

static void matrix_block(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    random_dst(c);
    for (unsigned row = 0; row < 256; row++) {
        uint32_t v[16];
        for (unsigned i = 0; i < 16; i++) {
            v[i] = bridge_u32(r) & 0x7FFFFu;
        }
        (void)put_both(c, TX_FILE_SRC, row, v, 16);
    }
}

/* How the cells of a program are chosen. */
struct cells {
    bool integers, half; /* half: exponents of five bits */
    unsigned exponent, spread, zeros;
};

static uint32_t cell_mantissa(struct bridge_rng *r, unsigned width)
{
    const uint32_t all = (1u << width) - 1;
    switch (draw_below(r, 4)) {
    case 0: /* one bit, all bits, none: ties and carries */
        return draw_one_in(r, 2) ? 1u << draw_below(r, width) : draw_one_in(r, 2) ? all : 0;
    case 1:
        return bridge_u32(r) & all & ~(all >> (1 + draw_below(r, 6)));
    default:
        return bridge_u32(r) & all;
    }
}

static uint32_t cell_exponent(struct bridge_rng *r, const struct cells *p, int offset, unsigned top)
{
    if (draw_one_in(r, p->zeros)) {
        return 0;
    }
    const int e = (int)p->exponent + offset + (int)draw_below(r, p->spread) - (int)(p->spread / 2);
    return e < 0 ? 0 : e > (int)top ? top : (uint32_t)e;
}

/* As stored in Src: sign, ten bits of mantissa, exponent. */
static uint32_t cell_src(struct bridge_rng *r, const struct cells *p)
{
    const uint32_t sign = draw_below(r, 2) << 18;
    if (p->integers) {
        return sign | draw_below(r, draw_one_in(r, 2) ? 1024 : 256) << 8 |
               (draw_one_in(r, 8) ? 0 : 16u);
    }
    return sign | cell_mantissa(r, 10) << 8 | cell_exponent(r, p, 0, p->half ? 31 : 255);
}

/* Upper and lower half of a 32-bit cell of Dst, about where products are. */
static uint32_t cell_dst(struct bridge_rng *r, const struct cells *p)
{
    if (p->integers) {
        return bridge_u32(r) >> draw_below(r, 32) ^ draw_below(r, 2) << 31;
    }
    const int bias = p->half ? 15 : 127;
    const uint32_t e = cell_exponent(r, p, (int)p->exponent - bias + (int)draw_below(r, 20) - 10,
                                     p->half ? 31 : 255);
    if (p->half) {
        return draw_below(r, 2) << 31 | cell_mantissa(r, 10) << 21 | e << 16 |
               (bridge_u32(r) & 0xFFFFu);
    }
    return draw_below(r, 2) << 31 | cell_mantissa(r, 7) << 24 | e << 16 | cell_mantissa(r, 16);
}

static void matrix_cells(struct cosim *c, const struct cells *p)
{
    struct bridge_rng *r = &c->random;
    const bool ones = draw_one_in(r, 4);
    uint32_t v[16];
    for (unsigned row = 0; row < 128; row++) {
        for (unsigned i = 0; i < 16; i++) {
            v[i] = row >= 64 && ones ? (p->half ? 15 : 127) : cell_src(r, p);
        }
        (void)put_both(c, TX_FILE_SRC, row < 64 ? row : 64 + row, v, 16);
    }
    for (unsigned row = 0; row < NEAR_ROWS; row++) {
        uint32_t low[16];
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t x = cell_dst(r, p);
            v[i] = x >> 16;
            low[i] = x & 0xFFFFu;
        }
        if ((row & 8u) == 0) {
            (void)put_both(c, TX_FILE_DST, row, v, 16);
            (void)put_both(c, TX_FILE_DST, row + 8, low, 16);
        }
    }
}

static void matrix_counters(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const char *const flags[] = {"AB_SEC%u_SrcACR",         "AB_SEC%u_SrcAClear",
                                        "AB_SEC%u_SrcBCR",         "AB_SEC%u_SrcBClear",
                                        "DST_SEC%u_DestCR",        "DST_SEC%u_DestClear",
                                        "DST_SEC%u_FidelityClear", "DST_SEC%u_DestCToCR"};
    static const char *const steps[] = {"AB_SEC%u_SrcAIncr", "AB_SEC%u_SrcBIncr",
                                        "DST_SEC%u_DestIncr", "DST_SEC%u_FidelityIncr"};
    const bool even = !draw_one_in(r, 8);
    for (unsigned i = 0; i < 8; i++) {
        char name[64];
        char form[64];
        for (unsigned k = 0; k < 12; k++) {
            snprintf(form, sizeof form, "ADDR_MOD_%s", k < 8 ? flags[k] : steps[k - 8]);
            snprintf(name, sizeof name, form, i);
            const uint32_t step = k == 8 ? 16 : k == 11 ? 1 : 8;
            put_field(c, name,
                      k < 8  ? draw_one_in(r, 8)
                      : even ? step * draw_below(r, 2)
                             : draw_below(r, 9));
        }
    }
    uint32_t v[TX_RWC_COUNT] = {0};
    const uint32_t mask = draw_one_in(r, 8) ? 0x3F : 0x38;
    v[TX_RWC_DST] = draw_below(r, 64) & mask;
    v[TX_RWC_DST_CR] = draw_below(r, 64) & mask;
    v[TX_RWC_SRCA] = draw_below(r, 64) & mask & 0x37u;
    v[TX_RWC_SRCA_CR] = draw_below(r, 64) & mask & 0x37u;
    v[TX_RWC_SRCB] = draw_below(r, 64) & mask;
    v[TX_RWC_SRCB_CR] = draw_below(r, 64) & mask;
    v[TX_RWC_FIDELITY] = draw_one_in(r, 2) ? 0 : draw_below(r, 4);
    (void)put_both(c, TX_FILE_RWC, c->kind->thread, v, TX_RWC_COUNT);
}

static void matrix_setup(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const uint8_t formats[] = {0, 4, 5, 5, 5, 6, 7, 1, 1, 10, 14, 14, 9};
    static const uint8_t spreads[] = {1, 2, 4, 8, 14, 24, 40, 255};
    const uint32_t a = formats[draw_below(r, sizeof formats)];
    const uint32_t b = draw_one_in(r, 4) ? formats[draw_below(r, sizeof formats)] : a;
    struct cells p = {.integers = a == 14, .half = a == 1 || a == 10};
    const unsigned top = p.half ? 31 : 255;
    p.exponent = draw_one_in(r, 2) ? top / 2 : draw_below(r, top + 1);
    p.spread = spreads[draw_below(r, sizeof spreads)];
    p.spread = p.spread > top ? top : p.spread;
    p.zeros = draw_one_in(r, 4) ? 3 : 40;
    put_field(c, "ALU_FORMAT_SPEC_REG0_SrcA", a);
    put_field(c, "ALU_FORMAT_SPEC_REG1_SrcB", b);
    put_field(c, "ALU_ACC_CTRL_Fp32_enabled", draw_below(r, 2));
    put_field(c, "ALU_ACC_CTRL_INT8_math_enabled", p.integers && !draw_one_in(r, 8));
    put_field(c, "ALU_ACC_CTRL_Zero_Flag_disabled_src", draw_one_in(r, 16));
    put_field(c, "DEST_TARGET_REG_CFG_MATH_Offset", draw_one_in(r, 4) ? 512 : 0);
    if (c->arch == TX_WORMHOLE) { /* the simulator has none on the other chip */
        put_field(c, "FIDELITY_BASE_Phase", draw_one_in(r, 8) ? draw_below(r, 4) : 0);
    }
    put_field(c, "CLR_DVALID_SrcA_Disable", draw_one_in(r, 4));
    put_field(c, "CLR_DVALID_SrcB_Disable", draw_one_in(r, 4));
    put_field(c, "DISABLE_IMPLIED_SRCA_FMT_Base", draw_one_in(r, 4));
    put_field(c, "DISABLE_IMPLIED_SRCB_FMT_Base", draw_one_in(r, 4));
    for (unsigned x = 0; x < 2; x++) {
        const uint32_t format[2] = {x == 0 ? a : b, draw_one_in(r, 4) ? a : b};
        const uint32_t banks[4] = {0, draw_below(r, 2), 1, 1};
        if (c->arch == TX_BLACKHOLE) {
            (void)put_both(c, TX_FILE_SRC_FORMAT, x, format, 2);
        }
        (void)put_both(c, TX_FILE_SRC_BANK, x, banks, 4);
    }
    matrix_cells(c, &p);
    matrix_counters(c);
}

static uint32_t matrix_word(struct cosim *c)
{
    static const uint8_t often[] = {0x26, 0x26, 0x27, 0x28, 0x30, 0x33, 0x34,
                                    0x12, 0x13, 0x08, 0x0A, 0x0B, 0x10};
    struct bridge_rng *r = &c->random;
    const struct draw_form *f = &c->forms.form[draw_below(r, c->forms.count)];
    if (!draw_one_in(r, 4)) {
        const uint8_t op = often[draw_below(r, sizeof often)];
        for (unsigned i = 0; i < c->forms.count; i++) {
            f = c->forms.form[i].row->insn == op ? &c->forms.form[i] : f;
        }
    }
    uint32_t word = draw_word(r, f);
    const uint32_t op = word >> 24;
    const bool computes =
        op == 0x26 || op == 0x27 || op == 0x28 || op == 0x30 || op == 0x33 || op == 0x34;
    if (computes) {
        word &= draw_one_in(r, 8) ? ~0xFC0u : ~0xFC7u; /* rows near, aligned ones */
        word &= draw_one_in(r, 16) ? ~0u : ~0xC00000u; /* gives no bank away */
        word |= op == 0x33 || op == 0x34 ? 0x80000u : 0;
        word &= op == 0x26 ? ~0x80000u : ~0u;
    }
    return word;
}

#define MATRIX_FILES                                                                            \
    (SIDE(TX_FILE_DST) | SIDE(TX_FILE_DST_VALID) | SIDE(TX_FILE_SRC) | SIDE(TX_FILE_SRC_BANK) | \
     SIDE(TX_FILE_RWC))

/* Ours has dropped bits that the other side has kept, and nothing else. */
static bool only_fewer_bits(struct cosim *c, const struct difference *d)
{
    (void)c;
    return !d->stops && d->place.file != NULL && d->place.file->file == TX_FILE_SRC &&
           (d->place.here & ~d->place.there) == 0;
}

/* Cells of 16-bit Dst differ where one side drops bits of the exponent, the other of the mantissa.
 */
static bool only_dropped(struct cosim *c, const struct difference *d)
{
    (void)c;
    return !d->stops && d->place.file != NULL && d->place.file->file == TX_FILE_DST &&
           ((d->place.here ^ d->place.there) & ~0xE0u) == 0;
}

/* Such a write, and only the bits that one side takes for exponent, the other for mantissa. */
static bool told_m2(struct cosim *c, const struct difference *d)
{
    return told_of_last(c, d, "M2") && only_dropped(c, d);
}

/* The zero flag is off, and a cell of SrcB is the word that M7 speaks of. */
static bool zero_flag_off(struct cosim *c, const struct difference *d)
{
    const uint32_t sought = d->last->insn->opcode == TX_INSN_ELWSUB ? 0 : 0x40000;
    uint32_t off = 0;
    bool any = false;
    (void)tx_config_get(c->m, c->kind->thread, "ALU_ACC_CTRL_Zero_Flag_disabled_src", &off);
    for (unsigned row = 128; row < 256 && !any; row++) {
        uint32_t v[16];
        (void)tx_read(c->m, TX_FILE_SRC, row, v, 16);
        for (unsigned i = 0; i < 16; i++) {
            any = any || v[i] == sought;
        }
    }
    return off != 0 && any && !d->stops && d->place.file != NULL &&
           d->place.file->file == TX_FILE_DST;
}

static const struct known matrix_known[] = {
    {"M1", 3, "MOVB2A", only_fewer_bits,
     "isa MOVB2A 1ae1f85 drops the bits that SrcB's format lacks; the simulator copies the cell"},
    {"M1", 3, "MOVB2D", only_dropped,
     "of SrcB in FP8 or INT8 isa MOVB2D 1ae1f85 keeps five bits of exponent and ten of mantissa on "
     "Wormhole; the simulator keeps eight and seven of all formats but FP16 and TF32"},
    {"M7", 3, "ELWADD ELWSUB", zero_flag_off,
     "SrcA is zero and the word added is 40000: the simulator subtracts the larger significand "
     "from the smaller one without a sign"},
    {"M2", 3, "MOVA2D MOVB2D", told_m2,
     "isa MOVA2D 88d4bf9 calls a write of the other width than Fp32_enabled says undefined; the "
     "simulator goes by the format alone"},
    {.id = NULL}};

static const struct kind matrix_class = {
    .name = "matrix",
    .unit = "words",
    .steps = &words_steps,
    .files = MATRIX_FILES,
    .thread = 1,
    .words = 24,
    .gap = 4,
    .rules = {{"mov-low-valid=high"},
              {"src-truncate=both", "mov-low-valid=high", "implied-unowned=recorded",
               "matrix-dst-rows=plain", "mov-fp32=format"}},
    .takes = matrix_takes,
    .block = matrix_block,
    .setup = matrix_setup,
    .word = matrix_word,
    .known = matrix_known};

#endif
