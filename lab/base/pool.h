/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place where threads are started. Work is cut into pieces; every worker takes the next one
 * until none is left, somebody has failed or the caller's progress function has cancelled.
 */
#ifndef LAB_BASE_POOL_H
#define LAB_BASE_POOL_H

#include <tensix-lab/base.h>

#include "base/error.h"

struct pool;

struct pool_how {
    unsigned threads; /* at most that many workers, 0 is 1; where fewer start those do it all */
    uint64_t pieces;
    uint64_t total; /* for progress; 0: the pieces are counted, by pool_take */
    /* Takes pieces until there are none. worker: 0 to threads - 1, each at most once. */
    void (*work)(struct pool *pool, void *user, unsigned worker);
    void *user;
    txl_progress progress; /* or NULL */
    void *progress_user;
    /* In the caller's thread, about twenty times a second. False: stop. Or NULL. */
    bool (*tick)(void *user);
};

/*
 * TXL_CONTINUE when the pieces are done or tick stopped, TXL_CANCELLED, or what the first
 * pool_refuse gave (then err has its message). Workers block all signals: they are the caller's.
 * Without progress and tick the caller's thread is worker 0.
 */
int pool_run(struct txl_error *err, const struct pool_how *how);

/* For workers. The next piece; false: there is none, or all are to stop. */
bool pool_take(struct pool *pool, uint64_t *piece);
/* So much of total is done. False: all are to stop. */
bool pool_add(struct pool *pool, uint64_t done);
/* Stops everybody with this error; the first one stays. */
void pool_refuse(struct pool *pool, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Around what workers share. */
void pool_lock(struct pool *pool);
void pool_unlock(struct pool *pool);

/* Progress of work in one thread. */
struct ticker {
    txl_progress progress;
    void *user;
    uint64_t total;
    double last;
};

/* False: cancelled. done may be called as often as one likes. */
bool ticker_start(struct ticker *ticker, txl_progress progress, void *user, uint64_t total);
bool ticker_at(struct ticker *ticker, uint64_t done);

/* Seconds of a clock that never jumps. */
double clock_seconds(void);

#endif
