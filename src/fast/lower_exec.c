/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lowering of one recorded execution: the nodes that it adds to the graph, and what registers and
 * flags hold afterwards.
 */
#include "fast/lowering.h"

#include "fmt/dst_lreg.h"
#include "isa/macro_word.h"
#include "isa/moves.h"
#include "pipe/exec.h"
#include "sem/sem.h"
#include "sem/sfpconfig.h"

#include "isa/tokens.h"

/* ---- executions ---- */

static struct dag_node node_of(const struct fast_record *r, enum fast_kind kind)
{
    struct dag_node node = dag_blank(kind);
    node.mode = r->op.mode;
    return node;
}

static void to_register(struct lowering *l, struct writes *to, unsigned reg, dag_ref value,
                        dag_ref mask)
{
    if (reg < LREG_CONSTANTS || reg == LREG_L16) {
        lower_put(l, to, TO_LREG, reg, value, mask);
    }
}

/*
 * Returns the set of registers that indirect addressing through L7 can reach: all, unless L7 was
 * shifted right so far that its low four bits have only a few possible values.
 */
static unsigned nameable(struct lowering *l)
{
    struct dag_node node = *dag_at(l->dag, l->lreg[7]);
    unsigned set = 0;
    if (node.kind != FAST_ROW ||
        (node.row != ROWID_SFPSHFT2_SHFT_LREG && node.row != ROWID_SFPSHFT2_SHFT_IMM)) {
        return 0xFFFF;
    }
    node.in[IN_B] = l->ones; /* both kinds of shifts are logical (src/sem/sfpshft2.h) */
    const uint32_t *bits = dag_lanes(l->dag, dag_value(l->dag, &node));
    for (unsigned i = 0; i < 32; i++) {
        for (unsigned reg = 0; reg < 16; reg++) {
            set |= bits == NULL || (reg & ~bits[i]) == 0 ? 1u << reg : 0;
        }
    }
    return set;
}

/* Writes a result to VD, or to the register that L7 names in each lane. */
static void result(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                   dag_ref value, dag_ref mask)
{
    struct writes *to = row->text.latency == 2 ? &l->later : &l->now;
    if (!tx_indirect_vd(row->text.writes, r->op.mode) || r->op.vd == LREG_L16) {
        to_register(l, to, r->op.vd, value, mask);
        return;
    }
    const unsigned set = nameable(l);
    for (unsigned reg = 0; reg < 8; reg++) {
        if ((set >> reg & 1u) == 0) {
            continue;
        }
        struct dag_node picked = dag_blank(FAST_PICKED);
        picked.number = (uint8_t)reg;
        picked.in[IN_A] = l->lreg[7];
        const dag_ref here = dag_select(l->dag, mask, dag_value(l->dag, &picked), DAG_ZERO);
        if (!dag_is(l->dag, here, 0)) {
            to_register(l, to, reg, value, here);
        }
    }
}

/* Returns VA, or the register that L7 names in each lane. */
static dag_ref source_a(struct lowering *l, const struct fast_record *r, const struct isa_row *row)
{
    dag_ref value = DAG_NONE;
    if (!tx_indirect_va(row->text.reads, r->op.mode)) {
        return l->lreg[r->op.va];
    }
    const unsigned set = nameable(l);
    for (unsigned reg = 0; reg < 16; reg++) {
        struct dag_node pick = dag_blank(FAST_PICK);
        pick.number = (uint8_t)reg;
        pick.in[IN_A] = l->lreg[7];
        pick.in[IN_B] = l->lreg[reg];
        pick.in[IN_C] = value;
        value = (set >> reg & 1u) == 0 ? value
                : value == DAG_NONE    ? l->lreg[reg]
                                       : dag_value(l->dag, &pick);
    }
    return value;
}

static dag_ref multiply_add(struct lowering *l, dag_ref a, dag_ref b, dag_ref c, unsigned mode)
{
    struct dag_node node = dag_blank(FAST_MAD);
    node.mode = (uint8_t)(l->dag->rules.arithmetic_bh ? mode : 0);
    node.in[IN_A] = a;
    node.in[IN_B] = b;
    node.in[IN_C] = c;
    return dag_value(l->dag, &node);
}

static dag_ref term(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                    enum tx_term which)
{
    switch (which) {
    case TX_TERM_VA:
        return source_a(l, r, row);
    case TX_TERM_VB:
        return l->lreg[r->op.vb];
    case TX_TERM_VC:
        return l->lreg[r->op.vc];
    case TX_TERM_IMM:
        return dag_uniform(l->dag, r->op.imm << 16);
    case TX_TERM_ONE:
        return dag_uniform(l->dag, 0x3F800000u);
    case TX_TERM_ZERO:
        break;
    }
    return DAG_ZERO;
}

/* Lowers the instructions of multiply_add.def. */
static dag_ref terms(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                     const struct tx_terms *t)
{
    const unsigned product = (r->op.mode & t->product) != 0 ? TX_MOD_SFPMAD_NEGATE_VA : 0;
    const unsigned addend = (r->op.mode & t->addend) != 0 ? TX_MOD_SFPMAD_NEGATE_VC : 0;
    const dag_ref x = term(l, r, row, (enum tx_term)t->x);
    const dag_ref y = term(l, r, row, (enum tx_term)t->y);
    return multiply_add(l, x, y, term(l, r, row, (enum tx_term)t->z), product | addend);
}

/* Returns SFPLUTFP32's mode without the bits that do not affect the coefficients. */
static uint8_t lut_form(unsigned mode)
{
    static const uint8_t forms[] = {TX_MOD_SFPLUTFP32_FP16_3ENTRY_TABLE,
                                    TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE2,
                                    TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE1};
    for (unsigned i = 0; i < sizeof forms; i++) {
        if ((mode & forms[i]) == forms[i]) {
            return forms[i];
        }
    }
    return TX_MOD_SFPLUTFP32_FP32_3ENTRY_TABLE;
}

/*
 * Lowers SFPLUT and SFPLUTFP32: coefficients by lane, one multiply-add, and the sign of L3 if asked
 * for.
 */
static dag_ref look_up(struct lowering *l, const struct fast_record *r, const struct isa_row *row)
{
    struct dag_node terms = dag_blank(FAST_TERMS);
    dag_ref out[OUT_COUNT];
    const unsigned mode = r->op.mode;
    terms.number = row->insn == INSN_SFPLUT; /* in mode: the form of the table */
    terms.mode = row->insn == INSN_SFPLUT ? 0 : lut_form(mode);
    for (unsigned reg = 0; reg < 7; reg++) {
        terms.in[IN_L + reg] = (row->text.reads & SET_LREG(reg)) != 0 ? l->lreg[reg] : DAG_ZERO;
    }
    dag_make(l->dag, &terms, out);
    const dag_ref sum = multiply_add(l, out[0], out[2], out[1], 0);
    struct dag_node sign = dag_blank(FAST_SIGN);
    sign.in[IN_A] = sum;
    sign.in[IN_B] = l->lreg[3];
    return (mode & TX_MOD_SFPLUT_SGN_RETAIN) != 0 ? dag_value(l->dag, &sign) : sum;
}

/* Records that Wormhole's rotator keeps its operand in all lanes (pipe/exec_whole.c). */
static void remember(struct lowering *l, const struct fast_record *r)
{
    const bool limited =
        machine_rule(l->task->machine, RULE_SHIFT_LATCH) && r->op.vd >= MACRO_VD_BACKDOOR;
    if (!l->dag->rules.arithmetic_bh && !limited) {
        lower_put(l, &l->now, TO_LATCH, 0, l->lreg[r->op.vc], l->ones);
    }
}

static dag_ref moved(struct lowering *l, const struct isa_move *m, dag_ref from)
{
    struct dag_node node = dag_blank(FAST_TRANSPOSE);
    switch ((enum move_lanes)m->lanes) {
    case MOVE_SAME:
        break;
    case MOVE_UP:
        return lower_of_two(l, FAST_UP, from, DAG_NONE);
    case MOVE_RIGHT:
        return m->column0 == MOVE_COLUMN0_KEPT   ? lower_of_two(l, FAST_ROTATE, from, DAG_NONE)
               : m->column0 == MOVE_COLUMN0_ZERO ? lower_of_two(l, FAST_SHIFT1, from, DAG_ZERO)
                                                 : lower_of_two(l, FAST_SHIFT1, from, l->latch);
    case MOVE_TURNED:
        node.number = (uint8_t)(m->to & 3u);
        for (unsigned i = 0; i < 4; i++) {
            node.in[IN_A + i] = l->lreg[m->reg + i];
        }
        return dag_value(l->dag, &node);
    }
    return from;
}

/* Lowers the rows of moves.def. */
static void moves(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                  const struct isa_move *m, unsigned count, dag_ref mask)
{
    struct writes *to = row->text.latency == 2 ? &l->later : &l->now;
    if ((row->text.writes & TX_SET(LATCH)) != 0) {
        remember(l, r);
    }
    for (unsigned i = 0; i < count; i++) {
        const dag_ref from = m[i].source == MOVE_ZERO ? DAG_ZERO
                             : m[i].source == MOVE_VC ? l->lreg[r->op.vc]
                                                      : l->lreg[m[i].reg];
        to_register(l, to, m[i].to == MOVE_TO_VD ? r->op.vd : m[i].to, moved(l, &m[i], from), mask);
    }
}

static void swap(struct lowering *l, const struct fast_record *r, dag_ref mask)
{
    const struct tx_op *op = &r->op;
    struct dag_node order = node_of(r, FAST_ORDER);
    order.in[IN_A] = l->lreg[op->vc];
    order.in[IN_B] = l->lreg[op->vb];
    const dag_ref decide = op->mode == TX_MOD_SFPSWAP_SWAP ? l->ones : dag_value(l->dag, &order);
    /* The second operand is written to its own register, or to L16 (pipe/exec_whole.c). */
    const struct write w = {.place = EXCHANGE,
                            .mask = dag_select(l->dag, mask, decide, DAG_ZERO),
                            .vc = op->vc,
                            .vb = op->vb,
                            .second = op->vd == LREG_L16 ? LREG_L16 : op->vb};
    lower_write_to(l, &l->later, &w);
}

/* Lowers instructions that move data between lanes or configure. Returns false for all others. */
static bool whole(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                  dag_ref mask)
{
    const struct tx_op *op = &r->op;
    unsigned count;
    const struct isa_move *m = isa_moves((enum isa_row_id)op->row, &count);
    if (count > 0) {
        moves(l, r, row, m, count, mask);
        return true;
    }
    switch (op->row) {
    case ROWID_SFPSWAP_SWAP:
    case ROWID_SFPSWAP_MIN_MAX:
        swap(l, r, mask);
        return true;
    case ROWID_SFPCONFIG:
        /* Constants L11..L14: the immediate form restores them, the other takes row 0 of L0. */
        lower_put(l, &l->now, TO_LREG, op->vd,
                  (op->mode & TX_MOD_SFPCONFIG_IMM16_IS_VALUE) != 0
                      ? dag_uniform(l->dag, config_constant(op->vd))
                      : lower_of_two(l, FAST_FIRST, l->lreg[0], DAG_NONE),
                  l->ones);
        return true;
    default:
        return false;
    }
}

static void lower_exec_load(struct lowering *l, const struct fast_record *r,
                            const struct isa_row *row, dag_ref mask)
{
    const struct spot spot = lower_spot_of(r, load_is_32bit(r->mode));
    struct dag_node node = dag_blank(FAST_LOAD);
    node.mode = r->mode;
    node.in[IN_A] = lower_read_spot(l, &spot);
    node.in[IN_D] = (row->text.reads & TX_SET(VD)) != 0 ? l->lreg[r->op.vd] : DAG_NONE;
    to_register(l, &l->now, r->op.vd, dag_value(l->dag, &node), mask);
    if (l->capture && r->op.vd < 4) { /* the place of the datum */
        uint32_t from[32];
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned at = ((r->address & 0x3FCu) + lane / 8) & 1023u;
            from[lane] = at << 4 | (2 * (lane & 7u) + (r->odd ? 1u : 0u));
        }
        lower_put(l, &l->now, TO_LREG, r->op.vd + 4u, dag_constant(l->dag, from), mask);
    }
}

static void store(struct lowering *l, const struct fast_record *r, dag_ref mask)
{
    const struct spot spot = lower_spot_of(r, store_is_32bit(r->mode));
    struct dag_node node = dag_blank(FAST_STORE);
    node.mode = r->mode;
    node.in[IN_A] = l->lreg[r->op.vd];
    lower_write_spot(l, &spot, dag_value(l->dag, &node), mask);
}

/* ---- bodies ---- */

#define LANE(body) true
#define WHOLE(body) false
#define UNIT(body) false
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_, \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)                \
    [ROWID_##id_] = body_ && !FAST_OTHER_KIND(mnemonic_, writes_),
static const bool lane_rows[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

/* Draws a random word, for rows that use one. */
static void draw(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                 struct dag_node *node, dag_ref mask)
{
    if ((row->text.writes & TX_SET(PRNG)) == 0) {
        return;
    }
    const dag_ref next = lower_of_two(l, FAST_NEXT, l->prng, DAG_NONE);
    if (tx_row_draws(&row->text, r->op.rnd)) {
        node->in[IN_DRAW] = l->dag->rules.prng_after ? next : l->prng;
    }
    lower_put(l, &l->now, TO_PRNG, 0, DAG_NONE, mask);
}

/*
 * Returns what the body does to the flag stack. It does not depend on the values, so that running
 * the body on any values tells.
 */
static unsigned stack_kind(struct lowering *l, const struct dag_node *node)
{
    uint32_t zero[FAST_GROUP] = {0};
    uint32_t result[OUT_COUNT][FAST_GROUP];
    uint8_t kind = 0;
    const struct fast_context c = {.probe = true, .groups = 1};
    struct fast_step s;
    dag_step(l->dag, node, &s);
    s.stack = &kind;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        s.in[i] = zero;
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        s.out[i] = result[i];
    }
    s.run(&s, &c);
    return kind;
}

static void write_stack(struct lowering *l, const struct fast_record *r, unsigned kind, dag_ref top)
{
    const unsigned under = (r->depth - 1u) & 7u;
    if (kind == SEM_PUSH) {
        lower_put(l, &l->now, TO_STACK, r->depth & 7u, top, l->ones);
    } else if (kind == SEM_SET_TOP && r->depth != 0) {
        lower_put(l, &l->now, TO_STACK, under, top, l->ones);
    } else if (kind == SEM_STRAY_TOP) {
        lower_put(l, &l->now, TO_STACK, r->depth & 7u, l->stack[under], l->ones);
    }
}

/* What the flags depend on after the execution. */
enum flags_from { FLAGS_KEPT, FLAGS_OF_VALUES, FLAGS_OF_FLAGS };

static enum flags_from flags_from(const struct fast_record *r, const struct isa_row *row)
{
#define FLAG_MODES(mnemonic, of_values, of_flag)                       \
    case INSN_##mnemonic:                                              \
        return ((of_values) >> r->op.mode & 1u) != 0 ? FLAGS_OF_VALUES \
               : ((of_flag) >> r->op.mode & 1u) != 0 ? FLAGS_OF_FLAGS  \
                                                     : FLAGS_KEPT;
    switch (row->insn) {
#include "isa/checks.def"
    default:
        return FLAGS_OF_FLAGS;
    }
}

/*
 * Makes the node of a body without its flag and stack operands, on which no value depends, so that
 * more nodes are equal.
 */
static struct dag_node body_node(struct lowering *l, const struct fast_record *r,
                                 const struct isa_row *row)
{
    const struct tx_op *op = &r->op;
    const bool stack = ((row->text.reads | row->text.writes) & TX_SET(STACK)) != 0;
    struct dag_node node = node_of(r, FAST_ROW);
    node.row = op->row;
    node.imm = op->imm;
    node.rnd = op->rnd;
    node.number = op->row == ROWID_SFPMOV_SPECIAL ? op->vc : 0;
    node.depth = stack ? r->depth : 0;
    node.use = (row->text.reads & TX_SET(FLAGS)) != 0 && r->use;
    node.top_use = stack && r->depth != 0 && r->top_use;
    if ((row->text.reads & (TX_SET(VA) | TX_SET(VAX))) != 0) {
        node.in[IN_A] = source_a(l, r, row);
    }
    if ((row->text.reads & TX_SET(VB)) != 0) {
        node.in[IN_B] = l->lreg[op->vb];
    }
    if ((row->text.reads & TX_SET(VC)) != 0) {
        node.in[IN_C] = l->lreg[op->vc];
    }
    if ((row->text.reads & TX_SET(VD)) != 0) {
        node.in[IN_D] = l->lreg[op->vd < TX_LREGS ? op->vd : 9];
    }
    return node;
}

static void body_flags(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                       const struct dag_node *node, dag_ref mask)
{
    dag_ref out[OUT_COUNT];
    struct dag_node with = *node;
    const enum flags_from from = flags_from(r, row);
    const unsigned kind = (row->text.writes & TX_SET(STACK)) != 0 ? stack_kind(l, node) : SEM_KEEP;
    /* LF8: only if the destination is below 8. */
    const bool changes = (row->text.writes & TX_SET(LF)) != 0 ||
                         ((row->text.writes & TX_SET(LF8)) != 0 && r->op.vd < LREG_CONSTANTS);
    if (from == FLAGS_OF_FLAGS || kind != SEM_KEEP) {
        with.in[IN_LF] = l->flags;
    }
    if ((row->text.reads & TX_SET(STACK)) != 0) {
        with.in[IN_TOP] = r->depth != 0 ? l->stack[(r->depth - 1u) & 7u] : DAG_ZERO;
    }
    if (row->insn == INSN_SFPPUSHC && kind == SEM_PUSH) {
        out[OUT_LF] = out[OUT_TOP] = l->flags;
    } else if (row->insn == INSN_SFPPOPC && kind == SEM_POP && r->depth != 0) {
        out[OUT_LF] = out[OUT_TOP] = with.in[IN_TOP];
    } else {
        dag_make(l->dag, &with, out);
    }
    if ((row->text.writes & TX_SET(STACK)) != 0) {
        write_stack(l, r, kind, out[OUT_TOP]);
    }
    if (changes && from != FLAGS_KEPT) {
        lower_put(l, &l->now, TO_FLAGS, 0, out[OUT_LF], mask);
    }
    if (changes || (row->text.writes & TX_SET(USE)) != 0) {
        lower_put(l, &l->now, TO_ENABLED, r->use_after, DAG_ZERO, l->ones);
    }
}

/*
 * Returns whether the row writes a register. SFPGT and SFPLE do so only if the modifier asks for it
 * (sem/compare.h).
 */
static bool gives_value(const struct fast_record *r, const struct isa_row *row)
{
    const bool compares = row->insn == INSN_SFPGT || row->insn == INSN_SFPLE;
    return (row->text.writes & (TX_SET(VD) | TX_SET(VDX))) != 0 &&
           (!compares || (r->op.mode & TX_MOD_SFPGT_SET_VD) != 0);
}

static void body(struct lowering *l, const struct fast_record *r, const struct isa_row *row,
                 dag_ref mask)
{
    struct dag_node node = body_node(l, r, row);
    if (!lane_rows[r->op.row]) {
        lower_refuse(l, "an instruction has no fast form");
        return;
    }
    if (row->insn == INSN_SFPARECIP && r->op.mode <= TX_MOD_SFPARECIP_COND_RECIP) {
        node.kind = FAST_RECIP;
        node.row = 0;
    } else if (r->op.row == ROWID_SFPCAST_RNE_WH || r->op.row == ROWID_SFPCAST_RNE_BH) {
        node.kind = FAST_CAST;
        node.row = 0;
        node.mode = 0;
        node.in[IN_A] = node.in[IN_C];
        node.in[IN_C] = DAG_NONE;
    }
    draw(l, r, row, &node, mask);
    if (gives_value(r, row)) {
        result(l, r, row, dag_value(l->dag, &node), mask);
    }
    if ((row->text.writes & (TX_SET(LF) | TX_SET(LF8) | TX_SET(USE) | TX_SET(STACK))) != 0) {
        body_flags(l, r, row, &node, mask);
    }
}

void lower_execute(struct lowering *l, const struct fast_record *r)
{
    const struct isa_row *row = isa_row((enum isa_row_id)r->op.row);
    const dag_ref mask = r->use && !op_unpredicated(&r->op) ? l->enabled : l->ones;
    if (!r->runs || row->insn == INSN_SFPNOP) {
        return;
    }
    if ((row->text.writes & TX_SET(DST)) != 0) {
        store(l, r, mask);
    } else if ((row->text.reads & TX_SET(DST)) != 0) {
        lower_exec_load(l, r, row, mask);
    } else if (tx_row_terms(&row->text) != NULL) {
        result(l, r, row, terms(l, r, row, tx_row_terms(&row->text)), mask);
    } else if (row->insn == INSN_SFPLUT || row->insn == INSN_SFPLUTFP32) {
        result(l, r, row, look_up(l, r, row), mask);
    } else if (!whole(l, r, row, mask)) {
        body(l, r, row, mask);
    }
}
