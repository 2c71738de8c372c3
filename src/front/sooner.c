/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units that take less time than on the chip (tx_settings.pace). Between two cycles of the machine
 * such a unit has rounds of its own: what it has under way comes a cycle closer to its end, words
 * for it pass their gates, and the expanders of their threads go on, while the clock stands still
 * for everybody else. One round per cycle makes the unit twice as fast, rounds until nothing in it
 * moves leave it no time. Interlocks, waits for others and the order of a thread's words stay.
 */
#include "front/front.h"
#include "base/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"

static enum tx_paced paced_of(const struct tx_machine *m, const struct tx_op *op)
{
    switch (unit_group(m, op)) {
    case GROUP_UNPACK:
        return TX_PACED_UNPACK;
    case GROUP_MATRIX:
        return TX_PACED_MATRIX;
    case GROUP_VECTOR:
        return TX_PACED_VECTOR;
    case GROUP_PACK:
        return TX_PACED_PACK;
    default:
        return TX_PACED_COUNT;
    }
}

/* Brings a time of the future one cycle closer. Returns whether there was one. */
static bool closer(const struct tx_machine *m, uint64_t *time)
{
    const bool later = *time > m->state.cycle;
    *time -= later ? 1 : 0;
    return later;
}

static bool blocks_closer(const struct tx_machine *m, uint64_t time[TX_DST_ROWS / 8])
{
    bool any = false;
    for (unsigned i = 0; i < TX_DST_ROWS / 8; i++) {
        any = closer(m, &time[i]) || any;
    }
    return any;
}

static bool matrix_closer(struct tx_machine *m)
{
    struct matrix_time *t = &m->state.units.matrix;
    bool any = false;
    for (unsigned i = 0; i < TX_THREADS; i++) {
        any = closer(m, &m->state.units.gate[i].matrix) || any;
    }
    for (unsigned i = 0; i < MATRIX_MOVE_CYCLES; i++) {
        t->old[i].count = 0; /* the rows have been written */
    }
    if (t->until <= m->state.cycle) {
        return any;
    }
    (void)blocks_closer(m, t->dst_block);
    uint64_t *const times[] = {&t->zeroed,  &t->zeroed_both, &t->moved,
                               &t->to_srca, &t->to_srcb,     &t->shifted};
    for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++) {
        (void)closer(m, times[i]);
    }
    return closer(m, &t->until) || any;
}

static bool vector_closer(struct tx_machine *m)
{
    struct matrix_time *t = &m->state.units.matrix;
    bool any = false;
    for (unsigned i = 0; i < TX_THREADS; i++) {
        any = closer(m, &m->state.units.gate[i].vector) || any;
    }
    if (t->stored_until > m->state.cycle) {
        (void)blocks_closer(m, t->stored);
        any = closer(m, &t->stored_until) || any;
    }
    return any;
}

/* An instruction in its second cycle ends, as nothing follows it. */
static bool vector_ends(struct tx_machine *m)
{
    const bool any = m->state.flights != 0;
    if (any) {
        pipe_cycle(m, NULL);
        for (unsigned i = 0; i < FLIGHTS; i++) {
            m->state.flight[i].start -= m->state.flight[i].live != 0 ? 1 : 0;
        }
    }
    return any;
}

static bool pack_closer(struct tx_machine *m)
{
    struct packers *k = &m->state.units.pack;
    if (k->until <= m->state.cycle) {
        return false;
    }
    for (unsigned i = 0; i < PACKERS; i++) {
        for (unsigned n = 0; n < PACK_DEPTH_MAX; n++) {
            (void)closer(m, &k->unit[i].end[n]);
        }
        for (unsigned t = 0; t < TX_THREADS; t++) {
            (void)closer(m, &k->unit[i].until[t]);
        }
    }
    if (closer(m, &k->reading)) {
        (void)blocks_closer(m, k->dst_read);
    }
    return closer(m, &k->until);
}

static bool unpack_closer(struct tx_machine *m)
{
    struct unpack *unpack = &m->state.units.unpack;
    bool any = unpack->enters != 0;
    for (unsigned u = 0; u < UNPACKERS; u++) {
        struct unpacker *unit = &unpack->unit[u];
        any = any || unit->running != 0;
        for (unsigned t = 0; t < TX_THREADS; t++) {
            any = closer(m, &unit->entered[t]) || any;
        }
        for (unsigned i = 0; i < unit->count; i++) {
            any = closer(m, &unit->job[(unit->head + i) % UNPACK_JOBS].ready) || any;
        }
    }
    if (closer(m, &unpack->generator)) {
        any = true;
        (void)closer(m, &m->state.units.gate[m->state.units.last[GROUP_UNPACK]].until);
    }
    if (any) {
        unit_unpack_settle(m);
    }
    return any;
}

/* Returns whether the thread's oldest word is one for the unit that nobody else holds up. */
static bool may_pass(struct tx_machine *m, unsigned thread, enum tx_paced unit, uint32_t *word)
{
    const struct front *f = &m->state.front;
    const struct queue *q = &f->queue[thread][TX_QUEUE_GATE];
    const struct wait_gate *g = &m->state.units.gate[thread];
    struct tx_op op;
    if (f->queued[thread] == 0 || q->count == 0) {
        return false;
    }
    *word = q->word[q->head];
    return machine_decode(m, *word, &op) && paced_of(m, &op) == unit &&
           (g->wait == TX_WAIT_NONE || !unit_blocked(m, &op, g->block)) &&
           !(m->state.units.scalar.live != 0 && m->state.units.scalar.op.thread == thread);
}

static bool pass(struct tx_machine *m, unsigned thread, enum tx_paced unit)
{
    CHECK(machine_is_paced(m), "words pass between cycles only where a unit is quicker");
    const uint64_t now = m->state.cycle;
    uint32_t word;
    bool passed = false;
    if (!may_pass(m, thread, unit, &word) || !gate_quick(m, thread, word, true, &passed)) {
        return false;
    }
    m->state.cycle = now;
    for (unsigned i = 0; i < FLIGHTS; i++) {
        m->state.flight[i].start -= m->state.flight[i].live != 0 ? 1 : 0;
    }
    if (passed) {
        front_stages(m, thread, true);
    }
    return true;
}

static bool round_of(struct tx_machine *m, enum tx_paced unit, unsigned *passed)
{
    bool any = false;
    for (unsigned t = 0; t < TX_THREADS && !m->faulted; t++) {
        if (pass(m, t, unit)) {
            *passed |= 1u << t;
            any = true;
        }
    }
    switch (unit) {
    case TX_PACED_UNPACK:
        return unpack_closer(m) || any;
    case TX_PACED_MATRIX:
        return matrix_closer(m) || any;
    case TX_PACED_VECTOR:
        any = (!any && vector_ends(m)) || any;
        return vector_closer(m) || any;
    case TX_PACED_PACK:
        return pack_closer(m) || any;
    default:
        return any;
    }
}

bool front_sooner(struct tx_machine *m, unsigned rounds, unsigned *passed)
{
    bool any = false;
    *passed = 0;
    for (unsigned unit = 0; unit <= TX_PACED_PACK && !m->faulted; unit++) {
        if (m->settings.pace[unit] == TX_PACE_NONE ||
            (m->settings.pace[unit] == TX_PACE_HALF && rounds == 0)) {
            any = round_of(m, (enum tx_paced)unit, passed) || any;
        }
    }
    m->quiet = any ? 0 : m->quiet;
    return any;
}

void front_all_sooner(struct tx_machine *m)
{
    unsigned passed;
    for (unsigned rounds = 0; machine_is_paced(m) && front_sooner(m, rounds, &passed); rounds++) {}
}
