/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a word reaches its gate. A word that a core has pushed goes through queues, one stage per
 * cycle; a word that is presented directly meets expanders that never wait for input. Source: isa
 * MOPExpander, REPLAY; spec/timing.md c.2 to c.4.
 */
#include "front/front.h"
#include "base/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

enum { REPLAY_QUEUE = 8, GATE_QUEUE = 2 };

bool front_busy(const struct tx_machine *m, unsigned thread)
{
    const struct front *f = &m->state.front;
    return f->replay[thread].emitting != 0 || f->mop[thread].active != 0 ||
           f->mop[thread].waiting != 0 || f->queued[thread] != 0;
}

/* ---- words presented directly ---- */

/* Determines the word that leaves the MOP Expander. Returns false if there is none. */
static bool direct_mop(struct tx_machine *m, unsigned thread, const uint32_t *word,
                       struct direct *d)
{
    if (mop_produce(m, thread)) {
        d->from_mop = true;
    } else if (word == NULL) {
        return false;
    } else if (!mop_takes(m, *word)) {
        d->word = *word;
        return true;
    } else {
        mop_start(m, thread, *word);
        d->taken = true;
        d->from_mop = mop_produce(m, thread);
    }
    d->word = m->state.front.mop[thread].out;
    return d->from_mop;
}

/*
 * Determines the next word for the Replay Expander; a word from the queue behind the MOP Expander
 * comes first. Returns false if there is none.
 */
static bool direct_next(struct tx_machine *m, unsigned thread, const uint32_t *word,
                        struct direct *d)
{
    if (d->behind_mop == NULL) {
        return direct_mop(m, thread, word, d);
    }
    d->word = *d->behind_mop;
    return true;
}

/* Removes the word from where it came from, the MOP Expander or the caller. */
static void direct_consume(struct tx_machine *m, unsigned thread, struct direct *d)
{
    if (d->from_mop) {
        m->state.front.mop[thread].waiting = 0;
    } else {
        d->taken = true;
    }
    m->moved = true;
}

void direct_head(struct tx_machine *m, unsigned thread, const uint32_t *word, struct direct *d)
{
    struct replay *r = &m->state.front.replay[thread];
    if (r->emitting == 0) {
        if (!direct_next(m, thread, word, d)) {
            return;
        }
        if (r->remaining != 0) {
            if (r->execute != 0) {
                d->present = true;
                return;
            }
            replay_record(m, thread, d->word);
            direct_consume(m, thread, d);
            return;
        }
        if (!replay_is_replay(m, d->word)) {
            d->present = true;
            return;
        }
        replay_start(m, thread, d->word);
        direct_consume(m, thread, d);
        if (r->emitting == 0) {
            return;
        }
    }
    d->word = r->word[r->emit & 31u];
    d->replayed = d->present = true;
}

void direct_passed(struct tx_machine *m, unsigned thread, struct direct *d)
{
    CHECK(!d->replayed || m->state.front.replay[thread].emitting != 0,
          "a word that was replayed came from a replay under way");
    if (d->replayed) {
        replay_advance(m, thread);
        return;
    }
    if (m->state.front.replay[thread].remaining != 0) {
        replay_record(m, thread, d->word);
    }
    direct_consume(m, thread, d);
}

/* ---- words that come through queues ---- */

/* A word that counted towards the limit on pushed words has left the queues. */
static void uncount(struct front *f, unsigned thread, bool counted)
{
    CHECK(!counted || f->pushed[thread] != 0,
          "a word that leaves the queues was counted when it was pushed");
    f->pushed[thread] = (uint8_t)(f->pushed[thread] - (counted ? 1 : 0));
}

/* One cycle of the Replay Expander: takes a word of its queue, or emits a recorded one. */
static void replay_stage(struct tx_machine *m, unsigned thread)
{
    struct front *f = &m->state.front;
    struct replay *r = &f->replay[thread];
    struct queue *in = &f->queue[thread][TX_QUEUE_REPLAY];
    struct queue *out = &f->queue[thread][TX_QUEUE_GATE];
    const bool room = out->count < GATE_QUEUE;
    if (r->emitting == 0 && in->count != 0) {
        const uint32_t word = in->word[in->head];
        if (r->remaining != 0 && r->execute == 0) {
            replay_record(m, thread, word);
            uncount(f, thread, queue_take(in));
            m->moved = true;
            return;
        }
        if (!room) {
            return;
        }
        const bool counted = queue_take(in);
        m->moved = true;
        if (r->remaining == 0 && replay_is_replay(m, word)) {
            uncount(f, thread, counted);
            replay_start(m, thread, word);
        } else {
            if (r->remaining != 0) {
                replay_record(m, thread, word);
            }
            queue_put(out, word, counted);
        }
    }
    if (r->emitting != 0 && room && out->count < GATE_QUEUE) {
        queue_put(out, r->word[r->emit & 31u], false);
        replay_advance(m, thread);
        m->moved = true;
    }
}

/*
 * Puts a word that leaves the MOP Expander into the next queue. It is lost if RISC-V B has pushed a
 * word into that queue in the same cycle.
 */
static void mop_emit(struct tx_machine *m, unsigned thread, uint32_t word, bool counted,
                     bool collides)
{
    struct front *f = &m->state.front;
    if (!collides) {
        queue_put(&f->queue[thread][TX_QUEUE_REPLAY], word, counted);
        return;
    }
    struct tx_op op = {.word = word, .thread = (uint8_t)thread, .number = m->state.index};
    uncount(f, thread, counted);
    machine_finding(m, TX_HAZARD, ID(E_BEHIND), &op, 0,
                    "a word of thread %u met one that RISC-V B pushed, and is lost", thread);
}

/* One cycle of the MOP Expander: takes a word of its queue, or emits one of an expansion. */
static void mop_stage(struct tx_machine *m, unsigned thread)
{
    struct front *f = &m->state.front;
    struct mop *mop = &f->mop[thread];
    struct queue *in = &f->queue[thread][TX_QUEUE_MOP];
    struct queue *out = &f->queue[thread][TX_QUEUE_REPLAY];
    const bool collides = f->behind_live[thread] != 0;
    if (out->count == REPLAY_QUEUE) {
        return;
    }
    if (collides) {
        queue_put(out, f->behind[thread], true);
        f->behind_live[thread] = 0;
        m->moved = true;
    }
    const bool expanding = mop->active != 0;
    if (!mop_produce(m, thread)) {
        const bool ended = mop->leaving != 0 || expanding;
        mop->leaving = 0;
        m->moved = m->moved || ended;
        if (in->count == 0 || (ended && !mop_is_mop(m, in->word[in->head]))) {
            return; /* the dead cycle after an expansion, or nothing to do */
        }
        const uint32_t word = in->word[in->head];
        const bool counted = queue_take(in);
        m->moved = true;
        if (!mop_takes(m, word)) {
            mop_emit(m, thread, word, counted, collides);
            return;
        }
        uncount(f, thread, counted);
        mop_start(m, thread, word);
        if (!mop_produce(m, thread)) {
            mop->leaving = mop_is_mop(m, word);
            return;
        }
    }
    mop_emit(m, thread, mop->out, false, collides);
    mop->waiting = 0;
    m->moved = true;
}

/* The last stage goes first, so that a word advances one stage per cycle. */
void front_stages(struct tx_machine *m, unsigned thread, bool passed)
{
    CHECK(m->state.front.queued[thread] != 0, "stages go on of a thread that has words");
    struct front *f = &m->state.front;
    struct queue *q = f->queue[thread];
    if (passed) {
        uncount(f, thread, queue_take(&q[TX_QUEUE_GATE]));
    }
    replay_stage(m, thread);
    mop_stage(m, thread);
    if (q[TX_QUEUE_MOP].count == 0 && q[TX_QUEUE_REPLAY].count == 0 &&
        q[TX_QUEUE_GATE].count == 0 && f->replay[thread].emitting == 0 &&
        f->mop[thread].active == 0 && f->mop[thread].leaving == 0 && f->behind_live[thread] == 0) {
        f->queued[thread] = 0;
    }
}

void front_fill(struct tx_machine *m, unsigned thread)
{
    const bool moved = m->moved;
    do {
        m->moved = false;
        replay_stage(m, thread);
        mop_stage(m, thread);
    } while (m->moved && !m->faulted);
    m->moved = moved;
}

/* ---- both ways ---- */

bool front_runs_by_itself(const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    const uint64_t now = m->state.cycle;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (u->gate[t].until > now || u->gate[t].matrix > now) {
            return true;
        }
    }
    return pipe_busy(m) || units_busy(m) || u->banks_until > now || u->scalar.atomic > now ||
           u->config_stage0 >= now || u->matrix.until > now || u->matrix.stored_until > now ||
           u->pack.until > now;
}

/*
 * A fast path for the usual case: words of one thread for the Vector Unit, the Matrix Unit or the
 * packers, presented directly or replayed, with nothing else under way. Returns false if it is not
 * this case.
 */
static bool quick_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted)
{
    const struct replay *r = &m->state.front.replay[thread];
    const bool replayed = r->emitting != 0;
    bool passed;
    if (m->delays != NULL || !front_alone(m, thread) ||
        (!replayed && (word == NULL || r->remaining != 0)) ||
        !gate_quick(m, thread, replayed ? r->word[r->emit & 31u] : *word, false, &passed)) {
        return false;
    }
    if (replayed && (passed || m->faulted)) {
        replay_advance(m, thread);
    }
    *accepted = passed && !replayed;
    m->moved = true;
    m->quiet = 0;
    return true;
}

static void slow_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted)
{
    CHECK(thread < TX_THREADS, "words are presented to one of three threads");
    const struct front *f = &m->state.front;
    const uint32_t *heads[TX_THREADS] = {NULL, NULL, NULL};
    bool passed[TX_THREADS] = {false, false, false};
    struct direct d = {.present = false};
    m->moved = false;
    if (m->delays != NULL) {
        delay_settle(m);
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        const struct queue *q = &f->queue[t][TX_QUEUE_GATE];
        if (f->queued[t] != 0 && q->count != 0) {
            heads[t] = &q->word[q->head];
        }
    }
    if (f->queued[thread] == 0) {
        direct_head(m, thread, word, &d);
        heads[thread] = d.present ? &d.word : NULL;
    }
    if (!m->faulted) {
        gate_cycle(m, heads, passed);
    }
    if (d.present && (m->faulted || passed[thread])) {
        direct_passed(m, thread, &d); /* a word that stopped the machine is not met again */
    }
    if (m->faulted) {
        return;
    }
    *accepted = d.taken;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (f->queued[t] != 0) {
            front_stages(m, t, heads[t] != NULL && passed[t]);
        }
    }
    if (units_pending(m)) {
        units_settle(m);
    }
    m->quiet = m->moved || front_runs_by_itself(m) ? 0 : m->quiet + 1;
}

void front_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted)
{
    *accepted = false;
    if (machine_is_plain(m) || machine_is_paced(m) || !quick_cycle(m, thread, word, accepted)) {
        slow_cycle(m, thread, word, accepted);
    }
}
