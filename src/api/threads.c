/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions for three threads: pushing words, running, and explaining what waits for
 * what.
 */
#include "front/check.h"
#include "base/sized.h"
#include "front/front.h"
#include "front/span.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"
#include "state/delay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- host ---- */

static struct tx_host host_default(void)
{
    const struct tx_host host = {.load_cycles = 10, .atomic_cycles = 27};
    return host;
}

void tx_host_default_sized(struct tx_host *host, size_t size)
{
    struct tx_host own = host_default();
    own.size = (uint32_t)size;
    sized_give(host, size, &own, sizeof own);
}

enum tx_status tx_host_set(tx_machine *m, const struct tx_host *host)
{
    struct tx_host own = host_default();
    if (!sized_take(&own, sizeof own, host, host->size, offsetof(struct tx_host, load_cycles)) ||
        !sized_zero(own.reserved, sizeof own.reserved) || own.load_cycles < 4 ||
        own.atomic_cycles < 4 || (own.l1 == NULL && own.l1_size != 0)) {
        return TX_EINVAL;
    }
    m->host = own;
    return TX_OK;
}

/* ---- pushing ---- */

size_t tx_queue_capacity(const tx_machine *m, unsigned thread, enum tx_queue queue)
{
    switch (queue) {
    case TX_QUEUE_MOP:
        return thread == 0 ? 32 : machine_number(m, MOP_QUEUE);
    case TX_QUEUE_REPLAY:
        return 8;
    case TX_QUEUE_GATE:
        return 2;
    default:
        return 0;
    }
}

/*
 * Returns whether the thread's queue accepts a word. Blackhole limits the number of words that were
 * pushed and have not passed their gate; words of expansions do not count.
 */
static bool takes_word(const tx_machine *m, unsigned thread)
{
    const struct front *f = &m->state.front;
    const uint32_t most = machine_number(m, PUSHED_MOST);
    return f->queue[thread][TX_QUEUE_MOP].count < tx_queue_capacity(m, thread, TX_QUEUE_MOP) &&
           (most == 0 || f->pushed[thread] < most);
}

size_t tx_push(tx_machine *m, unsigned thread, const uint32_t *words, size_t count)
{
    size_t taken = 0;
    if (thread >= TX_THREADS) {
        return 0;
    }
    struct front *f = &m->state.front;
    while (taken < count && takes_word(m, thread)) {
        queue_put(&f->queue[thread][TX_QUEUE_MOP], words[taken++], true);
        f->pushed[thread]++;
        f->queued[thread] = 1;
        m->quiet = 0;
    }
    return taken;
}

bool tx_push_behind(tx_machine *m, unsigned thread, uint32_t word)
{
    struct front *f = &m->state.front;
    if (thread >= TX_THREADS || f->behind_live[thread] != 0 ||
        f->queue[thread][TX_QUEUE_REPLAY].count == tx_queue_capacity(m, thread, TX_QUEUE_REPLAY)) {
        return false;
    }
    f->behind[thread] = word;
    f->behind_live[thread] = 1;
    f->pushed[thread]++;
    f->queued[thread] = 1;
    m->quiet = 0;
    return true;
}

enum tx_status tx_mop_config(tx_machine *m, unsigned thread, unsigned index, uint32_t value)
{
    if (thread >= TX_THREADS || index > 8) {
        return TX_EINVAL;
    }
    m->state.front.mop[thread].config[index] = value;
    return TX_OK;
}

/* ---- running ---- */

/*
 * Cycles without progress after which a machine counts as stuck. A reason for holding a word may
 * have ended in the last cycle (SETTLE); the host may still do something (PATIENCE).
 */
enum { SETTLE = 2, PATIENCE = 1000 };

bool tx_idle(const tx_machine *m)
{
    const struct units *u = &m->state.units;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (front_busy(m, t) || u->gate[t].until > m->state.cycle) {
            return false;
        }
    }
    return (m->delays == NULL || !m->delays->late.live) && !pipe_busy(m) && u->scalar.live == 0 &&
           u->requests == 0 && u->config_writes == 0 && u->mover.live == 0 && u->unpack.jobs == 0 &&
           u->pack.until <= m->state.cycle;
}

bool tx_stuck(const tx_machine *m)
{
    const struct units *u = &m->state.units;
    bool held = !tx_idle(m);
    bool outside =
        u->scalar.live != 0 && (u->scalar.kind == SCALAR_RETRY || u->scalar.kind == SCALAR_BANK);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        held = held || u->gate[t].hold != TX_HOLD_NONE;
        outside = outside || u->gate[t].hold == TX_HOLD_HOST;
    }
    return held && m->quiet > (outside ? PATIENCE : SETTLE);
}

enum tx_status tx_step(tx_machine *m, uint64_t cycles)
{
    bool accepted;
    for (uint64_t i = 0; i < cycles && !m->faulted; i++) {
        struct check *c = check_cycle(m, TX_THREADS, NULL);
        front_cycle(m, 0, NULL, &accepted);
        if (check_again(m, c)) {
            front_cycle(m, 0, NULL, &accepted);
            check_end(m, c, "a unit");
        }
        if (!m->faulted && !machine_goes_on(m)) {
            return TX_ELIMIT;
        }
    }
    return m->faulted ? TX_FAULT : TX_OK;
}

/*
 * Runs the rounds of units that are quicker than on the chip. A thread whose word passes in one
 * gets another, as words of streams are never late.
 */
static void sooner(tx_machine *m, const struct tx_stream streams[TX_THREADS],
                   size_t next[TX_THREADS])
{
    unsigned passed;
    for (unsigned rounds = 0; machine_is_paced(m) && front_sooner(m, rounds, &passed); rounds++) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            if ((passed >> t & 1u) != 0 && next[t] < streams[t].count) {
                next[t] += tx_push(m, t, &streams[t].words[next[t]], 1);
            }
        }
    }
}

/* Pushes words and runs cycles until the machine is idle, stuck or at the limit. */
static enum tx_status threads_run(tx_machine *m, const struct tx_stream streams[TX_THREADS],
                                  uint64_t limit, struct span *span)
{
    size_t next[TX_THREADS] = {0};
    for (uint64_t cycle = 0;; cycle++) {
        bool left = false;
        size_t pushed = 0;
        for (unsigned t = 0; t < TX_THREADS; t++) {
            if (next[t] < streams[t].count) {
                const size_t taken = tx_push(m, t, &streams[t].words[next[t]], 1);
                next[t] += taken;
                pushed += taken;
            }
            left = left || next[t] < streams[t].count;
        }
        if (!left && tx_idle(m)) {
            return m->faulted ? TX_FAULT : TX_OK;
        }
        if (tx_stuck(m)) {
            return TX_EDEADLOCK;
        }
        if (cycle == limit) {
            return TX_ELIMIT;
        }
        span_before(span, m);
        sooner(m, streams, next);
        const enum tx_status status = tx_step(m, 1);
        span_after(span, m);
        if (status != TX_OK) {
            return status;
        }
        if (pushed == 0 && !tx_idle(m)) {
            struct check *c = check_before(m, NULL, 0);
            cycle += front_skip(m, limit - cycle - 1);
            check_after(m, c, "skip", 0, NULL, 0);
        }
    }
}

enum tx_status tx_run_threads(tx_machine *m, const struct tx_stream streams[TX_THREADS],
                              uint64_t limit)
{
    struct span span = {.started = false};
    if (m->faulted) {
        return TX_FAULT;
    }
    m->quiet = 0;
    const enum tx_status status = threads_run(m, streams, limit, &span);
    span_count(&span, m);
    return status;
}

enum tx_status tx_run_idle(tx_machine *m, uint64_t limit)
{
    const struct tx_stream nothing[TX_THREADS] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    return tx_run_threads(m, nothing, limit);
}

/* ---- looking ---- */

size_t tx_queue_words(const tx_machine *m, unsigned thread, enum tx_queue queue, uint32_t *words,
                      size_t max)
{
    if (thread >= TX_THREADS || (unsigned)queue >= TX_QUEUE_COUNT) {
        return 0;
    }
    const struct queue *q = &m->state.front.queue[thread][queue];
    for (size_t i = 0; words != NULL && i < q->count && i < max; i++) {
        words[i] = q->word[(q->head + i) % QUEUE_WORDS];
    }
    return q->count;
}

const char *tx_hold_text(enum tx_hold hold)
{
    static const char *const texts[TX_HOLD_COUNT] = {
        [TX_HOLD_NONE] = "not held",
        [TX_HOLD_SCALAR_OWN] = "its thread's Scalar Unit instruction executes",
        [TX_HOLD_WAIT] = "blocked by its thread's STALLWAIT or SEMWAIT",
        [TX_HOLD_UNIT] = "its unit is executing",
        [TX_HOLD_ARBITRATION] = "another thread's turn",
        [TX_HOLD_INTERLOCK] = "interlock of the Vector Unit",
        [TX_HOLD_MUTEX] = "mutex not free",
        [TX_HOLD_CONFIG] = "stage of the Configuration Unit occupied",
        [TX_HOLD_READ] = "its thread's RDCFG or UNPACR executes",
        [TX_HOLD_REQUESTS] = "memory requests under way",
        [TX_HOLD_HOST] = "unit outside says busy",
        [TX_HOLD_BANK] = "its bank of SrcA or SrcB is not the Matrix Unit's",
        [TX_HOLD_DST] = "its rows of Dst are still being written",
    };
    return (unsigned)hold < TX_HOLD_COUNT ? texts[hold] : "?";
}

static struct tx_gate gate_read(const tx_machine *m, unsigned thread)
{
    struct tx_gate out = {.other = TX_THREADS};
    if (thread >= TX_THREADS) {
        return out;
    }
    const struct wait_gate *g = &m->state.units.gate[thread];
    out.hold = (enum tx_hold)g->hold;
    out.present = g->hold != TX_HOLD_NONE;
    out.word = g->word;
    out.since = g->since;
    out.other = g->hold != TX_HOLD_NONE ? g->other : TX_THREADS;
    out.wait = (enum tx_wait)g->wait;
    if (out.wait != TX_WAIT_NONE) {
        out.wait_word = g->wait_word;
        out.wait_since = g->wait_since;
        out.block = g->block;
        out.conditions = g->conditions;
        out.semaphores = g->semaphores;
        out.busy = (uint16_t)wait_busy(m, thread, &out.busy_semaphores);
    }
    return out;
}

void tx_gate_read_sized(const tx_machine *m, unsigned thread, struct tx_gate *gate, size_t size)
{
    const struct tx_gate own = gate_read(m, thread);
    sized_give(gate, size, &own, sizeof own);
}

bool tx_unpacker_read_sized(const tx_machine *m, unsigned unpacker, unsigned index,
                            struct tx_unpack_job *job, size_t size)
{
    if (unpacker >= UNPACKERS || index >= m->state.units.unpack.unit[unpacker].count) {
        return false;
    }
    const struct unpacker *unit = &m->state.units.unpack.unit[unpacker];
    const struct unpack_job *j = &unit->job[(unit->head + index) % UNPACK_JOBS];
    const struct tx_unpack_job out = {.thread = j->op.thread,
                                      .fetching = index == 0 && unit->running != 0,
                                      .word = j->op.word,
                                      .number = j->op.number,
                                      .since = j->since,
                                      .passed =
                                          m->state.units.gate[j->op.thread].passed - j->passed};
    sized_give(job, size, &out, sizeof out);
    return true;
}

void tx_scalar_read_sized(const tx_machine *m, struct tx_scalar *scalar, size_t size)
{
    const struct units *u = &m->state.units;
    struct tx_scalar out = {.busy = u->scalar.live != 0};
    if (out.busy) {
        out.thread = u->scalar.op.thread;
        out.word = u->scalar.op.word;
        out.since = u->scalar.start;
    }
    for (unsigned i = 0; i < REQUESTS; i++) {
        if (u->request[i].live != 0) {
            out.requests[u->request[i].thread]++;
        }
    }
    sized_give(scalar, size, &out, sizeof out);
}

/* ---- in words ---- */

struct line {
    char *text;
    size_t size, used;
};

static void threads_say(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line->text + line->used, line->size - line->used, format, args);
    va_end(args);
    if (n > 0) {
        const size_t room = line->size - line->used - 1;
        line->used += (size_t)n < room ? (size_t)n : room;
    }
}

static void say_semaphores(const tx_machine *m, struct line *line, const struct tx_gate *g)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((g->busy_semaphores >> i & 1u) != 0) {
            const bool zero = m->state.semaphore[i] == 0 && (g->conditions & 1u) != 0;
            threads_say(line, "%s semaphore %u (%u of %u) to be %s",
                        line->text[line->used - 1] == 'r' ? "" : " and", i, m->state.semaphore[i],
                        m->state.semaphore_max[i], zero ? "above 0" : "below its maximum");
        }
    }
}

static void say_conditions(const tx_machine *m, struct line *line, unsigned thread, uint32_t mask)
{
    const char *between = " ";
    for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
        const int bit = tx_condition_bit(m->arch, (enum tx_condition)c);
        if (bit >= 0 && (mask >> bit & 1u) != 0 &&
            condition_busy(m, thread, (enum tx_condition)c)) {
            threads_say(line, "%s%s (C%d)", between, tx_condition_name((enum tx_condition)c), bit);
            between = ", ";
        }
    }
}

static void say_wait(const tx_machine *m, struct line *line, unsigned thread,
                     const struct tx_gate *g)
{
    if (g->wait == TX_WAIT_SEMWAIT) {
        say_semaphores(m, line, g);
    } else {
        say_conditions(m, line, thread, g->conditions);
    }
}

bool tx_wait_reason(const tx_machine *m, unsigned thread, char *text, size_t size)
{
    char own[256] = "for";
    struct line line = {own, sizeof own, 3};
    const struct tx_gate g = tx_gate_read(m, thread);
    if (g.wait != TX_WAIT_NONE) {
        say_wait(m, &line, thread, &g);
    }
    const bool waits = line.used > 3;
    if (size != 0) {
        (void)snprintf(text, size, "%s", waits ? own + 4 : "");
    }
    return waits;
}

static void say_scalar(const tx_machine *m, struct line *line)
{
    const struct scalar *s = &m->state.units.scalar;
    threads_say(line, " for its %s of cycle %llu",
                isa_row((enum isa_row_id)s->op.row)->text.mnemonic, (unsigned long long)s->start);
    if (s->kind == SCALAR_FLUSH) {
        const uint32_t mask = unit_field(&s->op, FLD_COND);
        threads_say(line, ", which waits for");
        say_conditions(m, line, s->op.thread, mask != 0 ? mask : 15u);
    } else if (s->kind == SCALAR_RETRY) {
        threads_say(line, ", which tries again and again");
    } else if (s->kind == SCALAR_BANK) {
        threads_say(line, ", which waits for its Src bank");
    }
}

static const char *mnemonic(const tx_machine *m, uint32_t word)
{
    const struct tx_insn *insn = tx_insn_of(m->arch, word);
    return insn == NULL ? "?" : insn->macro;
}

/*
 * Describes the oldest instruction of a thread that waits in an unpacker for a bank. Returns false
 * if there is none.
 */
static bool say_unpacker(const tx_machine *m, struct line *line, unsigned thread)
{
    for (unsigned u = 0; u < UNPACKERS; u++) {
        struct tx_unpack_job job;
        for (unsigned i = 0; tx_unpacker_read(m, u, i, &job); i++) {
            if (job.thread == thread && !job.fetching) {
                threads_say(line, "T%u waits since cycle %llu, in unpacker %u with %s, for: %s",
                            thread, (unsigned long long)job.since, u, mnemonic(m, job.word),
                            i == 0 ? "a bank of Src that the Matrix Unit has"
                                   : "the one before it");
                return true;
            }
        }
    }
    return false;
}

bool tx_wait_text(const tx_machine *m, unsigned thread, char *text, size_t size)
{
    struct line line = {text, size, 0};
    const struct tx_gate g = tx_gate_read(m, thread);
    const struct scalar *s = &m->state.units.scalar;
    text[0] = '\0';
    if (!g.present && s->live != 0 && s->op.thread == thread && s->kind != SCALAR_TIMED) {
        threads_say(&line, "T%u waits", thread);
        say_scalar(m, &line);
        return true;
    }
    if (!g.present) {
        return say_unpacker(m, &line, thread);
    }
    threads_say(&line, "T%u waits since cycle %llu, before %s,", thread,
                (unsigned long long)g.since, mnemonic(m, g.word));
    if (g.hold == TX_HOLD_WAIT && g.wait != TX_WAIT_NONE) {
        threads_say(&line, " by %s of cycle %llu, for", mnemonic(m, g.wait_word),
                    (unsigned long long)g.wait_since);
        say_wait(m, &line, thread, &g);
    } else if (g.hold == TX_HOLD_SCALAR_OWN) {
        say_scalar(m, &line);
    } else if (g.hold == TX_HOLD_MUTEX) {
        threads_say(&line, " for mutex %u, %s", (unsigned)(g.word & 0xFFFFu),
                    g.other < TX_THREADS ? "held by T" : "which does not exist");
        if (g.other < TX_THREADS) {
            threads_say(&line, "%u", g.other);
        }
    } else {
        threads_say(&line, " for: %s", tx_hold_text(g.hold));
        if (g.other < TX_THREADS) {
            threads_say(&line, " (T%u)", g.other);
        }
    }
    if (tx_insn_of(m->arch, g.word) != NULL &&
        tx_insn_of(m->arch, g.word)->unit == TX_UNIT_UNPACK) {
        threads_say(&line, "; ");
        (void)say_unpacker(m, &line, g.other < TX_THREADS ? g.other : thread);
    }
    return true;
}

/* ---- what would end it ---- */

static void end_of_semaphores(const tx_machine *m, struct line *line, const struct tx_gate *g)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((g->busy_semaphores >> i & 1u) != 0) {
            const bool zero = m->state.semaphore[i] == 0 && (g->conditions & 1u) != 0;
            threads_say(line, "%s%s of semaphore %u", line->used != 0 ? ", " : "",
                        zero ? "SEMPOST" : "SEMGET", i);
        }
    }
}

static void end_of_conditions(const tx_machine *m, struct line *line, unsigned thread,
                              uint32_t mask)
{
    for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
        const int bit = tx_condition_bit(m->arch, (enum tx_condition)c);
        if (bit >= 0 && (mask >> bit & 1u) != 0 &&
            condition_busy(m, thread, (enum tx_condition)c)) {
            threads_say(line, "%s%s", line->used != 0 ? ", " : "",
                        condition_end((enum tx_condition)c));
        }
    }
}

static void end_of_hold(const tx_machine *m, struct line *line, const struct tx_gate *g)
{
    static const char *const ends[TX_HOLD_COUNT] = {
        [TX_HOLD_SCALAR_OWN] = "the end of the Scalar Unit's instruction",
        [TX_HOLD_WAIT] = "the end of the STALLWAIT or SEMWAIT",
        [TX_HOLD_UNIT] = "the end of what the unit does",
        [TX_HOLD_ARBITRATION] = "the other thread's instruction",
        [TX_HOLD_INTERLOCK] = "the end of what the Vector Unit does",
        [TX_HOLD_CONFIG] = "the end of what the Configuration Unit does",
        [TX_HOLD_READ] = "the end of the RDCFG or UNPACR",
        [TX_HOLD_REQUESTS] = "the answer of a memory request",
        [TX_HOLD_HOST] = "the unit outside",
        [TX_HOLD_BANK] = "an unpacker, handing the bank over",
        [TX_HOLD_DST] = "the unit that writes the rows of Dst",
    };
    struct tx_unpack_job job;
    const struct tx_insn *insn = tx_insn_of(m->arch, g->word);
    for (unsigned u = 0; g->hold == TX_HOLD_UNIT && insn != NULL && u < UNPACKERS; u++) {
        if (insn->unit == TX_UNIT_UNPACK && tx_unpacker_read(m, u, 0, &job) && !job.fetching) {
            threads_say(line, "the Matrix Unit, giving the bank back");
            return;
        }
    }
    if (g->hold == TX_HOLD_MUTEX && g->other < TX_THREADS) {
        threads_say(line, "ATRELM of mutex %u by T%u", (unsigned)(g->word & 0xFFFFu),
                    (unsigned)g->other);
    } else if (g->hold == TX_HOLD_MUTEX) {
        threads_say(line, "nothing: the mutex does not exist");
    } else if ((unsigned)g->hold < TX_HOLD_COUNT && ends[g->hold] != NULL) {
        threads_say(line, "%s", ends[g->hold]);
    }
}

bool tx_wait_end(const tx_machine *m, unsigned thread, char *text, size_t size)
{
    char own[160] = "";
    char waits[256];
    struct line line = {own, sizeof own, 0};
    const struct tx_gate g = tx_gate_read(m, thread);
    const struct scalar *s = &m->state.units.scalar;
    if (!tx_wait_text(m, thread, waits, sizeof waits)) {
        own[0] = '\0';
    } else if (!g.present && s->live != 0 && s->op.thread == thread) {
        threads_say(&line, "the end of the Scalar Unit's instruction");
    } else if (!g.present) {
        threads_say(&line, "the Matrix Unit, giving the bank back");
    } else if (g.hold == TX_HOLD_WAIT && g.wait == TX_WAIT_SEMWAIT) {
        end_of_semaphores(m, &line, &g);
    } else if (g.hold == TX_HOLD_WAIT && g.wait != TX_WAIT_NONE) {
        end_of_conditions(m, &line, thread, g.conditions);
    } else {
        end_of_hold(m, &line, &g);
    }
    if (size != 0) {
        (void)snprintf(text, size, "%s", own);
    }
    return own[0] != '\0';
}
