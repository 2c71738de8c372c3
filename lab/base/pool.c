/* SPDX-License-Identifier: Apache-2.0 */
/* Starts worker threads, hands out the pieces of the work, and calls the progress function. */
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { PERIOD_MS = 50, STACK_BYTES = 4 << 20 };

struct pool {
    const struct pool_how *how;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t next, done;
    unsigned running;
    bool stop;
    struct txl_error error;
};

struct worker {
    struct pool *pool;
    unsigned index;
    pthread_t thread;
};

void pool_lock(struct pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
}

void pool_unlock(struct pool *pool)
{
    pthread_mutex_unlock(&pool->mutex);
}

bool pool_take(struct pool *pool, uint64_t *piece)
{
    pool_lock(pool);
    const bool more = !pool->stop && pool->next < pool->how->pieces;
    *piece = pool->next;
    pool->next += more ? 1 : 0;
    pool->done += more && pool->how->total == 0 ? 1 : 0;
    pool_unlock(pool);
    return more;
}

bool pool_add(struct pool *pool, uint64_t done)
{
    pool_lock(pool);
    pool->done += done;
    const bool go_on = !pool->stop;
    pool_unlock(pool);
    return go_on;
}

void pool_refuse(struct pool *pool, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    pool_lock(pool);
    txl_fail_va(&pool->error, NULL, status, format, args);
    pool->stop = true;
    pool_unlock(pool);
    va_end(args);
}

static void *pool_begin(void *argument)
{
    struct worker *w = argument;
    w->pool->how->work(w->pool, w->pool->how->user, w->index);
    pool_lock(w->pool);
    w->pool->running--;
    pthread_cond_signal(&w->pool->changed);
    pool_unlock(w->pool);
    return NULL;
}

/* Starts count worker threads, numbered from first on, and returns how many could be started. */
static unsigned pool_start(struct pool *pool, struct worker *workers, unsigned first,
                           unsigned count)
{
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;
    unsigned started = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pool->running = count;
    for (; started < count; started++) {
        struct worker *w = &workers[started];
        *w = (struct worker){.pool = pool, .index = first + started};
        if (pthread_create(&w->thread, &attributes, pool_begin, w) != 0) {
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    pool_lock(pool);
    pool->running -= count - started;
    pool_unlock(pool);
    return started;
}

static struct timespec soon(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += PERIOD_MS * 1000000L;
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    return at;
}

/*
 * Calls the caller's progress and tick functions and returns whether to continue. The mutex must
 * not be held, because these functions may take long.
 */
static bool ask(const struct pool_how *how, uint64_t done, bool *cancelled)
{
    const uint64_t total = how->total != 0 ? how->total : how->pieces;
    if (how->progress != NULL && !how->progress(how->progress_user, done, total)) {
        *cancelled = true;
    }
    return !*cancelled && (how->tick == NULL || how->tick(how->user));
}

/* Waits until all workers have ended, and calls progress and tick meanwhile. */
static void wait_for_all(struct pool *pool, bool *cancelled)
{
    pool_lock(pool);
    while (pool->running > 0) {
        const struct timespec until = soon();
        while (pool->running > 0 &&
               pthread_cond_timedwait(&pool->changed, &pool->mutex, &until) == 0) {}
        if (pool->running == 0) {
            break;
        }
        const uint64_t done = pool->done;
        pool_unlock(pool);
        const bool go_on = ask(pool->how, done, cancelled);
        pool_lock(pool);
        pool->stop = pool->stop || !go_on;
    }
    pool_unlock(pool);
}

static void base_pool_run(struct pool *pool, struct worker *workers, unsigned count,
                          bool *cancelled)
{
    const struct pool_how *how = pool->how;
    const bool watched = how->progress != NULL || how->tick != NULL;
    if (watched && !ask(how, 0, cancelled)) {
        return;
    }
    const unsigned first = watched ? 0 : 1;
    const unsigned started =
        workers != NULL && count > first ? pool_start(pool, workers, first, count - first) : 0;
    if (started == 0 || !watched) {
        how->work(pool, how->user, 0);
    }
    if (watched) {
        wait_for_all(pool, cancelled);
        bool late = false; /* the work is done: a wish to cancel is ignored */
        (void)ask(how, pool->done, &late);
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

int pool_run(struct txl_error *err, const struct pool_how *how)
{
    struct pool pool = {.how = how};
    const unsigned count = how->threads > 0 ? how->threads : 1;
    /* NULL: this thread does all the work. */
    struct worker *workers = calloc(count, sizeof *workers);
    bool cancelled = false;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.changed, &clock);
    pthread_condattr_destroy(&clock);
    base_pool_run(&pool, workers, count, &cancelled);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.mutex);
    free(workers);
    if (pool.error.status != TXL_OK) {
        return txl_refuse(err, pool.error.status, "%s", pool.error.message);
    }
    return cancelled ? txl_refuse(err, TXL_CANCELLED, "cancelled") : TXL_CONTINUE;
}

bool ticker_start(struct ticker *ticker, txl_progress progress, void *user, uint64_t total)
{
    *ticker = (struct ticker){
        .progress = progress, .user = user, .total = total, .last = clock_seconds()};
    return progress == NULL || progress(user, 0, total);
}

bool ticker_at(struct ticker *ticker, uint64_t done)
{
    if (ticker->progress == NULL) {
        return true;
    }
    const double now = clock_seconds();
    if (done < ticker->total && now - ticker->last < 1e-3 * PERIOD_MS) {
        return true;
    }
    ticker->last = now;
    return ticker->progress(ticker->user, done, ticker->total);
}

double thread_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
