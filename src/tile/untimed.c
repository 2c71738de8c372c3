/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a tile that keeps no time: cores and threads take turns, each going on until it is held.
 * The result is one that some timing of the tile could give (the others being slow for a while), so
 * that a correctly synchronized kernel computes the same; the cycle count measures work done. If
 * anything observes single cycles, tile.c runs single cycles instead.
 */
#include "front/front.h"
#include "base/check.h"
#include "pipe/macro.h"
#include "scalar/unit.h"
#include "tile/tile.h"

enum { TURN = 64 /* instructions that a core executes in one turn */ };

/*
 * Returns whether something depends on single cycles, such as a delay, a watchpoint or an
 * interrupt.
 */
static bool watched(const struct tx_tensix *t)
{
    const struct tx_machine *m = t->m;
    const struct front *f = &m->state.front;
    bool cores = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        cores = cores || t->core[c].s.stores != 0 || tile_watches(t, c);
    }
    return cores || m->delays != NULL || t->looking || t->frozen != 0 || t->s.starts_late != 0 ||
           (t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0 ||
           (t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0 ||
           (f->behind_live[0] | f->behind_live[1] | f->behind_live[2]) != 0;
}

void tile_untimed_again(struct tx_tensix *t)
{
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        t->held_at[thread] = UINT64_MAX;
    }
}

static uint64_t turn_of_core(struct tx_tensix *t, unsigned c, uint64_t most)
{
    CHECK(t->settings.untimed, "turns are for a tile without time");
    CHECK(c < TX_CORES, "a turn is one core's");
    struct riscv *core = &t->core[c];
    core->s.now = t->s.cycle;
    if (core->s.phase != RISCV_RUNS || tile_core_rests(t, c)) {
        return 0;
    }
    const uint64_t done = riscv_run(core, most < TURN ? most : TURN);
    machine_ran(t->m, done);
    core->s.waited[core->s.wait] += done == 0 ? 1 : 0;
    return done;
}

/*
 * Lets words of the thread pass. If the thread was held before, it tries again only once something
 * has been executed since. Returns how many words passed.
 */
static size_t turn_of_thread(struct tx_tensix *t, unsigned thread, uint64_t most)
{
    CHECK(thread < TX_THREADS, "a turn is one thread's");
    struct tx_machine *m = t->m;
    const uint64_t done = m->state.index + t->reached + t->waits;
    if (m->state.front.queued[thread] == 0 || t->held_at[thread] == done || most == 0) {
        return 0;
    }
    const uint64_t start = m->state.cycle;
    const size_t words = front_eager(m, thread, most);
    /* Where the turn itself ended, nothing is known to hold the next word. */
    const bool held =
        m->state.front.queued[thread] != 0 && m->state.cycle - start < most && !machine_asks(m);
    t->held_at[thread] = held ? m->state.index + t->reached + t->waits : UINT64_MAX;
    return words;
}

/* Returns how many of "most" cycles the coprocessor has left. */
static uint64_t left(const struct tx_tensix *t, uint64_t start, uint64_t most)
{
    const uint64_t spent = t->m->state.cycle - start;
    return spent < most ? most - spent : 0;
}

/*
 * A turn of a core and its thread, as long as words of the thread pass. Returns how many did;
 * *longest is raised to the number of the core's instructions.
 */
static size_t turn_of_pair(struct tx_tensix *t, unsigned thread, uint64_t most, uint64_t *longest)
{
    const uint64_t start = t->m->state.cycle;
    size_t sum = 0;
    uint64_t instructions = 0;
    size_t words;
    do {
        const uint64_t room = most - instructions;
        instructions += turn_of_core(t, RISCV_T0 + thread, room);
        words = turn_of_thread(t, thread, left(t, start, most));
        sum += words;
    } while (words != 0 && instructions < most && !t->m->faulted && !machine_asks(t->m));
    *longest = instructions > *longest ? instructions : *longest;
    return sum;
}

/*
 * A turn of a core and its thread while instructions that SFPLOADMACRO has scheduled count cycles:
 * the coprocessor's time goes on with each word, and stands still while the core runs. Returns the
 * cycles spent; 0 if no word is there or can pass.
 */
static uint64_t turn_beside_macro(struct tx_tensix *t, unsigned thread, uint64_t most)
{
    CHECK(macro_running(t->m), "a turn beside scheduled instructions has some");
    const uint64_t start = t->m->state.cycle;
    size_t words = 1;
    for (unsigned i = 0; i < TURN && words != 0 && !t->m->faulted && !machine_asks(t->m); i++) {
        (void)turn_of_core(t, RISCV_T0 + thread, TURN);
        words = turn_of_thread(t, thread, left(t, start, most));
    }
    t->m->quiet = 0;
    t->s.cycle += t->m->state.cycle - start;
    return t->m->state.cycle - start;
}

uint64_t tile_untimed(struct tx_tensix *t, uint64_t most)
{
    struct tx_machine *m = t->m;
    const uint64_t start = m->state.cycle;
    const unsigned first = macro_thread(m);
    if (watched(t)) {
        return 0;
    }
    if (first < TX_THREADS) {
        return turn_beside_macro(t, first, most);
    }
    if (most == 1) {
        return 0;
    }
    uint64_t longest = turn_of_core(t, RISCV_B, most);
    const uint64_t nc = turn_of_core(t, RISCV_NC, most);
    size_t words = 0;
    longest = nc > longest ? nc : longest;
    for (unsigned thread = 0; thread < TX_THREADS && !m->faulted && !macro_running(m); thread++) {
        words += turn_of_pair(t, thread, left(t, start, most), &longest);
    }
    const uint64_t room = left(t, start, most);
    const bool waited =
        words == 0 && !m->faulted && front_wait(m, longest != 0 && longest < room ? longest : room);
    t->waits += waited ? 1 : 0;
    const uint64_t machine = m->state.cycle - start;
    const uint64_t spent = longest > machine ? longest : machine;
    m->quiet = 0;
    if (longest == 0 && words == 0 && !waited) {
        return 0;
    }
    t->s.cycle += spent;
    return spent;
}
