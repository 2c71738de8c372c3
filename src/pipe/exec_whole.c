/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions that move data between lanes or registers, and SFPCONFIG. */
#include "pipe/exec.h"

#include "sem/sfpconfig.h"
#include "sem/sfpshft2.h"
#include "sem/sfpswap.h"
#include "sem/sfptransp.h"

void whole_sfptransp(struct exec *x)
{
    uint32_t out[8][32];
    transp_four(x->m->state.lreg, out, 0);
    transp_four(x->m->state.lreg, out, 4);
    for (unsigned reg = 0; reg < 8; reg++) {
        effect_write(x->e, reg, x->lanes, out[reg]);
    }
}

/* L0 L1 L2 L3 = L1 L2 L3 last, in the lanes that run. */
static void copy4(struct exec *x, const uint32_t last[32])
{
    const struct tx_state *s = &x->m->state;
    for (unsigned reg = 0; reg < 3; reg++) {
        effect_write(x->e, reg, x->lanes, s->lreg[reg + 1]);
    }
    effect_write(x->e, 3, x->lanes, last);
}

void whole_sfpshft2_copy4(struct exec *x)
{
    const uint32_t zero[32] = {0};
    copy4(x, zero);
}

void whole_sfpshft2_chained_copy4(struct exec *x)
{
    uint32_t up[32];
    shft2_rows_up(x->m->state.lreg[0], up);
    copy4(x, up);
}

/*
 * Wormhole's rotator keeps its operand, in all lanes whether enabled or not; mode 4 lets it show.
 * The documentation limits this to VD < 12, its code to executed instructions (O-10).
 */
static void remember(struct exec *x)
{
    if (machine_is_bh(x->m)) {
        return;
    }
    x->e->latch_mask = exec_guard(x->m, x->op) & x->allowed;
    if (machine_rule(x->m, RULE_SHIFT_LATCH) && x->op->vd >= 12) {
        x->e->latch_mask = 0;
    }
    memcpy(x->e->latch, x->m->state.lreg[x->op->vc], sizeof x->e->latch);
}

void whole_sfpshft2_ror1_copy4(struct exec *x)
{
    uint32_t rotated[32];
    shft2_rotate(x->m->state.lreg[x->op->vc], rotated);
    copy4(x, rotated);
    remember(x);
}

void whole_sfpshft2_ror1(struct exec *x)
{
    uint32_t rotated[32];
    shft2_rotate(x->m->state.lreg[x->op->vc], rotated);
    if (x->op->vd < 8 || x->op->vd == 16) {
        effect_write(x->e, x->op->vd, x->lanes, rotated);
    }
    remember(x);
}

static void shr1(struct exec *x, const uint32_t first[32])
{
    uint32_t moved[32];
    shft2_rotate(x->m->state.lreg[x->op->vc], moved);
    for (unsigned lane = 0; lane < 32; lane += 8) {
        moved[lane] = first[lane + 7];
    }
    effect_write(x->e, x->op->vd, x->lanes, moved);
}

void whole_sfpshft2_shr1(struct exec *x)
{
    const uint32_t zero[32] = {0};
    shr1(x, zero);
}

/* ERR-SHFT2-LEAK: the first lane of a row gets the seventh of what was rotated last. */
void whole_sfpshft2_shr1_wh(struct exec *x)
{
    shr1(x, x->m->state.shift_latch);
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
        before |= lane_bit[lane] & (0u - (uint32_t)swap_order(c[lane], d[lane], strict));
    }
    x->decide = swap_decide(op->mode, before, state_lane_config(s, LC_EXCHANGE_SRCB_SRCC));
}

void exec_swap(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes, uint32_t decide,
               struct effect *e)
{
    const struct tx_state *s = &m->state;
    const uint32_t index = state_lane_config(s, LC_ENABLE_DEST_INDEX);
    effect_clear(e);
    /*
     * The second operand is VD in a regular instruction. In a scheduled one it is the register that
     * the macro or the template gives for VB, and is written under that number, or to L16.
     */
    const unsigned second = op->vd == 16 ? 16 : op->vb;
    const uint32_t plain = lanes & decide & ~index;
    if (op->vc < 8 && plain != 0) {
        effect_write(e, op->vc, plain, s->lreg[op->vb]);
    }
    if ((second < 8 || second == 16) && plain != 0) {
        effect_write(e, second, plain, s->lreg[op->vc]);
    }
    /* ENABLE_DEST_INDEX: L0..L3 only, and the registers four further on go along. */
    const unsigned ic = 4u + (op->vc & 3u);
    const unsigned id = 4u + (op->vb & 3u);
    for (uint32_t left = lanes & decide & index; left != 0; left &= left - 1) {
        const unsigned lane = bits_lowest(left);
        if (op->vc < 4) {
            effect_write_lane(e, op->vc, lane, s->lreg[op->vb][lane]);
        }
        if (second < 4 || second == 16) {
            effect_write_lane(e, second, lane, s->lreg[op->vc][lane]);
        }
        effect_write_lane(e, ic, lane, s->lreg[id][lane]);
        effect_write_lane(e, id, lane, s->lreg[ic][lane]);
    }
}

/* Columns that take part: the flags of row 0, and the column mask in the immediate (E-CF-2,
 * E-CF-3). */
static uint32_t config_columns(const struct exec *x)
{
    const struct tx_state *s = &x->m->state;
    uint32_t columns = 0;
    for (unsigned column = 0; column < 8; column++) {
        const bool use = (s->use_flags >> column & 1u) != 0;
        const bool lf = (s->lane_flags >> column & 1u) != 0;
        const bool masked = (x->op->mode & 8u) != 0 && (x->op->imm >> (2 * column) & 1u) == 0;
        if ((!use || lf) && !masked) {
            columns |= 1u << column;
        }
    }
    return columns & x->allowed; /* lanes of the first row */
}

static uint32_t config_value(const struct exec *x, unsigned lane)
{
    const struct tx_state *s = &x->m->state;
    const unsigned column = lane & 7u;
    const struct tx_op *op = x->op;
    const bool imm = (op->mode & 1u) != 0;
    const uint32_t l0 = s->lreg[0][column];
    const uint32_t value = imm ? op->imm : l0;
    if (op->vd < 4) {
        return l0; /* templates never come from the immediate */
    }
    if (op->vd < 8) {
        return value;
    }
    if (op->vd == 8) {
        return config_combine(op, s->macro_misc[lane], value) & 0xFFFu;
    }
    if (op->vd < 15) {
        return imm ? config_constant(op->vd) : l0;
    }
    const uint32_t old = s->lane_config[column];
    const uint32_t next = config_combine(op, old, value) & LC_BITS;
    return imm ? next | (old & 0x30000u) : next; /* the immediate cannot clear bits 17:16 */
}

void whole_sfpconfig(struct exec *x)
{
    const unsigned vd = x->op->vd;
    struct effect *e = x->e;
    const uint32_t columns = config_columns(x);
    if (vd == 9 || vd == 10 || vd == 16) {
        machine_finding(x->m, TX_NON_CONTRACTUAL_BEHAVIOR, evidence_get(EVIDENCE_E_CFG910)->id,
                        x->op, 0, "SFPCONFIG of a register that does not exist does nothing");
        return;
    }
    e->config_kind = vd < 4    ? EFFECT_TEMPLATE
                     : vd < 8  ? EFFECT_SEQUENCE
                     : vd == 8 ? EFFECT_MISC
                     : vd < 15 ? EFFECT_CONSTANT
                               : EFFECT_LANE_CONFIG;
    e->config_index = vd < 8 ? vd & 3u : vd;
    e->config_mask = columns * 0x01010101u;
    for (unsigned lane = 0; lane < 32; lane++) {
        e->config[lane] = config_value(x, lane);
    }
}
