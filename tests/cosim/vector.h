/* SPDX-License-Identifier: Apache-2.0 */
/* The Vector Unit: all its behaviours, counters of rows, and what configures it. */
#ifndef TESTS_COSIM_VECTOR_H
#define TESTS_COSIM_VECTOR_H

#include "cosim/words.h"

static bool vector_takes(const struct tx_row *row)
{
    return (row->unit >= TX_UNIT_LOAD && row->unit <= TX_UNIT_STORE) ||
           row->insn == TX_INSN_SETRWC || row->insn == TX_INSN_INCRWC;
}

static void random_dst(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    for (unsigned row = 0; row < 1024; row++) {
        uint32_t v[16];
        const uint32_t valid = !draw_one_in(r, 8);
        for (unsigned i = 0; i < 16; i++) {
            v[i] = (row & 8u) != 0 ? bridge_value(r) & 0xFFFFu : bridge_value(r) >> 16;
        }
        (void)put_both(c, TX_FILE_DST, row, v, 16);
        (void)put_both(c, TX_FILE_DST_VALID, row, &valid, 1);
    }
}

/* Address modifiers and the place of the thread's rows. */
static void random_rows(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    char name[64];
    const char *const fields[] = {"AB_SEC%u_SrcAIncr", "AB_SEC%u_SrcBIncr", "DST_SEC%u_DestIncr",
                                  "AB_SEC%u_SrcACR",   "AB_SEC%u_SrcBCR",   "DST_SEC%u_DestCR"};
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < 6; k++) {
            char form[64];
            snprintf(form, sizeof form, "ADDR_MOD_%s", fields[k]);
            snprintf(name, sizeof name, form, i);
            put_field(c, name, k < 3 ? 2 * draw_below(r, 9) : draw_one_in(r, 4));
        }
    }
    put_field(c, "DEST_TARGET_REG_CFG_MATH_Offset", draw_one_in(r, 2) ? 0 : 512);
    uint32_t v[TX_RWC_COUNT] = {0};
    v[TX_RWC_DST] = 2 * draw_below(r, 512);
    v[TX_RWC_DST_CR] = 2 * draw_below(r, 512);
    v[TX_RWC_SRCA] = draw_below(r, 64) & 0x38u;
    v[TX_RWC_SRCB] = draw_below(r, 64) & 0x38u;
    (void)put_both(c, TX_FILE_RWC, c->kind->thread, v, TX_RWC_COUNT);
}

static void vector_block(struct cosim *c)
{
    random_dst(c);
    random_rows(c);
}

static void vector_setup(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    static const uint8_t formats[] = {0, 1, 5, 6, 9};
    uint32_t v[32];
    for (unsigned i = 0; i < 15; i++) {
        for (unsigned lane = 0; lane < 32; lane++) {
            v[lane] = bridge_value(r);
        }
        if (i < 8 || i > 10) {
            (void)put_both(c, TX_FILE_LREG, i, v, 32);
        }
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        v[lane] = bridge_u32(r);
    }
    (void)put_both(c, TX_FILE_PRNG, 0, v, 32);
    const bool all = draw_one_in(r, 4);
    v[0] = all ? ~0u : bridge_u32(r);
    (void)put_both(c, TX_FILE_LANE_FLAGS, 0, v, 1);
    v[0] = draw_one_in(r, 4) ? 0 : ~0u;
    (void)put_both(c, TX_FILE_USE_LANE_FLAGS, 0, v, 1);
    const uint32_t depth = draw_below(r, 5);
    for (unsigned i = 0; i < depth; i++) {
        const uint32_t entry[2] = {bridge_u32(r), draw_one_in(r, 4) ? 0 : ~0u};
        (void)put_both(c, TX_FILE_FLAG_STACK, i, entry, 2);
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        v[lane] = depth;
    }
    (void)put_both(c, TX_FILE_STACK_DEPTH, 0, v, 32);
    const uint32_t config = draw_one_in(r, 8) ? 4u : draw_one_in(r, 8) ? 0x100u : 0;
    for (unsigned i = 0; i < 8; i++) {
        v[i] = config;
    }
    (void)put_both(c, TX_FILE_LANE_CONFIG, 0, v, 8);
    put_field(c, "ALU_FORMAT_SPEC_REG1_SrcB", formats[draw_below(r, sizeof formats)]);
    put_field(c, "ALU_ACC_CTRL_SFPU_Fp32_enabled", draw_below(r, 2));
}

/* Destinations below L8 more often than chance has it; rows of Dst that exist, even ones. */
static uint32_t vector_word(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    const struct draw_form *f = &c->forms.form[draw_below(r, c->forms.count)];
    uint32_t word = draw_word(r, f);
    if (!draw_one_in(r, 16)) {
        word = tx_row_put(f->row, TX_FLD_VD, word, tx_row_field(f->row, TX_FLD_VD, word) & 7u);
    }
    if (f->row->insn == TX_INSN_SFPLOAD || f->row->insn == TX_INSN_SFPSTORE) {
        word &= ~0x3C01u;
    }
    return word;
}

#define VECTOR_FILES                                                                          \
    (SIDE(TX_FILE_LREG) | SIDE(TX_FILE_LANE_FLAGS) | SIDE(TX_FILE_USE_LANE_FLAGS) |           \
     SIDE(TX_FILE_STACK_DEPTH) | SIDE(TX_FILE_PRNG) | SIDE(TX_FILE_LANE_CONFIG) |             \
     SIDE(TX_FILE_MACRO_TEMPLATE) | SIDE(TX_FILE_MACRO_SEQUENCE) | SIDE(TX_FILE_MACRO_MISC) | \
     SIDE(TX_FILE_DST) | SIDE(TX_FILE_DST_VALID) | SIDE(TX_FILE_RWC))

static const struct known vector_known[] = {{.id = NULL}};

static const struct kind vector_class = {.name = "vector",
                                         .unit = "words",
                                         .steps = &words_steps,
                                         .files = VECTOR_FILES,
                                         .thread = 1,
                                         .words = 48,
                                         .rules = {{"swap-tie=strict"}, {"swap-tie=strict"}},
                                         .takes = vector_takes,
                                         .block = vector_block,
                                         .setup = vector_setup,
                                         .word = vector_word,
                                         .known = vector_known};

#endif
