/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other ways to write an instruction with the same result: exchanged operands, a shift on another
 * sub-unit, a shift that takes its source from another field. They give the search more freedom.
 */
#include <tensix/lregs.h>

#include "schedule/schedule.h"

#include <string.h>

bool sched_tied(const struct sched_form *form, unsigned operand)
{
    return form->operand[operand] != SCHED_NONE &&
           ((operand == SCHED_VB && form->row->implied == TX_IMPLIED_VB_VD) ||
            (operand == SCHED_VC && form->row->implied == TX_IMPLIED_VC_VD));
}

bool sched_replaces(const struct sched_form *form, unsigned operand)
{
    return form->operand[operand] != SCHED_NONE && !sched_tied(form, operand) &&
           (operand != SCHED_VB || form->row->implied != TX_IMPLIED_VB_IMM);
}

static void forms_add(struct sched_op *op, struct sched_form form)
{
    for (unsigned i = 0; i < op->forms; i++) {
        const struct sched_form *f = &op->form[i];
        if (f->row == form.row && f->word == form.word &&
            memcmp(f->operand, form.operand, sizeof form.operand) == 0) {
            return;
        }
    }
    if (op->forms < SCHED_FORMS) {
        op->form[op->forms++] = form;
    }
}

static void exchange(struct sched_form *form, unsigned a, unsigned b)
{
    const int value = form->operand[a];
    form->operand[a] = form->operand[b];
    form->operand[b] = value;
}

/* Returns whether two operands can be exchanged without a change of the result, and sets which. */
static bool commutes(const struct sched_form *form, unsigned *a, unsigned *b)
{
    const struct tx_terms *terms = tx_row_terms(form->row);
    const unsigned mode = tx_row_field(form->row, TX_FLD_MOD, form->word);
    *a = SCHED_VB;
    *b = SCHED_VC;
    if (terms != NULL || form->row->insn == TX_INSN_SFPMUL24) {
        *a = SCHED_VA;
        *b = SCHED_VB;
    } else if (form->row->insn != TX_INSN_SFPAND && form->row->insn != TX_INSN_SFPOR &&
               form->row->insn != TX_INSN_SFPXOR &&
               (form->row->insn != TX_INSN_SFPIADD || (mode & 3) != TX_MOD_SFPIADD_ARG_LREG_DST)) {
        return false;
    }
    return form->operand[*a] != SCHED_NONE && form->operand[*b] != SCHED_NONE;
}

/* Adds row, which can be scheduled only, as a shift of an operand of the form. */
static void add_shift(const struct sched_body *body, struct sched_op *op,
                      const struct sched_form *form, const struct tx_row *row, uint32_t imm,
                      unsigned from)
{
    const struct tx_decoded blank = {.insn = tx_insn_get(body->arch, (enum tx_insn_id)row->insn)};
    struct sched_form f = {.row = row, .macro = true};
    (void)tx_encode(&blank, &f.word);
    f.word = tx_row_put(row, TX_FLD_IMM, f.word, imm);
    f.word = tx_row_put(row, TX_FLD_MOD, f.word, (uint32_t)__builtin_ctz(row->legal));
    f.operand[SCHED_VA] = f.operand[SCHED_VC] = SCHED_NONE;
    f.operand[SCHED_VB] = form->operand[from];
    f.operand[SCHED_OLD] = form->operand[SCHED_OLD];
    forms_add(op, f);
}

/*
 * Adds the same shift by an immediate on the other sub-unit: SFPSHFT2 on Round for SFPSHFT on
 * Simple. SFPSHFT2 can be scheduled but not issued in this form, because the register number is a
 * part of its immediate.
 */
static void other_shift(const struct sched_body *body, struct sched_op *op,
                        const struct sched_form *form)
{
    const uint32_t imm = tx_row_field(form->row, TX_FLD_IMM, form->word);
    const unsigned mode = tx_row_field(form->row, TX_FLD_MOD, form->word);
    const struct tx_row *row;
    struct tx_same same;
    for (size_t i = 0; (row = tx_row_at(body->arch, i)) != NULL; i++) {
        if (row->implied != TX_IMPLIED_VB_IMM || imm == 0 ||
            !tx_row_same(body->arch, row, imm, &same)) {
            continue;
        }
        /* On Blackhole the modifier may make VC the source instead of VD; the shift is the same. */
        const bool in_place = mode == (same.mode & ~(unsigned)TX_MOD_SFPSHFT_ARG_IMM_USE_VC);
        const unsigned from = in_place ? SCHED_VB : SCHED_VC;
        if (same.insn == form->row->insn && (same.mode == mode || in_place) &&
            form->operand[from] != SCHED_NONE) {
            add_shift(body, op, form, row, imm, from);
        }
    }
}

/* Adds to a copy the shift by no bits on Round, which can be scheduled only. */
static void shift_by_none(const struct sched_body *body, struct sched_op *op,
                          const struct sched_form *form)
{
    const struct tx_row *row;
    if (form->row->insn != TX_INSN_SFPMOV ||
        tx_row_field(form->row, TX_FLD_MOD, form->word) != TX_MOD_SFPMOV_COPY) {
        return;
    }
    for (size_t i = 0; (row = tx_row_at(body->arch, i)) != NULL; i++) {
        if (row->implied == TX_IMPLIED_VB_IMM) {
            add_shift(body, op, form, row, 0, SCHED_VC);
        }
    }
}

/*
 * Blackhole's SFPSHFT takes its source from VD or from VC, as its modifier says. Adds the form with
 * the other source.
 */
static void other_source(const struct sched_body *body, struct sched_op *op,
                         const struct sched_form *form)
{
    const unsigned mode = tx_row_field(form->row, TX_FLD_MOD, form->word);
    const unsigned other = mode ^ (unsigned)TX_MOD_SFPSHFT_ARG_IMM_USE_VC;
    const bool apart = (other & TX_MOD_SFPSHFT_ARG_IMM_USE_VC) != 0;
    const int source = form->operand[apart ? SCHED_VB : SCHED_VC];
    const struct tx_row *row;
    if (form->row->insn != TX_INSN_SFPSHFT || (mode & TX_MOD_SFPSHFT_ARG_IMM) == 0 ||
        source == SCHED_NONE) {
        return;
    }
    for (size_t i = 0; (row = tx_row_at(body->arch, i)) != NULL; i++) {
        if (row->insn == form->row->insn && (row->legal >> other & 1) != 0) {
            struct sched_form f = {
                .row = row,
                .word = tx_row_put(row, TX_FLD_MOD, form->word, other),
                .operand = {SCHED_NONE, SCHED_NONE, SCHED_NONE, form->operand[SCHED_OLD]},
                .plain = true,
                .macro = true};
            f.operand[apart ? SCHED_VC : SCHED_VB] = source;
            forms_add(op, f);
        }
    }
}

/* Adds to a multiply-add the form whose destination is the register that L7 names. */
static void through_name(const struct sched_body *body, struct sched_op *op,
                         const struct sched_form *form)
{
    const unsigned mode = tx_row_field(form->row, TX_FLD_MOD, form->word);
    const unsigned other = mode | (unsigned)TX_MOD_SFPMAD_INDIRECT_VD;
    if (body->named != 0 && tx_row_terms(form->row) != NULL && !form->named &&
        !tx_indirect_vd(form->row->writes, mode) && (form->row->legal >> other & 1) != 0 &&
        tx_indirect_vd(form->row->writes, other)) {
        struct sched_form f = *form;
        f.word = tx_row_put(f.row, TX_FLD_MOD, f.word, other);
        f.named = true;
        f.plain = false;
        forms_add(op, f);
    }
}

void sched_forms(const struct sched_body *body, struct sched_op *op)
{
    unsigned a, b;
    for (unsigned i = 0; i < op->forms && !op->store; i++) {
        struct sched_form f = op->form[i];
        if (f.row->implied == TX_IMPLIED_VB_IMM) {
            op->form[i].plain = false;
        }
        through_name(body, op, &f);
        if (commutes(&f, &a, &b)) {
            exchange(&f, a, b);
            forms_add(op, f);
        } else if ((f.row->writes & TX_SET(VC)) == 0) {
            shift_by_none(body, op, &f);
            other_shift(body, op, &op->form[i]);
            other_source(body, op, &f);
        }
    }
}
