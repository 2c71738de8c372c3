/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests on their way: which are over, and which words they have changed where somebody waits.
 */
#include <tensix/facts.h>

#include "order/order.h"

/* ---- on the way ---- */

/* What a write that has arrived lets those know who wait for its word. */
static struct order_vec *arrival(struct txl_order *o, const struct tx_chip_transfer *t,
                                 const struct order_request *r, uint32_t receiver, bool small,
                                 struct order_event *e)
{
    struct order_way *w = order_way_of(o, t, receiver);
    struct order_view view = {.v = r->go};
    struct order_pair own = r->own;
    for (unsigned i = 0; t->many && w != NULL && i < ORDER_RECENT; i++) {
        if (w->recent[i].sequence == t->sequence) {
            own = (struct order_pair){w->write_actor, w->recent[i].serial};
        }
    }
    *e = (struct order_event){.type = t->kind == 1 ? ORDER_ATOMIC : ORDER_WRITTEN,
                              .core = r->core,
                              .site = r->site,
                              .issue = r->issue,
                              .cycle = (uint32_t)o->cycle,
                              .request = (uint32_t)(r - o->requests),
                              .known = {r->done, own}};
    if (!small) { /* N3: only the start of the packet */
        return order_vec_ref(r->go);
    }
    order_view_add(&view, own.actor, own.at);
    order_view_add(&view, r->before.actor, r->before.at);
    return order_view_vec(&view);
}

/* The words of a memory that a packet has changed. */
static void changed(struct txl_order *o, const struct tx_chip_order *t, struct order_request *r)
{
    enum { SMALL = 16 };
    const struct tx_chip_transfer *q = t->transfer;
    const uint32_t memory = order_memory_of(o, t->index);
    const bool copies = q->kind == 2 && !q->is_inline;
    const uint64_t first = (copies ? q->back : q->target) & ~(uint64_t)3;
    const uint64_t bytes = copies && !q->masked ? q->length + (q->back & 3) : 4;
    const bool small = bytes <= SMALL;
    struct order_event e = {0};
    struct order_vec *v = NULL;
    for (uint64_t at = first; at < first + bytes; at += 4) {
        const uint64_t word = order_changes(o, at);
        struct order_word *w = order_word_at(o, memory, word, false);
        uint32_t value = 0;
        if (w == NULL || !order_peek(o, memory, word, &value)) {
            continue;
        }
        if (v == NULL && r != NULL) {
            v = arrival(o, q, r, t->index, small, &e);
        } else if (v == NULL) {
            e = (struct order_event){.type = ORDER_HOSTED,
                                     .core = ORDER_HOST,
                                     .site = ORDER_NONE,
                                     .cycle = (uint32_t)t->cycle,
                                     .known = {{o->host_actor, o->host_at}}};
            v = order_vec_ref(o->host);
        }
        struct order_event own = e;
        own.type = word != at ? ORDER_ATOMIC : e.type; /* it is added */
        order_word_change(o, w, &own, v, value);
    }
    order_vec_unref(v);
}

/* The host reads what is no word that it polls: a result, which has to be there. */
static void host_takes(struct txl_order *o, uint32_t memory, const struct tx_chip_transfer *q)
{
    order_vec_learn_one(&o->host, o->host_actor, ++o->host_at);
    const struct order_view view = {.v = o->host};
    const struct order_event e = {.type = ORDER_HOST_READS,
                                  .core = ORDER_HOST,
                                  .site = ORDER_NONE,
                                  .issue = o->host_at,
                                  .known = {{o->host_actor, o->host_at}}};
    order_shadow_access(o, memory, q->target, q->length, &e, &view);
}

static void host_acts(struct txl_order *o, const struct tx_chip_order *t)
{
    enum { WORDS = 64 }; /* bytes, of what a host may poll */
    const struct tx_chip_transfer *q = t->transfer;
    const uint32_t memory = order_memory_of(o, t->index);
    o->looks = q->kind == 0 ? o->looks + 1 : 0;
    o->moves += q->kind == 0 ? 0 : 1;
    if (q->kind == 0) {
        if (order_is_dram(memory) || (q->target < ORDER_MMIO && q->length > WORDS)) {
            host_takes(o, memory, q);
        }
        if (q->target < ORDER_MMIO || order_is_dram(memory)) {
            order_shadow_learn(o, memory, q->target, q->length, &o->host);
        }
        for (uint64_t at = q->target & ~(uint64_t)3;
             q->length <= WORDS && at < q->target + q->length; at += 4) {
            const struct order_word *w = order_word_at(o, memory, at, false);
            if (w != NULL) {
                order_word_seen(w, &o->host);
            } else if (at < ORDER_MMIO) {
                struct order_vec *v = order_shadow_last(o, memory, at);
                order_vec_learn(&o->host, v);
                order_vec_unref(v);
            }
        }
        return;
    }
    order_vec_learn_one(&o->host, o->host_actor, ++o->host_at);
    struct order_event e = {.type = ORDER_HOSTED,
                            .core = ORDER_HOST,
                            .site = ORDER_NONE,
                            .cycle = (uint32_t)t->cycle,
                            .issue = o->host_at,
                            .known = {{o->host_actor, o->host_at}}};
    const struct order_view view = {.v = o->host};
    if (q->back + q->length <= ORDER_MMIO || order_is_dram(memory)) {
        order_shadow_access(o, memory, q->back, q->length, &e, &view);
    }
    order_code_changed(o, memory, q->back, q->length);
    changed(o, t, NULL);
    if (q->back + q->length > ORDER_MMIO && !order_is_dram(memory)) {
        order_buffer_given(o, memory);
        const uint32_t reset = tx_arch_fact(o->arch, TX_FACT_TILE_SOFT_RESET_0);
        if (q->back <= reset && q->back + q->length > reset) {
            order_core_held(o, memory);
        }
    }
}

/*
 * A write has come to the host's memory. When the host looks there nobody tells, so what it does
 * from now on counts as done with that in mind.
 */
static void host_gets(struct txl_order *o, const struct tx_chip_order *t,
                      const struct order_request *r)
{
    struct order_event e;
    struct order_vec *v = arrival(o, t->transfer, r, t->index, true, &e);
    order_vec_learn(&o->host, v);
    order_vec_unref(v);
}

static void step(struct txl_order *o, const struct tx_chip_order *t)
{
    const struct tx_chip_transfer *q = t->transfer;
    uint32_t number;
    struct order_request *r = order_under_way(o, q, &number);
    struct order_niu *n = r != NULL ? order_niu_of(o, q->from, q->noc) : NULL;
    if (n == NULL) {
        return;
    }
    if (t->kind == TX_CHIP_ORDER_LEAVE && r->left != 0) {
        r->left--;
        if (q->kind == 2) {
            n->out_sent[!q->answered]--;
            n->out_source[q->transaction] -= q->is_inline ? 0 : 1;
        }
    } else if (t->kind == TX_CHIP_ORDER_ACT && r->acts != 0) {
        r->acts--;
        if (o->kind[t->index] == TX_CHIP_PCIE && q->kind == 2) {
            host_gets(o, t, r);
        } else if (q->kind != 0) {
            changed(o, t, r);
            order_code_changed(o, t->index, q->back, q->length);
        }
    } else if (t->kind == TX_CHIP_ORDER_ANSWER && r->answers != 0) {
        r->answers--;
        order_code_changed(o, q->kind == 0 ? q->answer : ORDER_TILES, q->back, q->length);
        n->out_reads -= q->kind == 0;
        n->out_atomics -= q->kind == 1;
        n->out_acked -= q->kind == 2;
        n->out_id[q->transaction]--;
    }
    order_land(o, q, number);
}

void order_noc_order(struct txl_order *o, const struct tx_chip_order *t)
{
    o->cycle = t->cycle;
    if (t->transfer->host) {
        if (t->kind == TX_CHIP_ORDER_ACT) {
            host_acts(o, t);
        }
    } else if (t->kind == TX_CHIP_ORDER_GO) {
        order_go(o, t);
    } else {
        step(o, t);
    }
}
