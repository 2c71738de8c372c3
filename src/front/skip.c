/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skipping cycles in which nothing happens. If a cycle has moved nothing, those after it are like
 * it until the time of some unit comes; they are counted instead of being run. Nothing is skipped
 * that a sink, a host or a memory request could observe, nor while something changes every cycle.
 * tests/front/test_skip.c compares runs with and without skipping.
 */
#include "front/front.h"
#include "base/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"

/* Lowers *first to "time" if that is not before "now", which is the last cycle that was run. */
static void soonest(uint64_t *first, uint64_t now, uint64_t time)
{
    if (time >= now && time < *first) {
        *first = time;
    }
}

/* Returns the earliest cycle for which a unit has something scheduled, or UINT64_MAX. */
static uint64_t next_time(const struct tx_machine *m, uint64_t now)
{
    const struct units *u = &m->state.units;
    uint64_t first = UINT64_MAX;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        soonest(&first, now, u->gate[t].until);
        soonest(&first, now, u->gate[t].vector);
        soonest(&first, now, u->gate[t].matrix);
    }
    for (unsigned i = 0; i < 2 * SRC_BANKS && u->banks_until >= now; i++) {
        soonest(&first, now, u->bank_seen[i / SRC_BANKS][i % SRC_BANKS]);
    }
    soonest(&first, now, u->config_stage0);
    soonest(&first, now, u->config_until);
    soonest(&first, now, u->thcon_write);
    soonest(&first, now, u->scalar.atomic);
    /* The Matrix Unit's other times are covered by moves(). */
    soonest(&first, now, u->matrix.until);
    for (unsigned i = 0; i < PACKERS && u->pack.until >= now; i++) {
        for (unsigned n = 0; n < PACK_DEPTH_MAX; n++) {
            soonest(&first, now, u->pack.unit[i].end[n]);
        }
        for (unsigned t = 0; t < TX_THREADS; t++) {
            soonest(&first, now, u->pack.unit[i].until[t]);
        }
    }
    soonest(&first, now, u->pack.until);
    return unit_unpack_next(m, now, first);
}

/* Returns whether something is under way that does not just wait for a time in next_time(). */
static bool moves(const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    bool host = false;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        host = host || u->gate[t].hold == TX_HOLD_HOST || u->gate[t].hold == TX_HOLD_ARBITRATION;
    }
    return host || m->moved || m->delays != NULL || m->faulted || m->state.flights != 0 ||
           m->state.pending_count != 0 ||
           (u->requests | u->config_writes | u->scalar.live | u->mover.live) != 0 ||
           u->matrix.until >= m->state.cycle || u->matrix.stored_until >= m->state.cycle;
}

bool front_stands(const struct tx_machine *m)
{
    return m->quiet != 0 && !moves(m) && next_time(m, m->state.cycle - 1) == UINT64_MAX;
}

uint64_t front_skip(struct tx_machine *m, uint64_t most)
{
    CHECK(m->state.cycle != 0, "cycles are skipped after one like them");
    const uint64_t now = m->state.cycle - 1;
    uint64_t waiting = 0;
    if (m->settings.sink.event != NULL || m->quiet != 0 || machine_is_paced(m) || moves(m)) {
        return 0;
    }
    const uint64_t next = next_time(m, now);
    if (next == UINT64_MAX || next < now + 3) {
        return 0;
    }
    uint64_t n = next - 2 - now;
    const uint64_t left = machine_unasked(m) - 1;
    n = n < left ? n : left;
    n = n < most ? n : most;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        waiting += m->state.units.gate[t].present != 0 ? 1 : 0;
    }
    machine_ran(m, n);
    m->counters.stall_cycles += n * waiting;
    m->state.cycle += n;
    unit_unpack_pass(m, n);
    return n;
}
