/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of moves.def and multiply_add.def: what rows compute, as far as it is data. */
#include "isa/moves.h"

#include <string.h>

enum { TO_VD = MOVE_TO_VD, TO_0 = 0, TO_1, TO_2, TO_3, TO_4, TO_5, TO_6, TO_7 };

#define MOVE(row_, to_, source_, reg_, lanes_, column0_) \
    {.row = ROWID_##row_,                                \
     .to = TO_##to_,                                     \
     .source = MOVE_##source_,                           \
     .reg = reg_,                                        \
     .lanes = MOVE_##lanes_,                             \
     .column0 = MOVE_COLUMN0_##column0_},
static const struct isa_move moves[] = {
#include "isa/moves.def"
};

/* By row, the index past its last entry; 0 if it has none. */
enum {
#define MOVE(row_, to_, ...) AT_##row_##_##to_,
#include "isa/moves.def"
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* a row's last entry must win */
static const uint8_t end_of[ROWID_COUNT] = {
#define MOVE(row_, to_, ...) [ROWID_##row_] = AT_##row_##_##to_ + 1,
#include "isa/moves.def"
};
#pragma GCC diagnostic pop

const struct isa_move *isa_moves(enum isa_row_id row, unsigned *count)
{
    const unsigned end = end_of[row];
    unsigned first = end;
    while (first > 0 && moves[first - 1].row == row) {
        first--;
    }
    *count = end - first;
    return &moves[first];
}

static struct tx_move move_of(const struct isa_move *m, unsigned lane)
{
    struct tx_move from = {.source = TX_MOVE_LREG, .reg = m->reg, .lane = (uint8_t)lane};
    if (m->source != MOVE_LREG) {
        from.source = m->source == MOVE_VC ? TX_MOVE_VC : TX_MOVE_ZERO;
    }
    switch ((enum move_lanes)m->lanes) {
    case MOVE_SAME:
        break;
    case MOVE_RIGHT:
        from.lane = (uint8_t)MOVE_LANE_RIGHT(lane);
        if (m->column0 != MOVE_COLUMN0_KEPT && MOVE_COLUMN(lane) == 0) {
            from.source = m->column0 == MOVE_COLUMN0_ZERO ? TX_MOVE_ZERO : TX_MOVE_LATCH;
        }
        break;
    case MOVE_UP:
        from.lane = (uint8_t)(MOVE_LANE_UP(lane) & 31u);
        from.source = MOVE_LANE_UP(lane) < 32 ? from.source : TX_MOVE_ZERO;
        break;
    case MOVE_TURNED:
        from.reg = (uint8_t)(m->reg + MOVE_ROW(lane));
        from.lane = (uint8_t)MOVE_LANE_TURNED(m->to, lane);
        break;
    }
    return from;
}

struct tx_move tx_row_move(const struct tx_row *row, unsigned reg, unsigned lane)
{
    /* Text is its first member. */
    const struct isa_row *whole = (const struct isa_row *)(const void *)row;
    unsigned count = 0;
    const struct isa_move *m =
        row != NULL && lane < 32 ? isa_moves((enum isa_row_id)(whole - isa_rows), &count) : NULL;
    for (unsigned i = 0; i < count; i++) {
        if (m[i].to == reg || m[i].to == MOVE_TO_VD) {
            return move_of(&m[i], lane);
        }
    }
    return (struct tx_move){.source = TX_MOVE_NONE};
}

/* ---- multiply-add ---- */

#define TERMS(mnemonic, body, x_, y_, z_, product_, addend_)              \
    static const struct tx_terms terms_##mnemonic = {.x = TX_TERM_##x_,   \
                                                     .y = TX_TERM_##y_,   \
                                                     .z = TX_TERM_##z_,   \
                                                     .product = product_, \
                                                     .addend = addend_};
#include "isa/multiply_add.def"

const struct tx_terms *tx_row_terms(const struct tx_row *row)
{
    /* Text is its first member. */
    const struct isa_row *whole = (const struct isa_row *)(const void *)row;
    switch (row != NULL ? whole->insn : INSN_NONE) {
#define TERMS(mnemonic, body, x, y, z, product, addend) \
    case INSN_##mnemonic:                               \
        return &terms_##mnemonic;
#define TERMS_LIKE(mnemonic, other) \
    case INSN_##mnemonic:           \
        return &terms_##other;
#include "isa/multiply_add.def"
    default:
        return NULL;
    }
}
