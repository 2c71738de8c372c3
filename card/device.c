/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chips of this process and their time: a thread for each that runs while the program does
 * something else, memory that the program has pinned, and what is shared with other processes.
 */
#include "card.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct card_chip chips[CARD_CHIPS];
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static struct card_process *counted; /* this process's place among the counters */

enum {
    SLICE_LEAST = 64,
    SLICE_MOST = 1 << 16,
    TALK_NS = 2000000,  /* so long after an access the program is taken to talk to the chip */
    SLICE_TALK = 30000, /* ns that the chip may run in one piece meanwhile */
    SLICE_ALONE = 1000000,
    WAKE_NS = 100000, /* so long it may take until a thread that waits for the chip is woken */
    ROW_NS = 10000,
    ROW_MOST_NS = 100000,
    SHOW_NS = 100000000,
    OPEN_NS = 1000000, /* a range stays open for the program at most so long */
    STEP = 4096,       /* --deterministic: cycles of one access */
    STEP_ALONE = 1 << 16,
    QUIET_NS = 20000000
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void futex_wait(_Atomic uint32_t *word, uint32_t value, long ns)
{
    const struct timespec t = {.tv_sec = 0, .tv_nsec = ns};
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &t, NULL, 0);
}

/* ---- counters for others ---- */

static void enter_process(void)
{
    for (unsigned i = 0; i < CARD_PROCESSES && counted == NULL; i++) {
        struct card_process *p = &card_shared->process[i];
        int32_t none = 0;
        if (atomic_compare_exchange_strong(&p->pid, &none, (int32_t)getpid())) {
            counted = p;
        }
    }
}

/* The end of a chip, or of its time until a reset, with its report. */
static void finish_one(struct card_chip *c)
{
    char path[CARD_PATH];
    snprintf(path, sizeof path, "%s/report-%d-%u-%u.json", card_root, (int)getpid(), c->number,
             c->ended++);
    c->back.calls->close(c->back.state, card_options.report ? path : NULL);
}

static void show(struct card_chip *c)
{
    struct card_counts counts = {0};
    bool found = false;
    c->back.calls->look(c->back.state, &counts, &found);
    if (counted != NULL && c->number == 0) {
        atomic_store(&counted->cycles, counts.cycles);
        atomic_store(&counted->active, counts.active);
        atomic_store(&counted->findings, counts.findings);
        atomic_store(&counted->instructions, counts.instructions);
        atomic_store(&counted->noc, counts.noc);
        atomic_store(&counted->dram, counts.dram);
        atomic_store(&counted->requests, c->requests);
        atomic_store(&counted->moved, c->moved);
    }
    if (found && card_options.strict) {
        card_tell("stopped at the first finding (--strict)");
        finish_one(c);
        _exit(1);
    }
}

/* ---- time ---- */

/* Lets threads of the program go first. */
static void give_way(struct card_chip *c)
{
    const uint64_t start = now_ns();
    while (atomic_load(&c->waiting) != 0) {
        if (now_ns() - start < WAKE_NS) {
            sched_yield();
        } else {
            usleep(20);
        }
    }
}

/* Runs a piece of the chip's time. Returns the time that it took, ns. */
static uint64_t slice(struct card_chip *c, uint64_t cycles)
{
    const uint64_t start = now_ns();
    bulk_close(c);
    c->rests = c->back.calls->run(c->back.state, cycles);
    return now_ns() - start;
}

/*
 * In the middle of a row of accesses the chip waits for the end of the row, for a while since its
 * last piece. It does not sleep meanwhile: to be woken takes several times as long as a row's end.
 */
static bool in_row(struct card_chip *c, uint64_t ended)
{
    const uint64_t now = now_ns();
    return now - atomic_load(&c->asked) < ROW_NS && now - ended < ROW_MOST_NS;
}

static void run_freely(struct card_chip *c)
{
    uint64_t cycles = SLICE_LEAST;
    uint64_t shown = 0;
    uint64_t ended = 0; /* the last piece */
    while (!c->stop) {
        give_way(c);
        if (in_row(c, ended)) {
            sched_yield();
            continue;
        }
        pthread_mutex_lock(&c->lock);
        const uint32_t work = atomic_load(&c->work);
        const uint64_t silent = now_ns() - atomic_load(&c->asked);
        if (bulk_is_open(c) && silent < OPEN_NS) {
            pthread_mutex_unlock(&c->lock);
            usleep(100);
            continue;
        }
        const uint64_t most = silent < TALK_NS ? SLICE_TALK : SLICE_ALONE;
        const uint64_t took = slice(c, cycles);
        cycles = took > most && cycles > SLICE_LEAST      ? cycles / 2
                 : took < most / 2 && cycles < SLICE_MOST ? cycles * 2
                                                          : cycles;
        const bool rests = c->rests;
        ended = now_ns();
        if (ended - shown > SHOW_NS) { /* not at each rest: the program may talk to it quickly */
            show(c);
            shown = ended;
        }
        pthread_mutex_unlock(&c->lock);
        if (rests) {
            cycles = SLICE_LEAST;
            futex_wait(&c->work, work, 100000000);
        }
    }
}

/*
 * --deterministic: time goes on by a fixed number of cycles at each access. Only where the program
 * has not touched the device for a while, because it polls its own memory, more is added.
 */
static void run_behind(struct card_chip *c)
{
    while (!c->stop) {
        usleep(5000);
        give_way(c);
        pthread_mutex_lock(&c->lock);
        if (now_ns() - atomic_load(&c->asked) > QUIET_NS && !c->rests) {
            (void)slice(c, STEP_ALONE);
            show(c);
        }
        pthread_mutex_unlock(&c->lock);
    }
}

static void *runs(void *argument)
{
    struct card_chip *c = argument;
    (void)pthread_setname_np(pthread_self(), "tensix-chip"); /* for top, perf and debuggers */
    if (card_options.deterministic) {
        run_behind(c);
    } else {
        run_freely(c);
    }
    return NULL;
}

static void start_thread(struct card_chip *c)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 8u << 20);
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, 8);
    c->stop = false;
    c->running = pthread_create(&c->thread, &attributes, runs, c) == 0;
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, 8);
    pthread_attr_destroy(&attributes);
    if (!c->running) {
        card_tell("no thread for the chip: it runs at accesses only");
    }
}

/* ---- opening ---- */

static bool open_chip(struct card_chip *c, unsigned number)
{
    const char *wrong = backend_open(&c->back, number, &card_options);
    if (wrong != NULL) {
        card_tell("%s", wrong);
        return false;
    }
    pthread_mutex_init(&c->lock, NULL);
    c->number = number;
    c->rests = true;
    enter_process();
    return true;
}

struct card_chip *chip_get(unsigned number)
{
    struct card_chip *c = &chips[number];
    if (number >= card_options.chips) {
        return NULL;
    }
    if (!__atomic_load_n(&c->open, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&opening);
        if (!c->open && open_chip(c, number)) {
            start_thread(c);
            __atomic_store_n(&c->open, true, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&opening);
    }
    return c->open ? c : NULL;
}

void chip_lock(struct card_chip *c)
{
    atomic_fetch_add(&c->waiting, 1);
    pthread_mutex_lock(&c->lock);
    atomic_fetch_sub(&c->waiting, 1);
    atomic_store(&c->asked, now_ns());
    if (!c->running && !c->stop) { /* in a child of fork */
        start_thread(c);
    }
}

void chip_unlock(struct card_chip *c)
{
    /* Loads wake nothing that rests, and neither do stores to windows' registers or to DRAM. */
    const bool wake = c->rests && c->changed && !c->back.calls->rests(c->back.state);
    if (card_options.deterministic && !bulk_is_open(c)) {
        (void)slice(c, STEP);
        show(c);
    }
    c->rests = c->rests && !wake;
    c->changed = false;
    atomic_fetch_add(&c->work, wake ? 1 : 0);
    pthread_mutex_unlock(&c->lock);
    if (wake) {
        (void)syscall(SYS_futex, &c->work, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

void chip_read(struct card_chip *c, unsigned bar, uint64_t offset, void *bytes, size_t size)
{
    c->requests++;
    c->moved += size;
    (void)c->back.calls->read(c->back.state, bar, offset, bytes, size);
}

void chip_write(struct card_chip *c, unsigned bar, uint64_t offset, const void *bytes, size_t size)
{
    c->requests++;
    c->moved += size;
    c->changed = true;
    (void)c->back.calls->write(c->back.state, bar, offset, bytes, size);
}

bool chip_reset(struct card_chip *c)
{
    bulk_close(c);
    finish_one(c);
    const char *wrong = backend_open(&c->back, c->number, &card_options);
    if (wrong != NULL) {
        card_tell("%s", wrong);
        _exit(1);
    }
    c->rests = true;
    memset(c->iatu, 0, sizeof c->iatu);
    for (unsigned i = 0; i < CARD_PINS; i++) {
        c->pin[i].region = -1;
    }
    return true;
}

void chips_look(void)
{
    for (unsigned i = 0; i < CARD_CHIPS; i++) {
        if (__atomic_load_n(&chips[i].open, __ATOMIC_ACQUIRE)) {
            chip_lock(&chips[i]);
            show(&chips[i]);
            chip_unlock(&chips[i]);
        }
    }
}

void chips_finish(void)
{
    for (unsigned i = 0; i < CARD_CHIPS; i++) {
        struct card_chip *c = &chips[i];
        if (!c->open) {
            continue;
        }
        chip_lock(c);
        bulk_close(c);
        show(c);
        if (card_verbose()) {
            card_tell("%llu requests, %llu of them by patched instructions",
                      (unsigned long long)c->requests, (unsigned long long)c->gated);
        }
        c->stop = true;
        atomic_fetch_add(&c->work, 1);
        finish_one(c);
        c->open = false;
        /* The lock is kept: the chip's thread, and whoever comes later, finds nothing any more. */
    }
    if (counted != NULL) {
        atomic_store(&counted->pid, 0);
    }
}

void chips_fork(int stage)
{
    if (stage == 0) {
        lock_fork(&opening, stage);
    }
    for (unsigned i = 0; i < CARD_CHIPS; i++) {
        struct card_chip *c = &chips[i];
        if (!c->open) {
            continue;
        }
        if (stage == 0) {
            chip_lock(c);
            bulk_close(c);
        } else if (stage == 1) {
            chip_unlock(c);
        } else {
            pthread_mutex_init(&c->lock, NULL);
            atomic_store(&c->waiting, 0);
            c->running = false; /* threads do not come along */
            bulk_forget(c);
        }
    }
    if (stage != 0) {
        lock_fork(&opening, stage);
    }
    if (stage == 2 && counted != NULL) {
        counted = NULL;
        enter_process();
    }
}

/* ---- the host's memory as the chip reaches it ---- */

static struct card_pin *pin_at(struct card_chip *c, uint64_t address)
{
    for (unsigned i = 0; i < CARD_PINS; i++) {
        struct card_pin *p = &c->pin[i];
        if (p->used && address - p->address < p->size) {
            return p;
        }
    }
    return NULL;
}

/* The BAR of another card: its chip is another one, so that nothing is entered twice. */
static bool peer(const struct card_pin *p, uint64_t in, void *to, const void *from, size_t size)
{
    struct card_chip *other = chip_get((unsigned)p->peer);
    if (other == NULL || pthread_mutex_trylock(&other->lock) != 0) {
        return false;
    }
    if (to != NULL) {
        chip_read(other, p->bar, p->base + in, to, size);
    } else {
        chip_write(other, p->bar, p->base + in, from, size);
    }
    other->rests = false;
    atomic_fetch_add(&other->work, 1);
    pthread_mutex_unlock(&other->lock);
    return true;
}

bool card_dma(unsigned chip, uint64_t address, void *to, const void *from, size_t size)
{
    struct card_chip *c = &chips[chip];
    uint8_t *into = to;
    const uint8_t *out = from;
    while (size != 0) {
        const struct card_pin *p = pin_at(c, address);
        if (p == NULL || (to == NULL && p->read_only)) {
            return false;
        }
        const uint64_t in = address - p->address;
        const size_t part = size < p->size - in ? size : (size_t)(p->size - in);
        if (p->peer >= 0 && !peer(p, in, into, out, part)) {
            return false;
        }
        if (p->peer < 0 && to != NULL) {
            memcpy(into, p->memory + in, part);
        } else if (p->peer < 0) {
            memcpy(p->memory + in, out, part);
        }
        into = into != NULL ? into + part : NULL;
        out = out != NULL ? out + part : NULL;
        address += part;
        size -= part;
    }
    return true;
}

/* A real driver would keep the pages; here they go, and the device finds nothing there. */
void chips_unmapped(const void *start, size_t size)
{
    const uint8_t *at = start;
    for (unsigned i = 0; i < CARD_CHIPS; i++) {
        struct card_chip *c = &chips[i];
        if (!c->open) {
            continue;
        }
        bool some = false;
        for (unsigned k = 0; k < CARD_PINS && !some; k++) {
            const struct card_pin *p = &c->pin[k];
            some = p->used && p->user != 0 && at < p->memory + p->size && p->memory < at + size;
        }
        if (!some) {
            continue;
        }
        chip_lock(c);
        for (unsigned k = 0; k < CARD_PINS; k++) {
            struct card_pin *p = &c->pin[k];
            if (p->used && p->user != 0 && at < p->memory + p->size && p->memory < at + size) {
                p->size = 0; /* it can still be unpinned */
            }
        }
        chip_unlock(c);
    }
}
