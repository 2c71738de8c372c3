/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bringing foreign state into range. A snapshot that this library has not written may hold any
 * values: counts and indices that would reach beyond their arrays are reduced, and totals
 * recounted.
 */
#include "front/front.h"
#include "scalar/unit.h"

static void safe_queue(struct queue *q)
{
    q->head %= QUEUE_WORDS;
    q->count = q->count > QUEUE_WORDS ? QUEUE_WORDS : q->count;
}

static void safe_thread(struct tx_state *s, unsigned thread)
{
    struct front *f = &s->front;
    struct replay *r = &f->replay[thread];
    struct wait_gate *g = &s->units.gate[thread];
    unsigned counted = f->behind_live[thread] != 0;
    for (unsigned i = 0; i < TX_QUEUE_COUNT; i++) {
        struct queue *q = &f->queue[thread][i];
        safe_queue(q);
        for (unsigned k = 0; k < q->count; k++) {
            counted += q->counted >> (q->head + k) % QUEUE_WORDS & 1u;
        }
    }
    f->pushed[thread] = (uint8_t)counted;
    r->index &= 31u;
    r->remaining = r->remaining > 63 ? 63 : r->remaining;
    r->emitting = r->emitting > 63 ? 63 : r->emitting;
    f->mop[thread].mask_hi &= 0xFFFFu;
    for (unsigned i = 0; i < 16; i++) {
        f->declared[thread][i] &= DECLARED | DECLARED_RESOURCES;
    }
    /* Of template 0 the steps are five words, of template 1 there are four. */
    f->mop[thread].step =
        f->mop[thread].step > (f->mop[thread].template1 != 0 ? 3u : 4u) ? 0 : f->mop[thread].step;
    g->wait = g->wait > TX_WAIT_SEMWAIT ? TX_WAIT_NONE : g->wait;
    g->hold = g->hold >= TX_HOLD_COUNT ? TX_HOLD_NONE : g->hold;
    g->other = g->other > TX_THREADS ? TX_THREADS : g->other;
    g->block = g->block == 0 ? 1u << 6 : g->block & 511u;
    s->units.waits = (uint8_t)(s->units.waits + (g->wait != TX_WAIT_NONE));
}

static void safe_requests(struct units *u)
{
    u->requests = u->config_writes = 0;
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct request *r = &u->request[i];
        r->live = r->live != 0 && r->thread < TX_THREADS && r->size <= 16;
        r->reg &= r->size == 16 ? 0x3Cu : 0x3Fu;
        r->size = r->size > 4 ? 16 : r->size;
        u->requests = (uint8_t)(u->requests + r->live);
    }
    for (unsigned i = 0; i < CONFIG_WRITES; i++) {
        struct config_write *w = &u->config_write[i];
        w->live = w->live != 0 && w->word < 252 && w->count <= 4;
        w->bank &= 1u;
        u->config_writes = (uint8_t)(u->config_writes + w->live);
    }
}

void front_make_safe(struct tx_state *s)
{
    struct units *u = &s->units;
    struct scalar *scalar = &u->scalar;
    u->waits = 0;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        safe_thread(s, t);
    }
    safe_requests(u);
    if (scalar->op.row >= ROWID_COUNT || scalar->op.thread >= TX_THREADS ||
        scalar->kind > SCALAR_BANK ||
        (scalar->kind == SCALAR_BANK &&
         (scalar->op.row != ROWID_STOREIND_SRC ||
          isa_row_of(TX_BLACKHOLE, scalar->op.word) != ROWID_STOREIND_SRC)) ||
        isa_row((enum isa_row_id)scalar->op.row)->text.unit != TX_UNIT_SCALAR) {
        scalar->live = 0;
        scalar->kind = SCALAR_TIMED;
        scalar->op.row = ROWID_DMANOP;
        scalar->op.thread = 0;
    }
    for (unsigned i = 0; i < GROUP_COUNT; i++) {
        u->last[i] %= TX_THREADS;
    }
    for (unsigned src = 0; src < 2; src++) {
        u->matrix_bank[src] &= 1u;
        u->unpack_bank[src] &= 1u;
    }
    unit_unpack_make_safe(s);
    unit_pack_make_safe(s);
    for (unsigned i = 0; i < 8; i++) {
        u->mutex[i] = u->mutex[i] > TX_THREADS ? 0 : u->mutex[i];
        s->semaphore[i] &= 15u;
        s->semaphore_max[i] &= 15u;
    }
}
