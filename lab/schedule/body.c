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

#include "flow/feed.h"
#include "flow/operands.h"

enum { INPUTS = 16 };

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

/* ---- the run ---- */

/* What moves counters, waits, or sets where counters begin. */
static bool is_around(const struct tx_row *row)
{
    return row->insn == TX_INSN_INCRWC || row->insn == TX_INSN_SETRWC ||
           row->insn == TX_INSN_SETC16 || row->insn == TX_INSN_STALLWAIT ||
           row->insn == TX_INSN_NOP;
}

/*
 * Keeps such a word: in front of the first vector instruction it stays there. Behind one it stays
 * if no other follows; otherwise on_vector judges it.
 */
static void note_around(struct reader *r, const struct tx_row *row, uint32_t word)
{
    struct sched_body *b = r->body;
    uint32_t *list = r->begun ? b->tail : b->lead;
    unsigned *count = r->begun ? &b->tails : &b->leads;
    if (r->begun && (row->insn == TX_INSN_INCRWC || row->insn == TX_INSN_SETRWC)) {
        return; /* the schedule leaves counters as the rows have found them */
    }
    if (r->begun && row->insn == TX_INSN_SETC16) {
        r->sets = true;
    }
    if (*count == SCHED_AROUND) {
        r->full = true;
        *count = 0;
    }
    list[(*count)++] = word;
}

/*
 * A vector instruction comes: what stood in between only moved counters, of which addresses are
 * taken as they come out.
 */
static void on_vector(struct reader *r)
{
    if (r->sets) {
        (void)sched_refuse(r->why, "SETC16 between rows changes the configuration");
    }
    r->body->tails = 0;
    r->full = false;
}

static void refuse_issued(struct reader *r, const struct tx_event *event)
{
    const struct tx_row *row = event->row;
    uint32_t uses = 0;
    if ((row->unit == TX_UNIT_FRONT && row->insn != TX_INSN_NOP) || row->insn == TX_INSN_SFPNOP) {
        return;
    }
    if (is_around(row)) {
        note_around(r, row, event->word);
        return;
    }
    if (row->unit < TX_UNIT_LOAD || row->unit > TX_UNIT_STORE) {
        (void)sched_refuse(r->why, "%s in .tile: only vector instructions can be scheduled",
                           row->mnemonic);
        return;
    }
    on_vector(r);
    if (row->insn == TX_INSN_SFPLOADMACRO) {
        (void)sched_refuse(r->why,
                           "it has SFPLOADMACRO already; 'tensix expand' makes a straight line of "
                           "it");
    }
    if ((row->writes & (TX_SET(CFG) | TX_SET(MACRO))) != 0) {
        (void)sched_refuse(r->why, "%s in .tile changes the configuration", row->mnemonic);
    }
    (void)tx_read(r->machine, TX_FILE_USE_LANE_FLAGS, 0, &uses, 1);
    if (flow_writes_flags(row, event->operands) && (uses != 0 || row->insn == TX_INSN_SFPENCC)) {
        (void)sched_refuse(r->why, "%s in .tile: " SCHED_PREDICATED, row->mnemonic);
    }
}

/* Keeps what the first vector instruction of the tile finds: counters and registers. */
static void begin(struct reader *r, uint64_t cycle)
{
    uint32_t rwc[TX_RWC_COUNT] = {0};
    uint32_t offset = 0;
    (void)tx_read(r->machine, TX_FILE_RWC, r->options.thread, rwc, TX_RWC_COUNT);
    (void)tx_config_get(r->machine, r->options.thread, "DEST_TARGET_REG_CFG_MATH_Offset", &offset);
    for (unsigned reg = 0; reg < 16; reg++) {
        (void)tx_read(r->machine, TX_FILE_LREG, reg, r->constant[reg], TX_LANES);
    }
    r->base = (rwc[TX_RWC_DST] + offset) & 1023U;
    r->body->around = cycle - r->started;
    r->begun = true;
}

static void on_event(void *user, const struct tx_event *event)
{
    struct reader *r = user;
    if (r->on && !r->begun && event->kind == TX_EVENT_ISSUE && event->row != NULL &&
        event->row->unit >= TX_UNIT_LOAD && event->row->unit <= TX_UNIT_STORE) {
        begin(r, event->cycle);
    }
    if (!r->on) {
        r->written |= event->kind == TX_EVENT_WRITE_LREG ? 1U << event->index : 0;
        return;
    }
    txl_graph_event(r->graph, event);
    if (event->kind == TX_EVENT_ISSUE && event->row != NULL) {
        refuse_issued(r, event);
    }
}

struct tile {
    uint32_t in[INPUTS][TX_TILE_ELEMENTS], out[TX_TILE_ELEMENTS];
};

static enum tx_status run_tile(struct reader *r, tx_kernel *kernel, struct tile *tile)
{
    const uint32_t *inputs[INPUTS];
    uint64_t random = 1;
    for (unsigned i = 0; i < INPUTS; i++) {
        feed_data(tx_kernel_dst(kernel), &random, tile->in[i]);
        inputs[i] = tile->in[i];
    }
    r->machine = tx_kernel_machine(kernel);
    enum tx_status status = tx_kernel_start(kernel);
    r->started = tx_machine_counters(r->machine).cycles;
    r->on = true;
    if (status == TX_OK) {
        status = tx_kernel_tile(kernel, 0, inputs, tile->out);
    }
    r->on = false;
    r->cycles = tx_machine_counters(r->machine).cycles - r->started;
    if (r->full) {
        (void)sched_refuse(r->why, "there are more than %d words behind the last row",
                           SCHED_AROUND);
    }
    return status;
}

static bool run(struct reader *r, const struct tx_program *program)
{
    struct tx_settings settings;
    tx_kernel *kernel = NULL;
    struct tile *tile = malloc(sizeof *tile);
    if (tile == NULL || txl_graph_open(NULL, &r->graph) != TXL_OK) {
        free(tile);
        r->why->memory = true;
        return sched_refuse(r->why, "out of memory");
    }
    tx_settings_default(&settings, tx_program_arch(program));
    settings.sink = (struct tx_sink){on_event, r};
    enum tx_status status = tx_kernel_open(&settings, program, &r->options, &kernel);
    if (status == TX_OK) {
        const enum tx_dst_format dst = tx_kernel_dst(kernel);
        r->body->wide = dst == TX_DST_FORMAT_FP32 || dst == TX_DST_FORMAT_INT32 ||
                        dst == TX_DST_FORMAT_UINT32 || dst == TX_DST_FORMAT_INT32_SM;
        status = run_tile(r, kernel, tile);
        tx_kernel_close(kernel);
    }
    free(tile);
    if (status != TX_OK) {
        r->why->memory = r->why->memory || status == TX_ENOMEM;
        return sched_refuse(r->why, "the kernel stops: %s", tx_status_text(status));
    }
    if (r->why->text[0] == '\0' && !txl_graph_whole(r->graph)) {
        r->why->memory = graph_no_memory(r->graph);
        (void)sched_refuse(r->why, "the tile is too long");
    }
    return r->why->text[0] == '\0';
}

/* ---- the values of one row ---- */

static int add_value(struct reader *r, struct sched_value value)
{
    struct sched_body *b = r->body;
    for (unsigned i = 0; i < b->values; i++) {
        const struct sched_value *v = &b->value[i];
        if (v->kind == value.kind &&
            ((v->kind == SCHED_CONSTANT && v->reg == value.reg) ||
             (v->kind == SCHED_LOADED && v->address == value.address && v->word == value.word))) {
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

static int make_op(struct reader *r, uint32_t step);
static int value_of(struct reader *r, uint32_t id);

static bool copies(const struct txl_step *step, const struct tx_operands *o)
{
    return step->row->insn == TX_INSN_SFPMOV &&
           (o->mode == TX_MOD_SFPMOV_COPY || o->mode == TX_MOD_SFPMOV_ALL_LANES_ENABLED);
}

/* The word of a load or store without address; where the tile moves counters, this one does not. */
static uint32_t access_word(const struct reader *r, const struct tx_row *row, uint32_t word)
{
    word = tx_row_put(row, TX_FLD_IMM, word, 0);
    return r->moves ? tx_row_put(row, TX_FLD_AMOD, word, SCHED_STILL) : word;
}

static int loaded(struct reader *r, const struct txl_step *step)
{
    if (step->row->insn != TX_INSN_SFPLOAD || (step->row->reads & TX_SET(VD)) != 0) {
        (void)sched_refuse(r->why, "%s inside a row: %s", step->row->mnemonic,
                           step->row->insn == TX_INSN_SFPLOADI
                               ? "set constants that differ by lane in .init"
                               : "it keeps a half of its register");
        return SCHED_NONE;
    }
    if (!read_no_alias(r, step)) {
        return SCHED_NONE;
    }
    const uint32_t word =
        access_word(r, step->row, tx_row_put(step->row, TX_FLD_VD, step->word, 0));
    return add_value(r, (struct sched_value){.kind = SCHED_LOADED,
                                             .address = read_address(r, step),
                                             .word = word,
                                             .op = SCHED_NONE});
}

/* Assigns a step to the current row. Refuses when another row has it already. */
static bool own(struct reader *r, uint32_t step)
{
    if (r->owner[step] != 0 && r->owner[step] != r->row) {
        return sched_refuse(r->why,
                            "a result of %s goes into more than one store: a row stores one value "
                            "and hands none to the next",
                            txl_graph_step(r->graph, step)->row->mnemonic);
    }
    r->owner[step] = r->row;
    return true;
}

/*
 * Returns the body's value for a value of the graph and adds it, with the op that makes it, when it
 * is new. SCHED_NONE: the kernel was refused.
 */
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
    int as = SCHED_NONE;
    uint32_t bits = 0;
    uint8_t reg = 0;
    if (read_is_constant(r, id, &bits)) {
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
    if (v->step == TXL_NO_VALUE || v->reg >= SCHED_REGS) {
        as = add_value(r, (struct sched_value){.kind = SCHED_CONSTANT, .reg = v->reg});
    } else if (txl_graph_step(r->graph, v->step)->lanes != UINT32_MAX) {
        (void)sched_refuse(r->why, "%s runs in some lanes only: " SCHED_PREDICATED,
                           txl_graph_step(r->graph, v->step)->row->mnemonic);
        return SCHED_NONE;
    } else {
        const struct txl_step *step = txl_graph_step(r->graph, v->step);
        const struct tx_operands *o = txl_graph_operands(r->graph, v->step);
        if (!own(r, v->step)) {
            return SCHED_NONE;
        }
        if (step->unit == TX_UNIT_LOAD) {
            as = r->found[v->step] != TXL_NO_VALUE ? value_of(r, r->found[v->step])
                                                   : loaded(r, step);
        } else if (copies(step, o)) {
            as = value_of(r, txl_graph_read(r->graph, v->step, o->vc));
        } else {
            return make_op(r, v->step) == SCHED_NONE ? SCHED_NONE : value_of(r, id);
        }
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
                                     TX_SET(IDX) | TX_SET(LF) | TX_SET(LF8) | TX_SET(STACK);
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
    if ((row->reads & ~readable) != 0 || (row->writes & ~(writable | TX_SET(PRNG))) != 0) {
        return "no rule here covers what it reads or writes";
    }
    return NULL;
}

static int operand(struct reader *r, uint32_t step, unsigned reg)
{
    const int as = value_of(r, txl_graph_read(r->graph, step, reg));
    if (as != SCHED_NONE) {
        r->body->value[as].uses++;
    }
    return as;
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
                return sched_refuse(r->why, "L7 names L%u, which the row itself writes", reg);
            }
            continue;
        }
        const int value = operand(r, step, reg);
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
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        form->operand[i] = reading[i] ? operand(r, step, reg[i]) : SCHED_NONE;
        if (reading[i] && form->operand[i] == SCHED_NONE) {
            return false;
        }
    }
    return true;
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

static int make_op(struct reader *r, uint32_t step)
{
    struct sched_body *b = r->body;
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    const char *why = immovable(s->row, o);
    if (why != NULL) {
        (void)sched_refuse(r->why, "%s cannot be scheduled: %s", s->row->mnemonic, why);
        return SCHED_NONE;
    }
    struct sched_op op = {.forms = 1, .out = SCHED_NONE, .out_vc = SCHED_NONE};
    memset(op.pin, 0xFF, sizeof op.pin);
    op.form[0] = (struct sched_form){
        .row = s->row, .word = bare(s->row, s->word), .plain = true, .macro = true};
    if (!read_fields(r, step, &op.form[0]) || !pins(r, step, &op.form[0], &op)) {
        return SCHED_NONE;
    }
    op.cycles = (s->row->writes & TX_SET(VC)) != 0 ? 2 : 1;
    op.latency = s->row->latency;
    if (b->ops == SCHED_OPS - 1) {
        (void)sched_refuse(r->why, "a row has more than %d instructions", SCHED_OPS);
        return SCHED_NONE;
    }
    const bool exchange = (s->row->writes & TX_SET(VC)) != 0;
    const int twin = exchange ? SCHED_NONE : same_work(b, &op);
    if (twin != SCHED_NONE) {
        forget_uses(b, &op);
        know(r, txl_graph_wrote(r->graph, step, o->vd), b->op[twin].out);
        return b->op[twin].out;
    }
    const int at = (int)b->ops++;
    op.out = add_value(r, (struct sched_value){.kind = SCHED_MADE, .op = at});
    know(r, txl_graph_wrote(r->graph, step, exchange ? o->vb : o->vd), op.out);
    if (exchange && o->vc < SCHED_REGS) {
        op.out_vc = add_value(r, (struct sched_value){.kind = SCHED_MADE, .op = at});
        know(r, txl_graph_wrote(r->graph, step, o->vc), op.out_vc);
    }
    b->op[at] = op;
    return op.out;
}

static bool read_row(struct reader *r, uint32_t step)
{
    struct sched_body *b = r->body;
    const struct txl_step *s = txl_graph_step(r->graph, step);
    const struct tx_operands *o = txl_graph_operands(r->graph, step);
    r->known_count = 0;
    if (s->lanes != UINT32_MAX) {
        return sched_refuse(r->why, "a store runs in some lanes only: " SCHED_PREDICATED);
    }
    const int value = read_no_alias(r, s) ? operand(r, step, o->vd) : SCHED_NONE;
    if (value == SCHED_NONE) {
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
    b->address = read_address(r, s);
    b->store = access_word(r, s->row, bare(s->row, s->word));
    struct sched_op op = {.forms = 1,
                          .out = SCHED_NONE,
                          .out_vc = SCHED_NONE,
                          .cycles = 1,
                          .latency = 1,
                          .store = true};
    memset(op.pin, 0xFF, sizeof op.pin);
    op.form[0] = (struct sched_form){.row = s->row,
                                     .word = b->store,
                                     .operand = {SCHED_NONE, SCHED_NONE, value},
                                     .plain = true,
                                     .macro = true};
    b->op[b->ops++] = op;
    return true;
}

/* ---- all rows ---- */

static bool same_op(const struct sched_op *x, const struct sched_op *y)
{
    return x->form[0].row == y->form[0].row && x->form[0].word == y->form[0].word &&
           memcmp(x->form[0].operand, y->form[0].operand, sizeof x->form[0].operand) == 0 &&
           memcmp(x->pin, y->pin, sizeof x->pin) == 0 && x->out == y->out && x->out_vc == y->out_vc;
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
        same = same_op(&first->op[i], &other->op[i]);
    }
    for (unsigned i = 0; same && i < first->values; i++) {
        const struct sched_value *x = &first->value[i];
        const struct sched_value *y = &other->value[i];
        same = x->kind == y->kind && x->reg == y->reg && x->word == y->word &&
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
    r->owner = calloc(steps, sizeof *r->owner);
    r->found = calloc(steps, sizeof *r->found);
    r->dead = calloc(steps, sizeof *r->dead);
    bool good = other != NULL && r->owner != NULL && r->found != NULL && r->dead != NULL;
    r->why->memory = !good;
    good = good && read_through(r);
    for (size_t i = 0; good && i < txl_graph_steps(r->graph); i++) {
        const struct txl_step *step = txl_graph_step(r->graph, (uint32_t)i);
        if (step->unit != TX_UNIT_STORE || r->dead[i]) {
            continue;
        }
        if (first->rows != 0) {
            memset(other, 0, sizeof *other);
        }
        r->body = first->rows == 0 ? first : other;
        r->row = first->rows + 1;
        good = read_row(r, (uint32_t)i) &&
               (first->rows == 0 || same_row(r->why, first, other, first->rows));
        first->constants |= r->body->constants;
        first->rows++;
    }
    r->body = first;
    free(r->owner);
    free(r->found);
    free(r->dead);
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
                const struct tx_kernel_options *options, struct sched_why *why)
{
    struct reader reader = {.body = body, .why = why, .options = *options};
    body->program = program;
    body->arch = tx_program_arch(program);
    bool good = run(&reader, program) && read_rows(&reader);
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
