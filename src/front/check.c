/* SPDX-License-Identifier: Apache-2.0 */
/* Short ways beside the long one; see check.h. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "front/check.h"

#if defined(TX_CHECK)

#include "front/front.h"
#include "matrix/bulk.h"
#include "state/invariants.h"
#include "scalar/unit.h"
#include "state/l1.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A machine at one time; its L1 only where something of it can have changed. */
struct image {
    struct tx_state state;
    struct tx_counters counters;
    struct tx_finding findings[TX_MAX_FINDINGS];
    size_t finding_count;
    uint64_t notes[EVIDENCE_COUNT];
    size_t finding_repeated;
    uint64_t findings_dropped;
    struct tx_finding fault;
    bool faulted, moved;
    uint32_t bounds, l1_used, watched, quiet;
    uint8_t *l1; /* memory for it, or NULL */
    bool has_l1;
};

struct check {
    struct check *next; /* of those that are free */
    struct image before, after;
    struct tx_sink sink;
    const struct matrix_level *level;
    struct bulk_memo *matrix_memo;
    struct pack_memo *pack_memo;
    struct unpack_memo *unpack_memo;
    uint64_t stamp;
};

static _Noreturn void fail(const struct tx_machine *m, const char *way, const char *what)
{
    fprintf(stderr, "check: %s differs from the long way in cycle %" PRIu64 ": %s\n", way,
            m->state.cycle, what);
    abort();
}

/*
 * Memory of the system, cleared, and not the allocator's: a program that counts allocations, or
 * lets one of them fail, is to see those of the library only.
 */
static void *allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "check: no memory\n");
        abort();
    }
    return memory;
}

static void release(void *memory, size_t size)
{
    if (memory != NULL) {
        munmap(memory, size);
    }
}

static void save(const struct tx_machine *m, struct image *i, bool l1)
{
    i->state = m->state;
    i->counters = m->counters;
    memcpy(i->findings, m->findings, m->finding_count * sizeof m->findings[0]);
    i->finding_count = m->finding_count;
    i->finding_repeated = m->finding_repeated;
    i->findings_dropped = m->findings_dropped;
    memcpy(i->notes, m->notes, sizeof m->notes);
    i->fault = m->fault;
    i->faulted = m->faulted;
    i->moved = m->moved;
    i->bounds = m->bounds;
    i->l1_used = m->l1_used;
    i->watched = m->watched;
    i->quiet = m->quiet;
    const size_t size = l1_own_size(m);
    i->has_l1 = l1 && size != 0;
    if (i->has_l1) {
        i->l1 = i->l1 != NULL ? i->l1 : allocate(size);
        memcpy(i->l1, m->own_l1, size);
    }
}

static void front_check_load(struct tx_machine *m, const struct image *i)
{
    m->state = i->state;
    m->counters = i->counters;
    memcpy(m->findings, i->findings, i->finding_count * sizeof m->findings[0]);
    m->finding_count = i->finding_count;
    m->finding_repeated = i->finding_repeated;
    m->findings_dropped = i->findings_dropped;
    memcpy(m->notes, i->notes, sizeof m->notes);
    m->fault = i->fault;
    m->faulted = i->faulted;
    m->moved = i->moved;
    m->bounds = i->bounds;
    m->l1_used = i->l1_used;
    m->watched = i->watched;
    m->quiet = i->quiet;
    if (i->has_l1) {
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
    if (memcmp(&a->state, &b->state, sizeof a->state) == 0) {
        return; /* which is usual: also what is forgotten below */
    }
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

static void front_check_compare(const struct tx_machine *m, struct image *a, struct image *b,
                                const char *way)
{
    compare_findings(m, a, b, way);
    compare_state(m, a, b, way);
    if (a->findings_dropped != b->findings_dropped) {
        fail(m, way, "the findings that did not fit");
    }
    if (a->counters.instructions != b->counters.instructions ||
        a->counters.stall_cycles != b->counters.stall_cycles) {
        fail(m, way, "its counters");
    }
    if (a->bounds != b->bounds || a->l1_used != b->l1_used) {
        fail(m, way, "what bounds its time");
    }
    if (a->has_l1 && memcmp(a->l1, b->l1, l1_own_size(m)) != 0) {
        fail(m, way, "L1");
    }
}

static void ignore(void *user, const struct tx_event *event)
{
    (void)user, (void)event;
}

/* A sink keeps every unit from short ways of its own; the plainest arithmetic is the last. */
static void plain_begin(struct tx_machine *m, struct check *c)
{
    c->sink = m->settings.sink;
    c->level = m->matrix_level;
    m->settings.sink.event = ignore;
    for (unsigned i = 0; matrix_level(i) != NULL; i++) {
        m->matrix_level = matrix_level(i);
    }
    m->plain = true;
    /* Caches of its own, too, or the short way would never meet what it has kept itself. */
    c->matrix_memo = m->matrix_memo;
    c->pack_memo = m->pack_memo;
    c->unpack_memo = m->unpack_memo;
    c->stamp = m->config_stamp;
    if (m->plain_pack == NULL) {
        m->plain_pack = allocate(unit_pack_memory());
        m->plain_unpack = allocate(unit_unpack_memory());
    }
    m->matrix_memo = NULL;
    m->pack_memo = m->plain_pack;
    m->unpack_memo = m->plain_unpack;
    m->plain_stamp += UINT64_C(1) << 24;
    m->config_stamp = UINT64_C(1) << 63 | m->plain_stamp;
}

static void plain_end(struct tx_machine *m, const struct check *c)
{
    m->plain = false;
    m->settings.sink = c->sink;
    m->matrix_level = c->level;
    m->matrix_memo = c->matrix_memo;
    m->pack_memo = c->pack_memo;
    m->unpack_memo = c->unpack_memo;
    m->config_stamp = c->stamp;
}

static void drop(struct tx_machine *m, struct check *c)
{
    c->next = m->checks;
    m->checks = c;
}

/*
 * Runs every cycle up to "end", each word at its gate; one more if it is to stop, which a cycle
 * does that is not counted. Returns how many words have passed.
 */
static size_t run_long(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t passed,
                       uint64_t end, bool stops)
{
    size_t n = 0;
    while (m->state.cycle < end + (stops ? 1 : 0) && !m->faulted) {
        bool accepted = false;
        front_cycle(m, thread, words == NULL ? NULL : words + n, &accepted);
        n += accepted ? 1 : 0;
        if (n > passed) {
            break;
        }
    }
    return n;
}

/* Returns whether a word may write to L1, as far as a short way may take it. */
static bool packs(const struct tx_machine *m, uint32_t word)
{
    const unsigned opcode = word >> 24;
    const enum isa_row_id id =
        (enum isa_row_id)m->row_cache[opcode][word >> m->mode_lsb[opcode] & 15u];
    return id == ROWID_NONE || isa_row(id)->text.unit == TX_UNIT_PACK;
}

/* Returns whether somebody would be told of everything twice, or what is done cannot be undone. */
static bool seen(const struct tx_machine *m)
{
    return m->host.memory != NULL || m->host.l1 != NULL || m->host.port != NULL ||
           m->settings.sink.event != NULL || m->on_exec != NULL || m->on_change != NULL ||
           m->order.order != NULL || m->delays != NULL || m->faulted || m->plain;
}

static struct check *check_begin(struct tx_machine *m, bool l1)
{
    struct check *c = m->checks;
    if (c != NULL) {
        m->checks = c->next;
    } else {
        c = allocate(sizeof *c);
    }
    save(m, &c->before, l1);
    return c;
}

void check_close(struct tx_machine *m)
{
    while (m->checks != NULL) {
        struct check *c = m->checks;
        m->checks = c->next;
        release(c->before.l1, l1_own_size(m));
        release(c->after.l1, l1_own_size(m));
        release(c, sizeof *c);
    }
    release(m->plain_pack, unit_pack_memory());
    release(m->plain_unpack, unit_unpack_memory());
}

struct check *check_before(struct tx_machine *m, const uint32_t *words, size_t count)
{
    bool l1 = false;
    if (seen(m)) {
        return NULL;
    }
    for (size_t i = 0; words != NULL && i < count && !l1; i++) {
        l1 = packs(m, words[i]);
    }
    return check_begin(m, l1);
}

/* Returns whether the cycle of a word can be undone: registers and memory of others cannot. */
static bool undoes(const struct tx_machine *m, uint32_t word)
{
    const unsigned opcode = word >> 24;
    const enum isa_row_id id =
        (enum isa_row_id)m->row_cache[opcode][word >> m->mode_lsb[opcode] & 15u];
    const unsigned unit = id == ROWID_NONE ? TX_UNIT_NONE : isa_row(id)->text.unit;
    return unit != TX_UNIT_SCALAR && unit != TX_UNIT_MOVER && unit != TX_UNIT_NONE;
}

struct check *check_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word)
{
    const struct units *u = &m->state.units;
    bool fresh = u->unpack.jobs != 0 || m->state.cycle % CHECK_EACH == 0, l1 = false;
    if (seen(m) || (u->scalar.live | u->requests | u->mover.live) != 0 || machine_is_paced(m) ||
        (thread < TX_THREADS && u->waits != 0)) { /* the long way ends waits of other threads */
        return NULL;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        const struct front *f = &m->state.front;
        const struct queue *q = &f->queue[t][TX_QUEUE_GATE];
        const bool queued = thread == TX_THREADS && q->count != 0;
        const uint32_t *head = t == thread ? word : queued ? &q->word[q->head] : NULL;
        const bool inside = thread == TX_THREADS && f->queued[t] == 0 && front_busy(m, t);
        /* Alone with its thread, an eager word leaves what the gates of others say. */
        const bool stale = thread < TX_THREADS && t != thread && u->gate[t].hold != TX_HOLD_NONE;
        if (inside || stale || (head != NULL && !undoes(m, *head))) {
            return NULL;
        }
        fresh = fresh || (head != NULL && u->gate[t].hold == TX_HOLD_NONE);
        l1 = l1 || (head != NULL && packs(m, *head));
    }
    return fresh ? check_begin(m, l1) : NULL;
}

void check_forget(struct tx_machine *m, struct check *c)
{
    if (c != NULL) {
        drop(m, c);
    }
}

bool check_again(struct tx_machine *m, struct check *c)
{
    invariants_check(m);
    if (c == NULL) {
        return false;
    }
    save(m, &c->after, c->before.has_l1);
    front_check_load(m, &c->before);
    plain_begin(m, c);
    return true;
}

void check_end(struct tx_machine *m, struct check *c, const char *way)
{
    plain_end(m, c);
    save(m, &c->before, c->before.has_l1);
    front_check_load(m, &c->after);
    front_check_compare(m, &c->after, &c->before, way); /* which forgets parts of both */
    drop(m, c);
}

void check_after(struct tx_machine *m, struct check *c, const char *way, unsigned thread,
                 const uint32_t *words, size_t passed)
{
    const uint64_t end = m->state.cycle;
    if (c != NULL && end == c->before.state.cycle && !m->faulted) {
        invariants_check(m);
        check_forget(m, c);
    } else if (check_again(m, c)) {
        const bool stops = c->after.faulted;
        const size_t n = run_long(m, thread, words, passed, end, stops);
        if (n != passed && !stops) {
            fail(m, way, "the number of words that have passed");
        }
        check_end(m, c, way);
    }
}

#endif
