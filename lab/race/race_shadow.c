/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps for each index of shared state the accesses with which a later one can still race. These
 * are few, because an access is dropped once a later access to the same or more is ordered after
 * it. Memory grows with the state that is touched, not with the length of the run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "race/race.h"

/* Number of indices of each kind of state; L1 uses pages instead. */
static const unsigned sizes[TX_SHARED_COUNT] = {
    [TX_SHARED_CONFIG] = 512,
    [TX_SHARED_THREAD_CONFIG] = 128 * TX_THREADS,
    [TX_SHARED_GPR] = 64 * TX_THREADS,
    [TX_SHARED_ADC] = 3 * TX_THREADS,
    [TX_SHARED_RWC] = TX_THREADS,
    [TX_SHARED_SRC] = 256,
    [TX_SHARED_DST] = TX_DST_ROWS,
    [TX_SHARED_L1] = 0,
    [TX_SHARED_BANK] = 4,
    [TX_SHARED_LREG] = 2,
    [TX_SHARED_SEMAPHORE] = SEMAPHORES,
    [TX_SHARED_MOP] = 9 * TX_THREADS,
    [TX_SHARED_REPLAY] = 32 * TX_THREADS,
};

static size_t l1_pages(const struct txl_race *r)
{
    return tx_l1_size(r->arch) / L1_GRAIN / L1_PAGE + 1;
}

int race_shadow_open(struct txl_race *r)
{
    r->l1_pages = zeroed(r->err, l1_pages(r), sizeof(struct race_cell *));
    for (unsigned i = 0; i < TX_SHARED_COUNT && r->l1_pages != NULL; i++) {
        r->cells[i] = zeroed(r->err, sizes[i] + 1u, sizeof(struct race_cell));
        if (r->cells[i] == NULL) {
            return TXL_INPUT;
        }
    }
    return r->l1_pages != NULL ? TXL_CONTINUE : TXL_INPUT;
}

static void each_cell(struct txl_race *r, void (*what)(struct race_cell *cell))
{
    for (unsigned i = 0; i < TX_SHARED_COUNT; i++) {
        for (unsigned k = 0; r->cells[i] != NULL && k < sizes[i]; k++) {
            what(&r->cells[i][k]);
        }
    }
    for (size_t i = 0; r->l1_pages != NULL && i < l1_pages(r); i++) {
        for (unsigned k = 0; r->l1_pages[i] != NULL && k < L1_PAGE; k++) {
            what(&r->l1_pages[i][k]);
        }
    }
}

static void empty(struct race_cell *cell)
{
    cell->count = 0;
}

static void drop(struct race_cell *cell)
{
    free(cell->list);
}

void race_shadow_clear(struct txl_race *r)
{
    each_cell(r, empty);
}

void race_shadow_close(struct txl_race *r)
{
    each_cell(r, drop);
    for (unsigned i = 0; i < TX_SHARED_COUNT; i++) {
        free(r->cells[i]);
    }
    for (size_t i = 0; r->l1_pages != NULL && i < l1_pages(r); i++) {
        free(r->l1_pages[i]);
    }
    free(r->l1_pages);
}

/* ---- recording a race ---- */

static struct race_pair *pair_for(struct txl_race *r, enum tx_shared shared,
                                  const struct race_access *a, const struct race_access *b)
{
    for (size_t i = 0; i < r->pair_count; i++) {
        struct race_pair *p = &r->pairs[i];
        const bool same = p->access[0].place == a->place && p->access[1].place == b->place;
        const bool turned = p->access[0].place == b->place && p->access[1].place == a->place;
        const bool one = r->tile != NULL && !r->how.every && race_tile_same(r, a, b, p);
        if ((same || turned || one) && p->found.shared == shared) {
            return p;
        }
    }
    if (!LIST_ONE(r->pairs, r->pair_count, r->pair_room, r->failed)) {
        return NULL;
    }
    struct race_pair *p = &r->pairs[r->pair_count++];
    memset(p, 0, sizeof *p);
    return p;
}

/* Returns how many instructions or accesses of this actor there have been. */
static uint32_t latest(const struct txl_race *r, unsigned actor)
{
    if (actor >= THREAD_ACTORS) {
        return race_tile_latest(r, actor);
    }
    return race_kind(actor) == ACTOR_GATE ? r->thread[actor / ACTORS_OF_THREAD].gate.at[actor]
                                          : r->unit[actor].at[actor];
}

static void raise_to(struct race_clock *clock, unsigned actor, uint32_t to)
{
    clock->at[actor] = clock->at[actor] > to ? clock->at[actor] : to;
}

/*
 * From a reported race on, acts as if the wait were there that it lacks, so that what this wait
 * orders as well is not reported once more.
 */
static void assume(struct txl_race *r, const struct race_access *a, const struct race_access *b,
                   struct race_clock *known)
{
    const uint32_t to = latest(r, a->actor);
    raise_to(known, a->actor, to);
    if (b->thread < TX_THREADS) {
        raise_to(&r->thread[b->thread].gate, a->actor, to);
        raise_to(&r->unit[b->actor], a->actor, to);
    } else {
        race_tile_assume(r, b->thread - (unsigned)TX_ORDER_CORE, a->actor, to);
    }
}

static void note(struct txl_race *r, enum tx_shared shared, unsigned index, uint32_t mask,
                 const struct race_access *a, const struct race_access *b, struct race_clock *known)
{
    const int idiom = r->how.no_idioms ? -1 : race_idiom(r, shared, index, mask, a, b, known);
    if (idiom >= 0) {
        r->idioms[idiom].count++;
        return;
    }
    struct race_pair *p = pair_for(r, shared, a, b);
    if (p != NULL && p->found.count++ == 0) {
        p->found.shared = shared;
        /* In one thread the places are in program order, whatever this run did. */
        const bool turned = a->thread == b->thread && a->sequence > b->sequence;
        p->found.program_order = a->thread == b->thread && !turned && a->cycle <= b->cycle;
        p->access[0] = turned ? *b : *a;
        p->access[1] = turned ? *a : *b;
        p->found.cycles = a->cycle > b->cycle ? a->cycle - b->cycle : b->cycle - a->cycle;
        p->index = index;
        p->mask = mask;
        p->found.doubt =
            race_doubt(r, shared, index, mask, &p->access[0], &p->access[1], known, &p->found.open);
        p->second = *known;
        race_describe(r, p);
    } else if (p != NULL && p->found.open) { /* only if it is open each time */
        const bool turned = a->thread == b->thread && a->sequence > b->sequence;
        p->found.doubt = race_doubt(r, shared, index, mask, turned ? b : a, turned ? a : b, known,
                                    &p->found.open);
    }
    if (!r->how.every) {
        assume(r, a, b, known);
    }
}

/* ---- one index ---- */

static bool ordered(const struct race_access *a, const struct race_clock *known)
{
    return known->at[a->actor] >= a->clock;
}

/*
 * Tells whether everything that could race with old in future also races with now, so that old can
 * be dropped.
 */
static bool covers(const struct race_access *now, const struct race_access *old,
                   const struct race_clock *known)
{
    return ordered(old, known) && (old->mask & ~now->mask) == 0 && (now->write || !old->write);
}

/*
 * Handles repeated equal accesses of one actor without others in between: everything that was
 * ordered with the last one still is.
 */
static inline bool race_shadow_again(struct race_cell *cell, const struct race_access *now)
{
    struct race_access *last = &cell->list[cell->last];
    if (cell->count == 0 || !cell->clean || last->actor != now->actor || last->mask != now->mask ||
        last->write != now->write || last->atomic != now->atomic) {
        return false;
    }
    *last = *now;
    return true;
}

/* Appends an empty entry; NULL without memory. */
static struct race_access *room_for_one(struct txl_race *r, struct race_cell *cell)
{
    if (cell->count == cell->room) {
        const unsigned room = cell->room == 0 ? 2 : 2u * cell->room;
        struct race_access *more =
            room <= UINT16_MAX ? realloc(cell->list, room * sizeof *more) : NULL;
        if (more == NULL) {
            r->failed = true;
            return NULL;
        }
        cell->list = more;
        cell->room = (uint16_t)room;
    }
    cell->last = cell->count++;
    return &cell->list[cell->last];
}

static void touch(struct txl_race *r, struct race_cell *cell, enum tx_shared shared, unsigned index,
                  const struct race_access *now, struct race_clock *known)
{
    uint16_t kept = 0;
    if (race_shadow_again(cell, now)) {
        return;
    }
    cell->clean = true;
    for (unsigned i = 0; i < cell->count; i++) {
        const struct race_access *old = &cell->list[i];
        if ((old->mask & now->mask) != 0 && (old->write || now->write) &&
            !(old->atomic && now->atomic) && !ordered(old, known)) {
            cell->clean = false;
            note(r, shared, index, old->mask & now->mask, old, now, known);
        }
        if (!covers(now, old, known)) {
            if (kept != i) {
                cell->list[kept] = *old;
            }
            kept++;
        }
    }
    cell->count = kept;
    struct race_access *to = room_for_one(r, cell);
    if (to != NULL) {
        *to = *now;
    }
}

static struct race_cell *l1_cell(struct txl_race *r, uint32_t grain)
{
    struct race_cell **page = &r->l1_pages[grain / L1_PAGE];
    if (*page == NULL) {
        *page = calloc(L1_PAGE, sizeof **page);
        r->failed = r->failed || *page == NULL;
    }
    return *page != NULL ? &(*page)[grain % L1_PAGE] : NULL;
}

static void touch_l1(struct txl_race *r, const struct tx_order *o, struct race_access *now,
                     struct race_clock *known)
{
    const uint32_t size = tx_l1_size(r->arch);
    const uint32_t end = o->count < size && o->index < size - o->count ? o->index + o->count : size;
    for (uint32_t at = o->index; at < end;) {
        const uint32_t grain = at / L1_GRAIN;
        const uint32_t stop = end < (grain + 1) * L1_GRAIN ? end : (grain + 1) * L1_GRAIN;
        struct race_cell *cell = l1_cell(r, grain);
        now->mask = (0xFFFFu >> (L1_GRAIN - (stop - at))) << at % L1_GRAIN;
        if (cell != NULL) {
            touch(r, cell, TX_SHARED_L1, grain * L1_GRAIN, now, known);
        }
        at = stop;
    }
}

uint32_t race_shadow_last(const struct txl_race *r, const struct tx_order *o, unsigned actor)
{
    uint32_t last = 0;
    const uint32_t end = (o->index + o->count + L1_GRAIN - 1) / L1_GRAIN;
    for (uint32_t grain = o->index / L1_GRAIN; grain < end && grain / L1_PAGE < l1_pages(r);
         grain++) {
        const struct race_cell *page = r->l1_pages[grain / L1_PAGE];
        const struct race_cell *cell = page != NULL ? &page[grain % L1_PAGE] : NULL;
        for (uint32_t i = 0; cell != NULL && i < cell->count; i++) {
            const struct race_access *a = &cell->list[i];
            const uint32_t from = grain * L1_GRAIN; /* offset in the 16 bytes of the cell */
            const uint32_t low = o->index > from ? o->index - from : 0;
            const uint32_t mask = ((1u << o->count) - 1u) << low & 0xFFFFu;
            if (a->write && a->actor == actor && (a->mask & mask) != 0 && a->clock > last) {
                last = a->clock;
            }
        }
    }
    return last;
}

void race_access(struct txl_race *r, const struct tx_order *o, struct race_access *now,
                 struct race_clock *known)
{
    now->write = o->kind == TX_ORDER_WRITE;
    r->result.accesses++;
    if (o->shared == TX_SHARED_L1) {
        touch_l1(r, o, now, known);
        return;
    }
    now->mask = o->mask;
    for (uint32_t i = 0; i < o->count && o->index + i < sizes[o->shared] && o->mask != 0; i++) {
        touch(r, &r->cells[o->shared][o->index + i], (enum tx_shared)o->shared, o->index + i, now,
              known);
    }
}
