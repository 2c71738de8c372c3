/* SPDX-License-Identifier: Apache-2.0 */
/* Executing a kernel's sections cycle by cycle, for debuggers, and checkpoints of a kernel. */
#include <tensix/kernel_debug.h>

#include <string.h>

#include "api/kernel.h"
#include "asm/program.h"
#include "state/beside.h"
#include "state/l1.h"

/* ---- cycles ---- */

enum tx_status tx_kernel_enter(tx_kernel *k, unsigned section)
{
    if (k->walk.inside || section >= TX_SECTIONS || (section == TX_SECTION_TILE && !k->started)) {
        return TX_EINVAL;
    }
    if (section == TX_SECTION_INIT) {
        kernel_init_begin(k);
    }
    k->walk = (struct kernel_walk){.inside = true, .section = section};
    k->machine->quiet = 0;
    return TX_OK;
}

/* Returns the words of a thread in the present section. */
static struct tx_stream stream_of(const tx_kernel *k, unsigned thread)
{
    if (k->program->threaded) {
        return k->streams[k->walk.section][thread];
    }
    const unsigned section = k->walk.section;
    const struct tx_stream all = {k->program->section[section].words,
                                  k->program->section[section].count};
    const struct tx_stream none = {NULL, 0};
    return thread == k->options.thread ? all : none;
}

static bool words_left(const tx_kernel *k)
{
    bool left = false;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        left = left || k->walk.next[t] < stream_of(k, t).count;
    }
    return left;
}

/*
 * A cycle of a threaded program: as in tx_run_threads, each thread pushes a word if its queue has
 * room.
 */
static enum tx_status threads_cycle(tx_kernel *k)
{
    for (unsigned t = 0; t < TX_THREADS; t++) {
        const struct tx_stream s = stream_of(k, t);
        size_t *next = &k->walk.next[t];
        *next += *next < s.count ? tx_push(k->machine, t, &s.words[*next], 1) : 0;
    }
    return tx_stuck(k->machine) ? TX_EDEADLOCK : tx_step(k->machine, 1);
}

/* A cycle of a program for one thread, as in tx_run. */
static enum tx_status thread_cycle(tx_kernel *k)
{
    const unsigned thread = k->options.thread;
    const struct tx_stream s = stream_of(k, thread);
    size_t *next = &k->walk.next[thread];
    const uint32_t *word = *next < s.count ? &s.words[*next] : NULL;
    bool accepted = false;
    if (word == NULL && tx_stuck(k->machine)) {
        return TX_EDEADLOCK;
    }
    const enum tx_status status = tx_cycle(k->machine, thread, word, &accepted);
    *next += accepted ? 1 : 0;
    return status;
}

static enum tx_status leave(tx_kernel *k, enum tx_status status)
{
    k->walk.inside = false;
    span_count(&k->walk.span, k->machine);
    return k->walk.section == TX_SECTION_INIT ? kernel_init_end(k, status)
           : status == TX_OK                  ? kernel_tile_end(k, status)
                                              : status;
}

enum tx_status tx_kernel_cycle(tx_kernel *k, bool *over)
{
    tx_machine *m = k->machine;
    const uint64_t most = m->settings.max_cycles;
    *over = false;
    if (m->faulted) {
        return TX_FAULT;
    }
    if (!k->walk.inside) {
        return TX_EINVAL;
    }
    if (machine_is_paced(m)) {
        return TX_EUNSUPPORTED;
    }
    enum tx_status status = TX_OK;
    if (words_left(k) || !tx_idle(m)) {
        if (most != 0 && k->walk.cycles == most) {
            return leave(k, TX_ELIMIT);
        }
        k->walk.cycles++;
        span_before(&k->walk.span, m);
        status = k->program->threaded ? threads_cycle(k) : thread_cycle(k);
        span_after(&k->walk.span, m);
    }
    if (status != TX_OK) {
        return leave(k, status);
    }
    if (!words_left(k) && tx_idle(m)) {
        *over = true;
        return leave(k, TX_OK);
    }
    return TX_OK;
}

uint64_t tx_kernel_now(const tx_kernel *k)
{
    return k->machine->state.cycle;
}

bool tx_kernel_next(const tx_kernel *k, unsigned thread, size_t *index)
{
    if (thread >= TX_THREADS || !k->walk.inside ||
        k->walk.next[thread] >= stream_of(k, thread).count) {
        return false;
    }
    const unsigned section = k->walk.section;
    size_t before = 0;
    for (size_t i = 0; i < k->program->section[section].count; i++) {
        const unsigned given = k->program->section[section].threads[i];
        const unsigned owner = given == TX_THREADS ? k->options.thread : given;
        if (k->program->threaded && owner != thread) {
            continue;
        }
        if (before++ == k->walk.next[thread]) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* ---- checkpoints ---- */

struct header {
    const struct tx_kernel *kernel;
    struct kernel_walk walk;
    bool started;
};

size_t tx_kernel_checkpoint_size(const tx_kernel *k)
{
    return sizeof(struct header) + sizeof(struct tx_state) + l1_own_size(k->machine) +
           beside_size();
}

enum tx_status tx_kernel_checkpoint(const tx_kernel *k, void *buffer, size_t size)
{
    const tx_machine *m = k->machine;
    struct header head;
    char *to = buffer;
    if (buffer == NULL || size != tx_kernel_checkpoint_size(k)) {
        return TX_EINVAL;
    }
    memset(&head, 0, sizeof head);
    head.kernel = k;
    head.walk = k->walk;
    head.started = k->started;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    memcpy(to, &m->state, sizeof m->state);
    to += sizeof m->state;
    if (m->own_l1 != NULL) {
        memcpy(to, m->own_l1, l1_own_size(m));
    }
    beside_save(m, to + l1_own_size(m));
    return TX_OK;
}

/*
 * The state that tiles begin with is not part of a checkpoint: it is the same whenever .init has
 * run.
 */
enum tx_status tx_kernel_rollback(tx_kernel *k, const void *buffer, size_t size)
{
    tx_machine *m = k->machine;
    struct header head;
    const char *from = buffer;
    if (buffer == NULL || size != tx_kernel_checkpoint_size(k)) {
        return TX_EINVAL;
    }
    memcpy(&head, from, sizeof head);
    if (head.kernel != k) {
        return TX_EINVAL;
    }
    from += sizeof head;
    memcpy(&m->state, from, sizeof m->state);
    machine_reconfigured(m);
    from += sizeof m->state;
    if (m->own_l1 != NULL) {
        memcpy(m->own_l1, from, l1_own_size(m));
    }
    beside_load(m, from + l1_own_size(m));
    k->walk = head.walk;
    k->started = head.started;
    machine_changed(m, CHANGE_HOST, 0);
    return TX_OK;
}
