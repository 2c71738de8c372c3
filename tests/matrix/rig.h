/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine and the second Matrix Unit (tests/oracle/oracle_matrix.h) side by side: state chosen
 * so that sums cancel, tie, vanish and overflow, one instruction, both compared.
 */
#ifndef TX_TESTS_MATRIX_RIG_H
#define TX_TESTS_MATRIX_RIG_H

#include "matrix/bulk.h"
#include "oracle/oracle_matrix_inner.h"
#include "state/machine.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensix/tensix.h>

enum { RIG_THREAD = 1 };

struct rig {
    enum tx_arch arch;
    uint64_t random;
    tx_machine *m;
    struct orc_matrix s, trial;
    /* How the operands of the next instruction are chosen. */
    unsigned exponent, spread, mantissas, zeros;
    bool tidy;   /* nothing that is a finding */
    bool others; /* readings other than the defaults too */
    uint64_t instructions, cells, failures;
    unsigned machines;
    char last[400];
};

static inline uint32_t rig_random(struct rig *r)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->random >> 32) ^ (uint32_t)(r->random >> 13);
}

static inline unsigned rig_below(struct rig *r, unsigned n)
{
    return (unsigned)((uint64_t)rig_random(r) * n >> 32);
}

static inline bool rig_one_in(struct rig *r, unsigned n)
{
    return rig_below(r, n) == 0;
}

/* ---- operands ---- */

static uint32_t rig_mantissa(struct rig *r, unsigned width)
{
    const uint32_t all = (1u << width) - 1;
    switch (r->mantissas == 4 ? rig_below(r, 4) : r->mantissas) {
    case 0:
        return rig_random(r) & all;
    case 1: { /* one bit, all bits, none: ties and carries */
        const unsigned k = rig_below(r, width + 2);
        return k < width ? 1u << k : k == width ? all : 0;
    }
    case 2: /* upper bits only */
        return rig_random(r) & all & ~(all >> (1 + rig_below(r, 6)));
    default: /* close to the ends */
        return (rig_one_in(r, 2) ? all : 0) ^ rig_below(r, 4);
    }
}

static uint32_t rig_exponent(struct rig *r, unsigned top)
{
    if (rig_one_in(r, r->zeros)) {
        return 0;
    }
    if (rig_one_in(r, 64)) {
        return rig_one_in(r, 2) ? top - rig_below(r, 3) : rig_below(r, 3);
    }
    const int e = (int)r->exponent + (int)rig_below(r, r->spread) - (int)(r->spread / 2);
    return (uint32_t)(e < 0 ? -e : e) % (top + 1);
}

/* A Src cell in the family of the style: sign, ten bits of mantissa, exponent. */
static uint32_t rig_cell(struct rig *r, enum orc_style style)
{
    const uint32_t sign = rig_below(r, 2) << 18;
    if (style == ORC_INT8) {
        const uint32_t magnitude = rig_one_in(r, 4)   ? 0x3FF - rig_below(r, 4)
                                   : rig_one_in(r, 2) ? rig_below(r, 256)
                                                      : rig_below(r, 1024);
        return sign | magnitude << 8 | (rig_one_in(r, 8) ? 0 : 16u);
    }
    const unsigned top = style == ORC_FP16 ? 31 : 255;
    return sign | rig_mantissa(r, 10) << 8 | rig_exponent(r, top);
}

static void rig_plan(struct rig *r, enum orc_style style)
{
    static const unsigned spreads[] = {1, 2, 4, 8, 14, 24, 40, 256};
    const unsigned top = style == ORC_FP16 ? 31 : 255;
    const unsigned bias = top / 2;
    r->exponent = rig_one_in(r, 2)   ? bias
                  : rig_one_in(r, 2) ? rig_below(r, top + 1)
                                     : bias / 2 + rig_below(r, bias);
    r->spread = spreads[rig_below(r, 8)];
    r->mantissas = rig_below(r, 5);
    r->zeros = rig_one_in(r, 4) ? 3 : 40;
}

/* The Dst that goes with it: about where the products of the plan are. */
static uint32_t rig_dst(struct rig *r, enum orc_style style, bool wide)
{
    if (rig_one_in(r, 16)) {
        return rig_random(r) & (wide ? 0xFFFFFFFFu : 0xFFFFu);
    }
    if (style == ORC_INT8) {
        const uint32_t v = rig_one_in(r, 2) ? 0x7FFFFFFFu - rig_below(r, 1u << 22)
                                            : rig_random(r) >> rig_below(r, 32);
        return (rig_random(r) & 0x80000000u) | (v & 0x7F00FFFFu) | (v & 0xFF0000u);
    }
    const unsigned top = !wide && style == ORC_FP16 ? 31 : 255;
    const int bias = (int)(style == ORC_FP16 ? 15 : 127);
    int e = 2 * (int)r->exponent - bias + (wide && style == ORC_FP16 ? 112 : 0);
    e += (int)rig_below(r, 30) - 18;
    const uint32_t exponent = (uint32_t)(e < 0 ? 0 : e > (int)top ? (int)top : e);
    const uint32_t sign = rig_below(r, 2);
    if (wide) {
        const uint32_t f = rig_mantissa(r, 23);
        return sign << 31 | f >> 16 << 24 | exponent << 16 | (f & 0xFFFFu);
    }
    return top == 31 ? sign << 15 | rig_mantissa(r, 10) << 5 | exponent
                     : sign << 15 | rig_mantissa(r, 7) << 8 | exponent;
}

/* ---- the machine's copy ---- */

static bool rig_good(struct rig *r, enum tx_status status, const char *what)
{
    if (status != TX_OK) {
        printf("%s: %s: %s\n", tx_arch_short(r->arch), what,
               tx_fault(r->m) != NULL ? tx_fault(r->m)->message : tx_status_text(status));
        r->failures++;
    }
    return status == TX_OK;
}

static void rig_push_dst(struct rig *r, unsigned row)
{
    const uint32_t valid = r->s.valid[row];
    (void)tx_write(r->m, TX_FILE_DST, row, r->s.dst[row], 16);
    (void)tx_write(r->m, TX_FILE_DST_VALID, row, &valid, 1);
}

static void rig_push_src(struct rig *r, unsigned x, unsigned bank, unsigned row)
{
    (void)tx_write(r->m, TX_FILE_SRC, row + 64 * bank + 128 * x, r->s.src[x][bank][row], 16);
}

static void rig_push_banks(struct rig *r)
{
    for (unsigned x = 0; x < 2; x++) {
        const uint32_t v[4] = {r->s.bank[x], r->s.unpack[x], r->s.owner[x][0], r->s.owner[x][1]};
        const uint32_t f[2] = {r->s.implied[x][0], r->s.implied[x][1]};
        (void)tx_write(r->m, TX_FILE_SRC_BANK, x, v, 4);
        if (r->arch == TX_BLACKHOLE) {
            (void)tx_write(r->m, TX_FILE_SRC_FORMAT, x, f, 2);
        }
    }
}

static void rig_push_counters(struct rig *r)
{
    const struct orc_matrix *s = &r->s;
    const uint32_t v[TX_RWC_COUNT] = {s->d.now, s->d.cr,     s->a.now, s->a.cr, s->b.now,
                                      s->b.cr,  s->fidelity, s->sp,    s->extra};
    (void)tx_write(r->m, TX_FILE_RWC, RIG_THREAD, v, TX_RWC_COUNT);
}

static void rig_push_config(struct rig *r)
{
    for (unsigned i = 0; i < 3; i++) {
        (void)tx_write(r->m, TX_FILE_CONFIG, i, &r->s.config[i], 1);
    }
    if (r->arch == TX_BLACKHOLE) {
        (void)tx_write(r->m, TX_FILE_CONFIG, 220, &r->s.config[220], 1);
    }
    for (unsigned i = 1; i < 57; i++) {
        (void)tx_write(r->m, TX_FILE_THREAD_CONFIG, i + 128 * RIG_THREAD, &r->s.thread[i], 1);
    }
}

/* ---- comparing ---- */

#define RIG_DIFFERS(r, ...) \
    (snprintf((r)->last, sizeof(r)->last, __VA_ARGS__), (r)->failures++, false)

static bool rig_same_row(struct rig *r, unsigned row)
{
    uint32_t got[16], valid;
    (void)tx_read(r->m, TX_FILE_DST, row, got, 16);
    (void)tx_read(r->m, TX_FILE_DST_VALID, row, &valid, 1);
    for (unsigned j = 0; j < 16; j++) {
        if (got[j] != r->s.dst[row][j]) {
            return RIG_DIFFERS(r, "Dst row %u column %u: want %x, got %x", row, j, r->s.dst[row][j],
                               got[j]);
        }
    }
    return valid == r->s.valid[row] || RIG_DIFFERS(r, "flag of Dst row %u: got %u", row, valid);
}

static bool rig_same_src(struct rig *r, unsigned x, unsigned bank, unsigned row)
{
    uint32_t got[16];
    (void)tx_read(r->m, TX_FILE_SRC, row + 64 * bank + 128 * x, got, 16);
    for (unsigned j = 0; j < 16; j++) {
        if (got[j] != r->s.src[x][bank][row][j]) {
            return RIG_DIFFERS(r, "Src%c bank %u row %u column %u: want %x, got %x", "AB"[x], bank,
                               row, j, r -> s.src[x][bank][row][j], got[j]);
        }
    }
    return true;
}

static bool rig_same_counters(struct rig *r)
{
    const struct orc_matrix *s = &r->s;
    const uint32_t want[TX_RWC_COUNT] = {s->d.now, s->d.cr,     s->a.now, s->a.cr, s->b.now,
                                         s->b.cr,  s->fidelity, s->sp,    s->extra};
    uint32_t got[TX_RWC_COUNT];
    (void)tx_read(r->m, TX_FILE_RWC, RIG_THREAD, got, TX_RWC_COUNT);
    for (unsigned i = 0; i < TX_RWC_COUNT; i++) {
        if (got[i] != want[i]) {
            return RIG_DIFFERS(r, "counter %u: want %u, got %u", i, want[i], got[i]);
        }
    }
    for (unsigned x = 0; x < 2; x++) {
        const uint32_t bank[4] = {s->bank[x], s->unpack[x], s->owner[x][0], s->owner[x][1]};
        (void)tx_read(r->m, TX_FILE_SRC_BANK, x, got, 4);
        if (memcmp(got, bank, sizeof bank) != 0) {
            return RIG_DIFFERS(r, "banks of Src%c: want %u %u %u %u, got %u %u %u %u", "AB"[x],
                               bank[0], bank[1], bank[2], bank[3], got[0], got[1], got[2], got[3]);
        }
    }
    return true;
}

/* What the instruction touched, or everything. */
static bool rig_same(struct rig *r, bool everything)
{
    for (unsigned row = 0; row < 1024; row++) {
        if ((everything || r->s.dst_touched[row] != 0) && !rig_same_row(r, row)) {
            return false;
        }
    }
    for (unsigned i = 0; i < 256; i++) {
        if ((everything || r->s.src_touched[i / 128][i / 64 % 2][i % 64] != 0) &&
            !rig_same_src(r, i / 128, i / 64 % 2, i % 64)) {
            return false;
        }
    }
    return rig_same_counters(r);
}

/* ---- state ---- */

static const char *const rig_rules[] = {
    "src-truncate=both",        "mov-low-valid=high",   "mov-fp32=format",  "movd2b-format=srcb",
    "implied-unowned=recorded", "zero-flag-math=flush", "elw-phase=ignore", "movd2x-low=zeros",
    "matrix-dst-rows=plain",    "matrix-bits=ignored"};
enum { RIG_RULES = sizeof rig_rules / sizeof *rig_rules };

static bool rig_open(struct rig *r)
{
    struct tx_settings settings;
    bool *const other = &r->s.other.truncate_both; /* in the order of rig_rules */
    const uint64_t random = r->random;
    tx_close(r->m);
    memset(&r->s, 0, sizeof r->s);
    r->random = random;
    r->s.bh = r->arch == TX_BLACKHOLE;
    tx_settings_default(&settings, r->arch);
    for (unsigned i = 0; i < RIG_RULES && r->others; i++) {
        if (rig_one_in(r, 3)) {
            other[i] = true;
            (void)tx_settings_rule(&settings, rig_rules[i]);
        }
    }
    if (tx_open(&settings, &r->m) != TX_OK) {
        printf("cannot open a machine\n");
        r->failures++;
        return false;
    }
    if (r->others && rig_one_in(r, 2)) {
        r->s.debug_high = 1;
        (void)rig_good(r, tx_config_set(r->m, RIG_THREAD, "DBG_FEATURE_DISABLE", 1u << 11),
                       "bit 11");
    }
    /* Every level of the arithmetic in turn, the best twice as often. */
    const struct matrix_level *level = matrix_level(r->machines++ % 4);
    r->m->matrix_level = level != NULL ? level : matrix_level(0);
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned j = 0; j < 16; j++) {
            r->s.dst[row][j] = rig_random(r) & 0xFFFFu;
        }
        r->s.valid[row] = !rig_one_in(r, 8);
        rig_push_dst(r, row);
    }
    for (unsigned i = 0; i < 256; i++) {
        for (unsigned j = 0; j < 16; j++) {
            r->s.src[i / 128][i / 64 % 2][i % 64][j] = rig_random(r) & 0x7FFFFu;
        }
        rig_push_src(r, i / 128, i / 64 % 2, i % 64);
    }
    return true;
}

static unsigned rig_format(struct rig *r)
{
    static const uint8_t formats[] = {0, 4, 5, 5, 6, 7, 8, 9, 15, 1, 1, 10, 2, 3, 11, 14};
    return formats[rig_below(r, 16)];
}

/* Formats, Dst view, phases, address modifiers. */
static void rig_configure(struct rig *r)
{
    struct orc_matrix *s = &r->s;
    const unsigned a = rig_format(r);
    const unsigned b = rig_one_in(r, 4) ? rig_format(r) : a;
    const bool integers = rig_one_in(r, 6);
    s->config[0] = r->tidy && !rig_one_in(r, 4) ? 0 : rig_random(r) & 0x7FFFu;
    if (bits(s->config[0], 3, 1) == 6) {
        s->config[0] = 0;
    }
    if (bits(s->config[0], 8, 6) == 6) {
        s->config[0] = 0;
    }
    s->config[1] = a << 17 | b << 21 | (rig_below(r, 2) << 29) | (integers ? 1u << 31 : 0) |
                   (rig_random(r) & 0x1FFEu);
    s->config[2] = 0;
    s->config[220] = 0;
    memset(s->thread, 0, sizeof s->thread);
    s->thread[1] = rig_one_in(r, 2) ? 0 : rig_one_in(r, 2) ? 512 : rig_below(r, 128) * 8;
    s->thread[s->bh ? 11 : 6] = rig_below(r, 4);
    for (unsigned i = 0; i < 8; i++) {
        s->thread[s->bh ? 12 + i : 7 + 2 * i] = rig_random(r) & 0xF8F8u;
        s->thread[s->bh ? 28 + i : 23 + i] = rig_random(r) & (rig_one_in(r, 2) ? 0xFFF8u : 0x60F0u);
        s->thread[(s->bh ? 47 : 48) + i] = s->bh && r->tidy ? 0 : rig_random(r) & 0x1Fu;
    }
    if (s->bh) {
        s->thread[2] = rig_one_in(r, 4);
        s->thread[3] = rig_one_in(r, 4);
        s->thread[4] = a << 1;
        s->config[220] = rig_one_in(r, 4) ? rig_random(r) & 11u : 0;
    } else {
        s->thread[2] = rig_one_in(r, 4);
    }
    s->thread[s->bh ? 7 : 5] = rig_one_in(r, 8) ? rig_below(r, 4) : 0;
    for (unsigned x = 0; x < 2; x++) {
        for (unsigned bank = 0; bank < 2; bank++) {
            s->implied[x][bank] = rig_one_in(r, 4) ? rig_format(r) : a;
        }
    }
    if (!r->tidy) {
        s->config[1] |= rig_one_in(r, 8);                               /* Fpu_srnd_en */
        s->config[2] = rig_one_in(r, 4) ? 1 + 2 * rig_one_in(r, 8) : 0; /* zero flags */
        s->thread[s->bh ? 55 : 56] = rig_one_in(r, 6);                  /* FP16A_FORCE */
        s->config[1] = rig_one_in(r, 16) ? s->config[1] | 12u << 17 : s->config[1];
    }
    rig_push_config(r);
}

/* ---- one instruction ---- */

/* A word with the fields that kernels use; `op` is the upper byte. */
static uint32_t rig_word(struct rig *r, unsigned op)
{
    const uint32_t any = rig_random(r);
    const uint32_t amod = r->s.bh ? any & 0x1C000u : any & 0x18000u;
    uint32_t word = op << 24 | (rig_one_in(r, 2) ? 0 : rig_below(r, 128) * 8);
    if (!r->tidy) {
        return op << 24 | (any & 0xFFFFFFu);
    }
    switch (op) {
    case 0x26:
    case 0x29:
        return word | amod | (any & 0xC00000u);
    case 0x27:
        return word | amod | (any & 0xD80000u);
    case 0x28:
    case 0x30:
        return word | amod | (any & 0xF80000u);
    case 0x33:
    case 0x34:
        return word | (r->s.bh ? any & 0x38000u : amod) | (any & 0xC00000u) | 0x80000u |
               (op == 0x33 ? any & 0x4000u : 0);
    default:
        return op << 24 | (any & 0xFFFFFFu);
    }
}

static bool rig_computes(unsigned op)
{
    return op == 0x26 || op == 0x27 || op == 0x28 || op == 0x29 || op == 0x30 || op == 0x33 ||
           op == 0x34;
}

/* The rows of the block at Dst row `row`, in the view. */
static void rig_fill_dst(struct rig *r, unsigned row, enum orc_style style, bool wide)
{
    for (unsigned i = 0; i < 8; i++) {
        const unsigned at = orm_place(&r->s, (row & ~7u) + i, wide);
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t cell = rig_dst(r, style, wide);
            r->s.dst[at][j] = wide ? cell >> 16 : cell;
            if (wide) {
                r->s.dst[at + 8][j] = cell & 0xFFFFu;
            }
        }
        r->s.valid[at] = !rig_one_in(r, 16);
    }
}

/* Dst as the opposite of what is added to it, give or take a few units. */
static void rig_cancel(struct rig *r, uint32_t word, unsigned row, enum orc_style style, bool wide)
{
    r->trial = r->s;
    for (unsigned i = 0; i < 8; i++) {
        r->trial.valid[orm_place(&r->s, (row & ~7u) + i, wide)] = false;
    }
    (void)orc_matrix_exec(&r->trial, word);
    for (unsigned i = 0; i < 8; i++) {
        const unsigned at = orm_place(&r->s, (row & ~7u) + i, wide);
        r->s.valid[at] = true;
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t step = rig_below(r, 3);
            r->s.dst[at][j] = r->trial.dst[at][j] ^ 0x8000u;
            if (wide) {
                r->s.dst[at + 8][j] = (r->trial.dst[at + 8][j] + step - 1) & 0xFFFFu;
            } else if (rig_one_in(r, 2)) {
                r->s.dst[at][j] ^= style == ORC_FP16 ? step << 5 : step << 8;
            }
        }
    }
}

static void rig_operands(struct rig *r, uint32_t word)
{
    struct orc_matrix *s = &r->s;
    bool wide;
    const enum orc_style style = orc_matrix_style(s, &wide);
    const unsigned row = orm_drow(s, word);
    rig_plan(r, style);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned at = ((s->a.now & 0x38u) + i) % 64;
        for (unsigned j = 0; j < 16; j++) {
            s->src[0][s->bank[0]][at][j] = rig_cell(r, style);
            if (i >= 8 && r->spread < 8 && style != ORC_INT8) { /* the groups cancel */
                s->src[0][s->bank[0]][at][j] = s->src[0][s->bank[0]][(at + 56) % 64][j] ^ 0x40000u;
            }
        }
        rig_push_src(r, 0, s->bank[0], at);
    }
    for (unsigned i = 0; i < 8; i++) {
        const unsigned at = ((s->b.now & 0x38u) + i) % 64;
        for (unsigned j = 0; j < 16; j++) {
            s->src[1][s->bank[1]][at][j] = rig_cell(r, style);
            if (word >> 24 == 0x33 && i == 0 && !rig_one_in(r, 4)) { /* GMPOOL's scale is 1 */
                s->src[1][s->bank[1]][at][j] = style == ORC_FP16 ? 15 : 127;
            }
        }
        rig_push_src(r, 1, s->bank[1], at);
    }
    rig_fill_dst(r, row, style, wide);
    if (rig_one_in(r, 4)) {
        rig_cancel(r, word, row, style, wide);
    }
    for (unsigned i = 0; i < 8; i++) {
        const unsigned at = orm_place(s, (row & ~7u) + i, wide);
        rig_push_dst(r, at);
        if (wide) {
            rig_push_dst(r, at + 8);
        }
    }
}

static void rig_counters(struct rig *r)
{
    struct orc_matrix *s = &r->s;
    const unsigned mask = r->tidy ? 0x38 : 0x3F;
    s->a.now = rig_below(r, 64) & (r->tidy ? 0x30 : mask);
    s->a.cr = rig_below(r, 64) & mask;
    s->b.now = rig_below(r, 64) & mask;
    s->b.cr = rig_below(r, 64) & mask;
    s->d.now = rig_below(r, 1024) & (r->tidy ? 0x3F8 : 0x3FF);
    s->d.cr = rig_below(r, 1024) & (r->tidy ? 0x3F8 : 0x3FF);
    s->fidelity = rig_below(r, 4);
    s->extra = s->bh && r->tidy ? 0 : rig_below(r, 2);
    rig_push_counters(r);
}

static bool rig_waits(unsigned op)
{
    return op != 0x08 && op != 0x0A && op != 0x09 && op != 0x0C && op != 0x10 && op != 0x11 &&
           op < 0x35;
}

static void rig_banks(struct rig *r, unsigned op)
{
    struct orc_matrix *s = &r->s;
    for (unsigned x = 0; x < 2; x++) {
        s->unpack[x] = rig_below(r, 2);
        for (unsigned bank = 0; bank < 2; bank++) {
            s->owner[x][bank] = rig_waits(op) || r->tidy ? 1 : rig_below(r, 2);
        }
    }
    rig_push_banks(r);
}

/* False: they differ, r->last says where. */
static bool rig_step(struct rig *r, unsigned op)
{
    memset(r->s.dst_touched, 0, sizeof r->s.dst_touched);
    memset(r->s.src_touched, 0, sizeof r->s.src_touched);
    rig_counters(r);
    rig_banks(r, op);
    const uint32_t word = rig_word(r, op);
    const uint32_t gap = 4; /* rows just moved to are there: for E-MOVEDST see tests/insn */
    bool wide;
    const enum orc_style style = orc_matrix_style(&r->s, &wide);
    rig_operands(r, word);
    if (!orc_matrix_exec(&r->s, word)) {
        return true;
    }
    r->instructions++;
    for (unsigned row = 0; row < 1024 && rig_computes(op); row++) {
        r->cells += r->s.dst_touched[row] != 0 ? (wide ? 8 : 16) : 0;
    }
    const bool good = rig_good(r, tx_run_gaps(r->m, RIG_THREAD, &word, 1, &gap), "run") &&
                      rig_same(r, r->instructions % 64 == 0);
    if (!good) {
        char text[200] = "";
        (void)tx_disassemble(r->arch, word, TX_DIS_NORMAL, text, sizeof text);
        printf("%s %08x %s (style %u, %s Dst, formats %u %u): %s\n", tx_arch_short(r->arch), word,
               text, (unsigned)style, wide ? "32-bit" : "16-bit", bits(r->s.config[1], 20, 17),
               bits(r->s.config[1], 24, 21), r->last);
    }
    return good;
}

#endif
