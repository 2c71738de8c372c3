/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that touch the device again and again, which become jumps (card/patch.c): what they
 * do, and everything around them, is as before. At all sixteen places in a line: what follows is
 * jumped to, accesses stand side by side, eight threads meet them for the first time at once, a
 * timer's handler touches the device, too; all registers, flags, vectors and the memory below the
 * stack pointer are kept; the same instruction on other memory, and its faults, are the program's.
 * Run under "tensix card".
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "device.h"

enum { PLACES = 16, TURNS = 150, THREADS = 8, WINDOW = 2 << 20 };

static _Atomic int failures;

static void check(bool good, const char *what, long number)
{
    if (!good) {
        atomic_fetch_add(&failures, 1);
        fprintf(stderr, "%s, %ld: wrong\n", what, number);
    }
}

/*
 * uint32_t walk_N(void *p, uint32_t turns): loads and stores of two to seven bytes, side by side,
 * and the loop begins in the middle of them.
 */
__asm__(".macro walk n\n"
        "  .p2align 4\n"
        "  .rept \\n; nop; .endr\n"
        "walk_\\n:\n"
        "  xorl %eax, %eax; xorl %edx, %edx; xorl %ecx, %ecx\n"
        "  jmp 2f\n"
        "  .p2align 4\n"
        "  .rept \\n; nop; .endr\n"
        "1: movl (%rdi), %eax\n"
        "2: movl %edx, 4(%rdi)\n"
        "3: movl (%rdi), %r8d\n"
        "4: movzbl 5(%rdi), %ecx\n"
        "  addl %eax, %edx; addl %r8d, %edx; addl %ecx, %edx\n"
        "5: addl %ecx, (%rdi)\n"
        "6: movl $0x01020304, 8(%rdi)\n"
        "7: xorl 8(%rdi), %edx\n"
        "  decl %esi\n"
        "  jz 8f\n"
        "  testl $1, %esi\n"
        "  jz 1b\n"
        "  testl $2, %esi\n"
        "  jz 2b\n"
        "  testl $4, %esi\n"
        "  jz 3b\n"
        "  jmp 4b\n"
        "8: movl %edx, %eax\n"
        "  ret\n"
        ".endm\n"
        ".text\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "  walk \\n\n"
        ".endr\n"
        ".section .data.rel.ro\n"
        "walks:\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "  .quad walk_\\n\n"
        ".endr\n"
        ".text\n");
extern uint32_t (*const walks[PLACES])(void *p, uint32_t turns)
    __attribute__((visibility("hidden")));

/* ---- the device ---- */

static int fd;

static uint8_t *window(unsigned x, unsigned y)
{
    uint32_t id = 0;
    uint8_t *at = window_map(fd, WINDOW, &id);
    return at != MAP_FAILED && window_turn(fd, id, WINDOW, x, y, 0) == 0 ? at : NULL;
}

static void walk_both(uint8_t *device, unsigned n)
{
    uint32_t copy[3] = {0x11 + n, 0x22, 0x33};
    for (unsigned i = 3; i-- != 0;) {
        ((volatile uint32_t *)device)[i] = copy[i];
    }
    const uint32_t a = walks[n](copy, TURNS);
    const uint32_t b = walks[n](device, TURNS);
    bool same = a == b;
    for (unsigned i = 3; i-- != 0;) {
        same = same && ((volatile uint32_t *)device)[i] == copy[i];
    }
    check(same, "a walk", n);
}

static pthread_barrier_t together;

static void *walker(void *argument)
{
    const uintptr_t number = (uintptr_t)argument;
    uint8_t *at = window(1 + (unsigned)number % 4, 3);
    check(at != NULL, "window", (long)number);
    for (unsigned n = 0; n < PLACES && at != NULL; n++) {
        pthread_barrier_wait(&together);
        walk_both(at + 0x30000 + 64 * number, n);
        walk_both(at + 0x30000 + 64 * number, n);
    }
    return NULL;
}

/* ---- what is kept ---- */

/*
 * In "s": what all general registers but rsp, rdi and rsi, the flags, two vectors, two words below
 * the stack pointer are before; in "s" afterwards: what they are then. rsi is the device's.
 */
struct all {
    uint64_t registers[16], flags, below[2];
    uint8_t vectors[2][16];
};
void keep(struct all *s, void *device, void *again);
__asm__(".text\n"
        ".type keep, @function\n"
        "keep:\n"
        "  pushq %rbx; pushq %rbp; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
        "  movq 128(%rdi), %rax; pushq %rax; popfq\n"
        "  movq 136(%rdi), %rax; movq %rax, -8(%rsp)\n"
        "  movq 144(%rdi), %rax; movq %rax, -128(%rsp)\n"
        "  movups 152(%rdi), %xmm0; movups 168(%rdi), %xmm15\n"
        "  movq (%rdi), %rax; movq 8(%rdi), %rcx; movq 16(%rdi), %rdx; movq 24(%rdi), %rbx\n"
        "  movq 40(%rdi), %rbp; movq 64(%rdi), %r8; movq 72(%rdi), %r9; movq 80(%rdi), %r10\n"
        "  movq 88(%rdi), %r11; movq 96(%rdi), %r12; movq 104(%rdi), %r13\n"
        "  movq 112(%rdi), %r14; movq 120(%rdi), %r15\n"
        "  movl (%rsi), %eax\n"
        "  movl %ebx, 4(%rsi)\n"
        "  movb %ah, 8(%rsi)\n"
        "  movq %rax, (%rdi); movq %rcx, 8(%rdi); movq %rdx, 16(%rdi); movq %rbx, 24(%rdi)\n"
        "  movq %rbp, 40(%rdi); movq %r8, 64(%rdi); movq %r9, 72(%rdi); movq %r10, 80(%rdi)\n"
        "  movq %r11, 88(%rdi); movq %r12, 96(%rdi); movq %r13, 104(%rdi)\n"
        "  movq %r14, 112(%rdi); movq %r15, 120(%rdi)\n"
        "  movq -128(%rsp), %rax; movq %rax, 144(%rdi)\n"
        "  movq -8(%rsp), %rax; movq %rax, 136(%rdi)\n"
        "  pushfq; popq %rax; movq %rax, 128(%rdi); cld\n"
        "  movups %xmm0, 152(%rdi); movups %xmm15, 168(%rdi)\n"
        "  popq %r15; popq %r14; popq %r13; popq %r12; popq %rbp; popq %rbx\n"
        "  ret\n");

static void kept(uint8_t *device)
{
    static const uint64_t flags[] = {0x202, 0xAD7, 0x246, 0xA83, 0x602};
    uint64_t random = 88172645463325252ull;
    for (long i = 0; i < TURNS; i++) {
        struct all before;
        for (size_t n = 0; n < sizeof before / 8; n++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            ((uint64_t *)&before)[n] = random;
        }
        before.flags = flags[i % 5];
        struct all after = before;
        *(volatile uint32_t *)device = 0xA1B2C3D4u + (uint32_t)i;
        keep(&after, device, device);
        before.registers[0] = 0xA1B2C3D4u + (uint32_t)i;
        check(memcmp(&before, &after, sizeof before) == 0, "registers", i);
        check(((volatile uint32_t *)device)[1] == (uint32_t)before.registers[3] &&
                  device[8] == (uint8_t)(before.registers[0] >> 8),
              "what is stored", i);
    }
}

/* ---- handlers ---- */

static volatile uint32_t *ticking;
static _Atomic long ticks;

static void tick(int number)
{
    (void)number;
    *ticking = *ticking + 1;
    atomic_fetch_add(&ticks, 1);
}

static void timers(uint8_t *device)
{
    const struct itimerval often = {{0, 300}, {0, 300}};
    const struct itimerval never = {{0, 0}, {0, 0}};
    ticking = (volatile uint32_t *)(device + 0x100);
    *ticking = 0;
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; atomic_load(&ticks) < 100; i++) {
        walk_both(device, i % PLACES);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
    check(*ticking == (uint32_t)atomic_load(&ticks), "ticks", *ticking);
}

/* One instruction for the device, for memory, and for what is neither. */
uint32_t one_load(const void *at);
extern const char one_load_at[] __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".type one_load, @function\n"
        "one_load:\n"
        "  movl $5, %eax\n"
        ".hidden one_load_at\n"
        "one_load_at:\n"
        "  movl 16(%rdi), %eax\n"
        "  ret\n");
static sigjmp_buf back_here;
static uint64_t fault_at, fault_address, fault_rax;

static void on_fault(int number, siginfo_t *info, void *context)
{
    const greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)number;
    fault_at = (uint64_t)g[REG_RIP];
    fault_rax = (uint64_t)g[REG_RAX];
    fault_address = (uint64_t)(uintptr_t)info->si_addr;
    siglongjmp(back_here, 1);
}

static void elsewhere(uint8_t *device)
{
    const uint32_t here[5] = {0, 0, 0, 0, 99};
    uint32_t *last = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ((volatile uint32_t *)device)[4] = 77;
    last[1023] = 55;
    for (unsigned i = 0; i < TURNS; i++) {
        check(one_load(device) == 77, "one load", i);
    }
    check(one_load(here) == 99, "memory of the program", 0);
    check(one_load(last + 1019) == 55, "the last word of a page", 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, NULL);
    if (sigsetjmp(back_here, 1) == 0) {
        (void)one_load((const void *)0x100);
        check(false, "a fault", 0);
    }
    check(fault_at == (uint64_t)(uintptr_t)one_load_at && fault_address == 0x110 && fault_rax == 5,
          "where the fault was", (long)(fault_at - (uint64_t)(uintptr_t)one_load_at));
    check(one_load(device) == 77, "the device after a fault", 0);
}

static void many(uint8_t *device)
{
    volatile uint32_t *word = (volatile uint32_t *)(device + 0x200);
    for (uint32_t i = 0; i < 5000; i++) {
        *word = i;
        check(*word == i, "one after the other", i);
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    fd = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    uint8_t *at = fd >= 0 ? window(5, 3) : NULL;
    if (at == NULL) {
        perror("/dev/tenstorrent/0");
        return 1;
    }
    uint8_t *device = at + 0x20000;
    pthread_barrier_init(&together, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, walker, (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    kept(device);
    elsewhere(device);
    timers(device);
    many(device);
    const pid_t child = fork();
    if (child == 0) {
        kept(device);
        _exit(atomic_load(&failures) != 0);
    }
    int status = -1;
    check(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a child", status);
    check(munmap(at, WINDOW) == 0, "munmap", 0);
    if (sigsetjmp(back_here, 1) == 0) {
        (void)one_load(device);
        check(false, "a mapping that is gone", 0);
    }
    check(fault_at == (uint64_t)(uintptr_t)one_load_at, "a fault where a mapping was", 0);
    printf("%d failed\n", atomic_load(&failures));
    return atomic_load(&failures) != 0;
}
