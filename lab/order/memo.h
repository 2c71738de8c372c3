/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memo.c: what was found out about a load holds on every core that has the same instructions
 * wherever the search has looked. Kernels run on many tiles, and are loaded again and again.
 */
#ifndef LAB_ORDER_MEMO_H
#define LAB_ORDER_MEMO_H

#include "order/order.h"

struct order_memo *order_memo_new(void);
/* Fills in what is known of the load at pc; false: nothing that holds for this core. */
bool order_memo_find(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                     struct order_code *code);
/* A search begins: what order_fetch reads is noted until order_memo_keep. */
void order_memo_begin(const struct txl_order *o);
/* The search has asked of the instruction read last whether it stores to the core's own memory. */
void order_memo_own(const struct txl_order *o, uint32_t pc, bool own);
/* The search has ended so. */
void order_memo_keep(const struct txl_order *o, const struct order_code *code);

/* loop.c: whether a store goes to the core's own memory, by what its registers have in them. */
bool order_loop_own(const struct txl_order *o, uint32_t core, const struct tx_core_decoded *store);

#endif
