/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles in which no core of a tile can issue: each waits for a register, a line of code or a
 * branch and knows until when, or naps (naps.c). They pass at once. Where one core can issue, the
 * others need not try.
 */
#include "tile/check.h"
#include "tile/tile.h"

enum { SAMPLE = 61 }; /* such rests are so frequent that some are checked */

bool tile_core_waits(const struct tx_tensix *t, unsigned core)
{
#if defined(TX_CHECK)
    (void)t, (void)core;
    return false; /* the long way: it tries */
#else
    return t->may_rest && riscv_rests(&t->core[core]);
#endif
}

/* Returns the cycle before which no core does anything, at most "until"; a cycle past: unknown. */
static uint64_t cores_wait(const struct tx_tensix *t, uint64_t until)
{
    const uint64_t now = t->s.cycle + t->s.ahead;
    for (unsigned c = 0; c < TX_CORES && until > now; c++) {
        const struct riscv *core = &t->core[c];
        const struct riscv_state *s = &core->s;
        if (((unsigned)t->napping >> c & 1u) != 0) {
            continue;
        }
        if (s->phase == RISCV_RUNS) {
            const uint64_t rests = riscv_rests(core) && !tile_watches(t, c) ? core->rests : now;
            until = rests < until ? rests : until;
        }
        if (s->stores != 0) { /* nothing leaves before */
            const uint64_t from = s->store[s->store_head].from;
            until = from < until ? from : until;
        }
    }
    return until;
}

/* Returns whether somebody sees single cycles, or something else than cores may act in them. */
static bool watched(const struct tx_tensix *t)
{
    enum { SETTLED = 4 };
    const struct tx_machine *m = t->m;
    return !t->sleeps || m->quiet < SETTLED || t->settings.untimed || t->sleepless ||
           m->settings.sink.event != NULL || m->settings.watch.go_on != NULL || m->delays != NULL ||
           t->held.live || t->frozen != 0 || t->s.starts_late != 0 || t->requests.count != 0 ||
           m->faulted || tile_core_rounds(t) != 1 ||
           (t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0 ||
           (t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0;
}

void tile_idle_for(struct tx_tensix *t, uint64_t cycles)
{
    struct tx_machine *m = t->m;
    m->state.cycle += cycles;
    m->quiet = (uint32_t)(cycles < UINT32_MAX - m->quiet ? m->quiet + cycles : UINT32_MAX);
    t->s.cycle += cycles;
}

static void rest(struct tx_tensix *t, uint64_t cycles)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct riscv_state *s = &t->core[c].s;
        if (((unsigned)t->napping >> c & 1u) == 0) {
            s->waited[s->wait] += s->phase == RISCV_RUNS ? cycles : 0;
            s->now += cycles;
        }
    }
    tile_idle_for(t, cycles);
}

uint64_t tile_rest(struct tx_tensix *t, uint64_t most)
{
    const uint64_t now = t->s.cycle + t->s.ahead;
    const uint64_t until = cores_wait(t, now + most);
    if (until <= now || tile_looks(t) || watched(t)) {
        return 0;
    }
    if (now % SAMPLE == 0) {
        tile_check_sleep(t, until - now, rest);
    }
    rest(t, until - now);
    return until - now;
}
