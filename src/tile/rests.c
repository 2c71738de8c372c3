/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles in which no core of a tile can issue: each waits for a register, a line of code or a
 * branch and knows until when, or naps (naps.c). They pass at once. Where one core can issue, the
 * others need not try.
 */
#include "tile/check.h"
#include "tile/tile.h"

enum { SAMPLE = 61 }; /* such rests are so frequent that some are checked */

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
    const struct tx_machine *m = t->m;
    return !tile_units_still(t) || t->settings.untimed || t->sleepless ||
           m->settings.watch.go_on != NULL || m->delays != NULL || t->held.live || t->frozen != 0 ||
           t->s.starts_late != 0 || t->requests.count != 0 || m->faulted ||
           tile_core_rounds(t) != 1 || (t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0 ||
           (t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0;
}

void tile_idle_for(struct tx_tensix *t, uint64_t cycles)
{
    tile_units_wait(t, cycles);
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
    tile_units_tell(t);
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

/* ---- a core that works alone ---- */

/* Returns the only core of a tile that does anything, B or NC. TX_CORES: it is not so. */
static unsigned alone(const struct tx_tensix *t)
{
    unsigned found = TX_CORES;
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct riscv_state *s = &t->core[c].s;
        const bool naps = ((unsigned)t->napping >> c & 1u) != 0;
        if (!naps && (s->phase == RISCV_RUNS || s->stores != 0)) {
            if (found != TX_CORES) {
                return TX_CORES;
            }
            found = c;
        }
    }
    const bool fits = found != TX_CORES && !riscv_is_t(found) && !tile_watches(t, found) &&
                      t->core[found].s.phase == RISCV_RUNS;
    return fits && (t->s.risc[0] | t->s.risc[1] | t->s.risc[2]) == 0 ? found : TX_CORES;
}

/* Lets time pass in which a core that is alone waits, at most so much. Returns how much. */
static uint64_t alone_rests(struct tx_tensix *t, unsigned c, uint64_t most)
{
    const struct riscv *core = &t->core[c];
    const struct riscv_state *s = &core->s;
    if (!riscv_rests(core)) {
        return 0;
    }
    uint64_t until = core->rests - s->now < most ? core->rests : s->now + most;
    if (s->stores != 0 && s->store[s->store_head].from < until) {
        until = s->store[s->store_head].from;
    }
    if (until <= s->now) {
        return 0;
    }
    const uint64_t cycles = until - s->now;
    if (s->now % SAMPLE == 0) {
        tile_check_sleep(t, cycles, rest);
    }
    rest(t, cycles);
    return cycles;
}

/*
 * What tile_cycle does where one core does it all. Returns whether that core is still alone: who is
 * woken takes part in the same cycle, and a store to a register may begin anything.
 */
static bool alone_cycle(struct tx_tensix *t, unsigned c)
{
    struct riscv *core = &t->core[c];
    const uint64_t now = t->s.cycle + t->s.ahead;
    const uint8_t napping = t->napping;
    bool still = true;
    tile_check_idle(t);
    tile_units_wait(t, 1);
    tile_units_tell(t);
    (void)machine_goes_on(t->m);
    if (core->s.stores != 0) {
        still = core->s.store[core->s.store_head].region == REGION_L1;
        t->turn = (uint8_t)c;
        riscv_deliver(core);
    }
    if (!still || t->napping != napping) {
        tile_deliver(t, c + 1);
        tile_interrupt(t);
        tile_issue(t, 0);
        tile_sync_cycle(t);
        t->s.cycle++;
        return false;
    }
    t->turn = (uint8_t)(TILE_TURN_ISSUE + c);
    if (tile_core_waits(t, c)) {
        core->s.waited[core->s.wait]++;
    } else {
        riscv_issue(core);
    }
    for (unsigned other = 0; other < TX_CORES; other++) {
        if (((unsigned)napping >> other & 1u) == 0) {
            t->core[other].s.now = now + 1;
        }
    }
    if (t->napping != napping) {
        tile_issue(t, c + 1);
        tile_sync_cycle(t);
    }
    t->turn = 0;
    tile_check(t);
    t->s.cycle++;
    return t->napping == napping && core->s.phase == RISCV_RUNS && t->requests.count == 0 &&
           !t->m->faulted;
}

enum tx_status tile_alone(struct tx_tensix *t, uint64_t *now, uint64_t until)
{
    const unsigned c = alone(t);
    if (c == TX_CORES || watched(t)) {
        return TX_OK;
    }
    const uint64_t tile_looks = tile_looks_next(t);
    const uint64_t core_looks = tile_naps_next(t, c);
    const uint64_t looks = tile_looks < core_looks ? tile_looks : core_looks;
    bool still = true;
    while (still && *now < until && t->s.cycle < looks) {
        const uint64_t rests = alone_rests(t, c, until - *now);
        still = rests != 0 || alone_cycle(t, c);
        *now += rests != 0 ? rests : 1;
    }
    return t->m->faulted ? TX_FAULT : TX_OK;
}
