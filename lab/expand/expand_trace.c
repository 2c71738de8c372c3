/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one tile and lists what was executed, regular and scheduled instructions alike, with the
 * registers that each one read and wrote. The straight-line form is made from this list.
 */
#include "expand/expand.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"
#include "flow/operands.h"

bool expand_fail(struct expand *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)txl_fail_va(&x->failure, NULL, TXL_NEGATIVE, format, args);
    va_end(args);
    return false;
}

bool expand_no_memory(struct expand *x)
{
    (void)no_memory(&x->failure);
    return false;
}

/* Finds the registers that an instruction reads or writes although no field names them. */
static void implicit(const struct expand *x, struct xop *op)
{
    op->pinned |= flow_fixed(op->row->reads);
    if (tx_indirect_va(op->row->reads, op->o.mode)) {
        uint32_t l7[TX_LANES] = {0};
        (void)tx_read(x->machine, TX_FILE_LREG, 7, l7, TX_LANES);
        op->pinned |= 1U << 7;
        for (unsigned i = 0; i < TX_LANES; i++) {
            op->pinned |= (l7[i] & 15) < EXPAND_REGS ? 1U << (l7[i] & 15) : 0;
        }
    }
    op->writes |= flow_fixed(op->row->writes);
}

/*
 * Where L7 names the destination and names the same register in all lanes, that register becomes
 * VD.
 */
static void resolve(struct expand *x, struct xop *op)
{
    uint32_t l7[TX_LANES] = {0};
    bool same = true;
    if (!tx_indirect_vd(op->row->writes, op->o.mode)) {
        return;
    }
    (void)tx_read(x->machine, TX_FILE_LREG, 7, l7, TX_LANES);
    for (unsigned i = 0; i < TX_LANES; i++) {
        same = same && (l7[i] & 15) == (l7[0] & 15);
    }
    struct tx_piece piece;
    const bool table = tx_row_table(op->row, op->o.mode, l7, &piece);
    if (!same || (l7[0] & 15) >= EXPAND_REGS || table) {
        (void)expand_fail(x, "cycle %llu: %s names its destination through L7, which %s",
                          (unsigned long long)op->cycle, op->row->mnemonic,
                          same ? "is no free choice" : "differs by lane");
        return;
    }
    op->o.vd = (uint8_t)(l7[0] & 15);
    op->o.mode &= (uint8_t)~TX_INDIRECT_VD;
    op->word = tx_row_put(op->row, TX_FLD_MOD, op->word, op->o.mode);
}

/*
 * A scheduled exchange may compare with a constant that stands in the place of VD (as in the
 * vendor's clamped exp: VD 14, where the template lies too). Issued as an instruction it would be
 * captured again. So the operands are exchanged, and the modifier becomes the one for that order.
 */
static void turn(struct expand *x, struct xop *op)
{
    unsigned reverse;
    if (!op->scheduled || (op->row->writes & TX_SET(VB)) == 0) {
        return;
    }
    if (op->o.vb < EXPAND_REGS) {
        op->o.vd = op->o.vb; /* it changes this register, whatever the sequence says about VD */
        return;
    }
    if (!tx_row_reverse(op->row, op->o.mode, &reverse)) {
        (void)expand_fail(x,
                          "cycle %llu: %s has L%u for VD, and its mode %u has no counterpart with "
                          "the operands the other way round",
                          (unsigned long long)op->cycle, op->row->mnemonic, op->o.vb, op->o.mode);
        return;
    }
    const uint8_t constant = op->o.vb;
    op->o.mode = (uint8_t)reverse;
    op->o.vb = op->o.vd = op->o.vc;
    op->o.vc = constant;
    op->word = tx_row_put(op->row, TX_FLD_VC, op->word, constant);
    op->word = tx_row_put(op->row, TX_FLD_MOD, op->word, op->o.mode);
}

static void refuse_unknown(struct expand *x, const struct xop *op)
{
    const struct tx_row *row = op->row;
    const char *why = expand_unknown(row, row->reads, row->writes, (enum tx_implied)row->implied);
    if (why != NULL) {
        (void)expand_fail(x, "cycle %llu: %s is an instruction that expand does not know: %s",
                          (unsigned long long)op->cycle, row->mnemonic, why);
    }
}

static void on_op(struct expand *x, const struct tx_event *event)
{
    uint32_t flags[2] = {0, 0};
    uint32_t rwc[TX_RWC_COUNT] = {0};
    if (event->row->insn == TX_INSN_REPLAY) {
        return;
    }
    if (!LIST_ROOM(x->ops, x->count, x->room, 1)) {
        (void)expand_no_memory(x);
        return;
    }
    struct xop *op = &x->ops[x->count++];
    *op = (struct xop){.word = event->word,
                       .found = event->word,
                       .step = TXL_NO_VALUE,
                       .o = *event->operands,
                       .row = event->row,
                       .number = event->number,
                       .cycle = event->cycle - x->base,
                       .unit = event->unit,
                       .scheduled = event->kind == TX_EVENT_EXECUTE,
                       .launch = event->row->insn == TX_INSN_SFPLOADMACRO,
                       .address = -1,
                       .latency = event->row->latency};
    (void)tx_read(x->machine, TX_FILE_RWC, x->options.thread, rwc, TX_RWC_COUNT);
    (void)tx_read(x->machine, TX_FILE_LANE_FLAGS, 0, &flags[0], 1);
    (void)tx_read(x->machine, TX_FILE_USE_LANE_FLAGS, 0, &flags[1], 1);
    op->rwc = rwc[TX_RWC_DST];
    bool vector = event->unit >= TX_UNIT_LOAD && event->unit <= TX_UNIT_STORE;
    op->verbatim = !vector || (!op->scheduled && op->o.vd >= 12);
    op->merge = flags[1] != 0 && (x->data_flags || (~flags[1] | flags[0]) != UINT32_MAX);
    /* It keeps one half of the register. */
    op->merge |= op->launch && (op->row->reads & TX_SET(VD)) != 0;
    op->flags = vector && flow_writes_flags(op->row, &op->o);
    if (op->flags) {
        x->data_flags = op->row->insn != TX_INSN_SFPENCC;
    }
    x->launches += op->launch ? 1 : 0;
    if (vector && !op->verbatim) {
        refuse_unknown(x, op);
        implicit(x, op);
        resolve(x, op);
        turn(x, op);
    }
}

/* The op has read its operands, so its step is the last one of the graph. */
static void on_compute(struct expand *x, const struct tx_event *event)
{
    const size_t steps = txl_graph_steps(x->graph);
    for (size_t i = x->count; i > 0 && x->ops[i - 1].cycle + x->base == event->cycle; i--) {
        struct xop *op = &x->ops[i - 1];
        if (steps == 0 || op->step != TXL_NO_VALUE || op->number != event->number ||
            op->unit != event->unit || op->found != event->word ||
            op->scheduled != (event->scheduled != 0)) {
            continue;
        }
        op->step = (uint32_t)steps - 1;
        op->address =
            event->unit == TX_UNIT_LOAD || event->unit == TX_UNIT_STORE ? event->address : -1;
        return;
    }
}

static void on_event(void *user, const struct tx_event *event)
{
    struct expand *x = user;
    if (!x->on) {
        x->launches += event->kind == TX_EVENT_EXECUTE ? 1 : 0;
        return;
    }
    if (!x->begun) {
        x->begun = true;
        x->base = event->cycle;
    }
    txl_graph_event(x->graph, event);
    if ((event->kind == TX_EVENT_ISSUE || event->kind == TX_EVENT_EXECUTE) && event->row != NULL) {
        on_op(x, event);
    } else if (event->kind == TX_EVENT_COMPUTE) {
        on_compute(x, event);
    }
}

struct tile {
    uint32_t in[EXPAND_INPUTS][TX_TILE_ELEMENTS], out[TX_TILE_ELEMENTS];
};

static enum tx_status run_tile(struct expand *x, tx_kernel *kernel, struct tile *tile)
{
    const uint32_t *inputs[EXPAND_INPUTS];
    uint32_t rwc[TX_RWC_COUNT] = {0};
    uint64_t random = 1;
    for (unsigned i = 0; i < EXPAND_INPUTS; i++) {
        feed_data(tx_kernel_dst(kernel), &random, tile->in[i]);
        inputs[i] = tile->in[i];
    }
    x->machine = tx_kernel_machine(kernel);
    enum tx_status status = tx_kernel_start(kernel);
    if (x->launches != 0) {
        (void)expand_fail(x, ".init itself runs scheduled instructions");
    }
    x->on = true;
    if (status == TX_OK) {
        status = tx_kernel_tile(kernel, 0, inputs, tile->out);
    }
    (void)tx_config_get(x->machine, x->options.thread, "DEST_TARGET_REG_CFG_MATH_Offset",
                        &x->math_offset);
    (void)tx_read(x->machine, TX_FILE_RWC, x->options.thread, rwc, TX_RWC_COUNT);
    x->final_rwc = rwc[TX_RWC_DST];
    x->machine = NULL;
    return status;
}

enum tx_status expand_trace(struct expand *x)
{
    struct tx_settings settings;
    tx_kernel *kernel = NULL;
    struct tile *tile = malloc(sizeof *tile);
    if (tile == NULL || txl_graph_open(NULL, &x->graph) != TXL_OK) {
        free(tile);
        return TX_ENOMEM;
    }
    tx_settings_default(&settings, tx_program_arch(x->program));
    settings.sink = (struct tx_sink){on_event, x};
    enum tx_status status = tx_kernel_open(&settings, x->program, &x->options, &kernel);
    if (status == TX_OK) {
        status = run_tile(x, kernel, tile);
        tx_kernel_close(kernel);
    }
    free(tile);
    return x->failure.status == TXL_INPUT || graph_no_memory(x->graph) ? TX_ENOMEM : status;
}
