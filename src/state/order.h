/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports accesses to shared state to a listener (tensix/order.h). The inline functions check
 * whether there is one; a caller that has to prepare arguments checks order_wanted() first.
 */
#ifndef TX_STATE_ORDER_H
#define TX_STATE_ORDER_H

#include "state/cfg.h"
#include "state/machine.h"

static inline bool order_wanted(const struct tx_machine *m)
{
    return m->order.order != NULL || m->state.undefined.words != 0;
}

/*
 * Reports an access to "count" elements from index on; mask: the parts of an element
 * (tensix/order.h). To be called only if it is wanted: by a listener, or because configuration
 * words have undefined bits, which an instruction that reads them must not go by (E-UNDEF).
 */
void order_tell(struct tx_machine *m, enum tx_order_kind kind, const struct tx_op *op,
                enum tx_shared shared, unsigned index, uint32_t count, uint32_t mask);

static inline void order_read(struct tx_machine *m, const struct tx_op *op, enum tx_shared shared,
                              unsigned index, uint32_t count, uint32_t mask)
{
    if (order_wanted(m)) {
        order_tell(m, TX_ORDER_READ, op, shared, index, count, mask);
    }
}

static inline void order_write(struct tx_machine *m, const struct tx_op *op, enum tx_shared shared,
                               unsigned index, uint32_t count, uint32_t mask)
{
    if (order_wanted(m)) {
        order_tell(m, TX_ORDER_WRITE, op, shared, index, count, mask);
    }
}

/* Reports that a bank of Src, numbered bank + 2 * (0 SrcA, 1 SrcB), was taken or given away. */
static inline void order_bank(struct tx_machine *m, const struct tx_op *op, enum tx_order_kind kind,
                              unsigned bank, bool matrix)
{
    if (order_wanted(m)) {
        order_tell(m, kind, op, TX_SHARED_SRC, bank, 1, matrix ? 1 : 0);
    }
}

/*
 * Report that an instruction reads a configuration field, in the view of its thread. A field of
 * width 0 does not exist on this chip and is not reported.
 */
void order_field(struct tx_machine *m, const struct tx_op *op, struct cfg_place at);
void order_thread_field(struct tx_machine *m, const struct tx_op *op, struct cfg_place at);
/*
 * Reports accesses to words in the configuration bank of the instruction's thread, and that the
 * number of that bank was read.
 */
void order_words(struct tx_machine *m, const struct tx_op *op, bool write, unsigned word,
                 unsigned count, uint32_t mask);
/*
 * Reports rows of Dst by their physical numbers. If "wide", also the rows of the low halves, which
 * are eight further on.
 */
void order_rows(struct tx_machine *m, const struct tx_op *op, bool write, const unsigned at[],
                unsigned rows, bool wide, uint32_t columns);
/* Reports rows of the Src bank that the Matrix Unit uses, and that the bank's owner was read. */
void order_src(struct tx_machine *m, const struct tx_op *op, bool write, unsigned src, unsigned row,
               unsigned rows);

#endif
