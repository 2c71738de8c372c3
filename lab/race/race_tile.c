/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores of a tile beside the coprocessor. A core does things in order, but its stores to different
 * regions are on their own: one to configuration or a GPR is done where the core has read back, or
 * where a STALLWAIT waits for it. A pushed word comes after what the core had done. Source: isa
 * BackendConfiguration 492ccd0 (dangers one and two), MemoryOrdering f7fda21; spec/tile.md 4, 6, 7.
 * L1 and the NoC, as cores use them, are not looked at.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "race/race.h"

#include <tensix-lab/tile.h>

enum { WORDS = 256, PLACES = 1 << 14 };

struct pushed {
    uint32_t word, place, stores;
    uint32_t mop[9];
    struct race_clock clock;
};

struct race_tile {
    txl_tensix *tile;
    struct race_clock core[TX_CORES], store[TX_CORES];
    struct race_clock mail[TX_CORES][TX_CORES];
    uint64_t sequence[TX_CORES];
    uint32_t mop[TX_THREADS][9];
    struct pushed words[TX_THREADS][WORDS];
    unsigned first[TX_THREADS], count[TX_THREADS];
    struct pushed last[TX_THREADS]; /* the one that was taken last */
    uint32_t table[2 * PLACES];     /* places, + 1, by core and pc */
};

/* ---- places: instructions of cores ---- */

static uint32_t place_at(struct txl_race *r, unsigned core, uint32_t pc, uint32_t word)
{
    struct race_tile *t = r->tile;
    size_t at = (pc * 2654435761u + core) % (2 * PLACES);
    while (t->table[at] != 0) {
        const struct race_place *p = &r->places[t->table[at] - 1];
        if (p->thread == TX_ORDER_CORE + core && p->line == pc) {
            return t->table[at] - 1;
        }
        at = (at + 1) % (2 * PLACES);
    }
    if (r->place_count == PLACES) {
        return NOWHERE;
    }
    r->places[r->place_count] = (struct race_place){.thread = (uint8_t)(TX_ORDER_CORE + core),
                                                    .section = TX_SECTION_TILE,
                                                    .line = pc,
                                                    .word = word};
    t->table[at] = (uint32_t)++r->place_count;
    return (uint32_t)r->place_count - 1;
}

/* ---- words ---- */

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
    p->clock = t->core[core];
    p->stores = t->store[core].at[race_core(core, ACTOR_STORE)];
    memcpy(p->mop, t->mop[thread], sizeof p->mop);
    if (tx_insn_id_of(r->arch, o->mask) == TX_INSN_MOP) {
        const unsigned actor = race_actor(thread, ACTOR_EXPAND);
        race_join(&r->unit[actor], &p->clock);
        const struct race_access read = {.clock = ++r->unit[actor].at[actor],
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
    uint32_t *at = &clock->at[race_core(core, ACTOR_STORE)];
    const uint32_t stores = r->tile->last[thread].stores;
    *at = *at > stores ? *at : stores;
}

/* ---- what cores do ---- */

static void access(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_tile *t = r->tile;
    struct race_clock *own = &t->core[core];
    const unsigned store = race_core(core, ACTOR_STORE);
    const bool late = o->kind == TX_ORDER_WRITE && o->shared != TX_SHARED_MOP;
    struct race_access a = {.clock = own->at[race_core(core, ACTOR_CORE)],
                            .place = place_at(r, core, o->word, 0),
                            .loose = NOWHERE,
                            .cycle = o->cycle,
                            .sequence = t->sequence[core],
                            .actor = (uint8_t)race_core(core, ACTOR_CORE),
                            .thread = (uint8_t)(TX_ORDER_CORE + core)};
    struct tx_order order = *o;
    a.gate = a.clock;
    a.pass = a.place != NOWHERE ? ++r->places[a.place].passes : 0;
    if (o->shared == TX_SHARED_MOP) { /* the mask is what is stored */
        t->mop[o->index / 9 % TX_THREADS][o->index % 9] = o->mask;
        order.mask = 0xFFFFFFFFu;
    }
    if (late) {
        race_join(&t->store[core], own);
        a.clock = ++t->store[core].at[store];
        a.actor = (uint8_t)store;
        race_access(r, &order, &a, &t->store[core]);
        return;
    }
    if (o->kind == TX_ORDER_READ) {
        race_join(own, &t->store[core]); /* what is read back is there */
    }
    race_access(r, &order, &a, own);
}

static void semaphore(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    struct race_semaphore *s = &r->semaphore[o->index % SEMAPHORES];
    struct race_clock *own = &r->tile->core[core];
    if (o->kind == TX_ORDER_READ) {
        race_join(own, &s->post[s->posts % COUNTS]);
        race_join(own, &s->get[s->gets % COUNTS]);
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

/* Its thread is done with everything, or its MOP Expander is. */
static void done(struct txl_race *r, unsigned core, const struct tx_order *o)
{
    const unsigned thread = o->index % TX_THREADS;
    struct race_clock *own = &r->tile->core[core];
    race_join(own, &r->unit[race_actor(thread, ACTOR_EXPAND)]);
    for (unsigned a = ACTOR_MATRIX; o->mask != 0 && a < ACTORS_OF_THREAD; a++) {
        race_join(own, &r->unit[race_actor(thread, (enum race_actor)a)]);
    }
    if (o->mask != 0) {
        race_join(own, &r->thread[thread].gate);
    }
}

static void start(struct txl_race *r, unsigned core)
{
    for (unsigned i = 0; i < TX_CORES; i++) { /* whoever lets it run has done all that it had to */
        race_join(&r->tile->core[core], &r->tile->core[i]);
        race_join(&r->tile->core[core], &r->tile->store[i]);
    }
}

void race_tile_order(struct txl_race *r, const struct tx_order *o)
{
    struct race_tile *t = r->tile;
    const unsigned core = (o->thread - (unsigned)TX_ORDER_CORE) % TX_CORES;
    if (t == NULL) {
        return;
    }
    t->core[core].at[race_core(core, ACTOR_CORE)]++;
    t->sequence[core]++;
    switch ((enum tx_order_kind)o->kind) {
    case TX_ORDER_READ:
    case TX_ORDER_WRITE:
        if (o->shared == TX_SHARED_SEMAPHORE) {
            semaphore(r, core, o);
        } else {
            access(r, core, o);
        }
        break;
    case TX_ORDER_PUSH:
        push(r, core, o);
        break;
    case TX_ORDER_DONE:
        done(r, core, o);
        break;
    case TX_ORDER_SEND:
        race_join(&t->mail[core][o->index % TX_CORES], &t->core[core]);
        break;
    case TX_ORDER_RECEIVE:
        race_join(&t->core[core], &t->mail[o->index % TX_CORES][core]);
        break;
    case TX_ORDER_START:
        start(r, core);
        break;
    default:
        break;
    }
}

/* ---- words about it ---- */

void race_tile_place(struct txl_race *r, struct race_pair *p, unsigned i)
{
    struct txl_race_place *to = &p->found.place[i];
    const struct race_access *a = &p->access[i];
    const bool core = a->thread >= TX_ORDER_CORE;
    const struct race_place *q = a->place != NOWHERE ? &r->places[a->place] : NULL;
    char function[96];
    to->thread = core ? a->thread - TX_ORDER_CORE : a->thread;
    to->core = core;
    to->section = TX_SECTION_TILE;
    to->word = a->word;
    to->line = q != NULL ? q->line : 0;
    to->pass = a->pass;
    to->writes = a->write;
    to->unit = race_unit_name(a->actor);
    if (core) {
        snprintf(p->text[i], sizeof p->text[i], "%s", a->write ? "store" : "load");
    } else {
        (void)tx_disassemble(r->arch, a->word, TX_DIS_NORMAL, p->text[i], sizeof p->text[i]);
    }
    const enum tx_core by = (enum tx_core)(q != NULL ? q->thread - TX_ORDER_CORE : TX_CORE_B);
    if (q != NULL && txl_tensix_source(r->tile->tile, by, q->line, p->source[i]) != NULL) {
        return;
    }
    const char *name = q != NULL ? txl_tensix_function(r->tile->tile, by, q->line, function) : NULL;
    snprintf(p->source[i], sizeof p->source[i], "%s %s pc 0x%" PRIx32,
             q != NULL ? tx_core_name(by) : "?", name != NULL ? name : "", to->line);
}

void race_tile_describe(struct txl_race *r, struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    const struct race_access *b = &p->access[1];
    (void)r;
    if (a->thread >= TX_ORDER_CORE && b->thread < TX_THREADS) {
        snprintf(p->why, sizeof p->why,
                 "the core's store is on its way when the word behind it may be at its gate");
        snprintf(p->remedy, sizeof p->remedy,
                 "ttstallwait %s, p_stall::TRISC_CFG between them, or the core reads the word back",
                 race_block_name(b->blocks));
    } else if (b->thread >= TX_ORDER_CORE && a->thread < TX_THREADS) {
        snprintf(p->why, sizeof p->why, "the core does not wait for T%u's instruction", a->thread);
        snprintf(p->remedy, sizeof p->remedy,
                 "the core waits until thread %u is done (tensix_sync, or a semaphore behind "
                 "ttstallwait p_stall::STALL_SYNC) before it",
                 a->thread);
    } else {
        snprintf(p->why, sizeof p->why, "nothing orders the two cores here");
        snprintf(p->remedy, sizeof p->remedy, "a mailbox or a semaphore between them");
    }
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
    int result = r->tile != NULL && r->places != NULL ? race_settle_tile(r, options) : TXL_INPUT;
    if (result != TXL_CONTINUE) {
        txl_race_close(r);
        return result;
    }
    r->tile->tile = tile;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        r->stream[TX_SECTION_TILE][t].mop = NOWHERE;
    }
    r->section = TX_SECTION_TILE;
    const struct tx_order_sink sink = {race_order, r};
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
    free(r->tile);
}
