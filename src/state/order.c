/* SPDX-License-Identifier: Apache-2.0 */
/* Reporting accesses to shared state (state/order.h). */
#include "state/order.h"
#include "base/check.h"

void order_tell(struct tx_machine *m, enum tx_order_kind kind, const struct tx_op *op,
                enum tx_shared shared, unsigned index, uint32_t count, uint32_t mask)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    if (m->state.undefined.words != 0 && kind == TX_ORDER_READ && shared == TX_SHARED_CONFIG) {
        undefined_config_used(m, op, index / 256, index % 256, count, mask);
    }
    if (m->order.order == NULL) {
        return;
    }
    const struct tx_order order = {.size = sizeof order,
                                   .kind = (uint8_t)kind,
                                   .shared = (uint8_t)shared,
                                   .thread = op->thread,
                                   .unit = op->unit,
                                   .word = op->word,
                                   .index = index,
                                   .count = count,
                                   .mask = mask,
                                   .number = op->number,
                                   .cycle = m->state.cycle,
                                   .row = op->row != ROWID_NONE ? &row->text : NULL};
    m->order.order(m->order.user, &order);
}

void order_thread_field(struct tx_machine *m, const struct tx_op *op, struct cfg_place at)
{
    if (at.width != 0 && order_wanted(m)) {
        order_tell(m, TX_ORDER_READ, op, TX_SHARED_THREAD_CONFIG, at.word + 128u * op->thread, 1,
                   bits_mask(at.width) << at.lsb);
    }
}

void order_words(struct tx_machine *m, const struct tx_op *op, bool write, unsigned word,
                 unsigned count, uint32_t mask)
{
    CHECK(word + count <= 256, "words of configuration that are told of lie in a bank");
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    if (!order_wanted(m) || count == 0) {
        return;
    }
    order_thread_field(m, op, m->places->state_id);
    order_tell(m, write ? TX_ORDER_WRITE : TX_ORDER_READ, op, TX_SHARED_CONFIG,
               word + (word >= m->places->global ? 0 : 256 * bank), count, mask);
}

void order_field(struct tx_machine *m, const struct tx_op *op, struct cfg_place at)
{
    if (at.width != 0 && order_wanted(m)) {
        order_words(m, op, false, at.word, 1, bits_mask(at.width) << at.lsb);
    }
}

void order_rows(struct tx_machine *m, const struct tx_op *op, bool write, const unsigned at[],
                unsigned rows, bool wide, uint32_t columns)
{
    const enum tx_order_kind kind = write ? TX_ORDER_WRITE : TX_ORDER_READ;
    for (unsigned i = 0; i < rows && order_wanted(m);) {
        unsigned run = 1;
        while (i + run < rows && at[i + run] == at[i] + run) {
            run++;
        }
        order_tell(m, kind, op, TX_SHARED_DST, at[i], run, columns);
        if (wide) {
            order_tell(m, kind, op, TX_SHARED_DST, (at[i] + 8) % TX_DST_ROWS, run, columns);
        }
        i += run;
    }
}

void order_src(struct tx_machine *m, const struct tx_op *op, bool write, unsigned src, unsigned row,
               unsigned rows)
{
    CHECK(src < 2, "SrcA and SrcB are two");
    CHECK(rows <= TX_SRC_ROWS, "a bank of Src has 64 rows");
    const unsigned first = 64u * m->state.units.matrix_bank[src] + 128u * src;
    if (rows == 0 || !order_wanted(m)) {
        return;
    }
    row &= 63u;
    const unsigned fits = rows < 64 - row ? rows : 64 - row;
    order_tell(m, TX_ORDER_READ, op, TX_SHARED_BANK, 2 + src, 1, 1);
    order_tell(m, write ? TX_ORDER_WRITE : TX_ORDER_READ, op, TX_SHARED_SRC, first + row, fits,
               0xFFFFu);
    if (rows > fits) {
        order_tell(m, write ? TX_ORDER_WRITE : TX_ORDER_READ, op, TX_SHARED_SRC, first, rows - fits,
                   0xFFFFu);
    }
}

void tx_order_listen(tx_machine *m, const struct tx_order_sink *sink)
{
    m->order = sink != NULL ? *sink : (struct tx_order_sink){.order = NULL};
}
