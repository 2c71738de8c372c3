/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves through time: forwards by running ticks, backwards by returning to a checkpoint and running
 * the ticks from there again.
 */
#include "debug/debug.h"

#include <string.h>

#include "debug/points.h"

enum { LOOK = 1024, PEEK = 64 };

/* ---- single ticks ---- */

bool travel_tick(struct txl_debug *d)
{
    if (d->now.end != END_NOT) {
        return false;
    }
    d->past.of.step(d);
    history_went(&d->past);
    return true;
}

static bool wanted(struct txl_debug *d)
{
    if (d->now.tick % LOOK == 0 && !ticker_at(&d->ticker, debug_cycle(d))) {
        d->interrupted = true;
    }
    return !d->interrupted;
}

static void tick_again(struct txl_debug *d, uint64_t target)
{
    history_again(&d->past, target);
    d->again++;
}

static void back_to(struct txl_debug *d, uint64_t checkpoint)
{
    history_back(&d->past, checkpoint);
    facts_begin(d); /* what happened before the checkpoint is unknown */
    facts_end(d);
}

void travel_to(struct txl_debug *d, uint64_t tick)
{
    const uint64_t from = history_before(&d->past, tick + 1);
    if (d->now.tick > tick || d->now.tick < from) {
        back_to(d, from);
    }
    while (d->now.tick < tick && d->now.end == END_NOT) {
        tick_again(d, tick);
    }
}

struct stop_at travel_to_cycle(struct txl_debug *d, uint64_t cycle)
{
    struct stop_at at = {.kind = STOP_STEP};
    if (cycle < debug_cycle(d)) {
        /* No later than that cycle, because beginnings of tiles are ticks, too. */
        travel_to(d, cycle);
    }
    while (debug_cycle(d) < cycle && wanted(d) && travel_tick(d)) {}
    at.kind = d->interrupted ? STOP_INTERRUPT : debug_cycle(d) < cycle ? STOP_END : STOP_STEP;
    points_anew(d);
    return at;
}

/* ---- steps ---- */

static bool of_core(const struct txl_debug *d, enum step_kind kind)
{
    return d->core != TX_CORES && (kind == STEP_INSTRUCTION || kind == STEP_LINE);
}

/* Tells whether a step of this kind ends before the tick that it looks for, not after it. */
static bool ends_before(const struct txl_debug *d, enum step_kind kind)
{
    return !of_core(d, kind) &&
           (kind == STEP_ISSUE || kind == STEP_INSTRUCTION || kind == STEP_LINE);
}

static bool same_line(const struct txl_debug *d, size_t a, size_t b)
{
    const char *file = NULL;
    const char *other = NULL;
    const unsigned section = debug_section(d);
    return a != NO_PLACE && b != NO_PLACE &&
           debug_line(d, section, a, &file) == debug_line(d, section, b, &other) &&
           (file == other || (file != NULL && other != NULL && strcmp(file, other) == 0));
}

/*
 * Tells whether the last tick issued an instruction that counts for this kind of step. Expanded
 * instructions have no line of their own; they belong to the line before.
 */
static bool issues(const struct txl_debug *d, enum step_kind kind)
{
    for (unsigned i = 0; i < d->facts.issues; i++) {
        const struct fact_issue *issue = &d->facts.issue[i];
        if (kind == STEP_ISSUE) {
            return true;
        }
        if (issue->scheduled || (d->thread >= 0 && issue->thread != d->thread)) {
            continue;
        }
        if (kind == STEP_INSTRUCTION ||
            (issue->place != NO_PLACE &&
             !same_line(d, issue->place, d->facts.last[issue->thread]))) {
            return true;
        }
    }
    return false;
}

static bool core_moved(struct txl_debug *d, enum step_kind kind)
{
    const struct tx_core_glance *was = &d->facts.before[d->core];
    const struct tx_core_glance *is = &d->facts.after[d->core];
    if (was->instructions == is->instructions) {
        return false;
    }
    char before[256];
    char after[256];
    if (kind == STEP_INSTRUCTION || txl_tensix_source(d->tensix, d->core, is->pc, after) == NULL) {
        return kind == STEP_INSTRUCTION;
    }
    return txl_tensix_source(d->tensix, d->core, was->pc, before) == NULL ||
           strcmp(before, after) != 0;
}

static bool stores_row(const struct txl_debug *d)
{
    for (unsigned i = 0; i < d->facts.writes; i++) {
        if (d->facts.write[i].kind == TX_EVENT_WRITE_DST) {
            return true;
        }
    }
    return false;
}

/* Tells whether the last tick was a step of this kind. */
static bool did(struct txl_debug *d, enum step_kind kind)
{
    if (of_core(d, kind)) {
        return core_moved(d, kind);
    }
    switch (kind) {
    case STEP_CYCLE:
        return !d->facts.began;
    case STEP_ISSUE:
    case STEP_INSTRUCTION:
    case STEP_LINE:
        return issues(d, kind);
    case STEP_ROW:
        return stores_row(d);
    case STEP_TILE:
        return d->facts.began;
    }
    return false;
}

/* ---- forwards ---- */

static struct stop_at end_here(struct txl_debug *d)
{
    struct stop_at at = {.kind = d->interrupted ? STOP_INTERRUPT : STOP_END};
    if (d->now.end == END_NOT) {
        return at;
    }
    snprintf(at.what, sizeof at.what, "%.255s",
             d->now.end == END_OVER
                 ? d->kernel != NULL ? "the last tile is done" : "every core rests"
             : d->now.end == END_WORDS ? "the words have their values"
                                       : d->message);
    return at;
}

/* Reports a point that was met in the tick that began at began. */
static struct stop_at met(struct txl_debug *d, const struct hit *hit, uint64_t began)
{
    struct stop_at at = {.kind = STOP_POINT, .point = hit->point->number};
    snprintf(at.what, sizeof at.what, "%s", hit->what);
    if (hit->before) {
        travel_to(d, began);
        points_anew(d);
    }
    points_told(d, hit);
    return at;
}

/*
 * Runs forwards for count steps of a kind, or until a point is met; kind is negative for no steps.
 */
static struct stop_at go(struct txl_debug *d, int kind, uint64_t count)
{
    const bool before = kind >= 0 && ends_before(d, (enum step_kind)kind);
    bool first = true;
    struct hit hit;
    points_anew(d);
    while (wanted(d)) {
        const uint64_t began = d->now.tick;
        const bool stood = first && d->stood;
        if (!travel_tick(d)) {
            break;
        }
        d->stood = true;
        if (points_hit(d, stood ? POINTS_STOOD : POINTS_FORWARDS, &hit)) {
            return met(d, &hit, began);
        }
        const bool counts = kind >= 0 && !(first && before) && did(d, (enum step_kind)kind);
        first = false;
        if (counts && --count == 0) {
            if (before) {
                travel_to(d, began);
            }
            points_anew(d);
            return (struct stop_at){.kind = STOP_STEP};
        }
    }
    return end_here(d);
}

struct stop_at travel_step(struct txl_debug *d, enum step_kind kind, uint64_t count)
{
    return go(d, (int)kind, count);
}

struct stop_at travel_run(struct txl_debug *d)
{
    return go(d, -1, 0);
}

/* ---- backwards ---- */

static struct stop_at at_begin(struct txl_debug *d)
{
    travel_to(d, history_begin(&d->past));
    points_anew(d);
    return (struct stop_at){.kind = STOP_BEGIN};
}

/*
 * Counts the steps of a kind from the current checkpoint to end; *nth becomes the tick where the
 * n-th began (n 0: the last).
 */
static uint64_t count_steps(struct txl_debug *d, enum step_kind kind, uint64_t end, uint64_t n,
                            uint64_t *nth)
{
    uint64_t count = 0;
    while (d->now.tick < end && d->now.end == END_NOT && wanted(d)) {
        const uint64_t began = d->now.tick;
        tick_again(d, 0);
        if (did(d, kind) && d->now.tick <= end) {
            count++;
            *nth = n == 0 || count <= n ? began : *nth;
        }
    }
    return count;
}

/* Goes back by tiles, whose beginnings are known without a search. */
static struct stop_at back_tiles(struct txl_debug *d, uint64_t count)
{
    for (; count > 0 && d->now.tick > history_begin(&d->past); count--) {
        travel_to(d, d->now.tick > d->now.begin ? d->now.begin : d->now.begin - 1);
        if (d->now.tick > d->now.begin) {
            travel_to(d, d->now.begin);
        }
    }
    points_anew(d);
    return (struct stop_at){.kind = count > 0 ? STOP_BEGIN : STOP_STEP};
}

struct stop_at travel_back(struct txl_debug *d, enum step_kind kind, uint64_t count)
{
    const uint64_t now = d->now.tick;
    const uint64_t begin = history_begin(&d->past);
    d->stood = true;
    if (kind == STEP_CYCLE) {
        const uint64_t cycle = debug_cycle(d);
        return cycle < begin + count ? at_begin(d) : travel_to_cycle(d, cycle - count);
    }
    if (kind == STEP_TILE && d->kernel != NULL) {
        return back_tiles(d, count);
    }
    for (uint64_t end = now; end > begin && !d->interrupted;) {
        const uint64_t from = history_before(&d->past, end);
        uint64_t last = 0;
        back_to(d, from);
        const uint64_t steps = count_steps(d, kind, end, 0, &last);
        if (steps >= count && !d->interrupted) {
            if (count > 1) {
                back_to(d, from);
                (void)count_steps(d, kind, end, steps - count + 1, &last);
            }
            travel_to(d, last);
            points_anew(d);
            return (struct stop_at){.kind = STOP_STEP};
        }
        count -= steps;
        end = from;
    }
    if (d->interrupted) {
        travel_to(d, now);
        points_anew(d);
        return (struct stop_at){.kind = STOP_INTERRUPT};
    }
    return at_begin(d);
}

/*
 * Finds the last point met between the current checkpoint and end, and in *tick where the run stops
 * for it.
 */
static bool last_hit(struct txl_debug *d, uint64_t end, uint64_t now, struct hit *last,
                     uint64_t *tick)
{
    bool any = false;
    points_anew(d);
    while (d->now.tick < end && d->now.end == END_NOT && wanted(d)) {
        const uint64_t began = d->now.tick;
        struct hit hit;
        tick_again(d, 0);
        if (!points_hit(d, POINTS_BACK, &hit)) {
            continue;
        }
        /* A stop is before a change, but after the tick in which a core arrives. */
        const bool come = hit.point->kind == POINT_CORE && !hit.before;
        const uint64_t stand = come ? d->now.tick : began;
        if (stand < now) {
            *last = hit;
            *tick = stand;
            any = true;
        }
    }
    return any;
}

struct stop_at travel_run_back(struct txl_debug *d)
{
    const uint64_t now = d->now.tick;
    const uint64_t begin = history_begin(&d->past);
    d->stood = true;
    for (uint64_t end = now; end > begin;) {
        const uint64_t from = history_before(&d->past, end);
        struct hit hit;
        uint64_t tick = 0;
        back_to(d, from);
        const bool found = last_hit(d, end, now, &hit, &tick);
        if (d->interrupted) {
            travel_to(d, from);
            points_anew(d);
            return (struct stop_at){.kind = STOP_INTERRUPT};
        }
        if (found) {
            struct stop_at at = {.kind = STOP_POINT, .point = hit.point->number};
            snprintf(at.what, sizeof at.what, "%s", hit.what);
            travel_to(d, tick);
            points_anew(d);
            points_told(d, &hit);
            return at;
        }
        end = from;
    }
    return at_begin(d);
}

/* ---- inspecting ---- */

unsigned travel_peek(struct txl_debug *d, struct fact_issue next[TX_THREADS])
{
    const struct facts facts = d->facts;
    unsigned there = 0;
    if (d->now.end != END_NOT || !d->past.of.save(d, d->scratch)) {
        return 0;
    }
    for (unsigned i = 0; i < PEEK && d->now.end == END_NOT; i++) {
        d->past.of.step(d);
        for (unsigned k = 0; k < d->facts.issues && !d->facts.began; k++) {
            const struct fact_issue *issue = &d->facts.issue[k];
            if (!issue->scheduled && (there >> issue->thread & 1u) == 0) {
                next[issue->thread] = *issue;
                there |= 1u << issue->thread;
            }
        }
        if (d->facts.began ||
            (there != 0 && !(d->tile != NULL || tx_program_threaded(d->program)))) {
            break;
        }
    }
    d->past.of.load(d, d->scratch);
    d->past.of.drop(d, d->scratch);
    d->facts = facts;
    return there;
}

void travel_again(struct txl_debug *d, uint64_t to, const struct tx_sink *sink)
{
    d->also = *sink;
    while (d->now.tick < to && d->now.end == END_NOT) {
        tick_again(d, to);
    }
    d->also = (struct tx_sink){.event = NULL};
}
