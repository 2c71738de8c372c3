/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Predicated rows: which instructions run under flags, and what must stay together with what sets
 * them. From the first instruction that sets flags to the one that lets all lanes run again is a
 * region: its instructions keep their order with regard to those that set flags, and nothing that
 * runs in all lanes may come in between, of this row or of another one.
 */
#include "schedule/reader.h"

#include "flow/operands.h"

static struct read_step *at(const struct reader *r, uint32_t step)
{
    return &r->step[step];
}

static const struct txl_value *before(const struct reader *r, const struct txl_value *v)
{
    return v->before != TXL_NO_VALUE ? txl_graph_value(r->graph, v->before) : NULL;
}

/* Whether SFPENCC leaves predication on and lets all lanes run. */
static bool lets_all_run(const struct tx_operands *o)
{
    const uint32_t on = o->imm & TX_MOD_SFPENCC_E;
    const uint32_t set = o->imm & TX_MOD_SFPENCC_R;
    return o->mode == TX_MOD_SFPENCC_EU_R1 || (o->mode == TX_MOD_SFPENCC_EI_R1 && on != 0) ||
           (o->mode == TX_MOD_SFPENCC_EU_RI && set != 0) ||
           (o->mode == TX_MOD_SFPENCC_EI_RI && on != 0 && set != 0);
}

/*
 * Whether nothing looks at what the outermost SFPPUSHC has put on the stack, but for the SFPPOPC
 * that takes it away.
 */
static bool needless(const struct reader *r, uint32_t push)
{
    unsigned depth = 1;
    for (uint32_t i = push + 1; i < txl_graph_steps(r->graph) && depth != 0; i++) {
        const struct tx_row *row = txl_graph_step(r->graph, i)->row;
        const unsigned mode = txl_graph_operands(r->graph, i)->mode;
        const bool plain = row->insn == TX_INSN_SFPPUSHC ? mode == TX_MOD_SFPPUSHC_PUSH
                                                         : mode == TX_MOD_SFPPOPC_POP;
        if (row->insn == TX_INSN_SFPCOMPC && depth == 1) {
            return false;
        }
        if (row->insn == TX_INSN_SFPPUSHC || row->insn == TX_INSN_SFPPOPC) {
            if (!plain && depth == 1) {
                return false;
            }
            depth += row->insn == TX_INSN_SFPPUSHC && plain ? 1U : 0U;
            depth -= row->insn == TX_INSN_SFPPOPC && plain ? 1U : 0U;
        }
    }
    return depth == 0;
}

enum { STACK = 16 };

/* What an entry of the stack holds: flags that let all lanes run, and whether it is left out. */
struct entry {
    bool all, dropped;
};

/* The walk along the steps: the last one that set flags, and the stack. */
struct walk {
    uint32_t last;
    unsigned depth;
    struct entry entry[STACK];
};

static void link(struct reader *r, struct walk *w, uint32_t step, bool closes)
{
    if (w->last != TXL_NO_VALUE) {
        at(r, w->last)->next = step;
    }
    at(r, step)->closes = closes;
    w->last = closes ? (uint32_t)TXL_NO_VALUE : step;
}

static bool push(struct reader *r, struct walk *w, uint32_t step, unsigned mode)
{
    const bool all = w->last == TXL_NO_VALUE;
    const bool dropped = all && needless(r, step);
    if (mode != TX_MOD_SFPPUSHC_PUSH && w->depth == 0) {
        return sched_refuse(r->why, "SFPPUSHC changes an entry of the stack that rows do not make");
    }
    if (mode == TX_MOD_SFPPUSHC_PUSH) {
        if (w->depth == STACK) {
            return sched_refuse(r->why, "the stack of flags is deeper than %d", STACK);
        }
        w->entry[w->depth++] = (struct entry){all, dropped};
    }
    if (mode != TX_MOD_SFPPUSHC_PUSH || !dropped) {
        link(r, w, step, false);
    }
    return true;
}

static bool pop(struct reader *r, struct walk *w, uint32_t step, unsigned mode)
{
    if (w->depth == 0) {
        return sched_refuse(r->why, "SFPPOPC takes what rows have not put on the stack");
    }
    if (mode != TX_MOD_SFPPOPC_POP) {
        link(r, w, step, false);
        return true;
    }
    const struct entry entry = w->entry[--w->depth];
    if (entry.dropped && w->last == TXL_NO_VALUE) {
        return true; /* nothing has set flags in between */
    }
    at(r, step)->reset = entry.dropped;
    link(r, w, step, entry.all);
    return true;
}

static bool all_dropped(const struct walk *w)
{
    bool all = true;
    for (unsigned i = 0; i < w->depth; i++) {
        all = all && w->entry[i].dropped;
    }
    return all;
}

static bool flags_follow(struct reader *r, struct walk *w, uint32_t step)
{
    const struct tx_row *row = txl_graph_step(r->graph, step)->row;
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    at(r, step)->mask = w->last;
    if (!r->predicated || !flow_writes_flags(row, o)) {
        return row->insn != TX_INSN_SFPENCC || lets_all_run(o) ||
               sched_refuse(r->why, "SFPENCC in .tile changes the configuration");
    }
    switch (row->insn) {
    case TX_INSN_SFPENCC:
        if (!lets_all_run(o)) {
            return sched_refuse(r->why, "SFPENCC in .tile changes the configuration");
        }
        if (w->last != TXL_NO_VALUE) {
            link(r, w, step, all_dropped(w));
        }
        return true;
    case TX_INSN_SFPPUSHC:
        return push(r, w, step, o->mode);
    case TX_INSN_SFPPOPC:
        return pop(r, w, step, o->mode);
    default:
        link(r, w, step, false);
        return true;
    }
}

/* Copies and constants of which a masked step keeps a part are instructions of their own. */
static void flags_keep(struct reader *r, const struct txl_value *v)
{
    while (v != NULL && v->step != TXL_NO_VALUE) {
        const struct tx_row *row = txl_graph_step(r->graph, v->step)->row;
        if (flow_spares_vd(row, txl_graph_operands(r->graph, v->step))) {
            v = before(r, v);
            continue;
        }
        const bool constant = row->insn == TX_INSN_SFPLOADI;
        if (!constant && (!read_copies(r, v->step) || r->way == SCHED_FOLD)) {
            break;
        }
        r->body->copied = r->body->copied || !constant;
        at(r, v->step)->kept = true;
        v = constant && (row->reads & TX_SET(VD)) != 0 ? before(r, v) : NULL;
    }
}

/* Whether all lanes that run under the flags of one step run under those of an earlier one, too. */
static bool narrower(const struct reader *r, uint32_t mask, uint32_t of)
{
    uint32_t i = of;
    while (i != mask && i != TXL_NO_VALUE) {
        i = at(r, i)->next;
        const struct tx_row *row = i != TXL_NO_VALUE ? txl_graph_step(r->graph, i)->row : NULL;
        if (row != NULL && ((row->writes & TX_SET(USE)) != 0 || row->insn == TX_INSN_SFPCOMPC ||
                            (row->insn == TX_INSN_SFPPUSHC &&
                             txl_graph_operands(r->graph, i)->mode != TX_MOD_SFPPUSHC_PUSH))) {
            return false;
        }
    }
    return i == mask && mask != TXL_NO_VALUE;
}

/* Whether a step runs under flags, whether it must or not. */
static bool under_flags(const struct reader *r, uint32_t step)
{
    const struct tx_row *row = txl_graph_step(r->graph, step)->row;
    return at(r, step)->mask != TXL_NO_VALUE &&
           !(row->insn == TX_INSN_SFPMOV &&
             txl_graph_operands(r->graph, step)->mode == TX_MOD_SFPMOV_ALL_LANES_ENABLED);
}

/* Whether a step reads a value in lanes in which the masked step that wrote it did not run. */
static bool reads_beyond(const struct reader *r, uint32_t step, uint32_t value, uint32_t of)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const uint32_t mask = under_flags(r, step) ? at(r, step)->mask : (uint32_t)TXL_NO_VALUE;
    bool reads = false;
    for (uint32_t regs = s->reads; regs != 0; regs &= regs - 1) {
        reads = reads || txl_graph_read(r->graph, step, (unsigned)__builtin_ctz(regs)) == value;
    }
    return reads && !narrower(r, mask, of);
}

/*
 * Whether anybody looks at what a masked step has left in a register that it writes. Where all that
 * read the result run in no other lanes, nobody does.
 */
static bool matters(const struct reader *r, uint32_t step, unsigned reg)
{
    const uint32_t mask = at(r, step)->mask;
    uint32_t value = txl_graph_wrote(r->graph, step, reg);
    bool stored = false;
    for (uint32_t i = step + 1; i < txl_graph_steps(r->graph); i++) {
        const struct txl_step *s = txl_graph_step(r->graph, i);
        stored = stored || s->unit == TX_UNIT_STORE;
        if (reads_beyond(r, i, value, mask)) {
            /* the first half of a constant of the next row keeps what the second one overwrites */
            return !stored || s->row->insn != TX_INSN_SFPLOADI;
        }
        if ((s->writes >> reg & 1U) == 0) {
            continue;
        }
        const bool spares = flow_spares_vd(s->row, txl_graph_operands(r->graph, i));
        if (!spares && under_flags(r, i)) {
            return !stored && matters(r, i, reg); /* another row keeps nothing of this one */
        }
        if (!spares && (s->row->reads & TX_SET(VD)) == 0) {
            return false; /* it is gone */
        }
        value = txl_graph_wrote(r->graph, i, reg); /* the step leaves a part of it */
    }
    return false;
}

static bool is_loose(const struct reader *r, uint32_t step)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    bool loose = under_flags(r, step) && s->writes != 0 && !read_sets_flags(r, step);
    for (uint32_t regs = s->writes; loose && regs != 0; regs &= regs - 1) {
        loose = !matters(r, step, (unsigned)__builtin_ctz(regs));
    }
    return loose;
}

bool read_flags(struct reader *r)
{
    const uint32_t steps = (uint32_t)txl_graph_steps(r->graph);
    struct walk w = {.last = TXL_NO_VALUE};
    for (uint32_t i = 0; i < steps; i++) {
        at(r, i)->next = TXL_NO_VALUE;
        if (!flags_follow(r, &w, i)) {
            return false;
        }
    }
    if (w.last != TXL_NO_VALUE || w.depth != 0) {
        return sched_refuse(r->why,
                            "the flags that %s sets stay behind the last row: SFPENCC lets "
                            "all lanes run again",
                            w.last != TXL_NO_VALUE ? txl_graph_step(r->graph, w.last)->row->mnemonic
                                                   : "SFPPUSHC");
    }
    for (uint32_t i = 0; i < steps; i++) {
        at(r, i)->loose = is_loose(r, i);
    }
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t regs = read_masked(r, i) ? txl_graph_step(r->graph, i)->writes : 0; regs != 0;
             regs &= regs - 1) {
            const uint32_t made = txl_graph_wrote(r->graph, i, (unsigned)__builtin_ctz(regs));
            if (made != TXL_NO_VALUE && matters(r, i, (unsigned)__builtin_ctz(regs))) {
                flags_keep(r, before(r, txl_graph_value(r->graph, made)));
            }
        }
    }
    return true;
}

bool read_masked(const struct reader *r, uint32_t step)
{
    return under_flags(r, step) && !at(r, step)->loose;
}

uint32_t read_old(const struct reader *r, uint32_t step)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    const bool half = s->unit == TX_UNIT_LOAD && (s->row->reads & TX_SET(VD)) != 0 &&
                      !read_masked(r, step) && !at(r, step)->kept;
    const uint32_t made = txl_graph_wrote(r->graph, step, o->vd);
    if (made == TXL_NO_VALUE || (s->row->writes & TX_SET(VC)) != 0 || flow_spares_vd(s->row, o) ||
        ((s->row->reads & TX_SET(VD)) == 0 && !read_masked(r, step))) {
        return TXL_NO_VALUE;
    }
    if ((s->row->reads & TX_SET(VD)) == 0 && !matters(r, step, o->vd)) {
        return TXL_NO_VALUE;
    }
    uint32_t old = txl_graph_value(r->graph, made)->before;
    const struct txl_value *v = old != TXL_NO_VALUE ? txl_graph_value(r->graph, old) : NULL;
    while (v != NULL && v->step != TXL_NO_VALUE &&
           flow_spares_vd(txl_graph_step(r->graph, v->step)->row,
                          txl_graph_operands(r->graph, v->step))) {
        old = v->before;
        v = old != TXL_NO_VALUE ? txl_graph_value(r->graph, old) : NULL;
    }
    const bool foreign = v == NULL || v->step == TXL_NO_VALUE ||
                         (at(r, v->step)->row != 0 && at(r, v->step)->row != r->row);
    if (foreign && half) {
        (void)sched_refuse(r->why, "%s inside a row: %s", s->row->mnemonic,
                           s->row->insn == TX_INSN_SFPLOADI
                               ? "set constants that differ by lane in .init"
                               : "it keeps a half of a register that the row has not written");
    }
    return foreign ? TXL_NO_VALUE : old;
}

bool read_sets_flags(const struct reader *r, uint32_t step)
{
    return at(r, step)->next != TXL_NO_VALUE || at(r, step)->closes;
}

void read_reset(const struct reader *r, const struct tx_row **row, uint32_t *word)
{
    const struct tx_decoded blank = {.insn = tx_insn_get(r->body->arch, TX_INSN_SFPENCC)};
    (void)tx_encode(&blank, word);
    for (size_t i = 0; (*row = tx_row_at(r->body->arch, i)) != NULL; i++) {
        if ((*row)->insn == TX_INSN_SFPENCC) {
            *word = tx_row_put(*row, TX_FLD_MOD, *word, TX_MOD_SFPENCC_EI_RI);
            *word = tx_row_put(*row, TX_FLD_IMM, *word, TX_MOD_SFPENCC_BOTH);
            return;
        }
    }
}

/* ---- the regions of a row ---- */

bool read_setter(struct reader *r, uint32_t step)
{
    return (at(r, step)->row == r->row && at(r, step)->op != SCHED_NONE) || read_op(r, step);
}

/* The step that a step's region begins with what it sets, or the one under whose flags it runs. */
static uint32_t inside(const struct reader *r, uint32_t step)
{
    return at(r, step)->mask != TXL_NO_VALUE   ? at(r, step)->mask
           : at(r, step)->next != TXL_NO_VALUE ? step
                                               : (uint32_t)TXL_NO_VALUE;
}

static bool whole_region(struct reader *r, uint32_t step)
{
    for (uint32_t i = inside(r, step); i != TXL_NO_VALUE; i = at(r, i)->next) {
        if (!read_setter(r, i)) {
            return false;
        }
    }
    return true;
}

bool read_regions(struct reader *r, uint32_t store)
{
    bool whole = whole_region(r, store);
    /* What comes in may run under further flags. */
    for (unsigned i = 0; whole && i < r->body->ops; i++) {
        whole = whole_region(r, r->op_step[i]);
    }
    return whole;
}

void read_under(const struct reader *r, struct sched_op *op, uint32_t step)
{
    const uint32_t mask = under_flags(r, step) ? at(r, step)->mask : (uint32_t)TXL_NO_VALUE;
    const bool there =
        mask != TXL_NO_VALUE && at(r, mask)->row == r->row && at(r, mask)->op != SCHED_NONE;
    uint32_t last = step;
    op->after = op->until = op->close = SCHED_NONE;
    op->loose = there && at(r, step)->loose;
    if (there) {
        op->after = at(r, mask)->op;
        op->until = at(r, at(r, mask)->next)->op;
    } else if (at(r, step)->next != TXL_NO_VALUE) {
        while (at(r, last)->next != TXL_NO_VALUE) {
            last = at(r, last)->next;
        }
        op->close = at(r, last)->op;
    }
}
