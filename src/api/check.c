/* SPDX-License-Identifier: Apache-2.0 */
/* Short ways beside the long one; see check.h. */
#include "api/check.h"

#if defined(TX_CHECK)

#include "front/front.h"
#include "matrix/bulk.h"
#include "state/invariants.h"
#include "state/l1.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A machine at one time. l1 is NULL where nothing of it can have changed. */
struct image {
    struct tx_state state;
    struct tx_counters counters;
    struct tx_finding findings[TX_MAX_FINDINGS];
    size_t finding_count;
    uint64_t notes[EVIDENCE_COUNT];
    struct tx_finding fault;
    bool faulted, moved;
    uint32_t bounds, l1_used, watched, quiet;
    uint8_t *l1;
};

struct check {
    struct image before;
};

static _Noreturn void fail(const struct tx_machine *m, const char *way, const char *what)
{
    fprintf(stderr, "check: %s differs from the long way in cycle %" PRIu64 ": %s\n", way,
            m->state.cycle, what);
    abort();
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL) {
        fprintf(stderr, "check: no memory\n");
        abort();
    }
    return memory;
}

static void save(const struct tx_machine *m, struct image *i, bool l1)
{
    i->state = m->state;
    i->counters = m->counters;
    memcpy(i->findings, m->findings, m->finding_count * sizeof m->findings[0]);
    i->finding_count = m->finding_count;
    memcpy(i->notes, m->notes, sizeof m->notes);
    i->fault = m->fault;
    i->faulted = m->faulted;
    i->moved = m->moved;
    i->bounds = m->bounds;
    i->l1_used = m->l1_used;
    i->watched = m->watched;
    i->quiet = m->quiet;
    const size_t size = l1_own_size(m);
    i->l1 = l1 && size != 0 ? allocate(size) : NULL;
    if (i->l1 != NULL) {
        memcpy(i->l1, m->own_l1, size);
    }
}

static void load(struct tx_machine *m, const struct image *i)
{
    m->state = i->state;
    m->counters = i->counters;
    memcpy(m->findings, i->findings, i->finding_count * sizeof m->findings[0]);
    m->finding_count = i->finding_count;
    memcpy(m->notes, i->notes, sizeof m->notes);
    m->fault = i->fault;
    m->faulted = i->faulted;
    m->moved = i->moved;
    m->bounds = i->bounds;
    m->l1_used = i->l1_used;
    m->watched = i->watched;
    m->quiet = i->quiet;
    if (i->l1 != NULL) {
        memcpy(m->own_l1, i->l1, l1_own_size(m));
    }
}

/* Clears what is left of instructions that are no longer in flight, and of what they do not write.
 */
static void forget_flights(struct tx_state *s)
{
    for (unsigned i = 0; i < FLIGHTS; i++) {
        struct in_flight *f = &s->flight[i];
        if ((s->flights >> i & 1u) == 0) {
            memset(f, 0, sizeof *f);
        }
        for (unsigned reg = 0; reg < 17; reg++) {
            f->effect.mask[reg] &= 0u - (f->effect.lregs >> reg & 1u);
            for (unsigned lane = 0; lane < 32; lane++) {
                f->effect.value[reg][lane] &= 0u - (f->effect.mask[reg] >> lane & 1u);
            }
        }
        memset(f->effect.config, 0, sizeof f->effect.config);
        memset(f->effect.store, 0, sizeof f->effect.store);
        memset(f->effect.latch, 0, sizeof f->effect.latch);
    }
}

/* Clears what a gate says of a word that is not held, and whose turn it is where there are none. */
static void forget_gates(struct units *u)
{
    u->last[GROUP_FREE] = 0;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct wait_gate *g = &u->gate[t];
        g->word = g->hold != TX_HOLD_NONE ? g->word : 0;
        g->since = g->hold != TX_HOLD_NONE ? g->since : 0;
        g->other = g->hold != TX_HOLD_NONE ? g->other : 0;
        g->present = g->hold != TX_HOLD_NONE;
    }
}

/* Says which member of the state a byte belongs to, as far as they have names here. */
static const char *member_at(size_t offset)
{
    static const struct {
        size_t at;
        const char *name;
    } members[] = {
#define MEMBER(name) {offsetof(struct tx_state, name), #name},
        MEMBER(lreg) MEMBER(lane_flags) MEMBER(stack_ctr) MEMBER(prng) MEMBER(lane_config)
            MEMBER(src) MEMBER(src_known) MEMBER(dst) MEMBER(dst_unknown) MEMBER(dst_origin)
                MEMBER(dst_valid) MEMBER(dst_wide) MEMBER(lreg_encoding) MEMBER(rwc) MEMBER(adc)
                    MEMBER(config) MEMBER(thread_config) MEMBER(gpr) MEMBER(front) MEMBER(units)
                        MEMBER(semaphore) MEMBER(cycle) MEMBER(index) MEMBER(flight) MEMBER(pending)
                            MEMBER(pending_count) MEMBER(seed_cycle) MEMBER(fresh_op)
                                MEMBER(store16) MEMBER(fpu) MEMBER(undefined)
#undef MEMBER
    };
    const char *name = "state";
    size_t best = 0;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (members[i].at <= offset && members[i].at >= best) {
            best = members[i].at;
            name = members[i].name;
        }
    }
    return name;
}

static void compare_state(const struct tx_machine *m, struct image *a, struct image *b,
                          const char *way)
{
    char text[128];
    forget_flights(&a->state);
    forget_flights(&b->state);
    forget_gates(&a->state.units);
    forget_gates(&b->state.units);
    const uint8_t *x = (const uint8_t *)&a->state, *y = (const uint8_t *)&b->state;
    for (size_t i = 0; memcmp(x, y, sizeof a->state) != 0; i++) {
        if (x[i] != y[i]) {
            snprintf(text, sizeof text, "byte %zu of the state (%s) is %u, not %u", i, member_at(i),
                     x[i], y[i]);
            fail(m, way, text);
        }
    }
}

static void compare_findings(const struct tx_machine *m, const struct image *a,
                             const struct image *b, const char *way)
{
    bool same = a->finding_count == b->finding_count;
    for (size_t i = 0; same && i < a->finding_count; i++) {
        const struct tx_finding *f = &a->findings[i], *g = &b->findings[i];
        same = f->cycle == g->cycle && f->count == g->count && strcmp(f->message, g->message) == 0;
    }
    if (!same || a->faulted != b->faulted) {
        fail(m, way, "its findings");
    }
    if (memcmp(a->notes, b->notes, sizeof a->notes) != 0) {
        fail(m, way, "its notes");
    }
}

static void compare(const struct tx_machine *m, struct image *a, struct image *b, const char *way)
{
    compare_findings(m, a, b, way);
    compare_state(m, a, b, way);
    if (a->counters.instructions != b->counters.instructions ||
        a->counters.stall_cycles != b->counters.stall_cycles) {
        fail(m, way, "its counters");
    }
    if (a->bounds != b->bounds || a->l1_used != b->l1_used) {
        fail(m, way, "what bounds its time");
    }
    if (a->l1 != NULL && memcmp(a->l1, b->l1, l1_own_size(m)) != 0) {
        fail(m, way, "L1");
    }
}

static void ignore(void *user, const struct tx_event *event)
{
    (void)user, (void)event;
}

/*
 * Runs every cycle up to "end", each word at its gate; one more if it is to stop, which a cycle
 * does that is not counted. Returns how many words have passed.
 */
static size_t run_long(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t passed,
                       uint64_t end, bool stops)
{
    const struct tx_sink sink = m->settings.sink;
    const struct matrix_level *level = m->matrix_level;
    size_t n = 0;
    /* A sink keeps every unit from short ways of its own; the plainest arithmetic is the last. */
    m->settings.sink.event = ignore;
    for (unsigned i = 0; matrix_level(i) != NULL; i++) {
        m->matrix_level = matrix_level(i);
    }
    m->plain = true;
    machine_reconfigured(m);
    while (m->state.cycle < end + (stops ? 1 : 0) && !m->faulted) {
        bool accepted = false;
        front_cycle(m, thread, words == NULL ? NULL : words + n, &accepted);
        n += accepted ? 1 : 0;
        if (n > passed) {
            break;
        }
    }
    m->plain = false;
    m->settings.sink = sink;
    m->matrix_level = level;
    return n;
}

/* Returns whether one of these words may write to L1, as far as a short way may take them. */
static bool packs(const struct tx_machine *m, const uint32_t *words, size_t count)
{
    for (size_t i = 0; words != NULL && i < count; i++) {
        const unsigned opcode = words[i] >> 24;
        const enum isa_row_id id =
            (enum isa_row_id)m->row_cache[opcode][words[i] >> m->mode_lsb[opcode] & 15u];
        if (id == ROWID_NONE || isa_row(id)->text.unit == TX_UNIT_PACK) {
            return true;
        }
    }
    return false;
}

struct check *check_before(const struct tx_machine *m, const uint32_t *words, size_t count)
{
    if (m->host.memory != NULL || m->host.l1 != NULL || m->settings.sink.event != NULL ||
        m->on_exec != NULL || m->order.order != NULL || m->delays != NULL || m->faulted) {
        return NULL; /* somebody would see everything twice */
    }
    struct check *c = allocate(sizeof *c);
    save(m, &c->before, packs(m, words, count));
    return c;
}

void check_after(struct tx_machine *m, struct check *c, const char *way, unsigned thread,
                 const uint32_t *words, size_t passed)
{
    const uint64_t end = m->state.cycle;
    invariants_check(m);
    if (c == NULL) {
        return;
    }
    if (end != c->before.state.cycle || m->faulted) {
        struct image *short_way = allocate(2 * sizeof *short_way);
        struct image *long_way = short_way + 1;
        save(m, short_way, c->before.l1 != NULL);
        load(m, &c->before);
        const size_t n = run_long(m, thread, words, passed, end, short_way->faulted);
        save(m, long_way, c->before.l1 != NULL);
        if (n != passed && !short_way->faulted) {
            fail(m, way, "the number of words that have passed");
        }
        load(m, short_way); /* the comparison forgets parts of both */
        compare(m, short_way, long_way, way);
        free(short_way->l1);
        free(long_way->l1);
        free(short_way);
    }
    free(c->before.l1);
    free(c);
}

#endif
