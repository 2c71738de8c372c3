/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a tile until a breakpoint, a watchpoint, the end of a step or another event, in either
 * direction of time.
 */
#include <tensix/facts.h>

#include "gdb/stops.h"

#include <string.h>

enum { TICK = 16, NOT_KNOWN = 1 << 30 };

/* ---- the list ---- */

static struct stop *stops_find(struct stops *s, enum stop_type type, uint32_t address,
                               uint32_t size)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct stop *p = &s->list[i];
        if (p->type == type && p->address == address && (p->size == size || type < STOP_WRITE)) {
            return p;
        }
    }
    return NULL;
}

static void count(struct stops *s)
{
    s->watches = s->breaks = 0;
    for (unsigned i = 0; i < s->count; i++) {
        const bool watch = s->list[i].type >= STOP_WRITE;
        s->watches += watch && !s->list[i].removed;
        s->breaks += !watch && !s->list[i].removed;
    }
}

bool stops_add(struct stops *s, enum stop_type type, uint32_t address, uint32_t size,
               enum tx_core core)
{
    const bool watch = type >= STOP_WRITE;
    struct stop *p = stops_find(s, type, address, size);
    if (p == NULL && (s->count == STOPS_MOST ||
                      (watch && (size == 0 || size > WATCH_BYTES || address + size < address)))) {
        return false;
    }
    if (p == NULL) {
        const enum tx_arch arch = tx_machine_arch(tx_tensix_machine(s->tile));
        const uint32_t l1 = tx_l1_size(arch);
        const bool local = watch && address - tx_core_local() < tx_core_local_size(arch, core);
        p = &s->list[s->count++];
        *p = (struct stop){.type = type, .address = address, .size = size};
        p->core = local ? core : TX_CORES;
        p->in_l1 =
            (type == STOP_WRITE || type == STOP_ACCESS) && address < l1 && size <= l1 - address;
    }
    p->removed = false;
    count(s);
    return true;
}

void stops_remove(struct stops *s, enum stop_type type, uint32_t address, uint32_t size)
{
    struct stop *p = stops_find(s, type, address, size);
    if (p != NULL) {
        p->removed = true;
        count(s);
    }
}

static void purge(struct stops *s)
{
    for (unsigned i = 0; i < s->count;) {
        if (s->list[i].removed) {
            s->list[i] = s->list[--s->count];
        } else {
            i++;
        }
    }
}

void stops_clear(struct stops *s)
{
    s->count = 0;
    count(s);
}

static bool has(const struct stops *s, uint32_t pc, bool removed)
{
    for (unsigned i = 0; i < s->count; i++) {
        const struct stop *p = &s->list[i];
        if (p->type < STOP_WRITE && p->removed == removed && p->address == pc) {
            return true;
        }
    }
    return false;
}

bool stops_has(const struct stops *s, uint32_t pc)
{
    return s->breaks != 0 && has(s, pc, false);
}

/* ---- one cycle ---- */

/* Determines what the next instructions of the cores will access. */
static void look_ahead(struct stops *s)
{
    for (unsigned c = 0; s->watches != 0 && c < TX_CORES; c++) {
        (void)tx_core_next(s->tile, (enum tx_core)c, &s->next[c]);
    }
}

/* Resets the state after a jump in time, from which changes are detected. */
static void look_anew(struct stops *s)
{
    tx_tensix_glance(s->tile, s->now);
    look_ahead(s);
    for (unsigned i = 0; i < s->count; i++) {
        struct stop *p = &s->list[i];
        if (p->in_l1) {
            (void)tx_tensix_read(s->tile, p->address, p->was, p->size);
        }
        for (unsigned c = 0; c < TX_CORES; c++) {
            p->queued[c] = tx_core_queued(s->tile, (enum tx_core)c, p->address, p->size);
        }
    }
    s->told = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        s->told |= s->now[c].phase >= TX_CORE_PAUSED ? 1u << c : 0u;
    }
}

static bool touches(const struct stop *p, unsigned core, const struct tx_core_access *a)
{
    const bool kind = p->type == STOP_WRITE  ? a->store
                      : p->type == STOP_READ ? a->load
                                             : p->type == STOP_ACCESS;
    return kind && !p->removed && (p->core == TX_CORES || p->core == core) &&
           (uint64_t)a->address < (uint64_t)p->address + p->size &&
           (uint64_t)p->address < (uint64_t)a->address + a->size;
}

/*
 * Tells whether watched bytes of L1 were changed by something other than a core's store. A core's
 * store counts when the core executes it, not again when it leaves the core and reaches L1 later.
 */
static bool changed_by_others(struct stops *s, struct stop *p, unsigned stored)
{
    uint8_t now[WATCH_BYTES];
    bool left = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        const unsigned before = p->queued[c] + (stored >> c & 1u);
        if (before != 0) {
            p->queued[c] = tx_core_queued(s->tile, (enum tx_core)c, p->address, p->size);
            left = left || p->queued[c] < before;
        }
    }
    (void)tx_tensix_read(s->tile, p->address, now, p->size);
    const bool changed = memcmp(now, p->was, p->size) != 0;
    memcpy(p->was, now, p->size);
    return changed && !left && !p->removed;
}

/* What happened in the cycle that was just run. */
struct cycle {
    unsigned moved;      /* cores that executed something */
    unsigned came;       /* cores whose pc has changed, or that left reset */
    struct event access; /* a core executed an access of watched bytes */
    struct event change; /* watched bytes were changed, but not by a core */
};

static void watched(struct stops *s, const struct tx_core_access *next, struct cycle *now)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct stop *p = &s->list[i];
        unsigned stored = 0;
        for (unsigned c = 0; p->type >= STOP_WRITE && c < TX_CORES; c++) {
            const bool hit = (now->moved >> c & 1u) != 0 && touches(p, c, &next[c]);
            stored |= hit && next[c].store ? 1u << c : 0u;
            if (hit && now->access.kind == EVENT_NONE) {
                now->access = (struct event){EVENT_WATCH, (enum tx_core)c, p->type, p->address};
            }
        }
        if (p->in_l1 && changed_by_others(s, p, stored)) {
            now->change = (struct event){EVENT_WATCH, TX_CORES, p->type, p->address};
        }
    }
}

static struct cycle look_back(struct stops *s)
{
    struct cycle now = {.access = {.kind = EVENT_NONE}, .change = {.kind = EVENT_NONE}};
    struct tx_core_glance before[TX_CORES];
    struct tx_core_access next[TX_CORES];
    memcpy(before, s->now, sizeof before);
    memcpy(next, s->next, sizeof next);
    tx_tensix_glance(s->tile, s->now);
    look_ahead(s);
    for (unsigned c = 0; c < TX_CORES; c++) {
        const bool moved = s->now[c].instructions != before[c].instructions;
        const bool left = s->now[c].phase == TX_CORE_RUNS && before[c].phase == TX_CORE_HELD;
        now.moved |= moved ? 1u << c : 0u;
        now.came |= moved || left || s->now[c].pc != before[c].pc ? 1u << c : 0u;
    }
    if (s->watches != 0) {
        watched(s, next, &now);
    }
    return now;
}

/*
 * Finds the first of these cores that is at an instruction where it must stop: one with a
 * breakpoint, or one about to access watched bytes, which is when gdb expects the stop on RISC-V.
 */
static struct event standing(const struct stops *s, unsigned cores)
{
    for (unsigned c = 0; s->breaks + s->watches != 0 && c < TX_CORES; c++) {
        if ((cores >> c & 1u) == 0 || s->now[c].phase != TX_CORE_RUNS) {
            continue;
        }
        if (stops_has(s, s->now[c].pc)) {
            return (struct event){.kind = EVENT_BREAK, .core = (enum tx_core)c};
        }
        for (unsigned i = 0; s->watches != 0 && i < s->count; i++) {
            const struct stop *p = &s->list[i];
            if (p->type >= STOP_WRITE && touches(p, c, &s->next[c])) {
                return (struct event){EVENT_WATCH, (enum tx_core)c, p->type, p->address};
            }
        }
    }
    return (struct event){.kind = EVENT_NONE, .core = TX_CORES};
}

bool stops_took(struct stops *s, enum tx_core core)
{
    struct tx_core_access next;
    bool took = has(s, s->now[core].pc, true);
    (void)tx_core_next(s->tile, core, &next);
    for (unsigned i = 0; i < s->count; i++) {
        struct stop p = s->list[i];
        const bool removed = p.removed;
        p.removed = false;
        took = took || (p.type >= STOP_WRITE && removed && touches(&p, core, &next));
    }
    return took;
}

/* ---- forwards ---- */

static void set_frozen(struct stops *s, unsigned cores)
{
    const struct change c = {.kind = CHANGE_FREEZE, .where = cores};
    if (s->frozen != cores && history_change(&s->past, &c, NULL)) {
        s->frozen = cores;
    }
}

static bool is_push(struct stops *s, uint32_t address)
{
    uint8_t b;
    return tx_tensix_read(s->tile, address, &b, 1) == TX_OK && (b & 3u) != 3u;
}

/* Splits groups of .ttinsn, which would be pushed at once, at breakpoints inside them. */
static void set_splits(struct stops *s)
{
    uint32_t list[TX_SPLITS] = {0};
    unsigned n = 0;
    if (tx_arch_fact(tx_machine_arch(tx_tensix_machine(s->tile)), TX_FACT_CORES_HAVE_CSRS) == 0) {
        return;
    }
    for (unsigned i = 0; i < s->count && n < TX_SPLITS; i++) {
        const uint32_t at = s->list[i].address;
        if (s->list[i].type < STOP_WRITE && !s->list[i].removed && at % 16 != 0 && at % 4 == 0 &&
            is_push(s, at) && is_push(s, at - 4)) {
            list[n++] = at;
        }
    }
    const struct change c = {.kind = CHANGE_SPLIT, .size = 4 * n};
    if ((n != s->splits || memcmp(list, s->split, sizeof list) != 0) &&
        history_change(&s->past, &c, list)) {
        memcpy(s->split, list, sizeof list);
        s->splits = n;
    }
}

static bool step_done(const struct stops *s, const struct resume *how, enum tx_core core,
                      const struct cycle *now)
{
    const uint32_t pc = s->now[core].pc;
    return (how->step >> core & 1u) != 0 && (now->moved >> core & 1u) != 0 &&
           (pc < how->first[core] || pc >= how->end[core]);
}

/* Returns a core that has ended by itself, if that has not been reported yet. */
static enum tx_core ended(struct stops *s, unsigned cores)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        if (s->now[c].phase < TX_CORE_PAUSED) {
            s->told &= ~(1u << c);
        } else if (((cores & ~s->told) >> c & 1u) != 0) {
            s->told |= 1u << c;
            return (enum tx_core)c;
        }
    }
    return TX_CORES;
}

static struct event happened(struct stops *s, const struct resume *how, enum tx_status status,
                             const struct cycle *now)
{
    struct event e = {.kind = EVENT_NONE, .core = TX_CORES};
    if (status != TX_OK) {
        e.kind = EVENT_FAULT;
        return e;
    }
    for (unsigned c = 0; (now->came & how->along) != 0 && c < TX_CORES; c++) {
        if (standing(s, now->came & how->along & 1u << c).kind != EVENT_NONE) {
            set_frozen(s, s->frozen | 1u << c);
        }
    }
    if (now->change.kind != EVENT_NONE) {
        return now->change;
    }
    e = standing(s, now->came & ~how->along);
    if (e.kind != EVENT_NONE) {
        return e;
    }
    for (unsigned c = 0; how->step != 0 && c < TX_CORES; c++) {
        if (step_done(s, how, (enum tx_core)c, now)) {
            return (struct event){.kind = EVENT_STEP, .core = (enum tx_core)c};
        }
    }
    e.core = ended(s, ALL_CORES & ~how->along);
    e.kind = e.core != TX_CORES ? EVENT_ENDED : EVENT_NONE;
    return e;
}

/* Tells whether the run is over, at the cycle where it would be without a debugger. */
static enum event_kind over(struct stops *s)
{
    switch (tile_ended(s->run, &s->course)) {
    case TILE_WORDS:
        return EVENT_WORDS;
    case TILE_RESTS:
        return EVENT_REST;
    case TILE_DEADLOCK:
        return EVENT_DEADLOCK;
    case TILE_GOES_ON:
        break;
    }
    return EVENT_NONE;
}

static void store_late(void *user, const struct txl_tensix_late *w)
{
    struct stops *s = user;
    const uint8_t bytes[4] = {(uint8_t)w->value, (uint8_t)(w->value >> 8),
                              (uint8_t)(w->value >> 16), (uint8_t)(w->value >> 24)};
    const struct change c = {.kind = CHANGE_HOST, .where = w->address, .size = 4};
    (void)history_change(&s->past, &c, bytes);
}

unsigned stops_race(const struct stops *s)
{
    unsigned count;
    const struct tile_mark *mark = tile_marks(s->run, &count);
    for (unsigned i = 0; i < count; i++) {
        if (mark[i].cycle == tx_tensix_cycles(s->tile)) {
            return i + 1;
        }
    }
    return 0;
}

static struct event one(struct stops *s, const struct resume *how)
{
    const struct txl_tensix_options *o = tile_options(s->run);
    const uint64_t most = o->max_cycles;
    struct event e = {.kind = EVENT_NONE, .core = TX_CORES};
    if (tx_tensix_cycles(s->tile) >= most) {
        e.kind = EVENT_LIMIT;
        return e;
    }
    if (!history_has(&s->past, CHANGE_HOST)) { /* otherwise they are already recorded as changes */
        tile_late(s->run, store_late, s);
    }
    const enum tx_status status = tile_step(s->run);
    history_went(&s->past);
    const struct cycle now = look_back(s);
    s->arrived |= now.came;
    e = happened(s, how, status, &now);
    const uint64_t cycles = tx_tensix_cycles(s->tile);
    if (e.kind == EVENT_NONE && stops_race(s) != 0) {
        e.kind = EVENT_RACE;
    }
    if (e.kind == EVENT_NONE) {
        e.kind = over(s);
    }
    if (e.kind == EVENT_NONE && cycles % TICK == 0 && !ticker_at(&s->ticker, cycles)) {
        e.kind = EVENT_INTERRUPT;
    }
    if (e.core != TX_CORES) {
        s->arrived &= ~(1u << e.core);
    }
    return e;
}

struct event stops_go(struct stops *s, const struct resume *how)
{
    const unsigned all = how->go | how->step | how->along;
    struct event e = {.kind = EVENT_NONE, .core = TX_CORES};
    s->also = 0;
    purge(s);
    const unsigned still = ALL_CORES & ~all;
    unsigned waiting = 0; /* at a breakpoint that gdb has not been told about */
    for (unsigned c = 0; c < TX_CORES; c++) {
        const unsigned here = s->arrived & how->along & 1u << c;
        waiting |= standing(s, here).kind != EVENT_NONE ? here : 0u;
    }
    set_frozen(s, still | waiting);
    set_splits(s);
    history_cut(&s->past);
    s->course.since = tx_tensix_cycles(s->tile);
    const unsigned told = s->told;
    look_anew(s);
    s->told &= told; /* what ended in the same cycle as another event must still be reported */
    e = standing(s, s->arrived & how->go);
    if (e.kind == EVENT_NONE && tx_fault(tx_tensix_machine(s->tile)) != NULL) {
        e.kind = EVENT_FAULT;
    }
    if (!ticker_start(&s->ticker, s->ticker.progress, s->ticker.user, s->ticker.total)) {
        e.kind = EVENT_INTERRUPT;
    }
    while (e.kind == EVENT_NONE) {
        e = one(s, how);
    }
    if (e.core != TX_CORES) {
        s->arrived &= ~(1u << e.core);
    }
    return e;
}

/* ---- backwards ---- */

static void went_back(struct stops *s)
{
    s->frozen = s->splits = NOT_KNOWN;
    look_anew(s);
}

static void go_to(struct stops *s, uint64_t cycle)
{
    history_back(&s->past, history_before(&s->past, cycle + 1));
    look_anew(s);
    while (tx_tensix_cycles(s->tile) < cycle) {
        history_again(&s->past, cycle);
        (void)look_back(s);
    }
    history_cut(&s->past);
    went_back(s);
    s->arrived = ALL_CORES;
}

/* Returns which of these cores are at breakpoints. */
static unsigned at_breakpoints(const struct stops *s, unsigned cores)
{
    unsigned here = 0;
    for (unsigned c = 0; s->breaks != 0 && c < TX_CORES; c++) {
        const bool stands = s->now[c].phase == TX_CORE_RUNS && stops_has(s, s->now[c].pc);
        here |= stands ? cores & 1u << c : 0u;
    }
    return here;
}

static struct event break_of(unsigned cores)
{
    unsigned c = 0;
    while ((cores >> c & 1u) == 0) {
        c++;
    }
    return (struct event){.kind = EVENT_BREAK, .core = (enum tx_core)c};
}

/* The last moment between a checkpoint and end where a forward run would have stopped. */
struct found {
    struct event event; /* EVENT_NONE: there is none */
    unsigned also;      /* for a breakpoint: all cores at breakpoints */
    uint64_t cycle;
    bool interrupted;
};

static struct found search(struct stops *s, enum tx_core core, uint64_t from, uint64_t end,
                           uint64_t now)
{
    struct found f = {.event = {.kind = EVENT_NONE}};
    history_back(&s->past, from);
    look_anew(s);
    for (uint64_t at = from; at < end && !f.interrupted; at++) {
        history_again(&s->past, 0);
        const struct cycle c = look_back(s);
        f.interrupted = at % TICK == 0 && !ticker_at(&s->ticker, at);
        if (core != TX_CORES) {
            if ((c.moved >> core & 1u) != 0) {
                f.event = (struct event){.kind = EVENT_STEP, .core = core};
                f.cycle = at;
            }
            continue;
        }
        /* gdb itself steps back over the access, as it steps over one forwards. */
        const bool change = c.change.kind != EVENT_NONE;
        if (change || c.access.kind != EVENT_NONE) {
            f.event = change ? c.change : c.access;
            f.cycle = at + 1;
            f.also = 0;
            continue;
        }
        const unsigned here = at + 1 < now ? at_breakpoints(s, c.came) : 0;
        if (here != 0) {
            f.event = break_of(here);
            f.cycle = at + 1;
            f.also = here;
        } else if (at + 1 < now && stops_race(s) != 0) {
            f.event = (struct event){.kind = EVENT_RACE, .core = TX_CORES};
            f.cycle = at + 1;
            f.also = 0;
        }
    }
    return f;
}

struct event stops_back(struct stops *s, enum tx_core core)
{
    struct event e = {.kind = EVENT_BEGIN, .core = TX_CORES};
    purge(s);
    if (core != TX_CORES && ++s->also_steps > 1) {
        s->also = 0;
    }
    if (core == TX_CORES && s->also != 0) {
        go_to(s, s->also_at);
        s->also = at_breakpoints(s, s->also);
        s->also_steps = 0;
    }
    if (core == TX_CORES && s->also != 0) {
        e = break_of(s->also);
        s->also &= ~(1u << e.core);
        s->arrived &= ~(1u << e.core);
        return e;
    }
    const uint64_t now = tx_tensix_cycles(s->tile);
    const uint64_t begin = history_begin(&s->past);
    bool wanted = ticker_start(&s->ticker, s->ticker.progress, s->ticker.user, s->ticker.total);
    for (uint64_t end = now; end > begin;) {
        const uint64_t from = history_before(&s->past, end);
        const struct found f = search(s, core, from, end, now);
        wanted = wanted && !f.interrupted;
        if (!wanted || f.event.kind != EVENT_NONE) {
            go_to(s, wanted ? f.cycle : from);
            e = f.event;
            e.kind = wanted ? e.kind : EVENT_INTERRUPT;
            e.core = wanted ? e.core : TX_CORES;
            if (core == TX_CORES) {
                s->also = e.kind == EVENT_BREAK ? f.also & ~(1u << e.core) : 0;
                s->also_at = f.cycle;
                s->also_steps = 0;
            }
            break;
        }
        end = from;
    }
    if (e.kind == EVENT_BEGIN) {
        go_to(s, begin);
    }
    s->arrived &= e.core != TX_CORES ? ~(1u << e.core) : ~0u;
    return e;
}

/* ---- open and close ---- */

bool stops_change(struct stops *s, const struct change *change, const void *bytes)
{
    const bool done = history_change(&s->past, change, bytes);
    s->also = 0;
    if (done && change->kind == CHANGE_REGISTER) {
        s->arrived &= ~(1u << change->core);
    }
    tx_tensix_glance(s->tile, s->now);
    return done;
}

int stops_open(struct txl_error *err, struct stops *s, txl_tensix *run, uint64_t budget)
{
    memset(s, 0, sizeof *s);
    s->run = run;
    s->tile = txl_tensix_tile(run);
    s->frozen = s->splits = NOT_KNOWN;
    s->arrived = ALL_CORES;
    look_anew(s);
    const struct past_of of = changes_of_tile(run);
    return history_open(err, &s->past, &of, CHANGES_SPACING, budget);
}

void stops_free(struct stops *s)
{
    history_free(&s->past);
}
