/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device's pages are closed, so that each access is a fault: it is emulated here, and the
 * program's own handlers get the faults that are theirs.
 */
#include "card.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static struct sigaction programs; /* what the program wants for SIGSEGV */
static bool installed;
static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;

/* How a thread moves bytes, to see that it moves many. */
static __thread struct {
    uint8_t *first, *next; /* of the last access */
    unsigned count;
    bool write, down;
} stream __attribute__((tls_model("initial-exec")));
enum { STREAM_LEAST = 8, STREAM_BYTES = 4, STREAM_BYTES_DOWN = 16 };

void step_done(struct card_chip *c, const struct card_step *step)
{
    const struct card_region *r = step->region;
    /* Downwards go vectors of memcpy, where addresses differ by little in their last 12 bits. */
    const bool down = step->address + step->size == stream.first && step->size >= STREAM_BYTES_DOWN;
    const bool up = step->address == stream.next && step->size >= STREAM_BYTES;
    const bool goes_on =
        (up || down) && step->write == stream.write && (stream.count == 0 || down == stream.down);
    stream.count = goes_on ? stream.count + 1 : 0;
    stream.first = step->address;
    stream.next = step->address + step->size;
    stream.write = step->write;
    stream.down = down;
    if (stream.count < STREAM_LEAST ||
        (down ? stream.first <= r->start : stream.next >= r->start + r->size)) {
        return;
    }
    if (down) {
        (void)bulk_open_below(c, r, stream.first, step->write);
    } else {
        (void)bulk_open(c, r, stream.next, step->write, 0);
    }
    /* The range ends at a page: the next access of the stream may be right beyond it. */
    stream.first = bulk_start(c);
    stream.next = bulk_end(c);
    stream.count = STREAM_LEAST;
}

/* The program's handler, or what the kernel would do. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    const struct sigaction mine = programs;
    CARD_REAL(pthread_sigmask);
    /* Signals are blocked as if the kernel had called it. */
    sigset_t mask = mine.sa_mask;
    for (int other = 1; other < 65; other++) {
        if (sigismember(&((ucontext_t *)context)->uc_sigmask, other) == 1) {
            sigaddset(&mask, other);
        }
    }
    if ((mine.sa_flags & SA_NODEFER) == 0) {
        sigaddset(&mask, signal);
    }
    (void)real_pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if ((mine.sa_flags & SA_SIGINFO) != 0 && mine.sa_sigaction != NULL) {
        mine.sa_sigaction(signal, info, context);
        return;
    }
    if ((mine.sa_flags & SA_SIGINFO) == 0 && mine.sa_handler != SIG_DFL &&
        mine.sa_handler != SIG_IGN) {
        mine.sa_handler(signal);
        return;
    }
    struct sigaction usual;
    memset(&usual, 0, sizeof usual);
    CARD_REAL(sigaction);
    usual.sa_handler = SIG_DFL;
    (void)real_sigaction(signal, &usual, NULL);
    if (info->si_code <= 0) { /* sent by a program: it does not come again by itself */
        raise(signal);
    }
}

static void on_fault(int signal, siginfo_t *info, void *uc)
{
    const int error = errno;
    struct card_step step = {0};
    ucontext_t *context = uc;
    /* Once more where another thread has made a jump of what was to be decoded. */
    for (bool more = true; more && info->si_code > 0;) {
        if (!patch_origin(context, &step)) {
            return;
        }
        more = step.known == NULL;
        if (emulate(context, &step)) {
            patch_seen(step.known);
            errno = error;
            return;
        }
        more = more && step.known == NULL && patch_knows(context);
    }
    if (info->si_code > 0 && step.region != NULL) {
        /* The mapping is of the time before a reset: as the driver, which takes the pages away. */
        (void)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGBUS);
        errno = error;
        return;
    }
    if (info->si_code > 0 && region_at(info->si_addr) != NULL) {
        const uint8_t *at = (const uint8_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
        card_tell("an instruction cannot be emulated on the device: %02x %02x %02x %02x %02x %02x "
                  "%02x %02x at %p",
                  at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], (const void *)at);
    }
    pass_on(signal, info, context);
    errno = error;
}

void fault_install(void)
{
    CARD_REAL(sigaction);
    pthread_mutex_lock(&installing);
    if (!installed) {
        struct sigaction ours;
        memset(&ours, 0, sizeof ours);
        ours.sa_sigaction = on_fault;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        sigfillset(&ours.sa_mask);
        (void)real_sigaction(SIGSEGV, &ours, &programs);
        patch_install();
        installed = true;
    }
    pthread_mutex_unlock(&installing);
}

void fault_fork(int stage)
{
    lock_fork(&installing, stage);
}

/* ---- what the program does with SIGSEGV ---- */

CARD_HOOK int sigaction(int signal, const struct sigaction *restrict wanted,
                        struct sigaction *restrict old)
{
    CARD_REAL(sigaction);
    if (signal == SIGSEGV && installed) {
        const struct sigaction before = programs;
        if (wanted != NULL) {
            programs = *wanted;
        }
        if (old != NULL) {
            *old = before;
        }
        return 0;
    }
    if (wanted == NULL || !installed) {
        return real_sigaction(signal, wanted, old);
    }
    /* Handlers may touch the device. */
    struct sigaction open = *wanted;
    sigdelset(&open.sa_mask, SIGSEGV);
    return real_sigaction(signal, &open, old);
}

CARD_HOOK sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction wanted;
    struct sigaction old;
    memset(&wanted, 0, sizeof wanted);
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART;
    return sigaction(number, &wanted, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* A thread that blocks the signal would be killed at its first access. */
static const sigset_t *without(int how, const sigset_t *set, sigset_t *to)
{
    if (set == NULL || how == SIG_UNBLOCK || !installed || !sigismember(set, SIGSEGV)) {
        return set;
    }
    *to = *set;
    sigdelset(to, SIGSEGV);
    return to;
}

CARD_HOOK int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    CARD_REAL(pthread_sigmask);
    sigset_t to;
    return real_pthread_sigmask(how, without(how, set, &to), old);
}

CARD_HOOK int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    CARD_REAL(sigprocmask);
    sigset_t to;
    return real_sigprocmask(how, without(how, set, &to), old);
}
