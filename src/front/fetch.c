/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of the unpackers of one thread, one after the other, while nothing else is under way
 * and nobody watches: front_cycle and front_skip without what they ask again in each cycle. A
 * machine with a sink does not come this way; tests/front/test_fetch.c compares the two.
 */
#include "front/front.h"
#include "base/check.h"
#include "front/span.h"
#include "pipe/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"
#include "state/order.h"

/* Nothing but unpackers, whose words these are, changes anything in a cycle. */
static bool only_unpackers(const struct tx_machine *m, unsigned thread)
{
    const struct tx_state *s = &m->state;
    const struct front *f = &s->front;
    const struct units *u = &s->units;
    const struct replay *r = &f->replay[thread];
    const struct mop *mop = &f->mop[thread];
    return (s->flights | s->pending_count | s->config_fresh) == 0 && !order_wanted(m) &&
           m->delays == NULL && m->on_exec == NULL && m->settings.sink.event == NULL &&
           (f->queued[0] | f->queued[1] | f->queued[2] | u->waits | u->scalar.live | u->requests |
            u->config_writes | u->mover.live | mop->active | mop->waiting | r->emitting |
            r->remaining) == 0;
}

static bool is_unpackers(struct tx_machine *m, uint32_t word, struct tx_op *op)
{
    return machine_decode(m, word, op) && op->unit == TX_UNIT_UNPACK && !unit_is_port(m, op);
}

/* What holds it, as the gate has it; other: who is in the way. */
static enum tx_hold hold_of(const struct tx_machine *m, const struct tx_op *op, uint8_t *other)
{
    *other = TX_THREADS;
    return m->state.units.gate[op->thread].until > m->state.cycle ? TX_HOLD_READ
                                                                  : unit_unpack_hold(m, op, other);
}

/* Data are on their way, so that what is held is no deadlock. */
static bool somebody_fetches(const struct tx_machine *m)
{
    const struct unpack *unpack = &m->state.units.unpack;
    return (unpack->unit[0].running | unpack->unit[1].running) != 0;
}

/* The cycle of a word at its gate. True: it passes. */
static bool word_cycle(struct tx_machine *m, struct tx_op *op, enum tx_hold hold, uint8_t other)
{
    CHECK(op->unit == TX_UNIT_UNPACK, "the words of a fetch are the unpackers'");
    struct wait_gate *g = &m->state.units.gate[op->thread];
    g->word = op->word;
    m->wrote.rows = 0;
    m->moved = hold == TX_HOLD_NONE;
    if (hold != TX_HOLD_NONE) {
        g->since = g->hold == TX_HOLD_NONE ? m->state.cycle : g->since;
        g->hold = (uint8_t)hold;
        g->other = other;
        m->counters.stall_cycles++;
        m->state.cycle++;
        return false;
    }
    g->hold = TX_HOLD_NONE;
    op->number = m->state.index;
    unit_mark(m, op);
    check_word(m, op);
    if (m->faulted) {
        return false;
    }
    unit_execute(m, op);
    if (m->faulted) {
        return false;
    }
    check_passed(m, op);
    m->state.index++;
    g->passed++;
    m->counters.instructions++;
    m->state.cycle++;
    return true;
}

/* Cycles that are like the one before it, in which nothing has moved. */
static uint64_t pass_time(struct tx_machine *m, unsigned thread, uint64_t most)
{
    CHECK(m->moved == false, "time passes where nothing has moved");
    const uint64_t now = m->state.cycle - 1;
    const uint64_t until = m->state.units.gate[thread].until;
    const uint64_t next = unit_unpack_next(m, now, until >= now ? until : UINT64_MAX);
    if (next == UINT64_MAX || next < now + 3) {
        return 0;
    }
    const uint64_t n = next - 2 - now < most ? next - 2 - now : most;
    m->counters.stall_cycles += n;
    m->state.cycle += n;
    unit_unpack_pass(m, n);
    return n;
}

/* No word of the others, and this thread has one. */
static void note_gates(struct tx_machine *m, unsigned thread)
{
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct wait_gate *g = &m->state.units.gate[t];
        g->present = t == thread;
        g->hold = t == thread ? g->hold : TX_HOLD_NONE;
    }
}

/* Returns how many cycles may run here before the host must be asked whether the run goes on. */
static uint64_t at_most(const struct tx_machine *m, uint64_t left)
{
    const uint64_t room = machine_unasked(m) - 1;
    return room < left ? room : left;
}

size_t front_fetch(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                   struct span *run, uint64_t *left)
{
    const uint64_t start = m->state.cycle;
    uint64_t stopped = 0; /* a cycle at whose end the machine has stopped is not counted */
    struct tx_op op;
    size_t i = 0;
    if (m->faulted || !is_unpackers(m, words[0], &op) || !only_unpackers(m, thread)) {
        return 0;
    }
    note_gates(m, thread);
    uint64_t most = at_most(m, *left);
    while (i + 1 < count && m->state.cycle - start < most && !m->faulted &&
           is_unpackers(m, words[i], &op)) {
        const uint64_t now = m->state.cycle;
        uint8_t other;
        op.thread = (uint8_t)thread;
        const enum tx_hold hold = hold_of(m, &op, &other);
        if (hold != TX_HOLD_NONE && !somebody_fetches(m)) {
            break;
        }
        const bool passed = word_cycle(m, &op, hold, other);
        if (!m->faulted && m->state.units.unpack.jobs != 0) {
            unit_unpack_settle(m);
            stopped = m->faulted;
        }
        if (passed) {
            run->first = run->started ? run->first : now;
            run->started = true;
            run->last_issue = run->end = now;
            i++;
        } else if (!m->moved) {
            (void)pass_time(m, thread, most - (m->state.cycle - start));
        }
        most = at_most(m, *left); /* what has been moved counts too */
    }
    const uint64_t cycles = m->state.cycle - start;
    *left -= cycles;
    machine_ran(m, cycles - stopped);
    m->quiet = 0;
    return i;
}

size_t front_packs(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                   uint64_t cycles, struct span *run)
{
    uint64_t first = m->state.cycle;
    const size_t n = unit_pack_run(m, thread, words, count, cycles, &first);
    if (n != 0) {
        run->first = run->started ? run->first : first;
        run->started = true;
        run->last_issue = m->state.cycle - 1;
    }
    return n;
}
