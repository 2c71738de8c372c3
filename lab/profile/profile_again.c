/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the run would take if a unit were quicker: it is repeated without the unit's time. A unit's
 * cycles on the path are the most that this can save, as the rest of the path stays; so units are
 * tried by falling cycles until none is left that could save more than the best so far. What saves
 * most is tried with half its time, too.
 *
 * Repetitions know nothing of each other. Where threads are free, one that may be needed begins
 * before that is known; what is reported is what one thread alone would have tried.
 */
#include "profile/profile.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"

enum { TRIES = 5, LITTLE = 100 /* a saving of less than a hundredth is none */ };

static const struct {
    enum profile_bound bound;
    enum profile_paced unit;
} paced[] = {{BOUND_UNPACK, PROFILE_UNPACK},  {BOUND_MATRIX, PROFILE_MATRIX},
             {BOUND_VECTOR, PROFILE_VECTOR},  {BOUND_PACK, PROFILE_PACK},
             {BOUND_DELIVERY, PROFILE_CORES}, {BOUND_NOC, PROFILE_NOC},
             {BOUND_DRAM, PROFILE_DRAM}};
enum { PACED = sizeof paced / sizeof paced[0] };

/* A unit on the path, and the run without its time and with half of it. */
enum { NONE, HALF, PACES };
struct candidate {
    unsigned unit; /* of paced */
    uint64_t path;
    enum { NEW, RUNS, DONE } state[PACES];
    struct profile_rerun run[PACES];
};

struct tries {
    txl_profile *p;
    const struct profile_again *again;
    struct candidate list[PACED]; /* by falling cycles */
    unsigned count;
    atomic_bool over; /* what still runs is not needed */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

static uint64_t saved(const struct tries *t, const struct candidate *c)
{
    const struct profile_rerun *r = &c->run[NONE];
    return r->ended && r->cycles < t->p->total ? t->p->total - r->cycles : 0;
}

/*
 * A unit cannot save more than it has of the path; but a path across tiles goes by what is known of
 * who made what, so that more than it has may be behind it.
 */
static bool may_be_better(const txl_profile *p, uint64_t path, uint64_t most)
{
    return p->part_count != 0 ? 3 * path > 2 * most : path > most;
}

/* Lists what has a hundredth of the path or more. */
static void list_all(struct tries *t)
{
    const txl_profile *p = t->p;
    for (unsigned i = 0; i < PACED; i++) {
        const uint64_t path = p->sums[paced[i].bound];
        const bool cores = paced[i].unit != PROFILE_CORES || p->cores;
        if (!cores || path == 0 || path * LITTLE < p->total) {
            continue;
        }
        unsigned at = t->count++;
        for (; at != 0 && t->list[at - 1].path < path; at--) {
            t->list[at] = t->list[at - 1];
        }
        t->list[at] = (struct candidate){.unit = i, .path = path};
    }
    t->count = t->count < TRIES ? t->count : TRIES;
}

/* What one thread alone has learned from what has ended, and what it does next. */
struct learned {
    unsigned tried; /* candidates whose saving counts */
    unsigned best;  /* PACED: none */
    uint64_t most;
    struct candidate *needed; /* NULL: nothing more */
    unsigned pace;            /* of needed */
};

static struct learned learn(struct tries *t)
{
    struct learned l = {.best = PACED};
    for (; l.tried < t->count && may_be_better(t->p, t->list[l.tried].path, l.most); l.tried++) {
        struct candidate *c = &t->list[l.tried];
        if (c->state[NONE] != DONE) {
            l.needed = c;
            l.pace = NONE;
            return l;
        }
        if (saved(t, c) > l.most) {
            l.most = saved(t, c);
            l.best = l.tried;
        }
    }
    l.best = l.most * LITTLE < t->p->total ? PACED : l.best;
    if (l.best < PACED && t->list[l.best].state[HALF] != DONE) {
        l.needed = &t->list[l.best];
        l.pace = HALF;
    }
    return l;
}

/*
 * While the next result is still under way: another unit that has half as much of the path as that
 * one, or more, is probably tried, too; otherwise half the time of what seems to save most.
 */
static struct candidate *guess(struct tries *t, const struct learned *l, unsigned *pace)
{
    if (l->pace == HALF) {
        return NULL;
    }
    *pace = NONE;
    for (unsigned i = l->tried + 1; i < t->count; i++) {
        struct candidate *c = &t->list[i];
        if (2 * c->path >= l->needed->path && may_be_better(t->p, c->path, l->most) &&
            c->state[NONE] == NEW) {
            return c;
        }
    }
    struct candidate *c =
        l->best < PACED && l->most > l->needed->path ? &t->list[l->best] : l->needed;
    *pace = HALF;
    return c->state[HALF] == NEW ? c : NULL;
}

static void try_one(struct pool *pool, struct tries *t, struct candidate *c, unsigned pace)
{
    struct txl_error err = {.status = TXL_OK};
    struct profile_rerun *run = &c->run[pace];
    *run = (struct profile_rerun){.same = true, .over = &t->over};
    run->pace[paced[c->unit].unit] = pace == NONE ? TX_PACE_NONE : TX_PACE_HALF;
    c->state[pace] = RUNS;
    pthread_mutex_unlock(&t->mutex);
    const int result = t->again->run(t->again->user, &err, run);
    pthread_mutex_lock(&t->mutex);
    c->state[pace] = DONE;
    if (result != TXL_CONTINUE && !atomic_load(&t->over)) {
        atomic_store(&t->over, true);
        pool_refuse(pool, err.status, "%s", err.message);
    }
    pthread_cond_broadcast(&t->changed);
}

static void profile_again_work(struct pool *pool, void *user, unsigned worker)
{
    struct tries *t = user;
    (void)worker;
    pthread_mutex_lock(&t->mutex);
    while (!atomic_load(&t->over)) {
        const struct learned l = learn(t);
        unsigned pace = l.pace;
        struct candidate *c = l.needed;
        if (c == NULL) {
            atomic_store(&t->over, true);
            break;
        }
        c = c->state[pace] == NEW ? c : guess(t, &l, &pace);
        if (c != NULL) {
            try_one(pool, t, c, pace);
        } else {
            pthread_cond_wait(&t->changed, &t->mutex);
        }
    }
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

static uint64_t saves(const txl_profile *p, const struct txl_profile_trial *t)
{
    return !t->stuck && t->none < p->total ? p->total - t->none : 0;
}

/* Writes down what has been tried, what saves most first. */
static void report(struct tries *t)
{
    txl_profile *p = t->p;
    const struct learned l = learn(t);
    for (unsigned i = 0; i < l.tried; i++) {
        const struct candidate *c = &t->list[i];
        const struct profile_rerun *none = &c->run[NONE];
        const struct profile_rerun *half = &c->run[HALF];
        const bool halved = i == l.best;
        p->trials[p->result.trials++] = (struct txl_profile_trial){
            .unit = profile_bound_name(paced[c->unit].bound),
            .path = c->path,
            .none = none->ended ? none->cycles : 0,
            .half = halved && half->ended ? half->cycles : 0,
            .stuck = !none->ended,
            .differs = (none->ended && !none->same) || (halved && half->ended && !half->same)};
    }
    for (unsigned i = 1; i < l.tried; i++) {
        if (saves(p, &p->trials[i]) > saves(p, &p->trials[0])) {
            const struct txl_profile_trial first = p->trials[0];
            p->trials[0] = p->trials[i];
            p->trials[i] = first;
        }
    }
    if (l.best < PACED) {
        p->bound = paced[t->list[l.best].unit].bound;
    }
    if (l.tried != 0) {
        profile_settle(p, l.best < PACED);
    }
}

int profile_try(struct txl_error *err, txl_profile *p, const struct profile_again *again)
{
    struct tries t = {.p = p, .again = again};
    atomic_init(&t.over, false);
    list_all(&t);
    pthread_mutex_init(&t.mutex, NULL);
    pthread_cond_init(&t.changed, NULL);
    const struct pool_how how = {.threads = again->threads, .work = profile_again_work, .user = &t};
    const int result = pool_run(err, &how);
    pthread_cond_destroy(&t.changed);
    pthread_mutex_destroy(&t.mutex);
    if (result == TXL_CONTINUE) {
        report(&t);
    }
    return result;
}
