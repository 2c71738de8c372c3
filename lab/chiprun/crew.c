/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that stay for many short tasks: the executor of a chip gives them one task for each
 * window of cycles. They wait a moment actively, because the next task comes within microseconds.
 */
#include "chiprun/chiprun.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SPINS = 2000, MEMBERS = 64 };

struct crew {
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    atomic_uint round; /* number of the present task */
    atomic_uint next, left;
    void (*task)(void *context, uint32_t part);
    void *context;
    uint32_t parts;
    bool ends;
    unsigned members;
    pthread_t thread[MEMBERS];
};

static void take_parts(struct crew *c)
{
    for (uint32_t i = atomic_fetch_add(&c->next, 1); i < c->parts;
         i = atomic_fetch_add(&c->next, 1)) {
        c->task(c->context, i);
    }
}

/* Waits for the task after that one. */
static void await(struct crew *c, unsigned seen)
{
    for (unsigned i = 0; i < SPINS && atomic_load(&c->round) == seen; i++) {
        sched_yield();
    }
    pthread_mutex_lock(&c->mutex);
    while (atomic_load(&c->round) == seen) {
        pthread_cond_wait(&c->work, &c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
}

static void *member(void *user)
{
    struct crew *c = user;
    for (unsigned seen = 0;; seen++) {
        await(c, seen);
        if (c->ends) {
            return NULL;
        }
        take_parts(c);
        if (atomic_fetch_sub(&c->left, 1) == 1) {
            pthread_mutex_lock(&c->mutex);
            pthread_cond_signal(&c->done);
            pthread_mutex_unlock(&c->mutex);
        }
    }
}

static void next_round(struct crew *c)
{
    pthread_mutex_lock(&c->mutex);
    atomic_fetch_add(&c->round, 1);
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->mutex);
}

struct crew *crew_open(unsigned threads)
{
    struct crew *c = calloc(1, sizeof *c);
    sigset_t all;
    sigset_t before;
    if (c == NULL) {
        return NULL;
    }
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->work, NULL);
    pthread_cond_init(&c->done, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (c->members + 1 < threads && c->members < MEMBERS &&
           pthread_create(&c->thread[c->members], NULL, member, c) == 0) {
        c->members++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (c->members == 0) {
        crew_close(c);
        return NULL;
    }
    return c;
}

void crew_close(struct crew *c)
{
    if (c == NULL) {
        return;
    }
    c->ends = true;
    next_round(c);
    for (unsigned i = 0; i < c->members; i++) {
        pthread_join(c->thread[i], NULL);
    }
    pthread_cond_destroy(&c->done);
    pthread_cond_destroy(&c->work);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

void crew_run(void *crew, void (*task)(void *context, uint32_t part), void *context, uint32_t parts)
{
    struct crew *c = crew;
    c->task = task;
    c->context = context;
    c->parts = parts;
    atomic_store(&c->next, 0);
    atomic_store(&c->left, c->members);
    next_round(c);
    take_parts(c);
    for (unsigned i = 0; i < SPINS && atomic_load(&c->left) != 0; i++) {
        sched_yield();
    }
    pthread_mutex_lock(&c->mutex);
    while (atomic_load(&c->left) != 0) {
        pthread_cond_wait(&c->done, &c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
}
