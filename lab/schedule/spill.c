/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that a row hands to itself through Dst: they are stored where the row's result will be
 * stored, and loaded again. That takes a store and a load more, but a load can be an SFPLOADMACRO
 * that schedules further instructions on the value, and a value that only the store reads can go
 * through L16.
 */
#include "schedule/schedule.h"

#include <string.h>

#include <tensix/isa_modes.h>

bool sched_own_place(const struct sched_body *body)
{
    const int stride = body->stride < 0 ? -body->stride : body->stride;
    /* Two addresses to each four rows of Dst: odd ones are their neighbours' again. */
    if (!body->stepped || stride == 0 || stride % 2 != 0 || body->address % 2 != 0) {
        return false;
    }
    for (unsigned i = 0; i < body->values; i++) {
        const int apart = (int)body->value[i].address - (int)body->address;
        if (body->value[i].kind != SCHED_LOADED || apart == 0) {
            continue;
        }
        const int rows = (apart < 0 ? -apart : apart) / stride;
        if (apart % 2 != 0 || (apart % stride == 0 && rows < (int)body->rows)) {
            return false;
        }
    }
    return true;
}

bool sched_reads(const struct sched_op *op, int value)
{
    bool reads = false;
    for (unsigned i = 0; i < SCHED_OPERANDS + SCHED_REGS; i++) {
        reads = reads || (i < SCHED_OPERANDS ? op->form[0].operand[i]
                                             : op->pin[i - SCHED_OPERANDS]) == value;
    }
    return reads;
}

/* Multiply-adds take denormals for zeros and make none. */
static bool no_denormals(const struct sched_op *op)
{
    return tx_row_terms(op->form[0].row) != NULL;
}

/*
 * Returns whether a value comes back from Dst as it was, as far as its readers can tell. The FP32
 * format stores denormals as zeros.
 */
static bool survives(const struct sched_body *body, int value, unsigned mode)
{
    if (mode != TX_MOD_SFPSTORE_FMT_FP32 || no_denormals(&body->op[body->value[value].op])) {
        return mode == TX_MOD_SFPSTORE_FMT_FP32 || mode == TX_MOD_SFPSTORE_FMT_INT32;
    }
    for (unsigned i = 0; i + 1 < body->ops; i++) {
        const struct sched_op *op = &body->op[i];
        for (unsigned k = 0; k < SCHED_REGS; k++) {
            if (op->pin[k] == value) {
                return false; /* an index or a table: all bits count */
            }
        }
        if (sched_reads(op, value) && !no_denormals(op)) {
            return false;
        }
    }
    return true;
}

unsigned sched_spillable(const struct sched_body *body, int list[SCHED_VALUES])
{
    const struct sched_form *store = &body->op[body->ops - 1].form[0];
    const unsigned mode = tx_row_field(store->row, TX_FLD_MOD, body->store);
    unsigned count = 0, loads = 0;
    for (unsigned i = 0; i < body->values; i++) {
        loads += body->value[i].kind == SCHED_LOADED;
    }
    if (!body->wide || loads == 0 || !sched_own_place(body)) {
        return 0;
    }
    for (unsigned i = 0; i < body->values; i++) {
        const struct sched_value *v = &body->value[i];
        const unsigned reads = v->uses - v->stored;
        if (v->kind == SCHED_MADE && reads != 0 && survives(body, (int)i, mode)) {
            list[count++] = (int)i;
        }
    }
    return count;
}

/* The word of a load in the format of the row's store, but for register and address. */
static uint32_t load_word(const struct sched_body *body)
{
    const struct sched_form *store = &body->op[body->ops - 1].form[0];
    const uint32_t mode = tx_row_field(store->row, TX_FLD_MOD, body->store);
    const uint32_t amod = tx_row_field(store->row, TX_FLD_AMOD, body->store);
    const struct sched_value *v = body->value;
    struct tx_decoded d;
    while (v->kind != SCHED_LOADED) {
        v++;
    }
    (void)tx_decode(body->arch, v->word, &d);
    return tx_row_put(d.row, TX_FLD_AMOD, tx_row_put(d.row, TX_FLD_MOD, v->word, mode), amod);
}

/* Appends the store of a value, and the value that loads bring back. */
static void add_spill(struct sched_body *body, const struct sched_op *store, int value,
                      uint32_t word)
{
    struct sched_op *op = &body->op[body->ops];
    *op = *store;
    op->form[0].operand[SCHED_VC] = value;
    body->value[body->values] = (struct sched_value){.kind = SCHED_LOADED,
                                                     .address = body->address,
                                                     .word = word,
                                                     .op = (int)body->ops++,
                                                     .back = SCHED_NONE};
    body->value[value].stored = true;
    body->value[value].back = (int)body->values++;
}

/* The op that reads the value last, but for the row's store. */
static unsigned last_reader(const struct sched_body *body, int value)
{
    unsigned last = 0;
    for (unsigned i = 0; i + 1 < body->ops; i++) {
        last = sched_reads(&body->op[i], value) ? i : last;
    }
    return last;
}

bool sched_spill(const struct sched_body *body, const int *value, unsigned count,
                 struct sched_body *out)
{
    const uint32_t word = load_word(body);
    if (body->ops + count > SCHED_OPS || body->values + count > SCHED_VALUES) {
        return false;
    }
    *out = *body;
    out->ops = 0;
    for (unsigned i = 0; i < body->ops; i++) {
        for (unsigned v = 0; v < body->values; v++) {
            if (body->value[v].kind == SCHED_MADE && body->value[v].op == (int)i) {
                out->value[v].op = (int)out->ops;
            }
        }
        out->op[out->ops++] = body->op[i];
        /* The search places readers first: when they load says when the store must have been. */
        for (unsigned k = 0; k < count; k++) {
            if (last_reader(body, value[k]) == i) {
                add_spill(out, &body->op[body->ops - 1], value[k], word);
            }
        }
    }
    return true;
}
