/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What orders the threads of a coprocessor among each other: banks of Src that go from unit to unit
 * and semaphores. What a unit does counts as done by its thread's core, so that this is enough to
 * tell accesses of L1 apart; the room "race" looks closer, in one tile. Source: isa SEMWAIT,
 * SEMPOST, SEMGET, SEMINIT; MatrixUnit and UNPACR for banks.
 */
#include <stdlib.h>

#include "order/order.h"

enum { SEMAPHORES = 8, BANKS = 4, COUNTS = 16 };

struct semaphore {
    struct order_vec *post[COUNTS], *get[COUNTS]; /* what is known with so many of them */
    uint32_t posts, gets, max;
};
struct order_units {
    struct order_vec *bank[BANKS][2]; /* handed to the unpackers, to the Matrix Unit */
    struct semaphore semaphore[SEMAPHORES];
};

static struct order_units *units_of(struct txl_order *o, uint32_t tile)
{
    if (o->units[tile] == NULL) {
        o->units[tile] = calloc(1, sizeof *o->units[tile]);
        o->failed = o->failed || o->units[tile] == NULL;
    }
    return o->units[tile];
}

/* ---- semaphores ---- */

static void units_add(const struct txl_order *o, const struct order_core *core,
                      struct order_vec **list, uint32_t *count)
{
    struct order_vec *own = order_core_stamp(o, core, true);
    struct order_vec *all = order_vec_join(list[*count % COUNTS], own);
    order_vec_unref(own);
    ++*count;
    order_vec_unref(list[*count % COUNTS]);
    list[*count % COUNTS] = all;
}

static void units_begin(const struct txl_order *o, const struct order_core *core,
                        struct semaphore *s, uint32_t value, uint32_t max)
{
    struct order_vec *own = order_core_stamp(o, core, true);
    for (unsigned i = 0; i < COUNTS; i++) {
        order_vec_unref(s->post[i]);
        order_vec_unref(s->get[i]);
        s->post[i] = order_vec_ref(own);
        s->get[i] = order_vec_ref(own);
    }
    s->posts = value;
    s->gets = 0;
    s->max = max;
    order_vec_unref(own);
}

void order_units_semaphore(struct txl_order *o, const struct order_core *core, unsigned index,
                           bool post)
{
    struct order_units *u = units_of(o, core->number / ORDER_CORES);
    struct semaphore *s = u != NULL ? &u->semaphore[index % SEMAPHORES] : NULL;
    if (s != NULL && post) {
        units_add(o, core, s->post, &s->posts);
    } else if (s != NULL && s->gets < s->posts) {
        units_add(o, core, s->get, &s->gets);
    }
}

static void passed(struct txl_order *o, struct order_core *core, uint32_t word)
{
    struct tx_decoded d;
    struct order_units *u = units_of(o, core->number / ORDER_CORES);
    if (u == NULL || tx_decode(o->arch, word, &d) != TX_OK || d.row == NULL) {
        return;
    }
    const enum tx_insn_id insn = (enum tx_insn_id)d.row->insn;
    const uint32_t chosen = tx_row_field(d.row, TX_FLD_SEM, word);
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        if ((chosen >> i & 1u) == 0) {
            continue;
        }
        if (insn == TX_INSN_SEMINIT) {
            units_begin(o, core, &u->semaphore[i], tx_row_field(d.row, TX_FLD_IMM, word),
                        tx_row_field(d.row, TX_FLD_MAX, word));
        } else {
            order_units_semaphore(o, core, i, insn == TX_INSN_SEMPOST);
        }
    }
}

/* There has been one post more than gets, or one get more than leaves the semaphore full. */
static void waited(struct txl_order *o, struct order_core *core, uint32_t word)
{
    struct tx_decoded d;
    const struct order_units *u = units_of(o, core->number / ORDER_CORES);
    if (u == NULL || tx_decode(o->arch, word, &d) != TX_OK || d.row == NULL ||
        d.row->insn != TX_INSN_SEMWAIT) {
        return;
    }
    const uint32_t chosen = tx_row_field(d.row, TX_FLD_SEM, word);
    const uint32_t conditions = tx_row_field(d.row, TX_FLD_COND, word);
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        const struct semaphore *s = &u->semaphore[i];
        if ((chosen >> i & 1u) == 0) {
            continue;
        }
        if ((conditions & 1u) != 0) {
            order_vec_learn(&core->known, s->post[(s->gets + 1) % COUNTS]);
        }
        if ((conditions & 2u) != 0 && s->posts >= s->max) {
            order_vec_learn(&core->known, s->get[(s->posts - s->max + 1) % COUNTS]);
        }
    }
}

/* ---- all of a thread's events but those of L1 ---- */

/* Whether an instruction changes semaphores. */
static bool changes(const struct txl_order *o, uint32_t word)
{
    const enum tx_insn_id insn = tx_insn_id_of(o->arch, word);
    return insn == TX_INSN_SEMPOST || insn == TX_INSN_SEMGET || insn == TX_INSN_SEMINIT;
}

void order_units_order(struct txl_order *o, struct order_core *core, const struct tx_order *t)
{
    const bool bank = t->kind == TX_ORDER_TAKE || t->kind == TX_ORDER_GIVE;
    if (t->kind == TX_ORDER_PASS && changes(o, t->word)) {
        passed(o, core, t->word);
    } else if (t->kind == TX_ORDER_WAITED) {
        waited(o, core, t->word);
    }
    struct order_units *u = bank ? units_of(o, core->number / ORDER_CORES) : NULL;
    if (u == NULL) {
        return;
    }
    struct order_vec **given = &u->bank[t->index % BANKS][t->mask & 1u];
    if (t->kind == TX_ORDER_TAKE) {
        order_vec_learn(&core->known, *given);
    } else {
        struct order_vec *own = order_core_stamp(o, core, true);
        order_vec_unref(*given);
        *given = own;
    }
}

void order_units_close(struct txl_order *o)
{
    for (unsigned tile = 0; tile < ORDER_TILES; tile++) {
        struct order_units *u = o->units[tile];
        for (unsigned i = 0; u != NULL && i < BANKS; i++) {
            order_vec_unref(u->bank[i][0]);
            order_vec_unref(u->bank[i][1]);
        }
        for (unsigned i = 0; u != NULL && i < SEMAPHORES * COUNTS; i++) {
            order_vec_unref(u->semaphore[i / COUNTS].post[i % COUNTS]);
            order_vec_unref(u->semaphore[i / COUNTS].get[i % COUNTS]);
        }
        free(u);
    }
}
