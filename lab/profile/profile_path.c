/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The critical path of a run, from its last cycle back to the first. While a lane works, the path
 * follows that lane; where it waited, the path continues with the lane that ended the wait; where
 * it waited for room in a unit, with that unit, which may have worked or held what nobody took. A
 * wait whose end cannot be traced (an L1 flag, a mailbox) stays with the lane that waited.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *const bound_names[BOUNDS] = {"delivery", "vector", "matrix", "unpack",
                                                "pack",     "scalar", "config", "wait",
                                                "noc",      "dram",   "other"};

const char *profile_bound_name(enum profile_bound bound)
{
    return bound_names[bound];
}

size_t profile_span_at(const struct profile_lane_data *l, uint64_t cycle)
{
    size_t low = 0;
    size_t high = l->span_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (l->spans[middle].from <= cycle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Adds a step. Steps are found from the last to the first; adjacent equal ones are joined. */
void profile_step(txl_profile *tile, unsigned lane, uint64_t from, uint64_t to,
                  const struct profile_state *s, enum profile_bound bound)
{
    txl_profile *p = tile->whole != NULL ? tile->whole : tile;
    const char *name = tile->lane[lane].name;
    if (from >= to) {
        return;
    }
    if (p->step_count != 0) {
        struct txl_profile_step *last = &p->steps[p->step_count - 1];
        if (last->lane == name && last->text == s->text && last->from == to &&
            last->bound == bound_names[bound]) {
            last->from = from;
            return;
        }
    }
    if (LIST_ONE(p->steps, p->step_count, p->step_room, p->failed)) {
        p->steps[p->step_count++] = (struct txl_profile_step){.from = from,
                                                              .to = to,
                                                              .lane = name,
                                                              .text = s->text,
                                                              .bound = bound_names[bound],
                                                              .kind = s->kind};
    }
}

/*
 * Finds the last event of this kind in [from, to) by another lane (for units also at to itself);
 * NULL: there is none.
 */
static const struct profile_event *ended_by(const txl_profile *p, const struct profile_state *s,
                                            unsigned lane, uint64_t from, uint64_t to)
{
    size_t low = 0;
    size_t high = p->event_count;
    while (low < high) { /* find the first one after to */
        const size_t middle = low + (high - low) / 2;
        if (p->events[middle].cycle <= to) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low > 0 && p->events[low - 1].cycle >= from) {
        const struct profile_event *e = &p->events[--low];
        const bool same =
            s->end == END_SEMAPHORE ? (e->index >> s->index & 1u) != 0 : e->index == s->index;
        const bool early = e->cycle < to || e->lane >= LANE_UNPACK;
        if (e->end == s->end && same && early && e->lane != lane) {
            return e;
        }
    }
    return NULL;
}

/* Finds the lane that last worked for a thread before a cycle, and until when. */
static unsigned last_at_work(const txl_profile *p, unsigned thread, uint64_t before, uint64_t *end)
{
    unsigned found = LANE_THREAD + thread;
    *end = 0;
    for (unsigned lane = LANE_THREAD; lane < LANES; lane++) {
        const struct profile_lane_data *l = &p->lane[lane];
        const bool own = lane == LANE_THREAD + thread;
        if ((lane < LANE_UNPACK && !own) || l->span_count == 0 || before == 0) {
            continue;
        }
        for (size_t i = profile_span_at(l, before - 1) + 1; i-- > 0;) {
            const struct profile_state *s = &l->states[l->spans[i].state];
            const bool works = s->kind == TXL_PROFILE_WORKS && (own || s->thread == thread);
            uint64_t to = i + 1 < l->span_count ? l->spans[i + 1].from : p->total;
            to = to < before ? to : before;
            if (to <= *end) {
                break;
            }
            if (works) {
                *end = to;
                found = lane;
                break;
            }
        }
    }
    return found;
}

/* A thread had no word: follows what its core did meanwhile. */
static struct profile_place along_core(txl_profile *p, unsigned lane, uint64_t from, uint64_t to)
{
    const unsigned core = LANE_CORE + TX_CORE_T0 + (lane - LANE_THREAD);
    const struct profile_lane_data *l = &p->lane[core];
    while (to > from && l->span_count != 0) {
        const size_t i = profile_span_at(l, to - 1);
        const struct profile_state *s = &l->states[l->spans[i].state];
        const uint64_t start = l->spans[i].from > from ? l->spans[i].from : from;
        if (s->end == END_POLL && p->whole != NULL) {
            return (struct profile_place){p, core, to};
        }
        profile_step(p, core, start, to, s, BOUND_DELIVERY);
        to = start;
    }
    return (struct profile_place){p, lane, from};
}

/*
 * A thread waits for room in a unit: what the unit did then is the cause. It may have worked, or
 * have held a result that nobody took.
 */
static bool in_unit(const txl_profile *p, const struct profile_state *s, uint64_t cycle)
{
    const struct profile_lane_data *u = &p->lane[s->index];
    return u->span_count != 0 && u->spans[0].from < cycle &&
           u->states[u->spans[profile_span_at(u, cycle - 1)].state].kind != TXL_PROFILE_IDLE;
}

static struct profile_place step_back(struct profile_place at)
{
    txl_profile *p = at.p;
    struct profile_place beyond;
    const struct profile_lane_data *l = &p->lane[at.lane];
    const size_t i = profile_span_at(l, at.cycle - 1);
    const struct profile_state *s = &l->states[l->spans[i].state];
    const uint64_t from = l->spans[i].from;
    const bool thread = at.lane >= LANE_THREAD && at.lane < LANE_UNPACK;
    uint64_t end;
    if (s->end == END_WORD && p->cores && thread) {
        return along_core(p, at.lane, from, at.cycle);
    }
    if (s->end == END_POLL && profile_follow(p, at.lane, s, from, at.cycle, &beyond)) {
        return beyond;
    }
    if (s->end == END_UNIT && in_unit(p, s, at.cycle)) {
        return (struct profile_place){p, s->index, at.cycle};
    }
    if (s->end == END_SEMAPHORE || s->end == END_BANK) {
        const struct profile_event *e = ended_by(p, s, at.lane, from, at.cycle);
        if (e != NULL) {
            /* An unpacker gives a bank away after its last cycle. */
            const uint64_t then = e->cycle + (e->lane < LANE_UNPACK ? 1 : 0);
            profile_step(p, at.lane, then, at.cycle, s, BOUND_WAIT);
            return (struct profile_place){p, e->lane, then};
        }
    }
    if (s->end == END_THREAD || (thread && s->kind == TXL_PROFILE_IDLE)) {
        const unsigned which = thread ? at.lane - LANE_THREAD : at.lane - TX_CORE_T0;
        const unsigned lane = last_at_work(p, which, at.cycle, &end);
        if (end != 0 && (lane != at.lane || end < at.cycle)) {
            profile_step(p, at.lane, end, at.cycle, s, s->bound);
            return (struct profile_place){p, lane, end};
        }
    }
    profile_step(p, at.lane, from, at.cycle, s, s->bound);
    if (at.lane >= LANE_UNPACK && s->kind == TXL_PROFILE_WORKS && s->thread < TX_THREADS) {
        return (struct profile_place){p, LANE_THREAD + s->thread, from};
    }
    return (struct profile_place){p, at.lane, from};
}

/* Finds the end of the run: the lane that did something last. */
static struct profile_place last_place(txl_profile *p)
{
    struct profile_place last = {p, LANE_THREAD + 1, 0};
    for (unsigned i = 0; i < p->part_count; i++) {
        const struct profile_place one = last_place(p->parts[i]);
        last = one.cycle > last.cycle || i == 0 ? one : last;
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct profile_lane_data *l = &p->lane[lane];
        for (size_t i = l->span_count; i-- > 0;) {
            const uint64_t to = i + 1 < l->span_count ? l->spans[i + 1].from : p->total;
            if (l->states[l->spans[i].state].kind == TXL_PROFILE_IDLE) {
                continue;
            }
            if (to > last.cycle) {
                last = (struct profile_place){p, lane, to};
            }
            break;
        }
    }
    return last;
}

static void turn_round(txl_profile *p)
{
    for (size_t i = 0, k = p->step_count; i + 1 < k; i++) {
        const struct txl_profile_step step = p->steps[i];
        p->steps[i] = p->steps[--k];
        p->steps[k] = step;
    }
}

/* ---- sums of the path by lane and cause ---- */

static int by_share(const void *a, const void *b)
{
    const struct profile_share *x = a;
    const struct profile_share *y = b;
    return x->cycles != y->cycles ? (x->cycles > y->cycles ? -1 : 1)
                                  : strcmp(x->step->text, y->step->text);
}

static void sum_shares(txl_profile *p)
{
    size_t room = 0;
    for (size_t i = 0; i < p->step_count && !p->failed; i++) {
        const struct txl_profile_step *s = &p->steps[i];
        size_t k = 0;
        while (k < p->share_count &&
               (p->shares[k].step->lane != s->lane || p->shares[k].step->text != s->text ||
                p->shares[k].step->bound != s->bound)) {
            k++;
        }
        if (k == p->share_count) {
            if (!LIST_ONE(p->shares, k, room, p->failed)) {
                return;
            }
            p->shares[p->share_count++] = (struct profile_share){s, 0};
        }
        p->shares[k].cycles += s->to - s->from;
    }
    if (p->share_count != 0) {
        qsort(p->shares, p->share_count, sizeof *p->shares, by_share);
    }
}

/* ---- the bound, and advice ---- */

/* Advice where the lane works, and where it waits. */
static const char *const remedies[BOUNDS][2] = {
    {"put the words into a replay or a MOP",
     "keep the loop within the instruction cache, and loads away from their use"},
    {"take out instructions", "put independent instructions behind those that take two cycles"},
    {"fewer fidelity phases or instructions",
     "go over other rows of Dst in between: five blocks of eight rows by turns never wait"},
    {"unpack less, or in another thread's time",
     "unpack earlier: the other bank can fill while this one is used"},
    {"pack less", "let the next tile be computed meanwhile, in the other half of Dst"},
    {"take its instructions out of the loop",
     "put instructions of other units between those of the Scalar Unit"},
    {"write configuration outside the loop", "write configuration outside the loop"},
    {"wait and post less often",
     "let both sides run at once: give the bank or the half of Dst away earlier"},
    {"fewer and larger requests", "ask earlier: let the next block come while this one is used"},
    {"spread the pages over more banks", "ask earlier, and spread the pages over more banks"},
    {"take it out of the loop", "take it out of the loop"}};

/* Cores b and nc have no words to push. */
static const char *remedy(const txl_profile *p, const struct txl_profile_step *step)
{
    const bool waits = step->kind == TXL_PROFILE_WAITS;
    const char *core = strstr(step->lane, "core ");
    const bool pushes = core == NULL || core[5] == 't';
    return p->bound == BOUND_DELIVERY && !waits && !pushes ? "take instructions out of its loop"
                                                           : remedies[p->bound][waits];
}

static void sum_bounds(txl_profile *p)
{
    for (size_t i = 0; i < p->step_count; i++) {
        const struct txl_profile_step *step = &p->steps[i];
        for (unsigned b = 0; b < BOUNDS; b++) {
            p->sums[b] += step->bound == bound_names[b] ? step->to - step->from : 0;
        }
    }
    p->bound = BOUND_OTHER;
    for (unsigned b = 0; b < BOUNDS; b++) {
        p->bound = p->sums[b] > p->sums[p->bound] ? (enum profile_bound)b : p->bound;
    }
}

static unsigned long long less(uint64_t from, uint64_t to)
{
    return to < from ? from - to : 0;
}

void profile_settle(txl_profile *p, bool proven)
{
    const char *least = p->result.at_least ? "at least " : "";
    const unsigned long long total = p->total;
    size_t n = 0;
    size_t i = 0;
    p->result.bound = bound_names[p->bound];
    p->result.bound_cycles = p->sums[p->bound];
    p->result.change = p->change;
    while (i < p->share_count && p->shares[i].step->bound != p->result.bound) {
        i++;
    }
    if (i < p->share_count) {
        const struct txl_profile_step *step = p->shares[i].step;
        n = (size_t)snprintf(p->change, sizeof p->change, "%s%s %s: %llu of %s%llu cycles; %s",
                             step->lane, step->kind == TXL_PROFILE_WAITS ? " waits for" : ",",
                             step->text, (unsigned long long)p->shares[i].cycles, least, total,
                             remedy(p, step));
    }
    if (proven) {
        snprintf(p->change + n, sizeof p->change - n,
                 "; %s in half the time saves %llu of %s%llu cycles, in none %llu", p->result.bound,
                 p->trials[0].half != 0 ? less(total, p->trials[0].half) : 0, least, total,
                 less(total, p->trials[0].none));
    } else if (p->result.trials != 0) {
        snprintf(p->change + n, sizeof p->change - n,
                 "; but no single unit without its time would save a hundredth of the run");
    }
}

void profile_path(txl_profile *p)
{
    struct profile_place at = last_place(p);
    static const struct profile_state over = {.kind = TXL_PROFILE_IDLE, .text = "nothing any more"};
    profile_step(at.p, at.lane, at.cycle, p->total, &over, BOUND_OTHER);
    unsigned turns = 0; /* from lane to lane in one cycle */
    while (at.cycle > 0 && !p->failed && at.p->lane[at.lane].span_count != 0) {
        const struct profile_place next = step_back(at);
        const bool moves =
            next.cycle < at.cycle || ((next.lane != at.lane || next.p != at.p) && turns < LANES);
        turns = next.cycle < at.cycle ? 0 : turns + 1;
        if (moves) {
            at = next;
            continue;
        }
        const struct profile_lane_data *l = &at.p->lane[at.lane];
        const size_t span = profile_span_at(l, at.cycle - 1);
        const struct profile_state *s = &l->states[l->spans[span].state];
        profile_step(at.p, at.lane, at.cycle - 1, at.cycle, s, s->bound);
        at.cycle--;
    }
    turn_round(p);
    p->result.steps = p->step_count;
    sum_shares(p);
    sum_bounds(p);
    profile_settle(p, false);
}
