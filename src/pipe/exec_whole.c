/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that need whole registers: moves between lanes or registers, SFPSWAP, and SFPCONFIG. */
#include "pipe/exec.h"
#include "base/check.h"

#include "isa/macro_word.h"
#include "isa/moves.h"
#include "sem/sfpconfig.h"
#include "sem/sfpswap.h"

/*
 * Wormhole's rotator keeps its operand, in all lanes whether enabled or not, and mode 4 can expose
 * it (ERR-SHFT2-LEAK). The documentation's text limits this to VD < 12, its code to executed
 * instructions (O-10).
 */
static void remember(struct exec *x)
{
    if (!machine_has(x->m, SHFT2_LEAKS)) {
        return;
    }
    x->e->latch_mask = exec_guard(x->m, x->op) & x->allowed;
    if (machine_rule(x->m, RULE_SHIFT_LATCH) && x->op->vd >= MACRO_VD_BACKDOOR) {
        x->e->latch_mask = 0;
    }
    memcpy(x->e->latch, x->m->state.lreg[x->op->vc], sizeof x->e->latch);
}

_Static_assert(MOVE_LANE_RIGHT(8) == 15 && MOVE_LANE_RIGHT(9) == 8 && MOVE_LANE_RIGHT(15) == 14 &&
                   MOVE_LANE_RIGHT(24) == 31 && MOVE_LANE_RIGHT(31) == 30,
               "moved() goes by rows");

/* Returns the 32 lanes of a register after the movement that moves.def describes. */
static const uint32_t *moved(const struct tx_state *s, const struct isa_move *m,
                             const uint32_t *from, uint32_t out[32])
{
    switch ((enum move_lanes)m->lanes) {
    case MOVE_SAME:
        return from;
    case MOVE_RIGHT:
        for (unsigned row = 0; row < 32; row += 8) { /* from[MOVE_LANE_RIGHT(lane)] */
            out[row] = from[row + 7];
            memcpy(out + row + 1, from + row, 7 * sizeof *out);
        }
        for (unsigned lane = 0; m->column0 != MOVE_COLUMN0_KEPT && lane < 32; lane += 8) {
            const bool latch = m->column0 == MOVE_COLUMN0_LATCH;
            out[lane] = latch ? s->shift_latch[MOVE_LANE_RIGHT(lane)] : 0;
        }
        break;
    case MOVE_UP:
        for (unsigned lane = 0; lane < 32; lane++) {
            out[lane] = MOVE_LANE_UP(lane) < 32 ? from[MOVE_LANE_UP(lane)] : 0;
        }
        break;
    case MOVE_TURNED:
        for (unsigned lane = 0; lane < 32; lane++) {
            out[lane] = s->lreg[m->reg + MOVE_ROW(lane)][MOVE_LANE_TURNED(m->to, lane)];
        }
        break;
    }
    return out;
}

void whole_moves(struct exec *x)
{
    static const uint32_t zero[32];
    const struct tx_state *s = &x->m->state;
    const struct tx_op *op = x->op;
    unsigned count;
    const struct isa_move *m = isa_moves((enum isa_row_id)op->row, &count);
    for (unsigned i = 0; i < count; i++) {
        const unsigned to = m[i].to == MOVE_TO_VD ? op->vd : m[i].to;
        const unsigned reg = m[i].source == MOVE_VC ? op->vc : m[i].reg;
        uint32_t out[32];
        const uint32_t *value =
            moved(s, &m[i], m[i].source == MOVE_ZERO ? zero : s->lreg[reg], out);
        if (to < LREG_CONSTANTS || to == LREG_L16) {
            effect_write(x->e, to, x->lanes, value);
        }
    }
    if ((isa_row((enum isa_row_id)op->row)->text.writes & TX_SET(LATCH)) != 0) {
        remember(x);
    }
}

void whole_sfpswap(struct exec *x)
{
    const struct tx_state *s = &x->m->state;
    const struct tx_op *op = x->op;
    const uint32_t *c = s->lreg[op->vc];
    const uint32_t *d = s->lreg[op->vb];
    const bool strict = machine_rule(x->m, RULE_SWAP_TIE);
    uint32_t before = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        before |= lane_bit[lane] & swap_order(c[lane], d[lane], strict);
    }
    x->decide = swap_decide(op->mode, before, state_lane_config(s, LC_EXCHANGE_SRCB_SRCC));
}

void exec_swap(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes, uint32_t decide,
               struct effect *e)
{
    const struct tx_state *s = &m->state;
    const uint32_t index = state_lane_config(s, LC_ENABLE_DEST_INDEX);
    effect_clear(e);
    e->taint = s->lreg_tainted[op->vb] | s->lreg_tainted[op->vc];
    /*
     * The second operand is VD for a thread's instruction. For a scheduled one it is the register
     * that the macro or the template supplies as VB; the result goes to that register, or to L16.
     */
    const unsigned second = op->vd == LREG_L16 ? LREG_L16 : op->vb;
    const uint32_t plain = lanes & decide & ~index;
    if (op->vc < LREG_CONSTANTS && plain != 0) {
        effect_write(e, op->vc, plain, s->lreg[op->vb]);
    }
    if ((second < LREG_CONSTANTS || second == LREG_L16) && plain != 0) {
        effect_write(e, second, plain, s->lreg[op->vc]);
    }
    /* ENABLE_DEST_INDEX: only L0..L3 are exchanged, and with them the registers four further on. */
    const unsigned ic = 4u + (op->vc & 3u);
    const unsigned id = 4u + (op->vb & 3u);
    for (uint32_t left = lanes & decide & index; left != 0; left &= left - 1) {
        const unsigned lane = bits_lowest(left);
        if (op->vc < 4) {
            effect_write_lane(e, op->vc, lane, s->lreg[op->vb][lane]);
        }
        if (second < 4 || second == LREG_L16) {
            effect_write_lane(e, second, lane, s->lreg[op->vc][lane]);
        }
        effect_write_lane(e, ic, lane, s->lreg[id][lane]);
        effect_write_lane(e, id, lane, s->lreg[ic][lane]);
    }
}

/*
 * Returns the columns that take part: by the flags of row 0 and the column mask in the immediate
 * (E-CF-2, E-CF-3).
 */
static uint32_t config_columns(const struct exec *x)
{
    const struct tx_state *s = &x->m->state;
    uint32_t columns = 0;
    for (unsigned column = 0; column < 8; column++) {
        const bool use = (s->use_flags >> column & 1u) != 0;
        const bool lf = (s->lane_flags >> column & 1u) != 0;
        const bool masked = (x->op->mode & TX_MOD_SFPCONFIG_IMM16_IS_LANE_MASK) != 0 &&
                            (x->op->imm >> (2 * column) & 1u) == 0;
        if ((!use || lf) && !masked) {
            columns |= 1u << column;
        }
    }
    return columns & x->allowed; /* the lanes of the first row */
}

static uint32_t config_value(const struct exec *x, unsigned lane)
{
    CHECK(lane < TX_LANES, "SFPCONFIG takes its value from a lane");
    const struct tx_state *s = &x->m->state;
    const unsigned column = lane & 7u;
    const struct tx_op *op = x->op;
    const bool imm = (op->mode & TX_MOD_SFPCONFIG_IMM16_IS_VALUE) != 0;
    const uint32_t l0 = s->lreg[0][column];
    const uint32_t value = imm ? op->imm : l0;
    if (op->vd < TX_MOD_SFPCONFIG_MACRO_SEQ0) {
        return l0; /* templates never come from the immediate */
    }
    if (op->vd < TX_MOD_SFPCONFIG_MACRO_CTRL) {
        return value;
    }
    if (op->vd == TX_MOD_SFPCONFIG_MACRO_CTRL) {
        return config_combine(op, s->macro_misc[lane], value) & 0xFFFu;
    }
    if (op->vd < TX_MOD_SFPCONFIG_SFPU_CTRL) {
        return imm ? config_constant(op->vd) : l0;
    }
    const uint32_t old = s->lane_config[column];
    const uint32_t next = config_combine(op, old, value) & LC_BITS;
    return imm ? next | (old & 0x30000u) : next; /* an immediate cannot clear bits 17:16 */
}

void whole_sfpconfig(struct exec *x)
{
    const unsigned vd = x->op->vd;
    struct effect *e = x->e;
    const uint32_t columns = config_columns(x);
    if (vd == 9 || vd == 10 || vd == LREG_L16) {
        machine_finding(x->m, TX_NON_CONTRACTUAL_BEHAVIOR, evidence_get(EVIDENCE_E_CFG910)->id,
                        x->op, 0, "SFPCONFIG of a register that does not exist does nothing");
        return;
    }
    e->config_kind = vd < TX_MOD_SFPCONFIG_MACRO_SEQ0    ? EFFECT_TEMPLATE
                     : vd < TX_MOD_SFPCONFIG_MACRO_CTRL  ? EFFECT_SEQUENCE
                     : vd == TX_MOD_SFPCONFIG_MACRO_CTRL ? EFFECT_MISC
                     : vd < TX_MOD_SFPCONFIG_SFPU_CTRL   ? EFFECT_CONSTANT
                                                         : EFFECT_LANE_CONFIG;
    e->config_index = vd < TX_MOD_SFPCONFIG_MACRO_CTRL ? vd & 3u : vd;
    e->config_mask = columns * 0x01010101u;
    for (unsigned lane = 0; lane < 32; lane++) {
        e->config[lane] = config_value(x, lane);
    }
}
