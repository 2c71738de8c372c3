/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets words of one thread pass without the cycles of its queues, for a tile that keeps no time.
 * Other threads stand still meanwhile, as if their cores were slow, so that the result is one that
 * some timing of the same tile could give. tests/front/expand.h compares the words that pass,
 * tests/cli/cc.sh the final state of tiles.
 */
#include "base/check.h"
#include "front/check.h"
#include "front/front.h"
#include "pipe/macro.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"

/* The next word of a thread, and the queue whose oldest word it comes from. */
struct feed {
    struct direct d;
    struct queue *from;
    bool at_gate; /* the word comes from the queue at the gate */
};

/*
 * Determines the next word of the thread: from the gate's queue if it holds one, else through the
 * expanders from the queues before it.
 */
static void feed_head(struct tx_machine *m, unsigned thread, struct feed *f)
{
    CHECK(thread < TX_THREADS, "an eager word is one of three threads'");
    struct queue *q = m->state.front.queue[thread];
    f->d = (struct direct){.present = false};
    f->at_gate = q[TX_QUEUE_GATE].count != 0;
    if (f->at_gate) {
        f->from = &q[TX_QUEUE_GATE];
        f->d.word = f->from->word[f->from->head];
        f->d.present = true;
        return;
    }
    f->from = &q[q[TX_QUEUE_REPLAY].count != 0 ? TX_QUEUE_REPLAY : TX_QUEUE_MOP];
    const uint32_t *word = f->from->count != 0 ? &f->from->word[f->from->head] : NULL;
    f->d.behind_mop = f->from == &q[TX_QUEUE_REPLAY] ? word : NULL;
    direct_head(m, thread, word, &f->d);
}

/*
 * Removes what has been consumed in this step. "passed": the word has passed the gate. Even if not,
 * an expander may have consumed the queue's word.
 */
static void feed_taken(struct tx_machine *m, unsigned thread, struct feed *f, bool passed)
{
    struct front *front = &m->state.front;
    if (passed && f->at_gate) {
        f->d.taken = true;
    } else if (passed) {
        direct_passed(m, thread, &f->d);
    }
    if (f->d.taken) {
        front->pushed[thread] = (uint8_t)(front->pushed[thread] - (queue_take(f->from) ? 1 : 0));
    }
}

/*
 * Runs one cycle with *word at the gate of the thread, or without a word (NULL). *passed becomes
 * true if the word passes.
 */
static void eager_some(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *passed)
{
    const struct units *u = &m->state.units;
    const uint32_t *heads[TX_THREADS] = {NULL, NULL, NULL};
    bool pass[TX_THREADS];
    const bool plain = word != NULL && u->gate[thread].wait == TX_WAIT_NONE &&
                       (u->scalar.live | u->config_writes) == 0;
    *passed = false;
    m->moved = false;
    if (plain && !machine_is_plain(m) && gate_quick(m, thread, *word, true, passed)) {
        m->moved = true;
    } else {
        if (word != NULL) {
            heads[thread] = word;
        }
        gate_cycle(m, heads, pass);
        *passed = word != NULL && pass[thread];
    }
    if (!m->faulted && units_pending(m)) {
        units_settle(m);
    }
}

static void eager_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *passed)
{
    struct check *c = check_cycle(m, thread < TX_THREADS ? thread : 0, word);
    eager_some(m, thread, word, passed);
    if (check_again(m, c)) {
        bool long_passed;
        eager_some(m, thread, word, &long_passed);
        check_end(m, c, "eager");
        CHECK(long_passed == *passed, "a word passes eagerly if it passes");
    }
}

/* Returns whether neither the thread's queues nor its expanders hold a word any more. */
static bool is_dry(const struct front *f, unsigned thread)
{
    const struct queue *q = f->queue[thread];
    return (q[TX_QUEUE_MOP].count | q[TX_QUEUE_REPLAY].count | q[TX_QUEUE_GATE].count |
            f->replay[thread].emitting | f->mop[thread].active | f->mop[thread].waiting |
            f->behind_live[thread]) == 0;
}

/*
 * Lets the thread's next word pass, whichever queue holds it. Returns whether there is more to do.
 */
static bool next_word(struct tx_machine *m, unsigned thread, size_t *words)
{
    struct feed f;
    bool passed = false;
    m->moved = false;
    feed_head(m, thread, &f);
    /* Consumed by an expander without producing a word. */
    const bool swallowed = f.d.taken || m->moved;
    const bool waits = f.d.present && m->state.units.gate[thread].wait != TX_WAIT_NONE &&
                       gate_waits(m, thread) && gate_blocks(m, thread, f.d.word);
    m->moved = false;
    if (f.d.present && !waits) {
        eager_cycle(m, thread, &f.d.word, &passed);
    }
    passed = passed || m->faulted; /* a word that stopped the machine must not be met again */
    feed_taken(m, thread, &f, passed && f.d.present);
    *words += passed || swallowed ? 1 : 0;
    /* Ends when the word is held and nothing moves. */
    return passed || swallowed || m->moved;
}

/* One cycle of the thread's queues and its gate. Returns whether anything moved. */
static bool next_cycle(struct tx_machine *m, unsigned thread, size_t *words)
{
    const struct queue *q = &m->state.front.queue[thread][TX_QUEUE_GATE];
    const uint32_t word = q->count != 0 ? q->word[q->head] : 0;
    bool passed;
    if (is_dry(&m->state.front, thread)) {
        return false; /* time stands still until the core has had its turn */
    }
    eager_cycle(m, thread, q->count != 0 ? &word : NULL, &passed);
    front_stages(m, thread, q->count != 0 && (passed || m->faulted));
    *words += passed ? 1 : 0;
    return m->moved;
}

/*
 * While instructions that SFPLOADMACRO has scheduled count cycles, a word comes to the gate in the
 * cycle in which it would with time, if its core has been ahead: what the words compute depends on
 * it.
 */
size_t front_eager(struct tx_machine *m, unsigned thread, uint64_t most)
{
    CHECK(m->delays == NULL, "a tile without time has no delays");
    const uint64_t start = m->state.cycle;
    size_t words = 0;
    bool goes_on = true;
    bool exact = false;
    while (m->state.cycle - start < most && goes_on && !m->faulted && !machine_asks(m)) {
        if (!exact && macro_running(m)) {
            front_fill(m, thread);
        }
        exact = macro_running(m);
        goes_on = exact ? next_cycle(m, thread, &words) : next_word(m, thread, &words);
        machine_work(m, 1);
    }
    if (!exact && macro_running(m)) {
        front_fill(m, thread);
    }
    if (is_dry(&m->state.front, thread)) {
        m->state.front.mop[thread].leaving = 0;
        m->state.front.queued[thread] = 0;
    }
    m->quiet = 0;
    return words;
}

static void wait_skip(struct tx_machine *m, uint64_t most)
{
    struct check *c = check_cycle(m, 0, NULL);
    const uint64_t now = m->state.cycle;
    (void)front_skip(m, most);
    const uint64_t end = m->state.cycle;
    if (end == now) {
        check_forget(m, c);
    } else if (check_again(m, c)) {
        while (m->state.cycle < end && !m->faulted) {
            bool passed;
            eager_some(m, TX_THREADS, NULL, &passed);
            m->quiet = 0;
        }
        check_end(m, c, "skip");
    }
}

bool front_wait(struct tx_machine *m, uint64_t most)
{
    const uint64_t start = m->state.cycle;
    m->moved = false;
    while (!m->moved && m->state.cycle - start < most && !m->faulted && !machine_asks(m) &&
           front_runs_by_itself(m)) {
        bool passed;
        eager_cycle(m, TX_THREADS, NULL, &passed);
        m->quiet = 0;
        machine_work(m, 1);
        if (!m->moved && m->state.cycle - start < most) {
            wait_skip(m, most - (m->state.cycle - start));
        }
    }
    return m->state.cycle != start;
}
