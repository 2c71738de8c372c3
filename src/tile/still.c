/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles of the coprocessor, most of which need only be counted: it is idle, or all its words are
 * held at their gates and nothing that is under way will let them pass.
 */
#include "base/check.h"
#include "front/front.h"
#include "tile/check.h"
#include "tile/tile.h"

void tile_units_wait(struct tx_tensix *t, uint64_t cycles)
{
    struct tx_machine *m = t->m;
    const bool stands = tile_units_still(t) && !t->sleeps;
    CHECK(stands || tx_idle(m), "a coprocessor whose cycles are only counted is still");
    m->state.cycle += cycles;
    m->quiet = (uint32_t)(cycles < UINT32_MAX - m->quiet ? m->quiet + cycles : UINT32_MAX);
    m->counters.stall_cycles += stands ? cycles * t->stands : 0;
}

void tile_units_tell(const struct tx_tensix *t)
{
    struct tx_machine *m = t->m;
    if (m->settings.sink.event == NULL || t->sleeps || !tile_units_still(t)) {
        return;
    }
    m->state.cycle--;
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        const struct wait_gate *g = &m->state.units.gate[thread];
        if (g->present && g->hold != TX_HOLD_NONE) {
            machine_stall_event(m, &m->stood[thread].op, m->stood[thread].text,
                                &m->stood[thread].by);
        }
    }
    m->state.cycle++;
}

/*
 * Returns the words at the gates of a coprocessor that has just gone through a cycle like all that
 * follow. 0: such cycles may not only be counted, because the sink is told of each, the tile keeps
 * no time, or the chip is one in which nothing sleeps.
 */
static uint8_t words_held(const struct tx_tensix *t)
{
    const struct tx_machine *m = t->m;
    uint8_t held = 0;
    if ((m->settings.sink.event != NULL && !t->jumps) || t->settings.untimed ||
        !(t->may_rest || t->world == &t->alone) || !front_stands(m)) {
        return 0;
    }
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        const struct wait_gate *g = &m->state.units.gate[thread];
        held = (uint8_t)(held + (g->present && g->hold != TX_HOLD_NONE ? 1 : 0));
    }
    return held;
}

/*
 * Runs the coprocessor for one cycle. An idle coprocessor does nothing until a word is pushed, and
 * one that stands still until what its words wait for changes. Both set m->quiet to 0: until then
 * its cycles are only counted. An idle one has no events to tell a sink of.
 */
enum tx_status tile_units_cycle(struct tx_tensix *t)
{
    enum { SETTLED = 4 };
    struct tx_machine *m = t->m;
    t->sleeps = m->quiet >= SETTLED && (t->sleeps || tx_idle(m));
    if (!tile_units_still(t)) {
        if ((t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0) {
            tile_units_held(t);
        }
        front_all_sooner(m);
        const enum tx_status status = tx_step(m, 1);
        t->stands = m->quiet > SETTLED ? words_held(t) : 0;
        return status;
    }
    tile_check_idle(t);
    tile_units_wait(t, 1);
    tile_units_tell(t);
    return machine_goes_on(m) ? TX_OK : TX_ELIMIT;
}
