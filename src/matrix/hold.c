/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeps an instruction out of the Matrix Unit: banks that are not its own, rows of Dst that
 * are still being written, and paths that the one before occupies. Source: spec/matrix-unit.md 3.5
 * and section 8, after isa MatrixUnit 1ae1f85 for Wormhole; nobody has published Blackhole's
 * figures, the same are taken.
 */
#include "matrix/matrix.h"
#include "base/check.h"
#include "state/banks.h"
#include "state/order.h"

/* The properties of an instruction that isa/matrix.def gives and explains. */
enum need {
    NEED_A = 1 << 0,
    NEED_B = 1 << 1,
    READS_DST = 1 << 2,
    READS_IF_ADD = 1 << 3,
    HELD_BY_MOVE = 1 << 4,
    MOVES_TO_DST = 1 << 5,
    WRITES_SRCA = 1 << 6,
    WRITES_SRCB = 1 << 7,
    SHIFTS = 1 << 8
};

static unsigned needs(const struct tx_op *op)
{
    switch (unit_insn(op)) {
#define MATRIX(mnemonic, set) \
    case INSN_##mnemonic:     \
        return (set);
#include "isa/matrix.def"
    default:
        return 0;
    }
}

static bool bank_missing(const struct tx_machine *m, unsigned src)
{
    CHECK(src < 2, "a missing bank is one of SrcA or SrcB");
    return !bank_with(m, src, m->state.units.matrix_bank[src], true);
}

const char *unit_matrix_missing(const struct tx_machine *m, const struct tx_op *op)
{
    const bool a = (needs(op) & NEED_A) != 0 && bank_missing(m, SRC_A);
    const bool b = (needs(op) & NEED_B) != 0 && bank_missing(m, SRC_B);
    return a && b ? "banks of SrcA and SrcB that the unpackers have"
           : a    ? "a bank of SrcA that the unpacker has"
                  : "a bank of SrcB that the unpacker has";
}

/*
 * Returns whether the aligned block of eight rows that the instruction reads is still being
 * written.
 */
static bool dst_pending(const struct tx_machine *m, const struct tx_op *op)
{
    const struct tx_state *s = &m->state;
    const struct cfg_places *p = m->places;
    const uint32_t regw =
        machine_rule(m, RULE_DEST_REGW) ? 0 : cfg_banked(s, p, op->thread, p->regw_base);
    const uint32_t row =
        (op->imm + cfg_thread(s, op->thread, p->math_offset) + s->rwc[op->thread].dst + regw) &
        0x3F8u;
    const bool wide = cfg_thread(s, op->thread, p->force_fp16) == 0 &&
                      (cfg_banked(s, p, op->thread, p->fpu_fp32) != 0 ||
                       cfg_banked(s, p, op->thread, p->int8) != 0);
    struct dst_view view = dst_view(s, p, op->thread);
    if (machine_rule(m, RULE_MATRIX_DST_ROWS)) {
        view.remap = view.swizzle = false;
    }
    /* Eight rows are one physical block unless the view's switches spread them. */
    const unsigned rows = view.remap || view.swizzle ? 8 : 1;
    for (unsigned i = 0; i < rows; i++) {
        const unsigned at = dst_row(row + i, wide, &view);
        if (s->units.matrix.dst_block[at / 8] > s->cycle) {
            return true;
        }
    }
    return false;
}

enum tx_hold unit_matrix_hold(const struct tx_machine *m, const struct tx_op *op)
{
    const struct matrix_time *t = &m->state.units.matrix;
    const uint64_t now = m->state.cycle;
    const unsigned n = needs(op);
    if (((n & NEED_A) != 0 && bank_missing(m, SRC_A)) ||
        ((n & NEED_B) != 0 && bank_missing(m, SRC_B))) {
        return TX_HOLD_BANK;
    }
    if (t->shifted > now || (t->to_srca > now && (n & WRITES_SRCA) == 0) ||
        (t->to_srcb > now && (n & WRITES_SRCB) == 0) ||
        (t->moved > now && (n & HELD_BY_MOVE) != 0)) {
        return TX_HOLD_UNIT;
    }
    const bool reads =
        (n & READS_DST) != 0 || ((n & READS_IF_ADD) != 0 && unit_field(op, FLD_ADD) != 0);
    return reads && dst_pending(m, op) ? TX_HOLD_DST : TX_HOLD_NONE;
}

void unit_matrix_mark(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix_time *t = &m->state.units.matrix;
    const uint64_t now = m->state.cycle;
    const unsigned n = needs(op);
    for (unsigned src = 0; src < 2 && order_wanted(m) && !m->settings.src_ready; src++) {
        if ((n & (src == SRC_A ? NEED_A : NEED_B)) != 0) {
            order_bank(m, op, TX_ORDER_TAKE, m->state.units.matrix_bank[src] + 2 * src, true);
        }
    }
    if (n != 0) {
        t->until = now + 5; /* Rows of Dst just written take the longest. */
    }
    if ((n & MOVES_TO_DST) != 0) {
        t->moved = now + 4;
    }
    if ((n & WRITES_SRCA) != 0) {
        t->to_srca = now + 2;
    }
    if ((n & WRITES_SRCB) != 0) {
        t->to_srcb = now + 4;
    }
    if ((n & SHIFTS) != 0) {
        t->shifted = now + 2;
    }
}
