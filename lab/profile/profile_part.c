/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of a chip: each has a profile of its own, whose lanes are named after the tile; the profile
 * of all has the path, which goes from tile to tile by what cores poll.
 */
#include <tensix/facts.h>

#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void profile_among(txl_profile *p, const char *place, uint64_t first)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        char name[sizeof p->lane[lane].name];
        snprintf(name, sizeof name, "%.10s %.18s", place, p->lane[lane].name);
        memcpy(p->lane[lane].name, name, sizeof name);
    }
    p->first = first;
}

/* Returns whether nothing but what a unit has under way to a known end goes on. */
static bool ends_by_itself(const txl_profile *p)
{
    const uint32_t units = 15u << LANE_PACK | 1u << LANE_SCALAR;
    bool packs = false;
    for (unsigned i = 0; i < PROFILE_JOBS && p->live >> i != 0; i++) {
        packs = packs || (p->jobs[i].live && p->jobs[i].lane >= LANE_PACK);
    }
    return (p->shown & ~units) == 0 && (packs || p->cycle < p->scalar_until);
}

enum { RESTS = 64 /* a tile that is awake tells of its cycles more often than that */ };

/* The tile has slept from a cycle on: what its cores polled by then they have polled since. */
static void sleep_polls(txl_profile *p, uint64_t from)
{
    for (unsigned i = 0; i < TX_CORES * PROFILE_POLLED; i++) {
        struct profile_poll *poll = &p->polled[i / PROFILE_POLLED][i % PROFILE_POLLED];
        if (poll->count > 1 && poll->stores == p->stores[i / PROFILE_POLLED] &&
            poll->to + 2 * (poll->to - poll->from) / (poll->count - 1) >= from) {
            poll->to = p->cycle - 1;
        }
    }
}

void profile_reached(void *user, uint64_t cycles)
{
    txl_profile *p = user;
    const uint64_t now = cycles - p->first;
    const uint64_t from = p->cycle;
    if (!p->on || now <= from) {
        return;
    }
    while (now > p->cycle + 1 && ends_by_itself(p)) {
        profile_end_cycle(p);
    }
    p->cycle = now - 1; /* every lane went on with what it did */
    if (now - from > RESTS) {
        sleep_polls(p, from);
    }
    profile_cycle(p);
}

/* ---- polling ---- */

static void keep_poll(txl_profile *p, const struct profile_poll *poll)
{
    if (poll->count < 2) {
        return;
    }
    if (LIST_ONE(p->polls, p->poll_count, p->poll_room, p->failed)) {
        p->polls[p->poll_count++] = *poll;
    }
}

void profile_load(txl_profile *p, unsigned core, uint32_t pc, uint32_t address)
{
    struct profile_poll *oldest = &p->polled[core][0];
    if (!p->on) {
        return;
    }
    for (unsigned i = 0; i < PROFILE_POLLED; i++) {
        struct profile_poll *one = &p->polled[core][i];
        if (one->count != 0 && one->pc == pc && one->address == address) {
            oldest = one;
            break;
        }
        oldest = one->to < oldest->to ? one : oldest;
    }
    if (oldest->count != 0 && oldest->pc == pc && oldest->address == address &&
        oldest->stores == p->stores[core]) {
        oldest->to = p->cycle;
        oldest->count++;
        return;
    }
    keep_poll(p, oldest);
    *oldest = (struct profile_poll){.from = p->cycle,
                                    .to = p->cycle,
                                    .pc = pc,
                                    .address = address,
                                    .count = 1,
                                    .stores = p->stores[core],
                                    .core = (uint8_t)core};
}

void profile_store(txl_profile *p, unsigned core)
{
    p->stores[core]++;
}

static int by_start(const void *a, const void *b)
{
    const struct profile_poll *x = a;
    const struct profile_poll *y = b;
    if (x->core != y->core) {
        return x->core < y->core ? -1 : 1;
    }
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

static void add_span(txl_profile *p, struct profile_lane_data *l, uint64_t from, unsigned state)
{
    if (l->span_count != 0 && l->spans[l->span_count - 1].from == from) {
        l->span_count--;
    }
    if (l->span_count != 0 && l->spans[l->span_count - 1].state == state) {
        return;
    }
    if (LIST_ONE(l->spans, l->span_count, l->span_room, p->failed)) {
        l->spans[l->span_count++] = (struct profile_span){from, state};
    }
}

static unsigned poll_state(txl_profile *p, const struct profile_poll *poll)
{
    struct profile_state s = {.kind = TXL_PROFILE_WAITS,
                              .bound = BOUND_WAIT,
                              .end = END_POLL,
                              .thread = TX_THREADS,
                              .address = poll->address};
    if (poll->address >= tx_arch_fact(p->arch, TX_FACT_AT_NIU) &&
        poll->address < tx_arch_fact(p->arch, TX_FACT_END_NIU)) {
        s.bound = BOUND_NOC;
        snprintf(s.text, sizeof s.text, "requests over the NoC (%08x)", (unsigned)poll->address);
    } else {
        snprintf(s.text, sizeof s.text, "a change of the word at %08x", (unsigned)poll->address);
    }
    const int state = profile_state(p, LANE_CORE + poll->core, &s);
    return state == PROFILE_NOTHING ? 0 : (unsigned)state;
}

/* Puts the waits of one core, polls[0..count), into its lane. */
static void overlay(txl_profile *p, unsigned core, const struct profile_poll *polls, size_t count)
{
    struct profile_lane_data *l = &p->lane[LANE_CORE + core];
    struct profile_lane_data old = *l;
    size_t k = 0;
    uint64_t done = 0; /* spans before this cycle have been written */
    l->spans = NULL;
    l->span_count = l->span_room = 0;
    for (size_t i = 0; i < old.span_count; i++) {
        const uint64_t end = i + 1 < old.span_count ? old.spans[i + 1].from : p->total;
        uint64_t at = old.spans[i].from > done ? old.spans[i].from : done;
        while (k < count && polls[k].to + 1 <= at) {
            k++;
        }
        while (k < count && polls[k].from < end && at < end) {
            const uint64_t to = polls[k].to + 1 < p->total ? polls[k].to + 1 : p->total;
            if (polls[k].from > at) {
                add_span(p, l, at, old.spans[i].state);
            }
            const uint64_t from = polls[k].from > at ? polls[k].from : at;
            add_span(p, l, from, poll_state(p, &polls[k]));
            at = done = to > at ? to : at;
            k++;
        }
        if (at < end) {
            add_span(p, l, at, old.spans[i].state);
        }
    }
    free(old.spans);
}

void profile_put_polls(txl_profile *p)
{
    size_t at = 0;
    for (unsigned core = 0; core < TX_CORES; core++) {
        for (unsigned i = 0; i < PROFILE_POLLED; i++) {
            keep_poll(p, &p->polled[core][i]);
        }
    }
    if (p->poll_count == 0) {
        return;
    }
    qsort(p->polls, p->poll_count, sizeof *p->polls, by_start);
    while (at < p->poll_count && !p->failed) {
        size_t end = at;
        while (end < p->poll_count && p->polls[end].core == p->polls[at].core) {
            end++;
        }
        overlay(p, p->polls[at].core, &p->polls[at], end - at);
        at = end;
    }
}

bool profile_follow(txl_profile *p, unsigned lane, const struct profile_state *s, uint64_t from,
                    uint64_t to, struct profile_place *next)
{
    struct profile_made made = {.parts = 0};
    const struct profile_beyond *beyond = p->whole != NULL ? p->whole->beyond : NULL;
    if (beyond == NULL ||
        !beyond->made(beyond->user, p, lane - LANE_CORE, s->address, from, to, &made) ||
        made.by.cycle >= to) {
        return false;
    }
    uint64_t end = to;
    for (unsigned i = 0; i < made.parts; i++) {
        profile_step(p, lane, made.from[i], end, s, (enum profile_bound)made.bound[i]);
        end = made.from[i] < end ? made.from[i] : end;
    }
    profile_step(p, lane, made.by.cycle, end, s, s->bound);
    *next = made.by;
    return true;
}

/* ---- all tiles ---- */

uint64_t profile_last(txl_profile *const *parts, unsigned count)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            const struct profile_lane_data *l = &parts[i]->lane[lane];
            for (size_t k = l->span_count; k-- > 0;) {
                const struct profile_state *s = &l->states[l->spans[k].state];
                const uint64_t to = k + 1 < l->span_count ? l->spans[k + 1].from : parts[i]->cycle;
                if (s->kind != TXL_PROFILE_IDLE && s->end != END_WORD) {
                    last = to > last ? to : last;
                    break;
                }
            }
        }
    }
    return last;
}

/* What lanes do in the next cycle is said whether it is new or not. */
static void speak_anew(txl_profile *p)
{
    p->shown = UINT32_MAX >> (32 - LANES);
    p->marked = false;
}

void profile_cut(txl_profile *p, uint64_t cycles)
{
    for (unsigned lane = 0; lane < LANES && cycles < p->cycle; lane++) {
        struct profile_lane_data *l = &p->lane[lane];
        while (l->span_count != 0 && l->spans[l->span_count - 1].from >= cycles) {
            l->span_count--;
        }
    }
    speak_anew(p);
    p->cycle = cycles < p->cycle ? cycles : p->cycle;
}

/* What cores poll from a cycle on is not looked at. */
static void cut_polls(txl_profile *p, uint64_t cycles)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->poll_count; i++) {
        if (p->polls[i].from < cycles) {
            p->polls[kept++] = p->polls[i];
        }
    }
    p->poll_count = kept;
    for (unsigned i = 0; i < TX_CORES * PROFILE_POLLED; i++) {
        struct profile_poll *poll = &p->polled[i / PROFILE_POLLED][i % PROFILE_POLLED];
        if (poll->from >= cycles) {
            *poll = (struct profile_poll){.count = 0};
        } else if (poll->to >= cycles) {
            poll->to = cycles - 1;
        }
    }
    for (size_t i = 0; i < kept; i++) {
        p->polls[i].to = p->polls[i].to < cycles ? p->polls[i].to : cycles - 1;
    }
}

void profile_rests(txl_profile *p, uint64_t until, const char *why)
{
    struct profile_state rest = {
        .kind = TXL_PROFILE_IDLE, .bound = BOUND_OTHER, .thread = TX_THREADS};
    if (until <= p->cycle) {
        return;
    }
    snprintf(rest.text, sizeof rest.text, "%s", why);
    p->total = p->cycle;
    cut_polls(p, p->cycle);
    for (unsigned lane = LANE_THREAD; lane < LANE_UNPACK; lane++) {
        profile_settle_thread(p, lane);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        const int state = profile_state(p, lane, &rest);
        if (state != PROFILE_NOTHING) {
            add_span(p, &p->lane[lane], p->cycle, (unsigned)state);
            p->lane[lane].now = PROFILE_NOTHING;
        }
    }
    speak_anew(p);
    p->cycle = until;
}

const struct profile_lane_data *profile_shown(const txl_profile *p, unsigned index,
                                              const txl_profile **owner)
{
    for (unsigned i = 0; i < p->part_count; i++) {
        if (index < p->parts[i]->result.lanes) {
            return profile_shown(p->parts[i], index, owner);
        }
        index -= p->parts[i]->result.lanes;
    }
    *owner = p;
    return &p->lane[p->order[index]];
}

txl_profile *profile_join(struct txl_error *err, txl_profile **parts, unsigned count,
                          const struct profile_beyond *beyond, uint64_t cycles, uint32_t bounds)
{
    txl_profile *p = zeroed(err, 1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->arch = count != 0 ? parts[0]->arch : p->arch;
    p->beyond = beyond;
    p->cores = true;
    p->total = cycles;
    p->result =
        (struct txl_profile_result){.cycles = cycles, .bounds = bounds, .at_least = bounds != 0};
    for (unsigned i = 0; i < count; i++) {
        parts[i]->whole = p;
        p->result.lanes += parts[i]->result.lanes;
    }
    p->parts = parts;
    p->part_count = count;
    profile_path(p);
    if (p->failed) {
        (void)no_memory(err);
        profile_close(p);
        return NULL;
    }
    return p;
}

static const struct {
    const char *name;
    unsigned first, count; /* its lanes */
} units[PROFILE_UNITS] = {{"unpack", LANE_UNPACK, 2},
                          {"matrix", LANE_MATRIX, 1},
                          {"vector", LANE_VECTOR, 1},
                          {"pack", LANE_PACK, 4},
                          {"cores", LANE_CORE, TX_CORES}};

const char *profile_unit_name(unsigned unit)
{
    return units[unit].name;
}

void profile_busy(const txl_profile *p, uint64_t busy[PROFILE_UNITS])
{
    for (unsigned u = 0; u < PROFILE_UNITS; u++) {
        busy[u] = 0;
        for (unsigned i = 0; i < units[u].count; i++) {
            const uint64_t one = p->lane[units[u].first + i].shown.cycles[TXL_PROFILE_WORKS];
            busy[u] = one > busy[u] ? one : busy[u];
        }
    }
}
