/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the NoC (N1 to N14 of spec/order-chip.md) and what counters tell of them (2.3).
 */
#include <tensix/facts.h>

#include <stdlib.h>
#include <string.h>

#include "order/order.h"

/* ---- tables ---- */

struct order_niu *order_niu_of(struct txl_order *o, uint32_t tile, unsigned noc)
{
    if (o->niu[tile][noc] == NULL) {
        o->niu[tile][noc] = calloc(1, sizeof *o->niu[tile][noc]);
        o->failed = o->failed || o->niu[tile][noc] == NULL;
    }
    return o->niu[tile][noc];
}

static struct order_pair next_of(struct txl_order *o, struct order_pair *p)
{
    if (p->actor == 0) {
        p->actor = order_actor(o);
    }
    p->at++;
    return *p;
}

struct order_way *order_way_of(struct txl_order *o, const struct tx_chip_transfer *t,
                               uint32_t receiver)
{
    enum { UNFIXED = 255, LINKED = 254 };
    const uint32_t channel = t->channel != UNFIXED ? t->channel : t->linked ? LINKED : UNFIXED;
    const uint64_t key[2] = {(uint64_t)t->from << 32 | t->rectangle,
                             (uint64_t)receiver << 32 | (uint64_t)channel << 8 | t->noc};
    if (channel == UNFIXED) {
        return NULL;
    }
    uint32_t *number = hash_at(&o->way_of, key, sizeof key);
    if (number != NULL && *number != 0) {
        return o->ways[*number - 1];
    }
    if (number == NULL || !LIST_ONE(o->ways, o->way_count, o->way_room, o->failed)) {
        o->failed = true;
        return NULL;
    }
    struct order_way *w = calloc(1, sizeof *w);
    if (w == NULL) {
        o->failed = true;
        return NULL;
    }
    *w = (struct order_way){.key = {key[0], key[1]},
                            .from = t->from,
                            .receiver = receiver,
                            .write_actor = order_actor(o),
                            .atomic_actor = order_actor(o),
                            .core = ORDER_NONE};
    o->ways[o->way_count++] = w;
    *number = (uint32_t)o->way_count;
    return w;
}

void order_request_use(struct txl_order *o, uint32_t request)
{
    o->requests[request].refs++;
}

void order_request_drop(struct txl_order *o, uint32_t request)
{
    struct order_request *r = &o->requests[request];
    if (--r->refs == 0) {
        order_vec_unref(r->go);
        r->go = NULL;
        r->used = false;
        r->next = o->request_free;
        o->request_free = request;
    }
}

static uint32_t request_new(struct txl_order *o)
{
    uint32_t taken = o->request_free;
    if (taken != 0) {
        o->request_free = o->requests[taken].next;
        return taken;
    }
    if (o->request_count == o->request_room) {
        const uint32_t room = o->request_room == 0 ? 1024 : 2 * o->request_room;
        struct order_request *more = realloc(o->requests, room * sizeof *more);
        if (more == NULL) {
            o->failed = true;
            return 0;
        }
        o->requests = more;
        o->request_room = room;
        o->request_count += o->request_count == 0 ? 1 : 0;
    }
    return o->request_count++;
}

/* The requests under way of an interface, by their numbers there. */
static uint32_t *flight(struct txl_order *o, const struct tx_chip_transfer *t)
{
    struct order_niu *n = order_niu_of(o, t->from, t->noc);
    return n != NULL ? &n->flight[t->sequence % ORDER_FLIGHTS] : NULL;
}

struct order_request *order_under_way(struct txl_order *o, const struct tx_chip_transfer *t,
                                      uint32_t *number)
{
    const uint32_t *at = flight(o, t);
    *number = at != NULL ? *at : 0;
    struct order_request *r = *number != 0 ? &o->requests[*number] : NULL;
    return r != NULL && r->sequence == t->sequence ? r : NULL;
}

void order_land(struct txl_order *o, const struct tx_chip_transfer *t, uint32_t number)
{
    const struct order_request *r = &o->requests[number];
    if (r->left == 0 && r->acts == 0 && r->answers == 0) {
        *flight(o, t) = 0;
        order_request_drop(o, number);
    }
}

/* ---- what is wrong with a request by itself ---- */

static bool inside(const struct txl_order *o, uint32_t endpoint, uint64_t address, uint64_t bytes)
{
    const uint64_t dram = (uint64_t)1 << tx_arch_fact(o->arch, TX_FACT_DRAM_BITS);
    const uint32_t memory = order_memory_of(o, endpoint);
    if (o->kind[endpoint] == TX_CHIP_EMPTY || o->off[endpoint]) {
        return false;
    }
    if (o->kind[endpoint] == TX_CHIP_TENSIX && address < ORDER_MMIO &&
        address + bytes > tx_l1_size(o->arch)) {
        return false;
    }
    if (order_is_dram(memory) && address < dram && address + bytes > dram) {
        return false;
    }
    const struct order_area *a = address < ORDER_MMIO ? o->area_of[memory] : NULL;
    bool good = a == NULL;
    for (; a != NULL && !good; a = a->next) {
        good = address >= a->address && address + bytes <= a->address + a->bytes;
    }
    return good;
}

/* K18: returns whether the request reaches what it names. */
static bool check_bounds(struct txl_order *o, const struct tx_chip_transfer *t, uint32_t site)
{
    const uint64_t address = t->kind == 2 && !t->is_inline ? t->back : t->target;
    const uint64_t bytes = t->is_inline || t->masked ? 4 : t->length;
    if (t->many || inside(o, t->to, address, bytes)) {
        return true;
    }
    order_find_one(o, TXL_ORDER_OUT_OF_BOUNDS, site,
                   "nothing that the program may reach is at these addresses");
    return false;
}

/* K19, K22 */
static void check_request(struct txl_order *o, const struct tx_chip_transfer *t, uint32_t site)
{
    enum { LINE = 15 };
    const bool dram = order_is_dram(order_memory_of(o, t->to));
    const bool unsafe = tx_arch_fact(o->arch, TX_FACT_NOC_INLINE_L1_BAD) != 0;
    if (t->kind == 1) {
        if (dram || t->target >= ORDER_MMIO || o->kind[t->to] == TX_CHIP_PCIE) {
            order_find_one(o, TXL_ORDER_ILLEGAL_ATOMIC, site, "atomics are for L1 only");
        }
        return;
    }
    if (t->is_inline) {
        if (dram || (unsafe && t->target < ORDER_MMIO) || o->kind[t->to] == TX_CHIP_PCIE) {
            order_find_one(o, TXL_ORDER_ILLEGAL_INLINE, site,
                           unsafe ? "an inline write to L1 is not safe on Blackhole"
                                  : "inline writes are for L1 and registers");
        }
        return;
    }
    const uint64_t mask =
        t->kind == 0 && dram ? tx_arch_fact(o->arch, TX_FACT_NOC_MEMORY_ALIGNMENT) - 1u : LINE;
    if (!t->masked && t->target < ORDER_MMIO && t->back < ORDER_MMIO &&
        ((t->target ^ t->back) & mask) != 0) {
        order_find_one(o, TXL_ORDER_ALIGNMENT, site,
                       "source and destination differ in the low bits of their addresses");
    }
}

/* K15 */
static void check_link(struct txl_order *o, struct order_niu *n, const struct tx_chip_transfer *t,
                       uint32_t core, uint32_t site)
{
    if (n->link.open) {
        if (!t->many || n->link.rectangle != t->rectangle) {
            order_find(o, TXL_ORDER_LINKED_OPEN, (uint32_t[]){n->link.site, site}, 2,
                       "a linked request is open: the next one of this interface must have the "
                       "same destination");
        }
        n->link.open = t->linked;
    }
    if (t->linked) {
        n->link.open = true;
        n->link.rectangle = t->rectangle;
        n->link.core = core;
        n->link.site = site;
    }
}

/* K16: two cores count acknowledgements of one interface, each for itself. */
static void check_users(struct txl_order *o, struct order_niu *n, const struct order_core *core,
                        uint32_t site)
{
    const struct order_core *other = n->has_writer ? o->core[n->writer] : NULL;
    if (other != NULL && other != core &&
        order_vec_get(core->start, other->actor) < n->writer_issue) {
        const bool first = !order_after(o, n->writer_site, site);
        order_find(o, TXL_ORDER_COUNTER_MISMATCH,
                   (uint32_t[]){first ? n->writer_site : site, first ? site : n->writer_site}, 2,
                   "two cores of a tile use one interface, and each waits for its own number of "
                   "acknowledgements only");
    }
    n->shared = n->shared || (other != NULL && other != core &&
                              order_vec_get(core->start, other->actor) < n->writer_issue);
    n->has_writer = true;
    n->writer = core->number;
    n->writer_site = site;
    n->writer_issue = core->at;
}

/* ---- starting ---- */

struct start {
    struct txl_order *o;
    struct order_core *core;
    struct order_niu *niu;
    const struct tx_chip_transfer *t;
    uint32_t number, site;
    bool reaches;
};

static struct order_event event_of(const struct start *s, enum order_type type)
{
    return (struct order_event){.type = (uint8_t)type,
                                .core = s->core->number,
                                .site = s->site,
                                .issue = s->core->at,
                                .cycle = (uint32_t)s->o->cycle,
                                .request = s->number};
}

/* Joins what all who used the way before knew (N6); returns what a request on it comes after. */
static struct order_view way_view(const struct start *s, struct order_way *w)
{
    struct order_view view = {.v = s->o->requests[s->number].go};
    if (w == NULL) {
        return view;
    }
    if (w->core != s->core->number && w->acc != NULL) {
        order_vec_learn(&w->acc, view.v);
    } else {
        order_vec_unref(w->acc);
        w->acc = order_vec_ref(view.v);
    }
    w->core = s->core->number;
    view.v = w->acc;
    return view;
}

static void check_source(const struct start *s, uint32_t memory, uint64_t address, uint64_t bytes)
{
    if (address + bytes <= ORDER_MMIO && !order_shadow_written(s->o, memory, address, bytes)) {
        order_find_one(s->o, TXL_ORDER_UNINITIALISED, s->site,
                       "the request takes bytes along that nobody has written");
    }
}

/*
 * That a write has arrived at one receiver tells that its source has been read, which is done once
 * for all of them (N11): the first receiver's way stands for the request.
 */
static void start_source(const struct start *s, uint32_t receiver)
{
    const struct tx_chip_transfer *t = s->t;
    struct order_request *r = &s->o->requests[s->number];
    struct order_event e = event_of(s, ORDER_SOURCE);
    const struct order_view view = {.v = r->go};
    if (t->is_inline || t->target >= ORDER_MMIO) {
        return;
    }
    e.known[0] = r->read;
    e.known[1] = r->done;
    const struct order_way *w = t->many ? order_way_of(s->o, t, receiver) : r->way;
    if (w != NULL && !s->o->documented) {
        e.known[2] = (struct order_pair){w->write_actor, w->writes + 1};
    }
    r->has_word = t->length == 4 && t->target % 4 == 0 && t->target < ORDER_MMIO &&
                  order_peek(s->o, t->from, t->target, &r->word);
    order_buffer_access(s->o, s->core, (uint32_t)t->target, t->length, false, s->site);
    check_source(s, t->from, t->target, t->length);
    order_shadow_access(s->o, t->from, t->target, t->length, &e, &view);
}

/* The destination of a write at one receiver. */
static void start_write(const struct start *s, uint32_t receiver)
{
    const struct tx_chip_transfer *t = s->t;
    struct txl_order *o = s->o;
    const uint32_t memory = order_memory_of(o, receiver);
    const uint64_t address = t->is_inline ? t->target & ~(uint64_t)3 : t->back;
    const uint64_t bytes = t->is_inline || t->masked ? 4 : t->length;
    struct order_way *w = order_way_of(o, t, receiver);
    struct order_view view = way_view(s, w);
    struct order_event e = event_of(s, ORDER_WRITTEN);
    const bool ordered = w != NULL && (!o->documented || order_is_dram(memory));
    e.known[0] = o->requests[s->number].done;
    e.way = w != NULL ? w->write_actor : 0;
    if (ordered) {
        order_view_add(&view, w->write_actor, w->writes);
        e.known[1] = (struct order_pair){w->write_actor, ++w->writes};
        w->recent[w->writes % ORDER_RECENT].sequence = t->sequence;
        w->recent[w->writes % ORDER_RECENT].serial = w->writes;
    } else {
        e.known[1] = (struct order_pair){order_actor(o), 1}; /* known by itself alone */
    }
    for (uint64_t at = address & ~(uint64_t)3;
         at < address + bytes && bytes <= ORDER_LINE && !order_is_dram(memory); at += 4) {
        (void)order_word_at(o, memory, order_changes(o, at), true);
    }
    if (address + bytes <= ORDER_MMIO || order_is_dram(memory)) {
        order_shadow_access(o, memory, address, bytes, &e, &view);
    }
    struct order_request *r = &o->requests[s->number];
    r->way = w;
    r->own = e.known[1];
    if (ordered && t->answered) {
        order_vec_learn_one(&s->niu->behind[0], w->write_actor, w->writes);
    }
}

static void start_atomic(const struct start *s)
{
    const struct tx_chip_transfer *t = s->t;
    struct txl_order *o = s->o;
    struct order_way *w = order_way_of(o, t, t->to);
    struct order_view view = way_view(s, w);
    struct order_event e = event_of(s, ORDER_ATOMIC);
    e.known[0] = o->requests[s->number].done;
    if (w != NULL) {
        order_view_add(&view, w->atomic_actor, w->atomics);
        if (!o->documented) { /* I-SAMEVC-WA */
            order_view_add(&view, w->write_actor, w->writes);
        }
        e.known[1] = (struct order_pair){w->atomic_actor, ++w->atomics};
    } else {
        e.known[1] = (struct order_pair){order_actor(o), 1};
    }
    if (t->target < ORDER_MMIO && !order_is_dram(order_memory_of(o, t->to)) && s->reaches) {
        struct order_word *word = order_word_at(o, t->to, t->target, true);
        if (word != NULL) {
            word->atomic = true;
        }
        order_shadow_access(o, t->to, t->target, 4, &e, &view);
    }
    struct order_request *r = &o->requests[s->number];
    r->way = w;
    r->own = e.known[1];
    r->before = w != NULL && !o->documented ? (struct order_pair){w->write_actor, w->writes}
                                            : (struct order_pair){0, 0};
    if (r->before.at != 0 && t->answered) {
        order_vec_learn_one(&s->niu->behind[1], r->before.actor, r->before.at);
    }
}

static void start_read(const struct start *s)
{
    const struct tx_chip_transfer *t = s->t;
    struct txl_order *o = s->o;
    const uint32_t memory = order_memory_of(o, t->to);
    struct order_way *w = order_way_of(o, t, t->to);
    struct order_view view = way_view(s, w);
    struct order_event e = event_of(s, ORDER_TARGET);
    if (w != NULL) {
        order_view_add(&view, w->write_actor, w->writes);
    }
    e.known[0] = o->requests[s->number].done;
    if (t->target + t->length <= ORDER_MMIO || order_is_dram(memory)) {
        check_source(s, memory, t->target, t->length);
        order_shadow_access(o, memory, t->target, t->length, &e, &view);
    }
    if (t->back < ORDER_MMIO) {
        e.type = ORDER_FETCHED;
        order_buffer_access(o, s->core, (uint32_t)t->back, t->length, true, s->site);
        order_shadow_access(o, t->answer, t->back, t->length, &e, &view);
    }
}

/* Counts what has yet to come, and gives the request its serials. */
static void start_counts(const struct start *s, uint32_t receivers)
{
    const struct tx_chip_transfer *t = s->t;
    struct order_niu *n = s->niu;
    struct order_request *r = &s->o->requests[s->number];
    const unsigned id = t->transaction;
    r->left = t->packets;
    r->acts = t->packets * receivers;
    r->answers = t->answered ? r->acts : 0;
    if (t->kind == 0) {
        r->class = ORDER_READS;
        r->done = next_of(s->o, &n->reads[id]);
        n->out_reads += r->answers;
    } else if (t->kind == 1) {
        r->class = ORDER_ATOMICS;
        r->done = t->answered ? next_of(s->o, &n->atomics) : r->done;
        n->out_atomics += r->answers;
    } else {
        r->class = t->answered ? ORDER_ACKED : ORDER_POSTED;
        r->done = t->answered ? next_of(s->o, &n->acked[id]) : r->done;
        r->read = next_of(s->o, &n->sent[!t->answered][id]);
        n->out_acked += r->answers;
        n->out_sent[!t->answered] += r->left;
        n->issued[!t->answered] += r->left;
        n->late[!t->answered][n->lates[!t->answered] % ORDER_LATE].packets =
            n->issued[!t->answered];
        n->late[!t->answered][n->lates[!t->answered]++ % ORDER_LATE].source = r->read;
        n->out_source[id] += t->is_inline ? 0 : r->left;
    }
    n->out_id[id] += r->answers;
    if (r->class != ORDER_ATOMICS || t->answered) {
        const struct order_pair p = r->class == ORDER_POSTED ? r->read : r->done;
        s->core->open[t->noc][r->class][id].actor = p.actor;
        s->core->open[t->noc][r->class][id].serial = p.at;
        s->core->open_site[t->noc][r->class] = s->site;
    }
}

/* K21 */
static void check_overflow(const struct start *s)
{
    enum { MOST = 255 };
    const struct tx_chip_transfer *t = s->t;
    uint32_t *issued = &s->core->issued[t->noc][t->transaction];
    if (t->transaction == 0 || !t->answered || t->kind == 1) {
        return;
    }
    const uint32_t before = *issued;
    *issued += t->packets;
    if (before <= MOST && *issued > MOST) {
        order_find_one(s->o, TXL_ORDER_COUNTER_OVERFLOW, s->site,
                       "more than 255 requests of one transaction id are under way, which its "
                       "counter of 8 bits cannot tell from none");
    }
}

void order_go(struct txl_order *o, const struct tx_chip_order *t)
{
    const struct tx_chip_transfer *q = t->transfer;
    struct order_core *core =
        q->core < TX_CORES && !q->host ? order_core(o, q->from, q->core) : NULL;
    struct order_niu *n = order_niu_of(o, q->from, q->noc);
    if (core == NULL || n == NULL) {
        return;
    }
    order_core_next(o, core, t->number);
    core->wait.on = false;
    struct start s = {o, core, n, q, request_new(o), order_site(o, core, t->pc), true};
    if (s.number == 0) {
        return;
    }
    o->requests[s.number] = (struct order_request){.refs = 1,
                                                   .core = core->number,
                                                   .site = s.site,
                                                   .issue = core->at,
                                                   .from = q->from,
                                                   .sequence = q->sequence,
                                                   .noc = q->noc,
                                                   .kind = q->kind,
                                                   .id = q->transaction,
                                                   .answered = q->answered,
                                                   .is_inline = q->is_inline,
                                                   .used = true,
                                                   .length = q->length,
                                                   .go = order_core_stamp(o, core, true)};
    uint32_t *at = flight(o, q);
    if (*at != 0) {
        order_request_drop(o, *at);
    }
    *at = s.number;
    check_link(o, n, q, core->number, s.site);
    s.reaches = check_bounds(o, q, s.site);
    check_request(o, q, s.site);
    if (s.reaches) {
        order_extent_check(o, q, s.site);
    }
    if (q->kind == 2 && q->answered) {
        check_users(o, n, core, s.site);
        n->many_site = q->many ? s.site : n->many_site;
        n->last_site = s.site;
        n->had_many = n->had_many || q->many;
    }
    n->lost = n->lost || !s.reaches;
    const bool mixed = n->initiator[q->initiator % 4].mixed != 0;
    n->initiator[q->initiator % 4].mixed -= mixed;
    n->initiator[q->initiator % 4].filler = 0;
    if (!s.reaches && q->kind == 0) {
        return;
    }
    check_overflow(&s);
    start_counts(&s, t->receiver_count);
    n->initiator[q->initiator % 4].unseen = true;
    n->initiator[q->initiator % 4].core = core->number;
    n->initiator[q->initiator % 4].read = o->requests[s.number].read;
    n->initiator[q->initiator % 4].done = o->requests[s.number].done;
    if (mixed) { /* nobody knows what it does; of acknowledged writes K16 is reported */
        if (q->kind != 2 || !q->answered) {
            order_find_one(o, TXL_ORDER_INITIATOR_BUSY, s.site,
                           "two cores fill in this initiator at once");
        }
        return;
    }
    if (q->kind == 0) {
        start_read(&s);
    } else if (q->kind == 1) {
        start_atomic(&s);
    } else {
        o->requests[s.number].way = q->many ? NULL : order_way_of(o, q, q->to);
        start_source(&s, t->receiver_count != 0 ? t->receivers[0] : q->to);
        for (uint32_t i = 0; i < t->receiver_count && s.reaches; i++) {
            start_write(&s, t->receivers[i]);
        }
    }
}

void order_noc_close(struct txl_order *o)
{
    for (uint32_t i = 1; i < o->request_count; i++) {
        if (o->requests[i].used) {
            order_vec_unref(o->requests[i].go);
        }
    }
    free(o->requests);
    for (size_t i = 0; i < o->way_count; i++) {
        order_vec_unref(o->ways[i]->acc);
        free(o->ways[i]);
    }
    hash_free(&o->way_of);
    free(o->ways);
    for (uint32_t i = 0; i < ORDER_TILES; i++) {
        for (unsigned noc = 0; noc < 2; noc++) {
            if (o->niu[i][noc] != NULL) {
                order_vec_unref(o->niu[i][noc]->behind[0]);
                order_vec_unref(o->niu[i][noc]->behind[1]);
            }
            free(o->niu[i][noc]);
        }
    }
}
