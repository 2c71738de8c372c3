/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cores do: loads and stores of L1, letters, stream registers, the loads of counters. C1 to C9
 * and S1 of spec/order-chip.md; B1 and B2 for buffers through stream registers.
 */
#include <tensix/facts.h>

#include <stdlib.h>
#include <string.h>

#include "order/order.h"

struct order_view order_core_view(const struct order_core *core)
{
    struct order_view view = {.v = core->known};
    order_view_add(&view, core->actor, core->at);
    order_view_add(&view, core->store_actor, core->arrived);
    return view;
}

struct order_vec *order_core_stamp(const struct txl_order *o, const struct order_core *core,
                                   bool stores)
{
    struct order_view view = order_core_view(core);
    if (stores && !o->documented) { /* I-STORE */
        order_view_add(&view, core->store_actor, core->stores);
    }
    return order_view_vec(&view);
}

/* Keeps what the core knows, if that has changed since it was kept last. */
static void keep_past(struct order_core *core)
{
    if (core->pasts != 0 && core->past[(core->pasts - 1) % ORDER_PAST].v == core->known) {
        return;
    }
    const unsigned i = core->pasts++ % ORDER_PAST;
    order_vec_unref(core->past[i].v);
    core->past[i].at = core->at;
    core->past[i].v = order_vec_ref(core->known);
}

struct order_vec *order_core_then(const struct order_core *core, uint32_t at)
{
    for (unsigned i = 0; i < ORDER_PAST && i < core->pasts; i++) {
        const unsigned k = (core->pasts - 1 - i) % ORDER_PAST;
        if (core->past[k].at <= at) {
            return order_vec_ref(core->past[k].v);
        }
    }
    return NULL;
}

/* C9: whether the core's data cache is on. */
bool order_caches(const struct txl_order *o, const struct order_core *core)
{
    tx_tensix *tile = o->tile[core->number / ORDER_CORES].tile;
    struct tx_core_csr csr;
    uint32_t value = 0;
    for (unsigned i = 0; tx_core_csr_at(o->arch, i, &csr) == TX_OK; i++) {
        if (strcmp(csr.name, "cfg0") == 0) {
            (void)tx_core_csr_read(tile, (enum tx_core)(core->number % ORDER_CORES), i, &value);
        }
    }
    return tx_arch_fact(o->arch, TX_FACT_DATA_CACHE) != 0 &&
           (value >> tx_arch_fact(o->arch, TX_FACT_CFG0_CACHE_OFF_BIT) & 1u) == 0;
}

/* Begins the next event of a core: its number of instructions is as given. */
void order_core_next(struct txl_order *o, struct order_core *core, uint64_t number)
{
    (void)o;
    core->at++;
    if (core->later != NULL && number >= core->later_at) {
        order_vec_learn(&core->known, core->later);
        order_vec_unref(core->later);
        core->later = NULL;
    }
    if (core->later_arrived > core->arrived && number >= core->later_at) {
        core->arrived = core->later_arrived;
    }
}

/* ---- loads ---- */

/* C3: a load of the core's own stores tells that they have arrived, once it is used. */
static void own_arrived(struct txl_order *o, struct order_core *core, const struct order_code *code,
                        uint32_t tile, uint32_t address, uint32_t bytes, uint64_t number)
{
    enum { CERTAIN = 8 };
    const uint32_t serial =
        core->arrived < core->stores ? order_shadow_own_store(o, tile, address, bytes, core) : 0;
    if (serial <= core->arrived) {
        return;
    }
    if (code->uses) {
        core->arrived = serial;
    } else {
        core->later_arrived = serial;
        core->later_at = number + CERTAIN;
    }
}

/* A load in a loop that waits: returns true if it is one. */
static bool waits(struct txl_order *o, struct order_core *core, uint32_t pc, uint32_t address)
{
    const uint32_t tile = core->number / ORDER_CORES;
    const struct order_code *code = order_code_at(o, core, pc);
    uint32_t value = 0;
    if (!code->waits || !order_peek(o, tile, address & ~3u, &value)) {
        return false;
    }
    struct order_word *w = order_word_at(o, tile, address, true);
    if (w == NULL) {
        return false;
    }
    if (core->wait.on && core->wait.pc == pc && core->wait.key == w->key &&
        core->wait.value == value) {
        return true; /* nothing has changed */
    }
    order_still_asks(o, core, pc, w->key, value);
    core->wait.on = true;
    core->wait.pc = pc;
    core->wait.site = order_site(o, core, pc);
    core->wait.key = w->key;
    core->wait.value = value;
    w->waited = true;
    const struct order_guess guess = {address & ~3u, value};
    const enum order_exit exit = order_code_exit(o, core, code, &guess, 1, NULL);
    if (exit == ORDER_UNKNOWN) {
        core->wait.on = false;
        return false;
    }
    if (exit == ORDER_LEAVES) {
        core->wait.on = false;
        order_word_taken(o, w, core, pc, address);
        order_still_left(o, core, w);
        if (address >= ORDER_MMIO) {
            order_buffer_taken(o, core, code, address);
        }
    }
    return true;
}

static struct order_event event_of(const struct txl_order *o, const struct order_core *core,
                                   enum order_type type, uint32_t site)
{
    return (struct order_event){.type = (uint8_t)type,
                                .core = core->number,
                                .site = site,
                                .issue = core->at,
                                .cycle = (uint32_t)o->cycle,
                                .known = {{core->actor, core->at}}};
}

enum { LOAD_BACK = 8 /* instructions, at most, from a store to the load that looks for it */ };

/* A loop that does more than to wait asks for a word: a new value tells of those who made it. */
static bool polls(struct txl_order *o, struct order_core *core, const struct tx_order *t)
{
    const uint32_t tile = core->number / ORDER_CORES;
    uint32_t value = 0;
    bool fresh = false;
    if (o->documented || t->count > 4 || !order_peek(o, tile, t->index & ~3u, &value) ||
        !order_code_polls(core, t->word, t->index, value, &fresh)) {
        return false;
    }
    struct order_word *w = order_word_at(o, tile, t->index, true);
    if (w != NULL) {
        w->waited = true;
    }
    if (w != NULL && fresh) {
        order_word_seen(w, &core->known);
    }
    o->moves += fresh ? 1 : 0;
    core->polled = (uint32_t)o->cycle;
    return true;
}

static void order_core_load(struct txl_order *o, struct order_core *core, const struct tx_order *t)
{
    const uint32_t tile = core->number / ORDER_CORES;
    if (waits(o, core, t->word, t->index)) {
        return;
    }
    core->wait.on = false;
    const struct order_code *code = order_code_at(o, core, t->word);
    const uint32_t site = order_site(o, core, t->word);
    own_arrived(o, core, code, tile, t->index, t->count, t->number);
    core->loaded.key = (uint64_t)(tile + 1) << 40 | t->index >> 2;
    core->loaded.site = site;
    core->loaded.number = t->number;
    struct order_view view = order_core_view(core);
    order_view_add(&view, core->store_actor, core->stores); /* it sees its own stores */
    const struct order_event e = event_of(o, core, ORDER_LOAD, site);
    if (!order_shadow_written(o, tile, t->index, t->count) &&
        !order_code_copies(o, core, t->word)) {
        order_find_one(o, TXL_ORDER_UNINITIALISED, site, "nobody has written these bytes");
    }
    order_buffer_access(o, core, t->index, t->count, false, site);
    if (code->decides && polls(o, core, t)) {
        return;
    }
    o->moves++;
    if (core->stored.address == t->index && t->number - core->stored.number <= LOAD_BACK) {
        return; /* it only looks whether the store has arrived */
    }
    order_shadow_access(o, tile, t->index, t->count, &e, &view);
}

/* ---- stores ---- */

static bool is_update(const struct txl_order *o, const struct order_core *core, uint64_t key,
                      uint32_t site, uint64_t number)
{
    enum { NEAR = 8 };
    struct txl_order_site a;
    struct txl_order_site b;
    if (core->loaded.key != key) {
        return false;
    }
    if (number - core->loaded.number <= NEAR) {
        return true;
    }
    order_place((struct txl_order *)(uintptr_t)o, core->loaded.site, &a);
    order_place((struct txl_order *)(uintptr_t)o, site, &b);
    return a.line != 0 && a.line == b.line && strcmp(a.file, b.file) == 0;
}

static void store(struct txl_order *o, struct order_core *core, const struct tx_order *t,
                  bool atomic)
{
    const uint32_t tile = core->number / ORDER_CORES;
    const uint32_t site = order_site(o, core, t->word);
    uint32_t value = 0;
    core->wait.on = false;
    o->moves++;
    core->stores++;
    core->stored.address = t->index;
    core->stored.number = t->number;
    keep_past(core);
    struct order_event e = event_of(o, core, atomic ? ORDER_ATOMIC : ORDER_STORE, site);
    e.known[0] = (struct order_pair){core->store_actor, core->stores};
    (void)order_peek(o, tile, t->index & ~3u, &value);
    e.zero = value == 0;
    struct order_word *w = order_word_at(o, tile, t->index, atomic);
    const uint64_t key = (uint64_t)(tile + 1) << 40 | t->index >> 2;
    e.updates = is_update(o, core, key, site, t->number);
    struct order_view view = order_core_view(core);
    order_view_add(&view, core->store_actor, core->stores);
    order_buffer_access(o, core, t->index, t->count, true, site);
    if (w != NULL) {
        struct order_vec *v = order_view_vec(&view);
        order_word_change(o, w, &e, v, value);
        order_vec_unref(v);
    }
    order_shadow_access(o, tile, t->index, t->count, &e, &view);
    if (atomic) { /* C6 */
        core->arrived = core->stores;
    }
}

/* What a unit of the coprocessor does counts as done by its thread's core. */
static void unit(struct txl_order *o, uint32_t tile, const struct tx_order *t)
{
    struct order_core *core = order_core(o, tile, TX_CORE_T0 + t->thread % TX_THREADS);
    if (core == NULL) {
        return;
    }
    if (t->kind != TX_ORDER_READ && t->kind != TX_ORDER_WRITE) {
        order_units_order(o, core, t);
        return;
    }
    if (t->shared != TX_SHARED_L1 || t->count == 0) {
        return;
    }
    const bool write = t->kind == TX_ORDER_WRITE;
    struct order_view view = order_core_view(core);
    order_view_add(&view, core->store_actor, core->stores);
    order_core_next(o, core, 0);
    order_view_add(&view, core->actor, core->at);
    struct order_event e = event_of(o, core, write ? ORDER_STORE : ORDER_LOAD, ORDER_NONE);
    e.site = order_site(o, core, 0);
    order_buffer_access(o, core, t->index, t->count, write, e.site);
    order_shadow_access(o, tile, t->index, t->count, &e, &view);
}

/* ---- letters ---- */

enum { LETTERS = 16 };

static void letter(struct txl_order *o, struct order_core *core, const struct tx_order *t)
{
    const uint32_t tile = core->number / ORDER_CORES;
    const unsigned self = core->number % ORDER_CORES;
    const bool sends = t->kind == TX_ORDER_SEND;
    const unsigned from = sends ? self : t->index % ORDER_CORES;
    const unsigned to = sends ? t->index % ORDER_CORES : self;
    const size_t at = ((size_t)tile * ORDER_CORES + from) * ORDER_CORES + to;
    if (sends && o->letters[at].count < LETTERS) {
        core->letters = true;
        o->letters[at].v[(o->letters[at].first + o->letters[at].count++) % LETTERS] =
            order_core_stamp(o, core, false);
    } else if (!sends && o->letters[at].count != 0) {
        struct order_vec *v = o->letters[at].v[o->letters[at].first];
        o->letters[at].first = (o->letters[at].first + 1) % LETTERS;
        o->letters[at].count--;
        order_vec_learn(&core->known, v);
        order_vec_unref(v);
    }
}

/* P1, P2: a core starts after what the host did. */
static void core_start(struct txl_order *o, struct order_core *core)
{
    order_vec_learn(&core->known, o->host);
    order_vec_unref(core->start);
    core->start = order_vec_ref(core->known);
    core->live = true;
    o->code_epoch[core->number / ORDER_CORES]++; /* NC of Wormhole may have new code of its own */
    core->started = o->tile[core->number / ORDER_CORES].events;
    core->began = (uint32_t)o->cycle;
    memset(core->giver, 0, sizeof core->giver);
    o->moves++;
    core->wait.on = false;
}

/* A core has released others: their starts are told just before its store. */
static void release(struct txl_order *o, const struct order_core *core)
{
    const uint32_t now = o->tile[core->number / ORDER_CORES].events;
    const uint32_t first = core->number / ORDER_CORES * ORDER_CORES;
    for (uint32_t i = first; i < first + TX_CORES; i++) {
        struct order_core *other = o->core[i];
        if (other != NULL && other != core && other->live && now - other->started <= TX_CORES) {
            struct order_vec *v = order_core_stamp(o, core, true);
            order_vec_learn(&other->known, v);
            order_vec_learn(&other->start, v);
            order_vec_unref(v);
        }
    }
}

void order_core_order(void *user, const struct tx_order *t)
{
    struct order_tile *tile = user;
    struct txl_order *o = tile->o;
    tile->events += t->thread >= TX_ORDER_CORE ? 1 : 0;
    if (t->thread < TX_ORDER_CORE) {
        unit(o, tile->index, t);
        return;
    }
    const bool l1 = t->shared == TX_SHARED_L1 &&
                    (t->kind == TX_ORDER_READ || t->kind == TX_ORDER_WRITE) &&
                    t->mask <= TX_ORDER_L1_ATOMIC;
    const bool counts = t->shared == TX_SHARED_SEMAPHORE && t->kind == TX_ORDER_WRITE;
    if (!l1 && !counts && t->kind != TX_ORDER_SEND && t->kind != TX_ORDER_RECEIVE &&
        t->kind != TX_ORDER_START) {
        return;
    }
    struct order_core *core = order_core(o, tile->index, t->thread - TX_ORDER_CORE);
    if (core == NULL) {
        return;
    }
    o->cycle = t->cycle;
    order_core_next(o, core, t->number);
    if (t->kind == TX_ORDER_START) {
        core_start(o, core);
    } else if (counts) {
        order_units_semaphore(o, core, t->index, t->mask == 1);
    } else if (!l1) {
        core->wait.on = false;
        letter(o, core, t);
    } else if (t->kind == TX_ORDER_READ && t->mask == TX_ORDER_L1_CORE) {
        order_core_load(o, core, t);
    } else if (t->kind == TX_ORDER_WRITE) {
        store(o, core, t, t->mask == TX_ORDER_L1_ATOMIC);
    }
}

void order_core_held(struct txl_order *o, uint32_t tile)
{
    for (uint32_t i = tile * ORDER_CORES; i < tile * ORDER_CORES + TX_CORES; i++) {
        struct order_core *core = o->core[i];
        struct tx_core_state state;
        if (core == NULL || !core->live || o->tile[tile].tile == NULL ||
            tx_tensix_core(o->tile[tile].tile, (enum tx_core)(i % ORDER_CORES), &state) != TX_OK ||
            state.phase != TX_CORE_HELD) {
            continue;
        }
        struct order_vec *v = order_core_stamp(o, core, true);
        order_vec_learn(&o->host, v);
        order_vec_unref(v);
        core->live = false;
    }
}

/* ---- registers ---- */

static void stream_store(struct txl_order *o, struct order_core *core,
                         const struct tx_chip_order *t)
{
    const uint32_t tile = t->index;
    const uint32_t site = order_site(o, core, t->pc);
    const uint64_t word = order_changes(o, t->address);
    struct order_word *w = order_word_at(o, tile, word, true);
    if (w == NULL) {
        return;
    }
    uint32_t value = 0;
    if (!order_peek(o, tile, word, &value)) {
        value = t->value;
    }
    const enum order_type type = word != t->address ? ORDER_ATOMIC : ORDER_STORE;
    struct order_event e = event_of(o, core, type, site);
    struct order_vec *v = order_core_stamp(o, core, true);
    order_word_change(o, w, &e, v, value);
    order_vec_unref(v);
    order_buffer_store(o, core, (uint32_t)t->address, value);
}

void order_core_register(struct txl_order *o, const struct tx_chip_order *t)
{
    const unsigned who =
        t->core < TX_CORES ? t->core : TX_CORE_T0 + (unsigned)(t->core - TX_CORES) % TX_THREADS;
    const uint32_t address = (uint32_t)t->address;
    const uint32_t first_niu = order_niu_at(o, 0);
    const uint32_t niu_bytes = order_niu_at(o, 1) - first_niu;
    const bool niu = address - first_niu < 2 * niu_bytes;
    const bool stream = order_is_stream(o, address);
    const bool reset = address == tx_arch_fact(o->arch, TX_FACT_TILE_SOFT_RESET_0);
    if (!niu && !stream && !(reset && t->kind == TX_CHIP_ORDER_STORE)) {
        return;
    }
    struct order_core *core = order_core(o, t->index, who);
    if (core == NULL) {
        return;
    }
    o->cycle = t->cycle;
    o->tile[t->index].events++;
    order_core_next(o, core, t->number);
    if (!niu && !stream) {
        release(o, core);
    } else if (stream && t->kind == TX_CHIP_ORDER_LOAD) {
        if (t->core < TX_CORES && !waits(o, core, t->pc, address)) {
            core->wait.on = false;
        }
    } else if (stream) {
        core->wait.on = false;
        o->moves++;
        stream_store(o, core, t);
    } else {
        const unsigned noc = (address - first_niu) / niu_bytes;
        const uint32_t offset = (address - first_niu) % niu_bytes;
        if (t->kind == TX_CHIP_ORDER_LOAD) {
            order_noc_counter(o, core, noc, offset, t->value, t->pc);
        } else {
            core->wait.on = false;
            order_noc_field(o, core, noc, offset, t->pc);
        }
    }
}

void order_core_ends(struct txl_order *o, bool rests)
{
    for (uint32_t i = 0; i < ORDER_TILES * ORDER_CORES; i++) {
        struct order_core *core = o->core[i];
        struct tx_core_state state;
        if (core == NULL || !core->live || o->tile[i / ORDER_CORES].tile == NULL ||
            i % ORDER_CORES >= TX_CORES ||
            tx_tensix_core(o->tile[i / ORDER_CORES].tile, (enum tx_core)(i % ORDER_CORES),
                           &state) != TX_OK ||
            (state.phase != TX_CORE_PAUSED &&
             (!rests || state.phase != TX_CORE_RUNS || !state.rests))) {
            continue;
        }
        order_noc_exit(o, core);
        struct order_vec *v = order_core_stamp(o, core, true);
        order_vec_learn(&o->host, v);
        order_vec_unref(v);
        core->live = false;
    }
}
