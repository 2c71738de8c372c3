/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instructions of the Matrix Unit share: reading configuration and formats, giving banks
 * away, moving counters, and access to rows of Dst and SrcA.
 */
#include "matrix/matrix.h"
#include "base/check.h"

#include "state/banks.h"
#include "state/order.h"
#include "state/rwc.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

static uint32_t banked(const struct matrix *x, struct cfg_place at)
{
    return at.width == 0 ? 0 : bits_get(x->config[at.word], at.lsb, at.width);
}

/* ---- formats ---- */

/*
 * Returns the format of the data that an unpacker has handed over, on Blackhole. A bank that the
 * Matrix Unit does not own has none: instructions that do not wait then see another register (M6).
 */
static uint8_t implied_format(struct matrix *x, unsigned src)
{
    CHECK(src < 2, "an implied format is SrcA's or SrcB's");
    const struct units *u = &x->s->units;
    const unsigned bank = u->matrix_bank[src];
    if (u->bank_owner[src][bank] == 0 && !machine_rule(x->m, RULE_IMPLIED_UNOWNED)) {
        machine_finding(x->m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M6), x->op, 0,
                        "%s takes the implied format of a bank that the Matrix Unit does not own",
                        isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
        return (uint8_t)cfg_thread(x->s, x->thread, x->p->dest_fmt);
    }
    return u->implied_format[src][bank];
}

static void choose_formats(struct matrix *x, enum matrix_implied implied)
{
    const struct cfg_places *p = x->p;
    x->format[SRC_A] =
        (uint8_t)(banked(x, p->srca_override) != 0 ? banked(x, p->srca_val) : banked(x, p->srca));
    x->format[SRC_B] =
        (uint8_t)(banked(x, p->srcb_override) != 0 ? banked(x, p->srcb_val) : banked(x, p->srcb));
    if (!machine_has(x->m, IMPLIED_FORMATS)) {
        return;
    }
    const bool disabled[2] = {cfg_thread(x->s, x->thread, p->no_implied[SRC_A]) != 0,
                              cfg_thread(x->s, x->thread, p->no_implied[SRC_B]) != 0};
    const bool from_b = implied == IMPLIED_ALL_FROM_B || implied == IMPLIED_ALL_BY_B;
    if (implied < IMPLIED_ONLY_B && !disabled[implied == IMPLIED_ALL_BY_B ? SRC_B : SRC_A]) {
        x->format[SRC_A] = implied_format(x, from_b ? SRC_B : SRC_A);
    }
    if (implied != IMPLIED_ONLY_A && implied != IMPLIED_NONE && !disabled[SRC_B]) {
        x->format[SRC_B] = implied_format(x, SRC_B);
    }
}

static uint8_t style_of(const struct matrix *x)
{
    if (x->force != 0) {
        return STYLE_FP16;
    }
    if (x->int8 != 0) {
        return STYLE_INT8;
    }
    return x->format[SRC_A] == 4                ? STYLE_TF32
           : matrix_exponent8(x->format[SRC_A]) ? STYLE_BF16
                                                : STYLE_FP16;
}

/* Tells the listener which fields every instruction reads before it does anything. */
static void tell_fields(const struct matrix *x)
{
    const struct cfg_places *p = x->p;
    const struct cfg_place banked_fields[] = {
        p->remap,    p->swizzle, p->fpu_fp32,      p->int8,     p->zero_flag_src, p->srca_override,
        p->srca_val, p->srca,    p->srcb_override, p->srcb_val, p->srcb};
    const struct cfg_place thread_fields[] = {p->fidelity, p->force_fp16, p->math_offset,
                                              p->no_implied[0], p->no_implied[1]};
    for (unsigned i = 0; i < sizeof banked_fields / sizeof banked_fields[0]; i++) {
        order_field(x->m, x->op, banked_fields[i]);
    }
    for (unsigned i = 0; i < sizeof thread_fields / sizeof thread_fields[0]; i++) {
        order_thread_field(x->m, x->op, thread_fields[i]);
    }
    order_tell(x->m, TX_ORDER_READ, x->op, TX_SHARED_RWC, x->thread, 1, 0x7Fu);
}

/*
 * ZEROACC reads less than the others: where a row or sixteen rows are, and nothing for half of Dst
 * or all of it (isa ZEROACC bd8c22a).
 */
static void tell_zeroacc(const struct matrix *x)
{
    enum { ONE_ROW, SIXTEEN_ROWS };
    const struct cfg_places *p = x->p;
    const struct cfg_place row[] = {p->remap, p->swizzle, p->fpu_fp32, p->int8};
    const unsigned mode = unit_field(x->op, FLD_CLEAR);
    for (unsigned i = 0; mode == ONE_ROW && i < sizeof row / sizeof row[0]; i++) {
        order_field(x->m, x->op, row[i]);
    }
    if (mode == SIXTEEN_ROWS && machine_has(x->m, ZEROACC_RELATIVE)) {
        order_field(x->m, x->op, p->zeroacc_absolute);
    }
    if (mode == ONE_ROW || mode == SIXTEEN_ROWS) {
        order_thread_field(x->m, x->op, p->math_offset);
        order_tell(x->m, TX_ORDER_READ, x->op, TX_SHARED_RWC, x->thread, 1, 0x7Fu);
    }
}

/* Tells the listener that the counters move by the section that the address modifier names. */
static void tell_section(const struct matrix *x)
{
    const unsigned section = rwc_section(x->s, x->p, x->thread, x->op->amod, &x->s->rwc[x->thread]);
    const unsigned words[] = {x->p->mod_ab + section * x->p->mod_ab_stride, x->p->mod_dst + section,
                              x->p->mod_bias + section};
    for (unsigned i = 0; i < 3; i++) {
        order_tell(x->m, TX_ORDER_READ, x->op, TX_SHARED_THREAD_CONFIG, words[i] + 128u * x->thread,
                   1, 0xFFFFu);
    }
    order_tell(x->m, TX_ORDER_WRITE, x->op, TX_SHARED_RWC, x->thread, 1, 0x1FFu);
}

void matrix_open(struct matrix *x, struct tx_machine *m, const struct tx_op *op,
                 enum matrix_implied implied)
{
    struct tx_state *s = &m->state;
    x->m = m;
    x->op = op;
    x->s = s;
    x->p = m->places;
    x->thread = op->thread;
    x->config = s->config[cfg_bank(s, m->places, op->thread)];
    x->rwc = &s->rwc[op->thread];
    x->view.high = s->dst16_high != 0;
    x->view.remap = x->view.swizzle = false;
    if (!machine_rule(m, RULE_MATRIX_DST_ROWS)) { /* M17: the other reading ignores both */
        x->view.remap = banked(x, x->p->remap) != 0;
        x->view.swizzle = banked(x, x->p->swizzle) != 0;
    }
    x->phase = (uint8_t)((x->rwc->fidelity + cfg_thread(s, op->thread, x->p->fidelity)) & 3u);
    x->fp32 = banked(x, x->p->fpu_fp32) != 0;
    x->int8 = banked(x, x->p->int8) != 0;
    x->force = cfg_thread(s, op->thread, x->p->force_fp16) != 0;
    x->zero_flag_off = banked(x, x->p->zero_flag_src) != 0;
    for (unsigned src = 0; src < 2; src++) {
        x->src[src] = s->src[src][s->units.matrix_bank[src]];
        x->known[src] = &s->src_known[src][s->units.matrix_bank[src]];
    }
    memset(x->old_taint, 0, sizeof x->old_taint);
    choose_formats(x, implied);
    x->style = style_of(x);
    x->wide = x->force == 0 && (x->fp32 | x->int8) != 0;
    if (order_wanted(m) && unit_insn(op) == INSN_ZEROACC) {
        tell_zeroacc(x);
    } else if (order_wanted(m)) {
        tell_fields(x);
    }
}

uint32_t matrix_truncate(const struct matrix *x, unsigned src, uint32_t cell)
{
    CHECK(src < 2, "a cell that is cut is one of SrcA or SrcB");
    if (machine_has(x->m, SRC_KEEPS_BITS) && !machine_rule(x->m, RULE_SRC_TRUNCATE)) {
        return cell;
    }
    switch (x->format[src] & 15u) {
    case 1:
    case 2:
    case 10:
    case 14:
        return cell & 0x7FF1Fu;
    case 3:
    case 11:
        return cell & 0x7F81Fu;
    case 4:
        return cell;
    default:
        return cell & 0x7F8FFu;
    }
}

void matrix_check_settings(struct matrix *x)
{
    const char *name = isa_row((enum isa_row_id)x->op->row)->text.mnemonic;
    if (x->zero_flag_off != 0) {
        machine_doubt(x->m, TX_UNSUPPORTED, EVIDENCE_M7, x->op,
                      "Zero_Flag_disabled_src is set: what zeros become is not certain");
    }
    if (banked(x, x->p->fpu_stochastic) != 0) {
        machine_finding(x->m, TX_UNSUPPORTED, ID(M13), x->op, 0,
                        "%s with Fpu_srnd_en set: stochastic rounding of the Matrix Unit is not "
                        "documented, it rounds as without",
                        name);
    }
    if (x->force != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(M5), x->op, 0, "%s with FP16A_FORCE set",
                        name);
    }
    if (banked(x, x->p->zero_flag_dst) != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(E_MATRIX), x->op, 0,
                        "%s with Zero_Flag_disabled_dst set: no reader of it is known", name);
    }
    if (x->style != STYLE_INT8 && x->force == 0) {
        for (unsigned src = 0; src < 2; src++) {
            if ((x->format[src] & 14u) == 12) {
                machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(E_MATRIX), x->op, 0,
                                "%s with format code %u in Src%c is taken for FP16", name,
                                (unsigned)x->format[src], src == SRC_A ? 'A' : 'B');
            }
        }
    }
}

/* ---- the last steps ---- */

void matrix_flip(struct tx_machine *m, const struct tx_op *op, unsigned src, bool keep_owner,
                 bool keep_bank)
{
    CHECK(src < 2, "a bank that goes back is one of SrcA or SrcB");
    CHECK(m->state.units.matrix_bank[src] < SRC_BANKS, "the Matrix Unit uses one of two banks");
    struct units *u = &m->state.units;
    const unsigned bank = u->matrix_bank[src];
    if (!keep_owner) {
        if (u->bank_owner[src][bank] == 0 && !m->settings.src_ready) {
            machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M19), op, 0,
                            "%s gives away a bank of Src%c that the Matrix Unit does not own",
                            isa_row((enum isa_row_id)op->row)->text.mnemonic,
                            src == SRC_A ? 'A' : 'B');
        }
        bank_give(m, src, bank, false);
    }
    u->matrix_bank[src] = (uint8_t)(keep_bank ? bank : bank ^ 1u);
    if (order_wanted(m)) {
        if (!keep_owner) {
            order_bank(m, op, TX_ORDER_GIVE, bank + 2 * src, false);
        }
        order_tell(m, TX_ORDER_WRITE, op, TX_SHARED_BANK, 2 + src, 1, keep_bank ? 0 : 1);
    }
    machine_bank_event(m, op, src);
}

void matrix_give(struct matrix *x)
{
    const uint32_t flips = unit_field(x->op, FLD_FLIP);
    for (unsigned src = 0; src < 2; src++) {
        if ((flips >> src & 1u) != 0) {
            order_thread_field(x->m, x->op, x->p->clr_dvalid[src]);
            matrix_flip(x->m, x->op, src, cfg_thread(x->s, x->thread, x->p->clr_dvalid[src]) != 0,
                        false);
        }
    }
}

void matrix_count(struct matrix *x)
{
    if (machine_has(x->m, DST_BIAS) &&
        bits_get(x->s->thread_config[x->thread][x->p->mod_bias + x->op->amod], 0, 5) != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(E_BASE), x->op, 0,
                        "the address modifier moves the bias counter, which selects nothing here");
    }
    if (order_wanted(x->m)) {
        tell_section(x);
    }
    rwc_apply(x->s, x->p, x->thread, x->op->amod, x->rwc);
}

/* ---- Dst ---- */

unsigned matrix_dst_row(const struct matrix *x, uint32_t imm)
{
    uint32_t regw = banked(x, x->p->regw_base);
    if (machine_rule(x->m, RULE_DEST_REGW)) {
        regw = 0;
    }
    if (regw != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(E_BASE), x->op, 0,
                        "address uses DEST_REGW_BASE, whose existence is not certain");
    }
    return (imm + cfg_thread(x->s, x->thread, x->p->math_offset) + x->rwc->dst + regw) & 1023u;
}

void matrix_store_row(struct matrix *x, unsigned row, bool wide, const uint32_t cells[16],
                      uint32_t columns)
{
    CHECK(row < TX_DST_ROWS, "a result goes to a row of Dst");
    CHECK(columns <= 0xFFFFu, "a result has sixteen columns");
    const unsigned at = matrix_physical(x, row, wide);
    unit_pack_row(x->m, x->op, at, wide);
    dst_store_row(x->m, x->op, at, wide, cells, columns);
}

/*
 * Returns from when on rows count as stored lately: since the thread's last STALLWAIT on the Vector
 * Unit, which is what software has to wait with, or in the last four cycles.
 */
static uint64_t lately(const struct matrix *x)
{
    const struct wait_gate *g = &x->s->units.gate[x->thread];
    const int vector = tx_condition_bit(x->m->arch, TX_CONDITION_VECTOR);
    const bool waited = g->wait == TX_WAIT_NONE && (g->conditions >> vector & 1u) != 0;
    return waited && g->wait_since + 4 > x->s->cycle ? g->wait_since + 4 : x->s->cycle;
}

/* Reports rows that SFPSTORE has written too lately: nothing holds the Matrix Unit back for it. */
static void check_stored(struct matrix *x, const unsigned at[], unsigned rows, bool wide)
{
    const uint64_t *stored = x->s->units.matrix.stored;
    const uint64_t since = lately(x);
    for (unsigned i = 0; i < rows; i++) {
        if (stored[at[i] / 8] > since || (wide && stored[(at[i] + 8) % TX_DST_ROWS / 8] > since)) {
            machine_finding(x->m, TX_HAZARD, ID(E_STOREDST), x->op, 0,
                            "%s reads rows of Dst that SFPSTORE has written less than four cycles "
                            "before: a STALLWAIT on the Vector Unit is missing",
                            isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
            return;
        }
    }
}

void matrix_check_rows(struct matrix *x, const unsigned at[], unsigned rows, bool wide)
{
    CHECK(rows <= 16, "an instruction has sixteen rows at most");
    const uint16_t *unknown = x->s->dst_unknown;
    bool found = false;
    order_rows(x->m, x->op, false, at, rows, wide, 0xFFFFu);
    if (x->s->units.matrix.stored_until > x->s->cycle) {
        check_stored(x, at, rows, wide);
    }
    for (unsigned i = 0; i < rows; i++) {
        if ((unknown[at[i]] | (wide ? unknown[at[i] + 8] : 0u)) == 0 || !dst_valid(x->s, at[i])) {
            continue;
        }
        const uint32_t taint =
            dst_taint_of(x->s, at[i]) | (wide ? dst_taint_of(x->s, at[i] + 8) : 0u);
        if (taint != 0) {
            x->old_taint[i % 8] = (uint16_t)taint;
            x->s->origin = x->s->dst_origin[at[i]];
        }
        const uint32_t never = (unknown[at[i]] & ~dst_taint_of(x->s, at[i])) |
                               (wide ? unknown[at[i] + 8] & ~dst_taint_of(x->s, at[i] + 8) : 0u);
        if (never != 0 && !found) {
            found = true;
            machine_finding(x->m, TX_UNPREDICTABLE_VALUE, ID(E_DST), x->op, 0,
                            "%s reads Dst cells that were never written",
                            isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
        }
    }
}

void matrix_reads_srca(struct matrix *x, unsigned row, unsigned rows)
{
    CHECK(rows <= TX_SRC_ROWS, "rows that are read are in a bank of SrcA");
    struct units *u = &x->s->units;
    u->last_srca = (uint8_t)row;
    order_src(x->m, x->op, false, SRC_A, row, rows);
    if ((u->unpack.srca_unknown[u->matrix_bank[SRC_A]] & known_row_bits(row, rows)) != 0) {
        machine_finding(x->m, TX_UNPREDICTABLE_VALUE, ID(U9), x->op, 0,
                        "%s reads rows of SrcA that an unpack to Dst has left unpredictable",
                        isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
    }
}

void matrix_writes_srca(struct matrix *x, unsigned row, unsigned rows)
{
    CHECK(rows <= TX_SRC_ROWS, "rows that are written are in a bank of SrcA");
    struct units *u = &x->s->units;
    u->last_srca = (uint8_t)row;
    order_src(x->m, x->op, true, SRC_A, row, rows);
    u->unpack.srca_unknown[u->matrix_bank[SRC_A]] &= ~known_row_bits(row, rows);
}

void matrix_wrote(struct matrix *x, unsigned row, unsigned rows)
{
    CHECK(rows <= TX_DST_ROWS, "rows that have been written are in Dst");
    machine_changed(x->m, CHANGE_UNIT, row);
    x->m->wrote = (struct fpu_write){
        .first = (uint16_t)row, .rows = (uint16_t)rows, .left = 3, .thread = (uint8_t)x->thread};
}

void matrix_occupies(struct matrix *x, unsigned row, unsigned rows, bool wide, const unsigned at[])
{
    uint64_t *block = x->s->units.matrix.dst_block;
    matrix_wrote(x, row, rows);
    for (unsigned i = 0; i < rows; i++) {
        if (i > 0 && at[i] / 8 == at[i - 1] / 8) {
            continue;
        }
        block[at[i] / 8] = x->s->cycle + 5;
        if (wide) {
            block[(at[i] + 8) / 8] = x->s->cycle + 5;
        }
    }
}
