/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From conflicts to findings: their kinds (section 4 of spec/order-chip.md), one for each cause,
 * and which of them explain others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

static const char *const names[TXL_ORDER_KINDS] = {
    "read-before-arrival", "source-reuse",      "data-before-credit", "stale-cache",
    "store-then-noc",      "store-then-letter", "semaphore-reset",    "overshoot",
    "lost-update",         "cb-unreserved",     "cb-unpushed",        "cb-bounds",
    "in-flight-at-exit",   "unordered",         "deadlock",           "linked-open",
    "counter-mismatch",    "uninitialised",     "out-of-bounds",      "illegal-inline",
    "illegal-atomic",      "initiator-busy",    "counter-overflow",   "alignment",
    "dram-order"};

const char *txl_order_kind_name(enum txl_order_kind kind)
{
    return kind < TXL_ORDER_KINDS ? names[kind] : "?";
}

/* ---- conflicts ---- */

/* Where a conflict is one that was seen before it has the number of that, else 0; NULL: no memory.
 */
static uint32_t *number_of(struct txl_order *o, const struct order_conflict *c)
{
    const uint32_t key[] = {
        c->site[0], c->site[1], c->memory, c->type[0] | (uint32_t)c->type[1] << 8,
        (uint32_t)c->knows_issue | (uint32_t)c->knew_request << 1 | (uint32_t)c->zero[0] << 2 |
            (uint32_t)c->zero[1] << 3 | (uint32_t)c->updates << 4};
    return hash_at(&o->conflict_of, key, sizeof key);
}

/* A conflict that is known, at an address. */
static void report_again(struct order_conflict *c, uint64_t address)
{
    bool there = false;
    c->times++;
    for (unsigned i = 0; i < c->addresses; i++) {
        there = there || c->address[i] == address;
    }
    if (!there && c->addresses < ORDER_EXAMPLES) {
        c->address[c->addresses++] = address;
    } else {
        c->more = c->more || !there;
    }
}

/* The test that runs, as the caller names it; index + 1, or 0. */
static uint32_t test_now(struct txl_order *o)
{
    const char *name = o->test != NULL ? o->test(o->user) : NULL;
    const char *phase = name != NULL ? strstr(name, " (") : NULL;
    if (name == NULL || *name == '\0') {
        return 0;
    }
    const size_t n = phase != NULL ? (size_t)(phase - name) : strlen(name);
    const char *last = o->test_count != 0 ? o->tests[o->test_count - 1] : "";
    if (strlen(last) == n && memcmp(last, name, n) == 0) {
        return o->test_count;
    }
    char **more = realloc(o->tests, (o->test_count + 1) * sizeof *more);
    o->tests = more != NULL ? more : o->tests;
    char *own = more != NULL ? strndup(name, n) : NULL;
    if (own == NULL) {
        return 0;
    }
    o->tests[o->test_count++] = own;
    return o->test_count;
}

struct order_ref order_ref_of(const struct txl_order *o, const struct order_event *e,
                              uint32_t memory)
{
    const struct order_request *r = e->request != 0 ? &o->requests[e->request] : NULL;
    struct order_ref ref = {.core = e->core, .receiver = memory};
    if (e->core >= ORDER_HOST) {
        return ref;
    }
    if (r == NULL) {
        ref.step = ORDER_STANDS;
        ref.number = (o->cycle & ~(uint64_t)UINT32_MAX) | e->cycle;
        return ref;
    }
    ref.step = e->type == ORDER_SOURCE    ? ORDER_LEAVES_LATE
               : e->type == ORDER_FETCHED ? ORDER_ANSWERED
                                          : ORDER_ACTS_LATE;
    ref.noc = r->noc;
    ref.number = r->sequence;
    return ref;
}

/*
 * I-EQUAL: whether both clear the word, or a store leaves the one word that a request takes along
 * what it was.
 */
static bool equal(const struct txl_order *o, const struct order_event *x,
                  const struct order_event *y, uint32_t memory, uint64_t address)
{
    uint32_t value;
    if (y->type != ORDER_STORE) {
        return false;
    }
    if (x->type == ORDER_SOURCE && x->request != 0) {
        const struct order_request *r = &o->requests[x->request];
        return r->has_word && order_peek(o, memory, address & ~(uint64_t)3, &value) &&
               value == r->word;
    }
    return x->type == ORDER_STORE && x->zero && y->zero;
}

/* Whether the load is one that asks for the word again and again. */
static bool polled(const struct txl_order *o, const struct order_event *x, uint64_t address)
{
    if (x->type != ORDER_LOAD || x->core >= ORDER_HOST || x->site == ORDER_NONE) {
        return false;
    }
    return order_code_polled(o->core[x->core], o->sites[x->site].pc, address);
}

void order_conflict(struct txl_order *o, const struct order_event *x, const struct order_event *y,
                    const struct order_view *view, uint32_t memory, uint64_t address)
{
    const struct order_core *first = x->core < ORDER_HOST ? o->core[x->core] : NULL;
    const struct order_core *second = y->core < ORDER_HOST ? o->core[y->core] : NULL;
    const bool knows =
        first != NULL && (first == second || order_view_get(view, first->actor) >= x->issue);
    const bool tile = second != NULL && memory == second->number / ORDER_CORES;
    if (!o->documented &&
        (equal(o, x, y, memory, address) || (order_writes(y->type) && polled(o, x, address)))) {
        return;
    }
    struct order_conflict c = {.type = {x->type, y->type},
                               .knows_issue = knows,
                               .knew_request = knows,
                               .own = first != NULL && memory == first->number / ORDER_CORES,
                               .zero = {x->zero, y->zero},
                               .updates = x->updates || y->updates,
                               .letter = first != NULL && first->letters && tile,
                               .site = {x->site, y->site},
                               .core = {x->core, y->core},
                               .memory = memory,
                               .address = {address},
                               .addresses = 1,
                               .times = 1,
                               .cycle = o->cycle};
    uint32_t *number = number_of(o, &c);
    if (number == NULL || !LIST_ONE(o->conflict, o->conflicts, o->conflict_room, o->failed)) {
        o->failed = true;
        return;
    }
    c.ref[0] = order_ref_of(o, x, memory);
    c.ref[1] = order_ref_of(o, y, memory);
    if (*number != 0) {
        report_again(&o->conflict[*number - 1], address);
        return;
    }
    c.test = test_now(o);
    o->conflict[o->conflicts++] = c;
    *number = (uint32_t)o->conflicts;
}

/* ---- findings ---- */

static bool same_line(struct txl_order *o, uint32_t a, uint32_t b)
{
    struct txl_order_site x;
    struct txl_order_site y;
    if (a == b) {
        return true;
    }
    if (a == ORDER_NONE || b == ORDER_NONE) {
        return false;
    }
    if (o->folders != NULL && !o->ended) { /* lines are known at the end only */
        const struct order_site *s = &o->sites[a];
        const struct order_site *t = &o->sites[b];
        return (s->text != 0 || (s->pc == 0 && t->pc == 0)) && s->text == t->text &&
               s->core % ORDER_CORES == t->core % ORDER_CORES;
    }
    order_place(o, a, &x);
    order_place(o, b, &y);
    const bool units = x.pc == 0 && y.pc == 0 && strcmp(x.core, "host") != 0;
    return (units || (x.line != 0 && x.line == y.line && strcmp(x.file, y.file) == 0)) &&
           strcmp(x.core, y.core) == 0;
}

void order_find(struct txl_order *o, enum txl_order_kind kind, const uint32_t *site, unsigned sites,
                const char *why)
{
    for (size_t i = 0; i < o->founds; i++) {
        struct order_found *f = &o->found[i];
        bool equal = f->kind == kind && f->sites == sites;
        for (unsigned k = 0; equal && k < sites; k++) {
            equal = same_line(o, f->site[k], site[k]);
        }
        if (equal) {
            f->times++;
            return;
        }
    }
    if (o->founds == o->found_room) {
        const size_t room = o->found_room == 0 ? 64 : 2 * o->found_room;
        struct order_found *more = realloc(o->found, room * sizeof *more);
        if (more == NULL) {
            o->failed = true;
            return;
        }
        o->found = more;
        o->found_room = room;
    }
    struct order_found *f = &o->found[o->founds++];
    *f = (struct order_found){
        .kind = (uint8_t)kind, .times = 1, .cycle = o->cycle, .memory = ORDER_NONE, .why = why};
    f->test = o->ended ? 0 : test_now(o);
    for (unsigned k = 0; k < sites && k < TXL_ORDER_SITES; k++) {
        f->site[f->sites++] = site[k];
    }
}

/* Orders two sites by their places in the source, so that no run decides which comes first. */
bool order_after(struct txl_order *o, uint32_t a, uint32_t b)
{
    struct txl_order_site x;
    struct txl_order_site y;
    order_place(o, a, &x);
    order_place(o, b, &y);
    const int by_file = strcmp(x.file, y.file);
    const bool units = x.pc == 0 && y.pc == 0;
    return by_file > 0 || (by_file == 0 && x.line > y.line) ||
           (units && strcmp(x.core, y.core) > 0);
}

/* The kind of a conflict in a word that somebody waits for; swap: the second site comes first. */
static enum txl_order_kind in_word(const struct order_conflict *c, bool *swap)
{
    const bool store[2] = {c->type[0] == ORDER_STORE, c->type[1] == ORDER_STORE};
    *swap = store[1] && !store[0];
    if (store[0] && store[1]) {
        *swap = !c->zero[0] && c->zero[1];
    }
    if (c->type[0] == ORDER_HOSTED) {
        *swap = false;
    } else if (c->type[1] == ORDER_HOSTED) {
        *swap = true;
    }
    return c->updates && (c->type[0] == ORDER_ATOMIC || c->type[1] == ORDER_ATOMIC || store[0] ||
                          store[1])
               ? TXL_ORDER_LOST_UPDATE
               : TXL_ORDER_SEMAPHORE_RESET;
}

static enum txl_order_kind elsewhere(const struct order_conflict *c, bool *by_place)
{
    const bool writes[2] = {order_writes(c->type[0]), order_writes(c->type[1])};
    *by_place = false;
    if (writes[0] && !writes[1] && c->knows_issue) {
        switch (c->type[0]) {
        case ORDER_FETCHED:
            return TXL_ORDER_READ_BEFORE_ARRIVAL;
        case ORDER_WRITTEN:
            return c->own ? TXL_ORDER_READ_BEFORE_ARRIVAL : TXL_ORDER_DATA_BEFORE_CREDIT;
        case ORDER_STORE:
            return c->letter ? TXL_ORDER_STORE_THEN_LETTER : TXL_ORDER_STORE_THEN_NOC;
        default:
            break;
        }
    }
    if (!writes[0] && c->knew_request &&
        (c->type[0] == ORDER_SOURCE || c->type[0] == ORDER_TARGET)) {
        return TXL_ORDER_SOURCE_REUSE;
    }
    *by_place = true;
    return TXL_ORDER_UNORDERED;
}

static const char *why_of(enum txl_order_kind kind)
{
    switch (kind) {
    case TXL_ORDER_READ_BEFORE_ARRIVAL:
        return "the data may still be on their way: no barrier for this kind of request lies "
               "between";
    case TXL_ORDER_SOURCE_REUSE:
        return "the request may not have read its source yet: nothing waits until it has";
    case TXL_ORDER_DATA_BEFORE_CREDIT:
        return "what the second has waited for may arrive before these data: nobody waited for "
               "their acknowledgement, and they do not come the same way";
    case TXL_ORDER_STORE_THEN_NOC:
    case TXL_ORDER_STORE_THEN_LETTER:
        return "the store may arrive later than what tells of it: it was not loaded back and used";
    case TXL_ORDER_SEMAPHORE_RESET:
        return "one write of this word may take the other one back";
    case TXL_ORDER_LOST_UPDATE:
        return "the word may change between the load and the store";
    case TXL_ORDER_DRAM_ORDER:
        return "DRAM may serve them in either order";
    default:
        return "nothing orders the two";
    }
}

static bool loads(const struct order_conflict *c)
{
    return c->type[0] == ORDER_LOAD || c->type[1] == ORDER_LOAD;
}

/* Whether the bytes are a word that is waited for or counted in; loads of a sum are like others. */
static bool is_word(struct txl_order *o, const struct order_conflict *c, unsigned i)
{
    const struct order_word *w = order_word_at(o, c->memory, c->address[i], false);
    return w != NULL && (w->waited || (w->atomic && !loads(c)));
}

/* Judges a conflict at those of its addresses that are words somebody waits for, or at the rest. */
static void judge_as(struct txl_order *o, const struct order_conflict *c, bool word,
                     uint64_t address)
{
    const bool both = order_writes(c->type[0]) && order_writes(c->type[1]);
    bool swap = false;
    bool by_place = false;
    if (word && loads(c)) {
        return;
    }
    const enum txl_order_kind kind = order_is_dram(c->memory) ? TXL_ORDER_DRAM_ORDER
                                     : word && both           ? in_word(c, &swap)
                                                              : elsewhere(c, &by_place);
    if (by_place) {
        swap = order_after(o, c->site[0], c->site[1]);
    }
    const size_t before = o->founds;
    order_find(o, kind, (uint32_t[]){c->site[swap ? 1 : 0], c->site[swap ? 0 : 1]}, 2,
               why_of(kind));
    if (o->founds > before) {
        struct order_found *f = &o->found[before];
        f->memory = c->memory;
        f->address = address;
        f->times = c->times;
        f->cycle = c->cycle;
        f->test = c->test;
        f->ref[0] = c->ref[0];
        f->ref[1] = c->ref[1];
    }
}

static void judge(struct txl_order *o, const struct order_conflict *c)
{
    bool done[2] = {false, false};
    for (unsigned i = 0; i < c->addresses; i++) {
        const bool word = !order_is_dram(c->memory) && is_word(o, c, i);
        if (!done[word ? 1 : 0]) {
            done[word ? 1 : 0] = true;
            judge_as(o, c, word, c->address[i]);
        }
    }
    if (c->more && !done[0]) {
        judge_as(o, c, false, c->address[0]);
    }
}

/* A finding about a buffer takes the place of others at its site. */
static void drop_explained(struct txl_order *o)
{
    for (size_t i = 0; i < o->founds; i++) {
        struct order_found *f = &o->found[i];
        const bool own = f->kind >= TXL_ORDER_CB_UNRESERVED && f->kind <= TXL_ORDER_CB_BOUNDS;
        for (size_t k = 0; k < o->founds && !own; k++) {
            const struct order_found *b = &o->found[k];
            if (b->kind >= TXL_ORDER_CB_UNRESERVED && b->kind <= TXL_ORDER_CB_BOUNDS) {
                for (unsigned s = 0; s < f->sites && f->kind != TXL_ORDER_DEADLOCK; s++) {
                    f->dropped = f->dropped || same_line(o, f->site[s], b->site[0]);
                }
            }
        }
    }
}

/*
 * Tells whether a finding about a request explains why a core waits for ever: the request writes
 * the word that it waits for, with what the race made of it.
 */
static bool explained_by_race(struct txl_order *o, const struct order_core *core)
{
    const struct order_word *w = order_word_of(o, core->wait.key);
    for (uint32_t i = 0; w != NULL && i < w->count; i++) {
        for (size_t k = 0; k < o->founds; k++) {
            const struct order_found *f = &o->found[k];
            if (f->kind <= TXL_ORDER_LOST_UPDATE || f->kind == TXL_ORDER_UNORDERED) {
                for (unsigned s = 0; s < f->sites; s++) {
                    if (same_line(o, f->site[s], w->change[i].e.site)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

/* The least value above the present one that would let a core go on. */
static void find_needs(struct txl_order *o, struct order_core *core)
{
    enum { FAR = 4096 };
    const struct order_code *code = core->wait.on ? order_code_at(o, core, core->wait.pc) : NULL;
    const uint32_t address = (uint32_t)(core->wait.key << 2 & UINT32_MAX);
    for (uint32_t i = 1; code != NULL && i <= FAR && !core->has_needs; i++) {
        const struct order_guess guess = {address, core->wait.value + i};
        core->has_needs = order_code_exit(o, core, code, &guess, 1, NULL) == ORDER_LEAVES;
        core->needs = core->wait.value + i;
    }
}

uint32_t order_hang_row(struct txl_order *o, struct order_core *core)
{
    struct tx_core_state state = {.pc = 0};
    (void)tx_tensix_core(o->tile[core->number / ORDER_CORES].tile,
                         (enum tx_core)(core->number % ORDER_CORES), &state);
    find_needs(o, core);
    core->end_site = order_site(o, core, state.pc);
    core->end_address = state.address;
    order_wait_tell(o, core);
    if (o->wait_count < ORDER_WAITS) {
        o->waits[o->wait_count++] = core->number;
    }
    return core->wait.on ? core->wait.site : core->end_site;
}

void order_hang(struct txl_order *o)
{
    uint32_t site[TXL_ORDER_SITES];
    unsigned sites = 0;
    bool explained = false;
    for (uint32_t i = 0; i < ORDER_TILES * ORDER_CORES; i++) {
        struct order_core *core = o->core[i];
        if (core != NULL && core->live && core->wait.on &&
            (core->wait.key << 2 & UINT32_MAX) < ORDER_MMIO) {
            order_word_hung(o, core);
            explained = explained_by_race(o, core) || explained;
        }
        explained = (core != NULL && core->live && order_noc_mismatch(o, core)) || explained;
    }
    for (uint32_t i = 0; i < ORDER_TILES * ORDER_CORES; i++) {
        struct order_core *core = o->core[i];
        struct tx_core_state state;
        if (core == NULL || !core->live || i % ORDER_CORES >= TX_CORES ||
            tx_tensix_core(o->tile[i / ORDER_CORES].tile, (enum tx_core)(i % ORDER_CORES),
                           &state) != TX_OK ||
            state.phase == TX_CORE_PAUSED || state.phase == TX_CORE_HELD) {
            continue;
        }
        const uint32_t at = order_hang_row(o, core);
        if (sites < TXL_ORDER_SITES) {
            site[sites++] = at;
        }
    }
    for (size_t i = 0; i < o->founds; i++) {
        const uint8_t kind = o->found[i].kind;
        explained = explained || kind == TXL_ORDER_SEMAPHORE_RESET ||
                    kind == TXL_ORDER_LINKED_OPEN || kind == TXL_ORDER_OVERSHOOT ||
                    kind == TXL_ORDER_LOST_UPDATE;
    }
    if (!explained && sites != 0) {
        order_find(o, TXL_ORDER_DEADLOCK, site, sites, "none of them can go on");
    }
}

/* Findings of the run become one where their lines turn out to be the same. */
static void merge(struct txl_order *o)
{
    for (size_t i = 0; i < o->founds; i++) {
        struct order_found *f = &o->found[i];
        for (size_t k = 0; k < i && !f->dropped; k++) {
            struct order_found *g = &o->found[k];
            bool equal = !g->dropped && g->kind == f->kind && g->sites == f->sites;
            for (unsigned n = 0; equal && n < f->sites; n++) {
                equal = same_line(o, f->site[n], g->site[n]);
            }
            f->dropped = equal;
            g->times += equal ? f->times : 0;
        }
    }
}

/* Whether one of two sites is at the line. */
static bool is_of(struct txl_order *o, const struct order_found *f, uint32_t site)
{
    return same_line(o, f->site[0], site) || same_line(o, f->site[1], site);
}

/*
 * Whether g shows at the places of f, which is about what a request brings: at its use, at another
 * one by that kind of core, or, as nothing orders what the use writes, between these two places.
 */
static bool is_cause_of(struct txl_order *o, const struct order_found *f,
                        const struct order_found *g)
{
    if (g->dropped || g->sites != 2 || g->site[0] == ORDER_NONE || g->site[1] == ORDER_NONE) {
        return false;
    }
    if (g->kind == TXL_ORDER_UNORDERED) {
        return is_of(o, f, g->site[0]) && is_of(o, f, g->site[1]);
    }
    return g->kind == f->kind &&
           o->sites[g->site[1]].core % ORDER_CORES == o->sites[f->site[1]].core % ORDER_CORES &&
           same_line(o, f->site[0], g->site[0]);
}

/*
 * What lacks at a request shows wherever one core uses what the request brings: that is one cause,
 * told where it shows first.
 */
static void one_cause(struct txl_order *o)
{
    for (size_t i = 0; i < o->founds; i++) {
        struct order_found *f = &o->found[i];
        const bool brings =
            f->kind == TXL_ORDER_READ_BEFORE_ARRIVAL || f->kind == TXL_ORDER_DATA_BEFORE_CREDIT;
        if (f->dropped || !brings || f->sites != 2 || f->site[1] == ORDER_NONE) {
            continue;
        }
        for (size_t k = 0; k < o->founds; k++) {
            struct order_found *g = &o->found[k];
            if (k == i || (k < i && g->kind == f->kind) || !is_cause_of(o, f, g)) {
                continue;
            }
            const bool place = g->kind == f->kind;
            const uint64_t times = f->times + g->times;
            const unsigned more = f->more + g->more + (place ? 1 : 0);
            if (place && g->cycle < f->cycle) {
                const struct order_found first = *g;
                *g = *f;
                *f = first;
            }
            g->dropped = true;
            f->times = times;
            f->more = more;
        }
    }
}

void order_judge(struct txl_order *o)
{
    merge(o);
    for (size_t i = 0; i < o->conflicts; i++) {
        judge(o, &o->conflict[i]);
    }
    o->conflicts = 0;
    if (o->hung) {
        order_hang(o);
    }
    drop_explained(o);
    one_cause(o);
}
