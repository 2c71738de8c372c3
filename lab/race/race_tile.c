/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RISC-V cores of a tile and their order with the coprocessor. A core acts in order, but its
 * stores to different regions arrive independently: one to configuration or a GPR has arrived once
 * the core has read it back, or a STALLWAIT has waited for it; one to L1 once the core has read it
 * back. A pushed word comes after what the core had done before, but not after its stores. Source:
 * isa BackendConfiguration 492ccd0 (dangers one and two), MemoryOrdering f7fda21, AutoTTSync
 * (jasondavies dbbde1a); spec/tile.md 4, 6, 7, 10.
 */
#include <tensix/facts.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "race/race.h"

#include <tensix-lab/tile.h>

enum { WORDS = 256, PLACES = 1 << 14, QUEUE = 16, WAYS = 2, STORES = 2 };

struct pushed {
    uint32_t word, place;
    uint32_t stores[STORES]; /* how many stores to configuration and to GPRs the core had made */
    uint32_t mop[9];
    uint64_t executed; /* how many instructions the core had executed */
    uint8_t by;        /* which core */
    struct race_clock clock;
};

/* What the receivers of queued words in a mailbox or PC buffer will know. */
struct letters {
    struct race_clock clock[QUEUE];
    unsigned first, count;
};

/*
 * What a core will know from a load: as soon as it goes on to something other than the same load
 * again (waits), or once it certainly has the value.
 */
struct lesson {
    struct race_clock clock;
    uint32_t pc, address;
    bool there, waits;
};

struct race_tile {
    txl_tensix *tile;
    struct race_clock core[TX_CORES];
    struct race_clock behind[TX_CORES][CORE_ACTORS]; /* clocks of what is in flight, by kind */
    struct letters letters[WAYS][TX_CORES][TX_CORES];
    struct lesson lesson[TX_CORES];
    uint64_t sequence[TX_CORES];
    /* What a core knew when it was released from reset, and its instructions until then. */
    struct race_clock started[TX_CORES];
    uint64_t started_at[TX_CORES];
    uint64_t stored[TX_CORES]; /* number of stores that tx_order_delays can delay */
    uint32_t mop[TX_THREADS][9];
    struct pushed words[TX_THREADS][WORDS];
    unsigned first[TX_THREADS], count[TX_THREADS];
    struct pushed last[TX_THREADS]; /* the word taken last */
    uint32_t tracks[TX_THREADS];    /* the configuration word of Blackhole's Auto TTSync */
    bool tracked[TX_THREADS];       /* whether tracks is up to date */
    struct hash numbers;            /* of places, from 1 on, by core and pc */
};

/* ---- places: instructions of the cores ---- */

static uint32_t place_at(struct txl_race *r, unsigned core, uint32_t pc, uint32_t word)
{
    struct race_tile *t = r->tile;
    const uint32_t key[] = {core, pc};
    if (r->place_count == PLACES) {
        const uint32_t known = hash_find(&t->numbers, key, sizeof key);
        return known != 0 ? known - 1 : NOWHERE;
    }
    uint32_t *const number = hash_at(&t->numbers, key, sizeof key);
    if (number == NULL) {
        return NOWHERE;
    }
    if (*number != 0) {
        return *number - 1;
    }
    r->places[r->place_count] = (struct race_place){.thread = (uint8_t)(TX_ORDER_CORE + core),
                                                    .section = TX_SECTION_TILE,
                                                    .line = pc,
                                                    .word = word};
    *number = (uint32_t)++r->place_count;
    return *number - 1;
}

static struct race_clock *behind(struct txl_race *r, unsigned core, enum race_actor actor)
{
    return &r->tile->behind[core][actor - ACTOR_CORE];
}

/* ---- Auto TTSync ---- */

void race_tile_tracks(struct txl_race *r, unsigned thread)
{
    if (r->tile != NULL) {
        r->tile->tracked[thread] = false;
    }
}

/*
 * Tells whether Blackhole's Auto TTSync orders a core's accesses of this kind with the words of its
 * own thread.
 */
static bool tracks(struct txl_race *r, unsigned core, enum tx_fact what)
{
    struct race_tile *t = r->tile;
    if (tx_arch_fact(r->arch, TX_FACT_TTSYNC) == 0 || core < TX_CORE_T0 || core > TX_CORE_T2) {
        return false;
    }
    const unsigned thread = core - TX_CORE_T0;
    if (!t->tracked[thread]) {
        (void)tx_read(tx_tensix_machine(txl_tensix_tile(t->tile)), TX_FILE_THREAD_CONFIG,
                      tx_arch_fact(r->arch, TX_FACT_TTSYNC_WORD) + 128 * thread, &t->tracks[thread],
                      1);
        t->tracked[thread] = true;
    }
    return (t->tracks[thread] >> tx_arch_fact(r->arch, TX_FACT_TTSYNC_ON_BIT) & 1u) != 0 &&
           (t->tracks[thread] >> tx_arch_fact(r->arch, what) & 1u) != 0;
}

/* ---- words ---- */

/* Notes the core's stores so far for a pushed word; with Auto TTSync they arrive before it. */
static void stores_before(struct txl_race *r, unsigned core, struct pushed *p)
{
    static const enum tx_fact classes[STORES] = {TX_FACT_TTSYNC_CONFIG_BIT,
                                                 TX_FACT_TTSYNC_GPRS_BIT};
    for (unsigned i = 0; i < STORES; i++) {
        const enum race_actor actor = (enum race_actor)(ACTOR_STORE_CONFIG + i);
        const unsigned at = race_core(core, actor);
        p->stores[i] = behind(r, core, actor)->at[at];
        if (tracks(r, core, classes[i]) && p->clock.at[at] < p->stores[i]) {
            p->clock.at[at] = p->stores[i];
        }
    }
}

static void push(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_tile *t = r->tile;
    const unsigned thread = o->index % TX_THREADS;
    struct pushed *p = &t->words[thread][(t->first[thread] + t->count[thread]) % WORDS];
    if (t->count[thread] == WORDS) {
        t->first[thread] = (t->first[thread] + 1) % WORDS;
    } else {
        t->count[thread]++;
    }
    p->word = o->mask;
    p->place = place_at(r, core, o->word, o->mask);
    p->executed = o->number;
    p->by = (uint8_t)core;
    p->clock = t->core[core];
    stores_before(r, core, p);
    memcpy(p->mop, t->mop[thread], sizeof p->mop);
    if (tx_insn_id_of(r->arch, o->mask) == TX_INSN_MOP) {
        const unsigned actor = race_actor(thread, ACTOR_EXPAND);
        race_join(&r->unit[actor], &p->clock);
        struct race_access read = {.clock = ++r->unit[actor].at[actor],
                                   .place = p->place,
                                   .word = p->word,
                                   .loose = NOWHERE,
                                   .actor = (uint8_t)actor,
                                   .thread = (uint8_t)thread};
        const struct tx_order order = {.kind = TX_ORDER_READ,
                                       .shared = TX_SHARED_MOP,
                                       .index = 9 * thread,
                                       .count = 9,
                                       .mask = 0xFFFFFFFFu};
        race_access(r, &order, &read, &r->unit[actor]);
    }
}

bool race_tile_take(struct txl_race *r, unsigned thread, uint32_t *word, uint32_t *place)
{
    struct race_tile *t = r->tile;
    if (t->count[thread] == 0) {
        return false;
    }
    t->last[thread] = t->words[thread][t->first[thread]];
    t->first[thread] = (t->first[thread] + 1) % WORDS;
    t->count[thread]--;
    *word = t->last[thread].word;
    *place = t->last[thread].place;
    race_join(&r->thread[thread].gate, &t->last[thread].clock);
    return true;
}

const uint32_t *race_tile_mop(const struct txl_race *r, unsigned thread)
{
    return r->tile->last[thread].mop;
}

void race_tile_stores(const struct txl_race *r, unsigned thread, struct race_clock *clock)
{
    const unsigned core = TX_CORE_T0 + thread;
    for (unsigned i = 0; i < STORES; i++) {
        uint32_t *at = &clock->at[race_core(core, (enum race_actor)(ACTOR_STORE_CONFIG + i))];
        const uint32_t stores = r->tile->last[thread].stores[i];
        *at = *at > stores ? *at : stores;
    }
}

/* ---- what a core knows ---- */

/* Applies a pending lesson, if it is certain now. To be called before each event of the core. */
static void learn(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    enum { RETIRE_QUEUE = 8 }; /* so many instructions after a load its value has arrived */
    struct lesson *l = &r->tile->lesson[core];
    const bool again = l->waits && o->word == l->pc;
    const bool soon = !l->waits && o->word > l->pc && o->word < l->pc + 4 * RETIRE_QUEUE;
    if (l->there && !again && !soon) {
        race_join(&r->tile->core[core], &l->clock);
        l->there = false;
    }
}

/*
 * The core will know clock from the load at pc: at once where its code uses the value, else later.
 */
static void teach(struct txl_race *r, unsigned core, uint32_t pc, const struct race_clock *clock)
{
    const uint32_t at = place_at(r, core, pc, 0);
    struct lesson *l = &r->tile->lesson[core];
    if (at != NOWHERE && r->places[at].uses == 0) {
        r->places[at].uses = race_code_uses(r->tile->tile, pc) ? 2 : 1;
    }
    if (at == NOWHERE || r->places[at].uses == 2) {
        race_join(&r->tile->core[core], clock);
        return;
    }
    if (!l->there) {
        l->clock = *clock;
    } else {
        race_join(&l->clock, clock);
    }
    l->there = true;
    l->waits = false;
    l->pc = pc;
}

/* ---- what cores do ---- */

static struct race_access access_of(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    const struct race_clock *own = &r->tile->core[core];
    struct race_access a = {.clock = own->at[race_core(core, ACTOR_CORE)],
                            .place = place_at(r, core, o->word, 0),
                            .loose = NOWHERE,
                            .executed = o->number,
                            .cycle = o->cycle,
                            .sequence = r->tile->sequence[core],
                            .actor = (uint8_t)race_core(core, ACTOR_CORE),
                            .thread = (uint8_t)(TX_ORDER_CORE + core)};
    a.gate = a.clock;
    a.pass = a.place != NOWHERE ? ++r->places[a.place].passes : 0;
    return a;
}

/* Records an access that the core has started and that completes at some later time. */
static void start_late(struct txl_race *r, unsigned core, const struct tx_order *o,
                       struct race_access *a, enum race_actor actor)
{
    struct race_clock *late = behind(r, core, actor);
    const unsigned at = race_core(core, actor);
    race_join(late, &r->tile->core[core]);
    a->clock = ++late->at[at];
    a->actor = (uint8_t)at;
    race_access(r, o, a, late);
    if (o->shared == TX_SHARED_L1 && o->kind == TX_ORDER_WRITE) {
        race_flag_set(r, o->index, o->count, late, at, race_core(core, ACTOR_CORE));
    }
}

/* A load of L1 comes after the core's own stores to the same bytes, and all stores before these. */
static void own_stores(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_clock known = r->tile->core[core];
    const struct race_clock *stores = behind(r, core, ACTOR_STORE_L1);
    const unsigned at = race_core(core, ACTOR_STORE_L1);
    if (known.at[at] < stores->at[at]) {
        const uint32_t clock = race_shadow_last(r, o, at);
        if (clock > known.at[at]) {
            known.at[at] = clock;
            teach(r, core, o->word, &known);
        }
    }
}

static void load_l1(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_tile *t = r->tile;
    struct race_access a = access_of(r, core, o);
    struct lesson *l = &t->lesson[core];
    if (a.place != NOWHERE && r->places[a.place].waits == 0) {
        r->places[a.place].waits =
            race_code_waits(t->tile, o->word) || race_code_guards(t->tile, o->word) ? 2 : 1;
    }
    if (a.place != NOWHERE && r->places[a.place].waits == 2) {
        *l = (struct lesson){.clock = t->core[core],
                             .pc = o->word,
                             .address = o->index,
                             .there = true,
                             .waits = true};
        race_flag_join(r, o->index, o->count, &l->clock);
        return;
    }
    own_stores(r, core, o);
    struct race_clock known = t->core[core];
    known.at[race_core(core, ACTOR_STORE_L1)] =
        behind(r, core, ACTOR_STORE_L1)->at[race_core(core, ACTOR_STORE_L1)];
    race_access(r, o, &a, &known);
}

/* An atomic waits for the core's earlier stores, and later accesses wait for it. */
static void atomic_l1(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_clock *own = &r->tile->core[core];
    struct race_access a = access_of(r, core, o);
    a.atomic = true;
    race_join(own, behind(r, core, ACTOR_STORE_L1));
    race_flag_join(r, o->index, o->count, own);
    start_late(r, core, o, &a, ACTOR_STORE_L1);
    race_join(own, behind(r, core, ACTOR_STORE_L1));
}

static void access_l1(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_access a;
    switch ((enum tx_order_l1)o->mask) {
    case TX_ORDER_L1_NOC_READ:
    case TX_ORDER_L1_NOC_SOURCE:
    case TX_ORDER_L1_NOC_WRITE:
        a = access_of(r, core, o);
        start_late(r, core, o, &a,
                   (enum race_actor)(ACTOR_NOC_READ + (o->mask - TX_ORDER_L1_NOC_READ)));
        break;
    case TX_ORDER_L1_ATOMIC:
        atomic_l1(r, core, o);
        break;
    default:
        if (o->kind == TX_ORDER_READ) {
            load_l1(r, core, o);
        } else {
            a = access_of(r, core, o);
            start_late(r, core, o, &a, ACTOR_STORE_L1);
        }
        break;
    }
}

static void access(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_tile *t = r->tile;
    struct race_clock *own = &t->core[core];
    const enum race_actor store = o->shared == TX_SHARED_DST   ? ACTOR_STORE_DST
                                  : o->shared == TX_SHARED_GPR ? ACTOR_STORE_GPR
                                                               : ACTOR_STORE_CONFIG;
    if ((o->shared == TX_SHARED_CONFIG && tracks(r, core, TX_FACT_TTSYNC_CONFIG_BIT)) ||
        (o->shared == TX_SHARED_GPR && tracks(r, core, TX_FACT_TTSYNC_GPRS_BIT))) {
        race_join(own, &r->thread[core - TX_CORE_T0].gate); /* words that use it have passed */
    }
    struct race_access a = access_of(r, core, o);
    struct tx_order order = *o;
    if (o->shared == TX_SHARED_MOP) { /* for MopCfg the mask is the value stored */
        t->mop[o->index / 9 % TX_THREADS][o->index % 9] = o->mask;
        order.mask = 0xFFFFFFFFu;
    } else if (o->kind == TX_ORDER_WRITE) {
        a.sequence = ++t->stored[core];
        start_late(r, core, o, &a, store);
        return;
    } else {
        teach(r, core, o->word, behind(r, core, store)); /* what has been read back has arrived */
    }
    if (o->shared == TX_SHARED_CONFIG && o->kind == TX_ORDER_READ && a.place != NOWHERE) {
        struct race_place *p = &r->places[a.place];
        p->bits = p->looked ? p->bits : race_code_bits(t->tile, o->word);
        p->looked = true;
        order.mask &= p->bits;
    }
    struct race_clock known = *own;
    race_join(&known, behind(r, core, store));
    race_access(r, &order, &a, &known);
}

static void semaphore(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_semaphore *s = &r->semaphore[o->index % SEMAPHORES];
    struct race_clock *own = &r->tile->core[core];
    if (o->kind == TX_ORDER_READ) {
        struct race_clock known = s->post[s->posts % COUNTS];
        race_join(&known, &s->get[s->gets % COUNTS]);
        teach(r, core, o->word, &known);
    } else if (o->mask == 1) {
        s->posts++;
        s->post[s->posts % COUNTS] = s->post[(s->posts - 1) % COUNTS];
        race_join(&s->post[s->posts % COUNTS], own);
    } else if (s->gets < s->posts) {
        s->gets++;
        s->get[s->gets % COUNTS] = s->get[(s->gets - 1) % COUNTS];
        race_join(&s->get[s->gets % COUNTS], own);
    }
}

/* Adds everything that a thread has done, or only what its MOP Expander has done. */
static void join_done(const struct txl_race *r, unsigned thread, bool everything,
                      struct race_clock *to)
{
    race_join(to, &r->unit[race_actor(thread, ACTOR_EXPAND)]);
    for (unsigned a = ACTOR_MATRIX; everything && a < ACTORS_OF_THREAD; a++) {
        race_join(to, &r->unit[race_actor(thread, (enum race_actor)a)]);
    }
    if (everything) {
        race_join(to, &r->thread[thread].gate);
    }
}

static void done(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_clock known = {{0}};
    join_done(r, o->index % TX_THREADS, o->mask != 0, &known);
    teach(r, core, o->word, &known);
}

static void race_tile_start(struct txl_race *r, unsigned core, uint64_t executed)
{
    /* Whichever core releases it from reset has done everything before. */
    for (unsigned i = 0; i < TX_CORES; i++) {
        race_join(&r->tile->core[core], &r->tile->core[i]);
        for (unsigned a = ACTOR_STORE_CONFIG; a < ACTOR_KINDS; a++) {
            race_join(&r->tile->core[core], behind(r, i, (enum race_actor)a));
        }
    }
    r->tile->started[core] = r->tile->core[core];
    r->tile->started_at[core] = executed;
}

bool race_tile_released(const struct txl_race *r, const struct race_access *first,
                        const struct race_access *second, uint64_t instructions)
{
    if (r->tile == NULL || first->thread >= TX_THREADS || first->pushed == 0) {
        return false;
    }
    const unsigned core =
        second->thread < TX_THREADS ? second->by : second->thread - (unsigned)TX_ORDER_CORE;
    const struct race_clock *started = &r->tile->started[core % TX_CORES];
    return core != first->by && started->at[race_core(first->by, ACTOR_CORE)] >= first->pushed &&
           second->executed - r->tile->started_at[core % TX_CORES] >= instructions;
}

static void send(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct letters *l = &r->tile->letters[o->mask % WAYS][core][o->index % TX_CORES];
    if (l->count < QUEUE) {
        l->clock[(l->first + l->count++) % QUEUE] = r->tile->core[core];
    }
}

static void receive(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    const unsigned from = o->index % TX_CORES;
    if (o->mask == TX_ORDER_PC_EMPTY) {
        struct race_clock known = r->tile->core[from];
        join_done(r, (from - TX_CORE_T0) % TX_THREADS, true, &known);
        teach(r, core, o->word, &known);
        return;
    }
    struct letters *l = &r->tile->letters[o->mask % WAYS][from][core];
    if (l->count != 0) {
        teach(r, core, o->word, &l->clock[l->first]);
        l->first = (l->first + 1) % QUEUE;
        l->count--;
    }
}

/* A load of a NoC counter has shown that requests are complete. */
static void requests_over(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_clock known = {{0}};
    for (unsigned i = 0; i < TX_CORES; i++) { /* the counters count requests of all cores */
        for (unsigned how = TX_ORDER_L1_NOC_READ; how <= TX_ORDER_L1_NOC_WRITE; how++) {
            const unsigned actor = ACTOR_NOC_READ + (how - TX_ORDER_L1_NOC_READ);
            if ((o->mask >> how & 1u) != 0) {
                race_join(&known, behind(r, i, (enum race_actor)actor));
            }
        }
    }
    teach(r, core, o->word, &known);
}

static void access_any(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    switch ((enum tx_shared)o->shared) {
    case TX_SHARED_SEMAPHORE:
        semaphore(r, core, o);
        break;
    case TX_SHARED_L1:
        access_l1(r, core, o);
        break;
    default:
        access(r, core, o);
        break;
    }
}

void race_tile_order(struct txl_race *r, const struct tx_order *o)
{
    struct race_tile *t = r->tile;
    const unsigned core = (o->thread - (unsigned)TX_ORDER_CORE) % TX_CORES;
    if (t == NULL) {
        return;
    }
    learn(r, core, o);
    t->core[core].at[race_core(core, ACTOR_CORE)]++;
    t->sequence[core]++;
    switch ((enum tx_order_kind)o->kind) {
    case TX_ORDER_READ:
    case TX_ORDER_WRITE:
        access_any(r, core, o);
        break;
    case TX_ORDER_PUSH:
        push(r, core, o);
        break;
    case TX_ORDER_DONE:
        done(r, core, o);
        break;
    case TX_ORDER_SEND:
        send(r, core, o);
        break;
    case TX_ORDER_RECEIVE:
        receive(r, core, o);
        break;
    case TX_ORDER_NOC:
        requests_over(r, core, o);
        break;
    case TX_ORDER_START:
        race_tile_start(r, core, o->number);
        break;
    default:
        break;
    }
}

/* ---- queries of the report ---- */

txl_tensix *race_tile_of(const struct txl_race *r)
{
    return r->tile->tile;
}

bool race_tile_unused(const struct txl_race *r, unsigned core, const struct race_access *a,
                      uint32_t *pc)
{
    const struct lesson *l = &r->tile->lesson[core];
    *pc = l->pc;
    return l->there && !l->waits && l->clock.at[a->actor] >= a->clock;
}

void race_tile_pushed(const struct txl_race *r, unsigned thread, struct race_access *access)
{
    const struct pushed *last = &r->tile->last[thread];
    access->pushed = last->clock.at[race_core(last->by, ACTOR_CORE)];
    access->executed = last->executed;
    access->by = last->by;
}

uint32_t race_tile_latest(const struct txl_race *r, unsigned actor)
{
    const unsigned core = (actor - THREAD_ACTORS) / CORE_ACTORS;
    const enum race_actor kind = race_kind(actor);
    return kind == ACTOR_CORE ? r->tile->core[core].at[actor]
                              : r->tile->behind[core][kind - ACTOR_CORE].at[actor];
}

void race_tile_assume(struct txl_race *r, unsigned core, unsigned actor, uint32_t clock)
{
    uint32_t *at = &r->tile->core[core % TX_CORES].at[actor];
    *at = *at > clock ? *at : clock;
}

/* ---- open, close ---- */

int txl_race_watch(struct txl_error *err, txl_tensix *tile, const struct txl_race_options *options,
                   txl_race **race)
{
    tx_machine *machine = tx_tensix_machine(txl_tensix_tile(tile));
    struct txl_race *r = zeroed(err, 1, sizeof *r);
    *race = NULL;
    if (r == NULL) {
        return TXL_INPUT;
    }
    r->err = err;
    r->arch = tx_machine_arch(machine);
    r->tile = zeroed(err, 1, sizeof *r->tile);
    r->places = zeroed(err, PLACES, sizeof *r->places);
    r->flags = race_flags_open(r);
    const bool there = r->tile != NULL && r->places != NULL && r->flags != NULL;
    int result = there ? race_settle_tile(r, options) : TXL_INPUT;
    if (result != TXL_CONTINUE) {
        txl_race_close(r);
        return result;
    }
    r->tile->tile = tile;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        r->stream[TX_SECTION_TILE][t].origin.mop = NOWHERE;
    }
    r->section = TX_SECTION_TILE;
    const struct tx_order_sink sink = {race_order, r};
    r->machine = machine;
    tx_order_listen(machine, &sink);
    *race = r;
    return TXL_OK;
}

int txl_race_end(struct txl_error *err, txl_race *r)
{
    if (r->tile != NULL) {
        tx_order_listen(tx_tensix_machine(txl_tensix_tile(r->tile->tile)), NULL);
    }
    r->err = err;
    return race_finish(r);
}

void race_tile_close(struct txl_race *r)
{
    race_flags_close(r->flags);
    if (r->tile != NULL) {
        hash_free(&r->tile->numbers);
    }
    free(r->tile);
}
