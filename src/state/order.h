/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is told of accesses to shared state (tensix/order.h). The inline functions ask whether
 * anybody listens; who has to prepare something asks order_wanted() first.
 */
#ifndef TX_STATE_ORDER_H
#define TX_STATE_ORDER_H

#include "state/cfg.h"
#include "state/machine.h"

static inline bool order_wanted(const struct tx_machine *m)
{
    return m->order.order != NULL;
}

void order_tell(const struct tx_machine *m, enum tx_order_kind kind, const struct tx_op *op,
                enum tx_shared shared, unsigned index, uint32_t count, uint32_t mask);

static inline void order_read(const struct tx_machine *m, const struct tx_op *op,
                              enum tx_shared shared, unsigned index, uint32_t count, uint32_t mask)
{
    if (order_wanted(m)) {
        order_tell(m, TX_ORDER_READ, op, shared, index, count, mask);
    }
}

static inline void order_write(const struct tx_machine *m, const struct tx_op *op,
                               enum tx_shared shared, unsigned index, uint32_t count, uint32_t mask)
{
    if (order_wanted(m)) {
        order_tell(m, TX_ORDER_WRITE, op, shared, index, count, mask);
    }
}

/* A bank of Src, by its number + 2 * (0 SrcA, 1 SrcB), taken or given away. */
static inline void order_bank(const struct tx_machine *m, const struct tx_op *op,
                              enum tx_order_kind kind, unsigned bank, bool matrix)
{
    if (order_wanted(m)) {
        order_tell(m, kind, op, TX_SHARED_SRC, bank, 1, matrix ? 1 : 0);
    }
}

/* Fields of configuration as the thread of op sees them; of no width: none. */
void order_field(const struct tx_machine *m, const struct tx_op *op, struct cfg_place at);
void order_thread_field(const struct tx_machine *m, const struct tx_op *op, struct cfg_place at);
/* Words of the bank that the thread of op has chosen, which is read for it. */
void order_words(const struct tx_machine *m, const struct tx_op *op, bool write, unsigned word,
                 unsigned count, uint32_t mask);
/* Rows of Dst by their physical numbers; wide: with the low halves eight rows on. */
void order_rows(const struct tx_machine *m, const struct tx_op *op, bool write, const unsigned at[],
                unsigned rows, bool wide, uint32_t columns);
/* Rows of the bank of Src that the Matrix Unit uses. */
void order_src(const struct tx_machine *m, const struct tx_op *op, bool write, unsigned src,
               unsigned row, unsigned rows);

#endif
