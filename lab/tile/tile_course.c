/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks for the end of a run for callers that run a tile cycle by cycle, at the same cycles at
 * which txl_tensix_run would notice it.
 */
#include "tile/tile_program.h"

/* Tells whether the run is checked at this cycle. */
static bool looks(const struct txl_tensix_options *o, uint64_t cycles)
{
    return cycles % TILE_LOOK == (o->until_count != 0 || o->late_count != 0 ? 0 : 1);
}

static uint64_t work_of(const tx_tensix *tile, const tx_machine *m)
{
    uint64_t work = tx_machine_counters(m).instructions;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state state;
        (void)tx_tensix_core(tile, (enum tx_core)c, &state);
        work += state.rests ? 0 : state.instructions;
    }
    return work;
}

enum tile_end tile_over(txl_tensix *run, struct tile_course *course)
{
    const struct txl_tensix_options *o = tile_options(run);
    tx_tensix *tile = txl_tensix_tile(run);
    const tx_machine *m = tx_tensix_machine(tile);
    const uint64_t now = tx_tensix_cycles(tile);
    uint64_t sum;
    if (!looks(o, now)) {
        return TILE_GOES_ON;
    }
    if (tile_has_words(run)) {
        return TILE_WORDS;
    }
    for (size_t i = 0; i < o->late_count; i++) {
        if (o->late[i].cycle >= now) {
            return TILE_GOES_ON;
        }
    }
    if (tile_rests(run, &sum)) {
        return TILE_RESTS;
    }
    const uint64_t work = work_of(tile, m);
    if (work != course->work) {
        course->work = work;
        course->since = now;
    }
    return now - course->since > TILE_PATIENCE && (tx_idle(m) || tx_stuck(m)) ? TILE_DEADLOCK
                                                                              : TILE_GOES_ON;
}

void tile_late(txl_tensix *run, void (*store)(void *user, const struct txl_tensix_late *word),
               void *user)
{
    const struct txl_tensix_options *o = tile_options(run);
    const uint64_t now = tx_tensix_cycles(txl_tensix_tile(run));
    for (size_t i = 0; now % TILE_LOOK == 0 && i < o->late_count; i++) {
        if (o->late[i].cycle >= now && o->late[i].cycle - now < TILE_LOOK) {
            store(user, &o->late[i]);
        }
    }
}
