/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognizing that a core only waits, and making up for the time that it waited. Two states are
 * the same if the core goes on in the same way from both: what is in the past is in the past, no
 * matter for how long.
 */
#include "riscv/core.h"
#include "base/check.h"

/* So many cycles back, the time of an event has no effect any more. */
enum { OLD = 100 };

static uint64_t ahead(uint64_t time, uint64_t now)
{
    return time > now ? time - now : 0;
}

static bool same_times(const struct riscv_state *a, const struct riscv_state *b)
{
    const uint64_t line_a = ahead(a->line10 + 10 * OLD, 10 * a->now);
    const uint64_t line_b = ahead(b->line10 + 10 * OLD, 10 * b->now);
    const uint64_t store_a = a->l1_store == 0 ? 0 : ahead(a->l1_store + OLD, a->now);
    const uint64_t store_b = b->l1_store == 0 ? 0 : ahead(b->l1_store + OLD, b->now);
    bool same = line_a == line_b && store_a == store_b &&
                ahead(a->next, a->now) == ahead(b->next, b->now) &&
                ahead(a->loaded, a->now) == ahead(b->loaded, b->now) &&
                ahead(a->divider, a->now) == ahead(b->divider, b->now);
    for (unsigned i = 0; i < 33 && same; i++) {
        same = ahead(a->ready[i], a->now) == ahead(b->ready[i], b->now);
    }
    for (unsigned i = 0; i < 8 && same; i++) {
        same = ahead(a->retire[(a->retire_at + i) % 8], a->now) ==
               ahead(b->retire[(b->retire_at + i) % 8], b->now);
    }
    for (unsigned i = 0; i < RISCV_STORES && same; i++) {
        same = ahead(a->loads[(a->loads_at + i) % RISCV_STORES], a->now) ==
               ahead(b->loads[(b->loads_at + i) % RISCV_STORES], b->now);
    }
    return same;
}

static bool same_stores(const struct riscv_state *a, const struct riscv_state *b)
{
    bool same = a->stores == b->stores && a->l1_line == b->l1_line;
    for (unsigned i = 0; i < a->stores && same; i++) {
        const struct riscv_store *p = &a->store[(a->store_head + i) % RISCV_STORES];
        const struct riscv_store *q = &b->store[(b->store_head + i) % RISCV_STORES];
        same = p->address == q->address && memcmp(p->data, q->data, sizeof p->data) == 0 &&
               p->pc == q->pc && p->size == q->size && p->words == q->words &&
               p->region == q->region && ahead(p->from, a->now) == ahead(q->from, b->now);
    }
    return same;
}

/*
 * Returns whether everything but the registers x is the same. Those of F and V are what they were:
 * an instruction of theirs is a change, after which no two states are taken as the same.
 */
static bool same_but_registers(const struct riscv_state *a, const struct riscv_state *b)
{
    return a->pc == b->pc && a->undefined == b->undefined && a->phase == b->phase &&
           a->wait == b->wait && a->behind == b->behind && a->fetched == b->fetched &&
           a->history == b->history && a->handling == b->handling && same_times(a, b) &&
           same_stores(a, b) && memcmp(a->csr, b->csr, sizeof a->csr) == 0 &&
           memcmp(a->line, b->line, sizeof a->line) == 0 &&
           memcmp(a->older, b->older, sizeof a->older) == 0 &&
           memcmp(a->counter, b->counter, sizeof a->counter) == 0 &&
           memcmp(a->target_pc, b->target_pc, sizeof a->target_pc) == 0 &&
           memcmp(a->target, b->target, sizeof a->target) == 0;
}

bool riscv_same(const struct riscv_state *a, const struct riscv_state *b)
{
    return a->now == b->now && a->instret == b->instret && same_but_registers(a, b) &&
           memcmp(a->x, b->x, 32 * sizeof a->x[0]) == 0 &&
           memcmp(a->waited, b->waited, sizeof a->waited) == 0 &&
           memcmp(a->f, b->f, sizeof a->f) == 0 && memcmp(a->v, b->v, sizeof a->v) == 0 &&
           memcmp(a->ram, b->ram, sizeof a->ram) == 0;
}

enum { TRIES = 32 }; /* as often a loop within a loop may have come round */

void riscv_beat_start(struct riscv_beat *beat, const struct riscv *core)
{
    memcpy(&beat->then, &core->s, offsetof(struct riscv_state, ram));
    beat->changes = core->changes;
    beat->writes = core->writes;
    beat->read = core->clocks;
    beat->hopeless = beat->counts.on = false;
    beat->tries = 0;
    beat->round = 0;
    beat->period = 0;
}

/*
 * Returns whether a loop has come round again of which nothing could be learned, several times
 * since the look began. Several rounds of it may still be one of another kind, as where it uses two
 * buffers in turn: they are looked at after two, four, eight.
 */
static bool comes_again(const struct riscv_beat *beat, uint64_t instructions)
{
    const uint64_t rounds = beat->tries + UINT64_C(1);
    return beat->round != 0 && instructions == rounds * beat->round && (rounds & (rounds - 1)) != 0;
}

bool riscv_beat_holds(const struct riscv_beat *beat, const struct riscv *core)
{
    const uint32_t read = beat->clocks ? core->clocks - beat->read : 0;
    return core->changes - beat->changes == read && !beat->hopeless &&
           (beat->period == 0 || beat->counts.on || core->writes == beat->writes);
}

bool riscv_beat_found(struct riscv_beat *beat, const struct riscv *core)
{
    const struct riscv_state *then = &beat->then;
    if (!riscv_beat_holds(beat, core)) {
        return false;
    }
    if (beat->period != 0) {
        return !beat->counts.on || (core->s.now - then->now) % beat->period == 0;
    }
    if (core->s.phase != RISCV_RUNS && core->s.stores == 0) {
        return then->phase == core->s.phase;
    }
    if (then->stores != 0 && core->s.stores == 0) {
        riscv_beat_start(beat, core); /* stores under way may be those of a counter */
    }
    if (core->s.now == then->now || !same_but_registers(then, &core->s)) {
        return false;
    }
    const uint64_t instructions = core->s.instret - then->instret;
    if (core->writes != beat->writes || core->clocks != beat->read ||
        memcmp(then->x, core->s.x, 32 * sizeof then->x[0]) != 0) {
        if (!core->timed || comes_again(beat, instructions) ||
            !count_learn(core, beat, instructions, &beat->counts)) {
            beat->round = beat->tries == 0 ? instructions : beat->round;
            /* A loop around this one may store the clock. */
            beat->hopeless = !beat->clocks || ++beat->tries == TRIES;
            return false;
        }
    }
    beat->period = core->s.now - then->now;
    beat->instret = core->s.instret - then->instret;
    for (unsigned i = 0; i < TX_CORE_WAITS; i++) {
        beat->waited[i] = core->s.waited[i] - then->waited[i];
    }
    return true;
}

/* Moves a time that still counts. Register 0 is never waited for. */
static void move(uint64_t *time, uint64_t by)
{
    *time += *time != 0 ? by : 0;
}

static void shift(struct riscv_state *s, uint64_t by)
{
    s->now += by;
    for (unsigned i = 1; i < 32; i++) {
        move(&s->ready[i], by);
    }
    for (unsigned i = 0; i < 8; i++) {
        move(&s->retire[i], by);
    }
    for (unsigned i = 0; i < RISCV_STORES; i++) {
        move(&s->loads[i], by);
        move(&s->store[i].from, by);
    }
    move(&s->next, by);
    move(&s->loaded, by);
    move(&s->divider, by);
    move(&s->l1_store, by);
    move(&s->line10, 10 * by);
}

void riscv_beat_skip(const struct riscv_beat *beat, struct riscv *core, uint64_t cycles)
{
    CHECK(beat->period == 0 || !beat->hopeless, "time is made up for in a loop that only waits");
    struct riscv_state *s = &core->s;
    if (beat->period == 0) {
        s->now += cycles;
        return;
    }
    uint64_t times = cycles / beat->period;
    if (beat->counts.on && times != 0) {
        times--; /* the last round makes what is made anew in each */
        count_rounds(&beat->counts, core, times);
    }
    shift(s, times * beat->period);
    s->instret += times * beat->instret;
    for (unsigned i = 0; i < TX_CORE_WAITS; i++) {
        s->waited[i] += times * beat->waited[i];
    }
    const uint64_t rest = cycles - times * beat->period;
    for (uint64_t i = 0; i < rest; i++) {
        riscv_deliver(core);
        riscv_issue(core);
        s->now++;
    }
}
