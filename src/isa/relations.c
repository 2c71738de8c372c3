/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of reals.def, exchanges.def, equivalents.def and the draws of checks.def: how results
 * relate to operands, and instructions to each other.
 */
#include "isa/row.h"

#include "base/bits.h"
#include "isa/chip.h"

enum { ANY = 0xFFFF, FLD_NONE = 0xFF };

/* ---- real numbers ---- */

struct real_entry {
    uint16_t row, modes; /* row: enum tx_row_id */
    struct tx_real real;
};

#define REAL(row_, modes_, relation_, first_, second_, kind_, amount_)    \
    {.row = TX_ROW_##row_,                                                \
     .modes = modes_,                                                     \
     .real = {.relation = TX_REAL_##relation_,                            \
              .kind = TX_REAL_##kind_,                                    \
              .operand = {(uint8_t)FLD_##first_, (uint8_t)FLD_##second_}, \
              .amount = amount_}},
static const struct real_entry reals[] = {
#include "isa/reals.def"
};

bool tx_row_real(const struct tx_row *row, unsigned mode, struct tx_real *real)
{
    for (size_t i = 0; row != NULL && i < sizeof reals / sizeof reals[0]; i++) {
        if (reals[i].row == row->number && bits_has(reals[i].modes, mode & 15u)) {
            *real = reals[i].real;
            while (real->operands < 2 && real->operand[real->operands] != FLD_NONE) {
                real->operands++;
            }
            return true;
        }
    }
    return false;
}

bool tx_row_draws(const struct tx_row *row, unsigned rounding)
{
    const struct {
        unsigned rnd;
    } fields = {rounding}, *op = &fields;
    if (row == NULL || (row->writes & TX_SET(PRNG)) == 0) {
        return false;
    }
#define DRAWS(mnemonic, when) \
    case TX_INSN_##mnemonic:  \
        return (when);
    switch (row->insn) {
#include "isa/checks.def"
    default:
        return true;
    }
}

/* ---- exchanged operands ---- */

struct exchange {
    uint8_t insn, mode, always;
    uint32_t lanes; /* in which VD gets the minimum */
};

#define EXCHANGE(mnemonic, mode_, lanes_) \
    {.insn = TX_INSN_##mnemonic, .mode = TX_MOD_##mnemonic##_##mode_, .lanes = lanes_},
#define EXCHANGE_ALWAYS(mnemonic, mode_) \
    {.insn = TX_INSN_##mnemonic, .mode = TX_MOD_##mnemonic##_##mode_, .always = 1},
static const struct exchange exchanges[] = {
#include "isa/exchanges.def"
};

enum { EXCHANGES = sizeof exchanges / sizeof exchanges[0] };

static bool reverses(const struct exchange *a, const struct exchange *b)
{
    return a->insn == b->insn && a->always == b->always &&
           (a->always != 0 || a->lanes == ~b->lanes);
}

bool tx_row_reverse(const struct tx_row *row, unsigned mode, unsigned *reverse)
{
    const struct exchange *e = NULL;
    for (unsigned i = 0; row != NULL && i < EXCHANGES; i++) {
        e = exchanges[i].insn == row->insn && exchanges[i].mode == mode ? &exchanges[i] : e;
    }
    for (unsigned i = 0; e != NULL && i < EXCHANGES; i++) {
        if (reverses(e, &exchanges[i])) {
            *reverse = exchanges[i].mode;
            return true;
        }
    }
    return false;
}

/* ---- instructions equivalent to others ---- */

struct same_entry {
    uint16_t row; /* enum tx_row_id */
    uint8_t archs;
    bool zero; /* only with the immediate 0 */
    struct tx_same same;
};

enum { WHEN_ANY = 0, WHEN_ZERO = 1 };

#define SAME_AS(row_, chips, when, mnemonic, mode_, field_) \
    {.row = TX_ROW_##row_,                                  \
     .archs = CHIPS_##chips,                                \
     .zero = WHEN_##when == WHEN_ZERO,                      \
     .same = {.insn = TX_INSN_##mnemonic, .mode = mode_, .field = TX_FLD_##field_}},
static const struct same_entry sames[] = {
#include "isa/equivalents.def"
};

bool tx_row_same(enum tx_arch arch, const struct tx_row *row, uint32_t imm, struct tx_same *same)
{
    for (size_t i = 0; row != NULL && i < sizeof sames / sizeof sames[0]; i++) {
        const struct same_entry *e = &sames[i];
        if (e->row == row->number && bits_has(e->archs, arch) && (!e->zero || imm == 0)) {
            *same = e->same;
            return true;
        }
    }
    return false;
}
