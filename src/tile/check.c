/* SPDX-License-Identifier: Apache-2.0 */
/* See check.h. */
#include "tile/check.h"

#if defined(TX_CHECK)

#include "base/check.h"
#include "front/check.h"
#include "front/front.h"

#include <stdlib.h>
#include <string.h>

/* ---- what holds between two cycles ---- */

static void check_fifo(const struct fifo *f, unsigned capacity)
{
    CHECK(f->head < PCBUF_WORDS, "a FIFO begins within its ring");
    CHECK(f->count <= capacity, "a FIFO holds no more words than it has room for");
}

static void check_core(const struct riscv *c, unsigned number)
{
    const struct riscv_state *s = &c->s;
    CHECK(c->who == number, "a core stands at its number");
    CHECK(s->x[0] == 0, "x0 is zero between two cycles");
    CHECK((s->pc & 3u) == 0, "a pc is a multiple of four");
    CHECK(s->phase <= RISCV_STOPPED, "a core is in one of its phases");
    CHECK(s->wait < TX_CORE_WAITS, "a core waits for something that has a name");
    CHECK(s->behind < TX_CORE_WAITS, "what a core waits for behind a branch has a name");
    CHECK(s->stores <= RISCV_STORES, "a core's store queue holds no more than it has room for");
    CHECK(s->store_head < RISCV_STORES, "the oldest store is within the queue");
    CHECK(s->retire_at < 8, "the window of retirements has eight places");
    CHECK(s->loads_at < RISCV_STORES, "the window of loads has four places");
    CHECK(s->handling <= 1, "a core is in an interrupt or not");
    CHECK(c->splits <= RISCV_SPLITS, "places that split a group fit their list");
    CHECK((s->undefined & 1u) == 0, "x0 has no undefined bits");
    for (unsigned i = 0; i < s->stores; i++) {
        const struct riscv_store *q = &s->store[(s->store_head + i) % RISCV_STORES];
        CHECK(q->words <= 4, "at most four .ttinsn leave together");
        CHECK(q->region <= REGION_NONE, "a queued store goes to a region");
        CHECK(q->region != REGION_L1 || q->address < c->env.l1_size,
              "a queued store to L1 lies within L1");
    }
}

static void check_words(const struct tx_tensix *t)
{
    for (unsigned writer = 0; writer < MAILBOXES; writer++) {
        for (unsigned reader = 0; reader < MAILBOXES; reader++) {
            check_fifo(&t->s.mailbox[writer][reader], MAILBOX_WORDS);
        }
    }
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        check_fifo(&t->s.pcbuf[thread], PCBUF_WORDS);
        CHECK(t->s.risc[thread] <= 1, "condition RISC is one bit");
        CHECK(t->s.pc_wait[thread] <= t->s.cycle + 1, "a wait for the PC buffer has begun");
        for (unsigned i = 0; i < TILE_PUSHED; i += 17) {
            const struct tile_pushed *p = &t->s.pushed[thread][i];
            CHECK((p->from & 3u) != 3u, "a word is pushed by B or by its thread's core");
        }
    }
}

void tile_check(const struct tx_tensix *t)
{
    CHECK((t->frozen >> TX_CORES) == 0, "a core that is frozen exists");
    CHECK((t->s.starts_late >> TX_CORES) == 0, "a core that starts late exists");
    CHECK(!t->held.live || t->held.who < TX_CORES, "a store that is held back is a core's");
    CHECK(t->progress <= t->s.cycle, "progress was made in the past");
    CHECK(t->m->own_l1 != NULL, "a tile has its L1");
    CHECK(!t->sleeps || t->m->state.flights == 0, "nothing is in flight in a unit that sleeps");
    CHECK(!t->sleeps || t->m->state.units.unpack.jobs == 0, "no unpacker works while it sleeps");
    for (unsigned c = 0; c < TX_CORES; c++) {
        check_core(&t->core[c], c);
        CHECK(t->core[c].env.l1 == t->m->own_l1, "cores and units share one L1");
        CHECK(t->core[c].timed == !t->settings.untimed, "a core keeps time if its tile does");
    }
    for (unsigned c = 0; c < DEBUG_CORES; c++) {
        CHECK(t->s.watch_passed[c] <= 1, "a watchpoint has been passed or not");
    }
    check_words(t);
}

/* ---- sleep ---- */

void tile_check_idle(struct tx_tensix *t)
{
    struct tx_machine *m = t->m;
    const uint64_t stalls = t->sleeps ? 0 : t->stands;
    struct check *c = check_cycle(m, TX_THREADS, NULL);
    m->state.cycle++;
    m->counters.stall_cycles += stalls;
    if (check_again(m, c)) {
        bool accepted;
        front_cycle(m, 0, NULL, &accepted);
        check_end(m, c, "a unit that is idle or stands still");
    }
    m->counters.stall_cycles -= stalls;
    m->state.cycle--;
}

struct image {
    struct tx_state machine;
    struct tile_state tile;
    struct riscv core[TX_CORES];
    struct tx_counters counters;
    uint64_t progress;
    size_t findings;
    uint32_t quiet, watched;
    uint8_t stands;
    bool sleeps;
};

static void save(const struct tx_tensix *t, struct image *i)
{
    i->machine = t->m->state;
    i->tile = t->s;
    memcpy(i->core, t->core, sizeof i->core);
    i->counters = t->m->counters;
    i->progress = t->progress;
    i->findings = t->m->finding_count;
    i->quiet = t->m->quiet;
    i->watched = t->m->watched;
    i->stands = t->stands;
    i->sleeps = t->sleeps;
}

static void tile_check_load(struct tx_tensix *t, const struct image *i)
{
    t->m->state = i->machine;
    t->s = i->tile;
    memcpy(t->core, i->core, sizeof i->core);
    t->m->counters = i->counters;
    t->progress = i->progress;
    t->m->quiet = i->quiet;
    t->m->watched = i->watched;
    t->stands = i->stands;
    t->sleeps = i->sleeps;
}

static void tile_check_compare(const struct image *a, const struct image *b)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        CHECK(riscv_same(&a->core[c].s, &b->core[c].s),
              "a core that has slept is where it would be had it been awake");
        CHECK(a->core[c].changes == b->core[c].changes,
              "a core that has slept has changed nothing outside");
    }
    CHECK(memcmp(&a->machine, &b->machine, sizeof a->machine) == 0,
          "a coprocessor that has slept is what it would be had it been awake");
    CHECK(memcmp(&a->tile, &b->tile, sizeof a->tile) == 0,
          "a tile that has slept is what it would be had it been awake");
    CHECK(a->counters.instructions == b->counters.instructions &&
              a->counters.stall_cycles == b->counters.stall_cycles,
          "a coprocessor that has slept has counted as if awake");
    CHECK(a->findings == b->findings, "nothing is found in a tile that sleeps");
}

/* Returns whether being awake can be undone, and nobody is told of it. */
static bool may_wake(const struct tx_tensix *t)
{
    const struct tx_machine *m = t->m;
    bool stores = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        stores = stores || t->core[c].s.stores != 0;
    }
    return !t->settings.untimed && !stores && m->settings.sink.event == NULL && m->delays == NULL &&
           m->order.order == NULL && t->accessed == NULL && t->stores == NULL && !t->looking &&
           m->settings.watch.go_on == NULL && t->requests.count == 0 && !m->faulted;
}

void tile_check_sleep(struct tx_tensix *t, uint64_t cycles,
                      void (*skip)(struct tx_tensix *t, uint64_t cycles))
{
    const uint64_t n = cycles < TILE_CHECK_SLEEP ? cycles : TILE_CHECK_SLEEP;
    bool counts = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        counts = counts || tile_counts(t, c);
    }
    if (n == 0 || counts || !may_wake(t)) {
        return;
    }
    struct image *asleep = malloc(3 * sizeof *asleep);
    CHECK(asleep != NULL, "there is memory for the long way of a sleep");
    struct image *quick = asleep + 1, *awake = asleep + 2;
    save(t, asleep);
    skip(t, n);
    save(t, quick);
    tile_check_load(t, asleep);
    for (uint64_t i = 0; i < n; i++) {
        (void)tile_cycle(t);
    }
    save(t, awake);
    tile_check_load(t, asleep);
    tile_check_compare(quick, awake);
    free(asleep);
}

#endif
