/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only place where threads are started. Work is divided into pieces; each worker takes the next
 * piece until none is left, a worker has failed, or the caller's progress function has cancelled.
 */
#ifndef LAB_BASE_POOL_H
#define LAB_BASE_POOL_H

#include <tensix-lab/base.h>

#include "base/error.h"

struct pool;

struct pool_how {
    unsigned threads; /* number of workers, 0 is 1; if fewer threads start, they do all the work */
    uint64_t pieces;
    uint64_t total; /* for progress; 0: pool_take counts the pieces instead */
    /*
     * The body of a worker: takes pieces until there are none. worker is 0 to threads - 1, each
     * used at most once.
     */
    void (*work)(struct pool *pool, void *user, unsigned worker);
    void *user;
    txl_progress progress; /* or NULL */
    void *progress_user;
    /*
     * Called in the caller's thread about twenty times a second; returning false stops the work.
     * May be NULL.
     */
    bool (*tick)(void *user);
};

/*
 * Runs the work. Returns TXL_CONTINUE when all pieces are done or tick stopped the work,
 * TXL_CANCELLED, or the status of the first pool_refuse, with its message in err. Workers block all
 * signals, so that the caller's thread gets them. Without progress and tick the caller's thread is
 * itself worker 0.
 */
int pool_run(struct txl_error *err, const struct pool_how *how);

/*
 * For workers: takes the next piece. Returns false where there is none or all workers shall stop.
 */
bool pool_take(struct pool *pool, uint64_t *piece);
/* Adds to the progress, in units of total. Returns false where all workers shall stop. */
bool pool_add(struct pool *pool, uint64_t done);
/* Stops all workers with this error; only the first error is kept. */
void pool_refuse(struct pool *pool, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Guard data that workers share. */
void pool_lock(struct pool *pool);
void pool_unlock(struct pool *pool);

/* Progress of work in a single thread. */
struct ticker {
    txl_progress progress;
    void *user;
    uint64_t total;
    double last;
};

/* Return false when cancelled. ticker_at may be called often; it limits the calls of progress. */
bool ticker_start(struct ticker *ticker, txl_progress progress, void *user, uint64_t total);
bool ticker_at(struct ticker *ticker, uint64_t done);

/* Seconds of a monotonic clock. */
double clock_seconds(void);

/* Seconds of processor that this thread has used: other programs on the machine add nothing. */
double thread_seconds(void);

#endif
