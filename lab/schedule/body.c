/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the rows of a straight-line kernel. Runs one tile of it, follows the value of each store
 * back through the graph of values to all instructions and loads that it was made of, and checks
 * that every row is made in the same way as the first one. The result is struct sched_body, from
 * which the rest of the room works.
 */
#include "schedule/reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "flow/operands.h"

bool sched_refuse(struct sched_why *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (why->text[0] == '\0') {
        vsnprintf(why->text, sizeof why->text, format, args);
    }
    va_end(args);
    return false;
}

/* ---- the values of one row ---- */

static int add_value(struct reader *r, struct sched_value value)
{
    struct sched_body *b = r->body;
    for (unsigned i = 0; i < b->values; i++) {
        const struct sched_value *v = &b->value[i];
        if (v->kind == value.kind && ((v->kind == SCHED_CONSTANT && v->reg == value.reg) ||
                                      (v->kind == SCHED_LOADED && v->address == value.address &&
                                       v->word == value.word && v->turn == value.turn))) {
            return (int)i;
        }
    }
    if (b->values == SCHED_VALUES) {
        (void)sched_refuse(r->why, "a row has more than %d values", SCHED_VALUES);
        return SCHED_NONE;
    }
    value.back = SCHED_NONE;
    b->value[b->values] = value;
    return (int)b->values++;
}

static void know(struct reader *r, uint32_t value, int as)
{
    if (value != TXL_NO_VALUE && r->known_count < READ_KNOWN) {
        r->known[r->known_count] = value;
        r->known_as[r->known_count++] = as;
    }
}

static int value_of(struct reader *r, uint32_t id);

bool read_copies(const struct reader *r, uint32_t step)
{
    const unsigned mode = txl_graph_operands(r->graph, step)->mode;
    return txl_graph_step(r->graph, step)->row->insn == TX_INSN_SFPMOV &&
           (mode == TX_MOD_SFPMOV_COPY || mode == TX_MOD_SFPMOV_ALL_LANES_ENABLED);
}

/* The word of a load or store without address; where the tile moves counters, this one does not. */
static uint32_t access_word(const struct reader *r, const struct tx_row *row, uint32_t word)
{
    word = tx_row_put(row, TX_FLD_IMM, word, 0);
    return r->moves ? tx_row_put(row, TX_FLD_AMOD, word, SCHED_STILL) : word;
}

static int loaded(struct reader *r, uint32_t load)
{
    const struct txl_step *step = txl_graph_step(r->graph, load);
    const int store = r->step[load].from != TXL_NO_VALUE ? read_pass(r, load) : SCHED_NONE;
    if (!read_no_alias(r, step) || r->why->text[0] != '\0') {
        return SCHED_NONE;
    }
    const uint32_t word =
        access_word(r, step->row, tx_row_put(step->row, TX_FLD_VD, step->word, 0));
    return add_value(r, (struct sched_value){.kind = SCHED_LOADED,
                                             .address = read_address(r, step),
                                             .turn = r->body->passes ? read_turn(r, load) : 0,
                                             .word = word,
                                             .op = store});
}

/* Assigns a step to the current row. Refuses when another row has it already. */
bool read_own(struct reader *r, uint32_t step)
{
    if (r->step[step].kept && txl_graph_step(r->graph, step)->row->insn == TX_INSN_SFPLOADI) {
        return true; /* each row may load a constant */
    }
    if (r->step[step].row != 0 && r->step[step].row != r->row) {
        return sched_refuse(r->why,
                            "a result of %s goes into more than one store: a row stores one value "
                            "and hands none to the next",
                            txl_graph_step(r->graph, step)->row->mnemonic);
    }
    r->step[step].row = r->row;
    return true;
}

/* Whether a step loads a whole register in all lanes: it can be moved and repeated at will. */
static bool whole_load(const struct reader *r, uint32_t step)
{
    const struct tx_row *row = txl_graph_step(r->graph, step)->row;
    return row->insn == TX_INSN_SFPLOAD && (row->reads & TX_SET(VD)) == 0 &&
           r->step[step].instead == NULL && !read_masked(r, step);
}

/*
 * Returns the body's value for a value of the graph and adds it, with the op that makes it, when it
 * is new. SCHED_NONE: the kernel was refused.
 */
/* Whether rows go on to load a constant of these bits, which one SFPLOADI makes. */
static bool stays(struct reader *r, const struct txl_value *v, uint32_t bits)
{
    const struct txl_step *s = txl_graph_step(r->graph, v->step);
    bool listed = false;
    for (unsigned i = 0; r->local != NULL && i < r->local->count; i++) {
        listed = listed || r->local->bits[i] == bits;
    }
    if (!listed || s->row->insn != TX_INSN_SFPLOADI || (s->row->reads & TX_SET(VD)) != 0) {
        return false;
    }
    r->step[v->step].kept = true;
    return true;
}

static int value_of(struct reader *r, uint32_t id)
{
    for (unsigned i = 0; i < r->known_count; i++) {
        if (r->known[i] == id) {
            return r->known_as[i];
        }
    }
    const struct txl_value *v = id != TXL_NO_VALUE ? txl_graph_value(r->graph, id) : NULL;
    if (v == NULL) {
        (void)sched_refuse(r->why, "a row reads what nothing has written");
        return SCHED_NONE;
    }
    if (v->step != TXL_NO_VALUE && flow_spares_vd(txl_graph_step(r->graph, v->step)->row,
                                                  txl_graph_operands(r->graph, v->step))) {
        return value_of(r, v->before); /* it sets flags alone */
    }
    int as = SCHED_NONE;
    uint32_t bits = 0;
    uint8_t reg = 0;
    const bool made = v->step != TXL_NO_VALUE && v->reg < SCHED_REGS;
    if ((!made || !r->step[v->step].kept) && read_is_constant(r, id, &bits) &&
        !(made && stays(r, v, bits))) {
        if (!read_hoist(r, bits, &reg)) {
            return SCHED_NONE;
        }
        as = add_value(r, (struct sched_value){.kind = SCHED_CONSTANT, .reg = reg});
        if (as != SCHED_NONE) {
            know(r, id, as);
        }
        return as;
    }
    /* SFPSWAP does not change constant registers, although its row lists them as written. */
    if (!made) {
        as = add_value(r, (struct sched_value){.kind = SCHED_CONSTANT, .reg = v->reg});
    } else if (whole_load(r, v->step)) {
        as = !read_own(r, v->step)                    ? SCHED_NONE
             : r->step[v->step].found != TXL_NO_VALUE ? value_of(r, r->step[v->step].found)
                                                      : loaded(r, v->step);
    } else if (read_copies(r, v->step) && !read_masked(r, v->step) && !r->step[v->step].kept) {
        const unsigned from = txl_graph_operands(r->graph, v->step)->vc;
        as = read_own(r, v->step) ? value_of(r, txl_graph_read(r->graph, v->step, from))
                                  : SCHED_NONE;
    } else {
        return read_op(r, v->step) ? value_of(r, id) : SCHED_NONE;
    }
    if (as != SCHED_NONE) {
        know(r, id, as);
    }
    return as;
}

/* Returns why the scheduler must not move an instruction, or NULL when it may. */
static const char *immovable(const struct tx_row *row, const struct tx_operands *o)
{
    static const uint64_t readable = TX_SET_LREGS | TX_SET(VA) | TX_SET(VAX) | TX_SET(VB) |
                                     TX_SET(VC) | TX_SET(L7X) | TX_SET(CFG) | TX_SET(FLAGS) |
                                     TX_SET(STACK) | TX_SET(LUT32);
    static const uint64_t writable = TX_SET(VB) | TX_SET(VC) | TX_SET(VD) | TX_SET(VDX) |
                                     TX_SET(IDX) | TX_SET(LF) | TX_SET(LF8) | TX_SET(STACK) |
                                     TX_SET(USE);
    struct flow_move from;
    for (unsigned reg = 0; reg < SCHED_REGS; reg++) {
        if (flow_moves(row, o, reg, 0, &from)) {
            return "it moves values between lanes or registers";
        }
    }
    if (tx_row_draws(row, o->rounding)) {
        return "it draws a random word, and which one depends on the order";
    }
    if (tx_indirect_vd(row->writes, o->mode)) {
        return "its destination is the register that L7 names";
    }
    if (row->unit != TX_UNIT_LOAD &&
        ((row->reads & ~readable) != 0 || (row->writes & ~(writable | TX_SET(PRNG))) != 0)) {
        return "no rule here covers what it reads or writes";
    }
    return NULL;
}

static int operand_of(struct reader *r, uint32_t value)
{
    const int as = value_of(r, value);
    if (as != SCHED_NONE) {
        r->body->value[as].uses++;
    }
    return as;
}

int read_operand(struct reader *r, uint32_t step, unsigned reg)
{
    return operand_of(r, txl_graph_read(r->graph, step, reg));
}

/*
 * Fills op->pin with the registers that the instruction reads although none of its fields names
 * them: the table and the argument of SFPLUT, L7, and the registers that L7 names.
 */
static bool pins(struct reader *r, uint32_t step, const struct sched_form *form,
                 struct sched_op *op)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    uint32_t named = 0;
    named |= form->operand[SCHED_VA] != SCHED_NONE ? 1U << o->va : 0;
    named |= form->operand[SCHED_VB] != SCHED_NONE ? 1U << o->vb : 0;
    named |= form->operand[SCHED_VC] != SCHED_NONE ? 1U << o->vc : 0;
    const bool indirect = tx_indirect_va(s->row->reads, o->mode);
    uint32_t pinned = indirect ? s->reads & ~(named & ~(1U << 7)) : flow_fixed(s->row->reads);
    if ((s->row->reads & TX_SET(LUT32)) != 0) {
        pinned |= s->reads;
    }
    for (unsigned reg = 0; reg < SCHED_REGS; reg++) {
        if ((pinned >> reg & 1U) == 0) {
            continue;
        }
        if (indirect && reg != 7) {
            /*
             * Which registers L7 names depends on the data, and so differs from row to row: every
             * register that .init sets is kept.
             */
            const uint32_t id = txl_graph_read(r->graph, step, reg);
            r->body->constants |= (uint8_t)(1U << reg);
            if (id == TXL_NO_VALUE || txl_graph_value(r->graph, id)->step != TXL_NO_VALUE) {
                return sched_refuse(r->why,
                                    "L7 names L%u, which the row itself writes: a table in "
                                    "registers that no row writes could be scheduled",
                                    reg);
            }
            continue;
        }
        const int value = read_operand(r, step, reg);
        if (value == SCHED_NONE) {
            return false;
        }
        const bool fixed = r->body->value[value].kind == SCHED_CONSTANT;
        if (!fixed || r->body->value[value].reg != reg) {
            op->pin[reg] = value;
        }
    }
    return true;
}

static bool read_fields(struct reader *r, uint32_t step, struct sched_form *form)
{
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    const uint64_t reads = form->row->reads;
    const bool va = (reads & TX_SET(VA)) != 0 ||
                    ((reads & TX_SET(VAX)) != 0 && !tx_indirect_va(reads, o->mode));
    const bool reading[SCHED_OPERANDS] = {va, (reads & TX_SET(VB)) != 0, (reads & TX_SET(VC)) != 0};
    const unsigned reg[SCHED_OPERANDS] = {o->va, o->vb, o->vc};
    const bool found = r->step[step].instead != NULL && r->step[step].found != TXL_NO_VALUE;
    for (unsigned i = 0; i < SCHED_OLD; i++) {
        form->operand[i] = !reading[i] ? SCHED_NONE
                           : found     ? operand_of(r, r->step[step].found)
                                       : read_operand(r, step, reg[i]);
        if (reading[i] && form->operand[i] == SCHED_NONE) {
            return false;
        }
    }
    const uint32_t old = read_old(r, step);
    form->operand[SCHED_OLD] = SCHED_NONE;
    if (old != TXL_NO_VALUE) {
        const int kept = value_of(r, old);
        if (kept == SCHED_NONE) {
            return false;
        }
        if (r->body->value[kept].kind == SCHED_CONSTANT) {
            return sched_refuse(r->why, "%s keeps a part of L%u, a constant of all rows",
                                form->row->mnemonic, r->body->value[kept].reg);
        }
        r->body->value[kept].uses++;
        form->operand[SCHED_OLD] = kept;
    }
    return r->why->text[0] == '\0';
}

/* Clears the register fields of a word, so that words of different rows can be compared. */
static uint32_t bare(const struct tx_row *row, uint32_t word)
{
    static const enum tx_fld fields[] = {TX_FLD_VA, TX_FLD_VB, TX_FLD_VC, TX_FLD_VD};
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        word = tx_row_put(row, fields[i], word, 0);
    }
    return word;
}

/* Returns the op that computes the same from the same values, or SCHED_NONE. */
static int same_work(const struct sched_body *b, const struct sched_op *op)
{
    for (unsigned i = 0; i < b->ops; i++) {
        const struct sched_op *x = &b->op[i];
        if (x->form[0].row == op->form[0].row && x->form[0].word == op->form[0].word &&
            memcmp(x->form[0].operand, op->form[0].operand, sizeof op->form[0].operand) == 0 &&
            memcmp(x->pin, op->pin, sizeof op->pin) == 0) {
            return (int)i;
        }
    }
    return SCHED_NONE;
}

/* An op that is not needed reads nothing. */
static void forget_uses(struct sched_body *b, const struct sched_op *op)
{
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        if (op->form[0].operand[i] != SCHED_NONE) {
            b->value[op->form[0].operand[i]].uses--;
        }
    }
    for (unsigned reg = 0; reg < SCHED_REGS; reg++) {
        if (op->pin[reg] != SCHED_NONE) {
            b->value[op->pin[reg]].uses--;
        }
    }
}

/* The row and word of the op, where the step's own ones are not what it becomes. */
static void write_form(const struct reader *r, uint32_t step, struct sched_form *form)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    *form = (struct sched_form){.row = s->row,
                                .word = bare(s->row, s->word),
                                .plain = true,
                                .macro = s->unit != TX_UNIT_LOAD};
    if ((s->row->writes & TX_SET(LF8)) != 0 && read_sets_flags(r, step)) {
        form->macro = false; /* with the destination of a template it would set no flags */
    }
    if (r->step[step].reset) {
        read_reset(r, &form->row, &form->word);
    }
    if (r->step[step].instead != NULL) {
        form->row = r->step[step].instead;
        form->word = r->step[step].word;
        form->macro = form->row->unit != TX_UNIT_LOAD;
    } else if (s->row->insn == TX_INSN_SFPLOAD) {
        form->word = access_word(r, s->row, form->word);
    }
}

/* Adds the values that the op makes. */
static void add_results(struct reader *r, uint32_t step, struct sched_op *op, int at)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    const bool exchange = (s->row->writes & TX_SET(VC)) != 0;
    const unsigned reg = exchange ? o->vb : o->vd;
    if ((s->writes >> reg & 1U) == 0 || flow_spares_vd(s->row, o)) {
        return; /* it sets flags alone */
    }
    op->out = add_value(r, (struct sched_value){.kind = SCHED_MADE, .op = at});
    know(r, txl_graph_wrote(r->graph, step, reg), op->out);
    if (exchange && o->vc < SCHED_REGS) {
        op->out_vc = add_value(r, (struct sched_value){.kind = SCHED_MADE, .op = at});
        know(r, txl_graph_wrote(r->graph, step, o->vc), op->out_vc);
    }
}

/* An op of its own: nothing computes the same. */
static bool is_single(const struct reader *r, uint32_t step, const struct sched_op *op)
{
    return (op->form[0].row->writes & TX_SET(VC)) != 0 || read_masked(r, step) ||
           read_sets_flags(r, step) || op->form[0].operand[SCHED_OLD] != SCHED_NONE ||
           r->step[step].kept;
}

bool read_op(struct reader *r, uint32_t step)
{
    struct sched_body *b = r->body;
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    const uint32_t mask = r->step[step].mask;
    struct sched_op op = {.forms = 1,
                          .out = SCHED_NONE,
                          .out_vc = SCHED_NONE,
                          .after = SCHED_NONE,
                          .until = SCHED_NONE,
                          .close = SCHED_NONE};
    memset(op.pin, 0xFF, sizeof op.pin);
    write_form(r, step, &op.form[0]);
    const char *why = immovable(op.form[0].row, o);
    if (why != NULL) {
        return sched_refuse(r->why, "%s cannot be scheduled: %s", s->row->mnemonic, why);
    }
    if (s->lanes != UINT32_MAX && mask == TXL_NO_VALUE) {
        return sched_refuse(r->why,
                            "%s runs in some lanes only, under flags that the tile finds set",
                            s->row->mnemonic);
    }
    if (op.form[0].row->insn == TX_INSN_SFPLOAD &&
        (!read_no_alias(r, s) || r->step[step].found != TXL_NO_VALUE)) {
        return sched_refuse(r->why, "a masked SFPLOAD finds what the tile has stored");
    }
    if (r->step[step].from != TXL_NO_VALUE && read_pass(r, step) == SCHED_NONE) {
        return false;
    }
    if (!read_own(r, step) || (read_masked(r, step) && !read_setter(r, mask)) ||
        !read_fields(r, step, &op.form[0]) || !pins(r, step, &op.form[0], &op)) {
        return false;
    }
    op.cycles = (s->row->writes & TX_SET(VC)) != 0 ? 2 : 1;
    op.latency = op.form[0].row->latency;
    if (op.form[0].row->insn == TX_INSN_SFPLOAD) {
        op.address = read_address(r, s);
        op.turn = b->passes ? read_turn(r, step) : 0;
    }
    if (b->ops == SCHED_OPS - 1) {
        return sched_refuse(r->why, "a row has more than %d instructions", SCHED_OPS);
    }
    const int twin = is_single(r, step, &op) ? SCHED_NONE : same_work(b, &op);
    if (twin != SCHED_NONE) {
        forget_uses(b, &op);
        know(r, txl_graph_wrote(r->graph, step, o->vd), b->op[twin].out);
        return true;
    }
    const int at = (int)b->ops++;
    add_results(r, step, &op, at);
    b->parts = b->parts || read_sets_flags(r, step) || op.form[0].row->unit == TX_UNIT_LOAD ||
               op.form[0].operand[SCHED_OLD] != SCHED_NONE || read_masked(r, step);
    r->step[step].op = read_sets_flags(r, step) ? at : SCHED_NONE;
    r->op_step[at] = step;
    b->op[at] = op;
    return true;
}

struct sched_op read_store(const struct reader *r, uint32_t step, int value)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    struct sched_op op = {.forms = 1,
                          .out = SCHED_NONE,
                          .out_vc = SCHED_NONE,
                          .after = SCHED_NONE,
                          .until = SCHED_NONE,
                          .close = SCHED_NONE,
                          .cycles = 1,
                          .latency = 1,
                          .store = true};
    memset(op.pin, 0xFF, sizeof op.pin);
    op.form[0] = (struct sched_form){.row = s->row,
                                     .word = access_word(r, s->row, bare(s->row, s->word)),
                                     .operand = {SCHED_NONE, SCHED_NONE, value, SCHED_NONE},
                                     .plain = true,
                                     .macro = true};
    return op;
}

static bool read_row(struct reader *r, uint32_t step)
{
    struct sched_body *b = r->body;
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    r->known_count = 0;
    b->address = read_address(r, s);
    b->store = access_word(r, s->row, bare(s->row, s->word));
    if (s->lanes != UINT32_MAX && !read_masked(r, step)) {
        return sched_refuse(r->why, "a store runs in some lanes only, under flags that the tile "
                                    "finds set");
    }
    const int value = read_no_alias(r, s) ? read_operand(r, step, o->vd) : SCHED_NONE;
    if (value == SCHED_NONE || !read_regions(r, step)) {
        return false;
    }
    if (b->value[value].kind == SCHED_CONSTANT && b->value[value].reg >= 12 &&
        b->value[value].reg < 16) {
        return sched_refuse(r->why,
                            "L%u, which no instruction but SFPCONFIG and macros can name "
                            "as VD, is stored",
                            b->value[value].reg);
    }
    b->value[value].stored = true;
    b->parts = b->parts || b->passes || read_masked(r, step);
    r->op_step[b->ops] = step;
    b->op[b->ops] = read_store(r, step, value);
    b->op[b->ops++].turn = b->passes ? read_turn(r, step) : 0;
    for (unsigned i = 0; i < b->ops; i++) {
        read_under(r, &b->op[i], r->op_step[i]);
    }
    return true;
}

/* ---- all rows ---- */

static bool same_op(const struct sched_op *x, const struct sched_op *y)
{
    return x->form[0].row == y->form[0].row && x->form[0].word == y->form[0].word &&
           memcmp(x->form[0].operand, y->form[0].operand, sizeof x->form[0].operand) == 0 &&
           memcmp(x->pin, y->pin, sizeof x->pin) == 0 && x->out == y->out &&
           x->out_vc == y->out_vc && x->after == y->after && x->until == y->until &&
           x->close == y->close && x->loose == y->loose && x->turn == y->turn;
}

static bool same_row(struct sched_why *why, struct sched_body *first,
                     const struct sched_body *other, unsigned row)
{
    bool same =
        first->ops == other->ops && first->values == other->values && first->store == other->store;
    const int apart = (int)other->address - (int)first->address;
    if (row == SCHED_ROWS) {
        return sched_refuse(why, "there are more than %d rows", SCHED_ROWS);
    }
    first->stride = row == 1 ? apart : first->stride;
    first->stepped = (row == 1 || first->stepped) && apart == (int)row * first->stride;
    first->offset[row] = (int16_t)apart;
    for (unsigned i = 0; same && i < first->ops; i++) {
        same = same_op(&first->op[i], &other->op[i]) &&
               (first->op[i].form[0].row->insn != TX_INSN_SFPLOAD ||
                (int)other->op[i].address - (int)first->op[i].address == apart);
    }
    for (unsigned i = 0; same && i < first->values; i++) {
        const struct sched_value *x = &first->value[i];
        const struct sched_value *y = &other->value[i];
        same = x->kind == y->kind && x->reg == y->reg && x->word == y->word && x->turn == y->turn &&
               (x->kind != SCHED_LOADED || (int)y->address - (int)x->address == apart);
    }
    return same || sched_refuse(why, "row %u is not made as the first one is", row);
}

static uint32_t tile_writes(const struct reader *r)
{
    uint32_t writes = 0;
    for (size_t i = 0; i < txl_graph_steps(r->graph); i++) {
        writes |= txl_graph_step(r->graph, (uint32_t)i)->writes;
    }
    return writes;
}

/* Reads the row of every store, keeps the first one, and compares all others with it. */
static bool read_rows(struct reader *r)
{
    struct sched_body *first = r->body;
    struct sched_body *other = calloc(1, sizeof *other);
    const size_t steps = txl_graph_steps(r->graph) + 1;
    r->step = calloc(steps, sizeof *r->step);
    bool good = other != NULL && r->step != NULL;
    r->why->memory = !good;
    for (size_t i = 0; good && i < steps; i++) {
        r->step[i].op = SCHED_NONE;
    }
    good = good && read_flags(r) && read_through(r);
    for (size_t i = 0; good && i < txl_graph_steps(r->graph); i++) {
        const struct txl_step *step = txl_graph_step(r->graph, (uint32_t)i);
        if (step->unit != TX_UNIT_STORE || r->step[i].dead) {
            continue;
        }
        if (first->rows != 0) {
            memset(other, 0, sizeof *other);
            other->arch = first->arch;
            other->passes = first->passes;
        }
        r->body = first->rows == 0 ? first : other;
        r->row = first->rows + 1;
        good = read_row(r, (uint32_t)i) &&
               (first->rows == 0 || same_row(r->why, first, other, first->rows));
        first->constants |= r->body->constants;
        first->parts = first->parts || r->body->parts;
        first->rows++;
    }
    r->body = first;
    free(r->step);
    free(other);
    if (good && first->rows < 2) {
        return sched_refuse(r->why, "%s",
                            first->rows == 0 ? "nothing is stored" : "there is one row only");
    }
    return good;
}

/* Whether a place of a result is in no tile of input, and no row loads from its result's place. */
static bool is_unread(const struct sched_body *b)
{
    const int end = 64 * (int)tx_program_inputs(b->program);
    bool inside = true;
    for (unsigned row = 0; row < b->rows; row++) {
        const int at = (int)b->address + b->offset[row];
        inside = inside && at >= 0 && at < end;
    }
    for (unsigned i = 0; i < b->values; i++) {
        if (b->value[i].kind == SCHED_LOADED && b->value[i].address == b->address) {
            return false;
        }
    }
    return !inside;
}

bool sched_read(struct sched_body *body, const struct tx_program *program,
                const struct tx_kernel_options *options, enum sched_way way,
                const struct sched_local *local, struct sched_why *why)
{
    struct reader reader = {
        .body = body, .why = why, .options = *options, .way = way, .local = local};
    body->program = program;
    body->arch = tx_program_arch(program);
    bool good = read_run(&reader, program) && read_rows(&reader);
    if (good) {
        const uint32_t writes = tile_writes(&reader);
        /* When L7 names registers, it may name any register that only .init writes. */
        body->constants = body->constants != 0 ? (uint8_t)(reader.written & ~writes) : 0;
        for (unsigned i = 0; i < body->values; i++) {
            const struct sched_value *v = &body->value[i];
            const bool is = v->kind == SCHED_CONSTANT && v->reg < SCHED_REGS;
            body->constants = (uint8_t)(body->constants | (is ? 1U << v->reg : 0U));
        }
        good = read_settle(&reader, writes);
        for (unsigned i = 0; i < body->hoisted_count; i++) {
            const uint8_t reg = body->hoisted[i].reg;
            body->constants = (uint8_t)(body->constants | (reg < SCHED_REGS ? 1U << reg : 0U));
        }
        if (good && body->passes) {
            good =
                sched_own_place(body) ||
                sched_refuse(why, "rows that take back what they have stored share their places");
            sched_name(body);
        }
        for (unsigned i = 0; i < body->ops; i++) {
            sched_forms(body, &body->op[i]);
        }
        body->unread = is_unread(body);
        body->straight = reader.cycles;
        body->around = body->tails == 0 && body->leads == 0 ? 0 : body->around + body->tails + 8;
    }
    txl_graph_close(reader.graph);
    return good;
}
