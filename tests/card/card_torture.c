/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of access that a compiler makes, on the device and on memory of the program, and the
 * two compared: the processor itself says what is right. card_torture [ACCESSES [THREADS]], by
 * default 2000 in each of 8 threads, while one more thread turns a window to and fro, the program
 * forks and executes others, and has a SIGSEGV handler of its own. Run under "tensix card".
 */
#define _GNU_SOURCE 1
#include <errno.h>
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
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

enum { AREA = 4096, SPAN = 512, THREADS_MOST = 64, WINDOW = 2 << 20 };
static _Atomic int failures;
static _Atomic long done;

/* ---- instructions: each takes memory at p, a value, and returns what it put into registers ----
 */

#define OP(name, text, ...)                                                      \
    static uint64_t name(uint8_t *p, uint64_t v)                                 \
    {                                                                            \
        uint64_t r = v;                                                          \
        uint64_t flags = 0;                                                      \
        __asm__ volatile("pushq %1\n\t popfq\n\t" text "\n\t pushfq\n\t popq %1" \
                         : "+r"(r), "+r"(flags)                                  \
                         : "r"(p), "r"(v)                                        \
                         : "memory", "cc", ##__VA_ARGS__);                       \
        return r ^ (flags & 0x8D5) << 48;                                        \
    }

/* The stack is used above: leave the red zone alone by compiling without one. */
OP(store8, "movb %b3, (%2)")
OP(store16, "movw %w3, 3(%2)")
OP(store32, "movl %k3, 4(%2)")
OP(store64, "movq %3, 9(%2)")
OP(store_high, "movq %3, %%rax\n\t movb %%ah, 1(%2)", "rax")
OP(store_value, "movl $0x12345678, 8(%2)\n\t movb $0x7f, (%2)\n\t movq $-5, 16(%2)")
OP(load8, "movb 1(%2), %b0")
OP(load16, "movw 2(%2), %w0")
OP(load32, "movl 4(%2), %k0")
OP(load64, "movq 7(%2), %0")
OP(zero8, "movzbl 5(%2), %k0")
OP(zero16, "movzwq 6(%2), %0")
OP(sign8, "movsbq 5(%2), %0")
OP(sign8to16, "movsbw 5(%2), %w0")
OP(sign16, "movswl 6(%2), %k0")
OP(sign32, "movslq 8(%2), %0")
OP(add32, "addl %k3, (%2)\n\t addq 8(%2), %0")
OP(adc64, "stc\n\t adcq %3, 8(%2)")
OP(sub16, "subw %w3, 2(%2)\n\t subl 4(%2), %k0")
OP(logic, "orq %3, (%2)\n\t andl %k3, 8(%2)\n\t xorb %b3, 1(%2)")
OP(compare, "cmpl %k3, 4(%2)")
OP(test8, "testb $0x41, 3(%2)")
OP(count, "incl (%2)\n\t decq 8(%2)\n\t negw 16(%2)\n\t notb 18(%2)")
OP(shift, "shll $3, (%2)\n\t sarq $5, 8(%2)\n\t rolw $1, 2(%2)")
OP(shift_count, "movq %3, %%rcx\n\t shrq %%cl, 8(%2)", "rcx")
OP(multiply, "imull 4(%2), %k0\n\t imulq $77, 8(%2), %0")
OP(multiply_wide, "movq %3, %%rax\n\t mulq 8(%2)\n\t xorq %%rdx, %%rax\n\t movq %%rax, %0", "rax",
   "rdx")
OP(exchange, "xchgl %k0, 4(%2)")
OP(exchange_add, "lock xaddq %0, 8(%2)")
OP(compare_exchange, "movl 4(%2), %%eax\n\t lock cmpxchgl %k3, 4(%2)", "rax")
OP(compare_exchange16,
   "movq (%2), %%rax\n\t movq 8(%2), %%rdx\n\t movq %3, %%rbx\n\t movq %3, %%rcx\n\t"
   "lock cmpxchg16b (%2)",
   "rax", "rbx", "rcx", "rdx")
OP(bits, "btsl $5, (%2)\n\t btrq $40, 8(%2)\n\t btl $7, 16(%2)\n\t bsfl 20(%2), %k0")
OP(set, "cmpq $5, %3\n\t setb 3(%2)\n\t cmovbq 8(%2), %0")
OP(stack, "pushq 8(%2)\n\t popq 24(%2)\n\t pushq (%2)\n\t popq %0")
OP(swap, "movbe 4(%2), %k0\n\t movbe %3, 8(%2)")
OP(streaming, "movnti %3, 8(%2)\n\t movnti %k3, (%2)\n\t sfence")
OP(sse_move,
   "movdqu 3(%2), %%xmm1\n\t movups %%xmm1, 33(%2)\n\t movdqa 64(%2), %%xmm2\n\t"
   "movntdq %%xmm2, 80(%2)\n\t movaps %%xmm1, 96(%2)",
   "xmm1", "xmm2")
OP(sse_part,
   "movq 8(%2), %%xmm1\n\t movd %%xmm1, 20(%2)\n\t movss 4(%2), %%xmm3\n\t"
   "movsd %%xmm3, 24(%2)\n\t movhps 40(%2), %%xmm3\n\t movlps %%xmm3, 48(%2)\n\t"
   "movhps %%xmm3, 56(%2)",
   "xmm1", "xmm3")
OP(sse_compute,
   "movdqu (%2), %%xmm4\n\t paddd 16(%2), %%xmm4\n\t pxor 32(%2), %%xmm4\n\t"
   "pshufd $0x1b, 64(%2), %%xmm5\n\t movdqu %%xmm4, 48(%2)\n\t movq %%xmm5, %0",
   "xmm4", "xmm5")
OP(sse_convert,
   "cvtdq2ps 16(%2), %%xmm6\n\t cvtsi2sdl 4(%2), %%xmm7\n\t movups %%xmm6, 32(%2)\n\t"
   "movsd %%xmm7, 8(%2)\n\t ucomiss 32(%2), %%xmm6",
   "xmm6", "xmm7")
OP(mmx, "movq 8(%2), %%mm0\n\t paddw 16(%2), %%mm0\n\t movq %%mm0, 24(%2)\n\t emms", "mm0")
OP(x87, "fildl 4(%2)\n\t fiaddl 8(%2)\n\t fistpll 16(%2)")
OP(avx_move,
   "vmovdqu 1(%2), %%ymm1\n\t vmovdqa %%ymm1, 32(%2)\n\t vmovntdq %%ymm1, 64(%2)\n\t"
   "vmovups 96(%2), %%ymm2\n\t vmovups %%ymm2, 129(%2)\n\t vzeroupper",
   "xmm1", "xmm2")
OP(avx_compute,
   "vpcmpeqd %%ymm3, %%ymm3, %%ymm3\n\t vpaddd (%2), %%ymm3, %%ymm4\n\t vpbroadcastd 4(%2), "
   "%%ymm5\n\t"
   "vpxor %%ymm5, %%ymm4, %%ymm4\n\t vmovdqu %%ymm4, 64(%2)\n\t"
   "vextracti128 $1, %%ymm5, 160(%2)\n\t vzeroupper",
   "xmm3", "xmm4", "xmm5")
OP(avx_mask,
   "vpcmpeqd %%ymm6, %%ymm6, %%ymm6\n\t vpsrlq $32, %%ymm6, %%ymm6\n\t"
   "vpmaskmovd 32(%2), %%ymm6, %%ymm7\n\t vpmaskmovd %%ymm7, %%ymm6, 96(%2)\n\t"
   "vzeroupper",
   "xmm6", "xmm7")
OP(avx512_move,
   "vmovdqu64 5(%2), %%zmm1\n\t vmovdqu8 %%zmm1, 70(%2)\n\t vmovdqa64 192(%2), %%zmm17\n\t"
   "vmovntdq %%zmm17, 256(%2)\n\t vmovdqu32 (%2), %%ymm18\n\t vmovdqu32 %%ymm18, 320(%2)\n\t"
   "vzeroupper",
   "xmm1")
OP(avx512_mask,
   "kmovw %k3, %%k1\n\t vmovdqu32 64(%2), %%zmm2%{%%k1%}%{z%}\n\t"
   "vmovdqu32 %%zmm2, 128(%2)%{%%k1%}\n\t vpaddd 4(%2)%{1to16%}, %%zmm2, %%zmm3\n\t"
   "vmovdqu64 %%zmm3, 192(%2)\n\t kmovw 8(%2), %%k2\n\t kmovw %%k2, 12(%2)\n\t vzeroupper",
   "xmm2", "xmm3")
OP(string_move,
   "movq %2, %%rsi\n\t leaq 200(%2), %%rdi\n\t movl $91, %%ecx\n\t rep movsb\n\t"
   "movl $5, %%ecx\n\t rep movsl\n\t movsq\n\t movq %%rdi, %0\n\t subq %2, %0",
   "rsi", "rdi", "rcx")
OP(string_back,
   "leaq 95(%2), %%rsi\n\t leaq 99(%2), %%rdi\n\t movl $64, %%ecx\n\t std\n\t"
   "rep movsb\n\t cld",
   "rsi", "rdi", "rcx")
OP(string_store,
   "leaq 3(%2), %%rdi\n\t movq %3, %%rax\n\t movl $21, %%ecx\n\t rep stosw\n\t stosb\n\t"
   "movl $4, %%ecx\n\t rep stosq",
   "rax", "rdi", "rcx")
OP(string_load,
   "leaq 3(%2), %%rsi\n\t xorl %%eax, %%eax\n\t lodsb\n\t shlq $32, %%rax\n\t lodsw\n\t"
   "movq %%rax, %0",
   "rax", "rsi")
OP(string_scan,
   "movq %2, %%rdi\n\t movb 60(%2), %%al\n\t movl $200, %%ecx\n\t repne scasb\n\t"
   "movq %%rcx, %0",
   "rax", "rdi", "rcx")
OP(string_compare,
   "movq %2, %%rsi\n\t leaq 1(%2), %%rdi\n\t movl $50, %%ecx\n\t repe cmpsw\n\t"
   "movq %%rcx, %0",
   "rsi", "rdi", "rcx")
OP(addresses,
   "xorl %%ecx, %%ecx\n\t movb $3, %%cl\n\t movl 4(%2,%%rcx,4), %k0\n\t"
   "movq %2, %%r13\n\t addl %k0, (%%r13)\n\t movq %2, %%r12\n\t subl $9, (%%r12)\n\t"
   "leaq 64(%2), %%rbx\n\t negq %%rcx\n\t movq (%%rbx,%%rcx,8), %%r15\n\t xorq %%r15, %0",
   "rcx", "r12", "r13", "r15", "rbx")

static uint64_t library(uint8_t *p, uint64_t v)
{
    memset(p + v % 64, (int)v, 65 + v % 99);
    memmove(p + 100, p + 90, 300);
    memcpy(p + 3, p + 400, 77);
    return (uint64_t)memcmp(p, p + 8, 64) >> 31;
}

static const struct {
    const char *name;
    uint64_t (*run)(uint8_t *p, uint64_t v);
    int level; /* 1 AVX2, 2 AVX-512 */
} ops[] = {
#define ROW(name, level)   \
    {                      \
#name, name, level \
    }
    ROW(store8, 0),
    ROW(store16, 0),
    ROW(store32, 0),
    ROW(store64, 0),
    ROW(store_high, 0),
    ROW(store_value, 0),
    ROW(load8, 0),
    ROW(load16, 0),
    ROW(load32, 0),
    ROW(load64, 0),
    ROW(zero8, 0),
    ROW(zero16, 0),
    ROW(sign8, 0),
    ROW(sign8to16, 0),
    ROW(sign16, 0),
    ROW(sign32, 0),
    ROW(add32, 0),
    ROW(adc64, 0),
    ROW(sub16, 0),
    ROW(logic, 0),
    ROW(compare, 0),
    ROW(test8, 0),
    ROW(count, 0),
    ROW(shift, 0),
    ROW(shift_count, 0),
    ROW(multiply, 0),
    ROW(multiply_wide, 0),
    ROW(exchange, 0),
    ROW(exchange_add, 0),
    ROW(compare_exchange, 0),
    ROW(compare_exchange16, 0),
    ROW(bits, 0),
    ROW(set, 0),
    ROW(stack, 0),
    ROW(swap, 1),
    ROW(streaming, 0),
    ROW(sse_move, 0),
    ROW(sse_part, 0),
    ROW(sse_compute, 0),
    ROW(sse_convert, 0),
    ROW(mmx, 0),
    ROW(x87, 0),
    ROW(avx_move, 1),
    ROW(avx_compute, 1),
    ROW(avx_mask, 1),
    ROW(avx512_move, 2),
    ROW(avx512_mask, 2),
    ROW(string_move, 0),
    ROW(string_back, 0),
    ROW(string_store, 0),
    ROW(string_load, 0),
    ROW(string_scan, 0),
    ROW(string_compare, 0),
    ROW(addresses, 0),
    ROW(library, 0)};
enum { OPS = sizeof ops / sizeof ops[0] };

/* ---- the device ---- */

static int fd;

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fails(const char *what, uint64_t number)
{
    if (atomic_fetch_add(&failures, 1) < 20) {
        fprintf(stderr, "%s: access %llu is wrong\n", what, (unsigned long long)number);
    }
}

static long wanted = 2000;

/* Runs all kinds in random order on its own part of a tile's L1, and on a copy. */
static void *worker(void *argument)
{
    const uint64_t number = (uint64_t)(uintptr_t)argument;
    uint64_t random = 0x9E3779B97F4A7C15ull * (number + 1);
    uint8_t copy[AREA] __attribute__((aligned(4096)));
    uint32_t id;
    uint8_t *all = window_map(fd, WINDOW, &id);
    if (all == MAP_FAILED || window_turn(fd, id, WINDOW, 1 + (unsigned)number % 4, 2, 0) != 0) {
        fails("window", number);
        return NULL;
    }
    uint8_t *device = all + 0x20000 + number * AREA;
    const int level = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? 2
                      : __builtin_cpu_supports("avx2")                                         ? 1
                                                                                               : 0;
    for (unsigned i = 0; i < AREA; i += 8) {
        const uint64_t v = random_next(&random);
        memcpy(copy + i, &v, 8);
    }
    for (unsigned i = AREA; i != 0; i -= 8) { /* downwards, so that no range is opened */
        *(volatile uint64_t *)(device + i - 8) = *(const uint64_t *)(copy + i - 8);
    }
    for (long i = 0; i < wanted; i++) {
        const unsigned k = (unsigned)(i < OPS ? (uint64_t)i : random_next(&random) % OPS);
        const uint64_t value = random_next(&random);
        const size_t at = random_next(&random) % (AREA / 2 / SPAN) * 64;
        if (ops[k].level > level) {
            continue;
        }
        const uint64_t a = ops[k].run(copy + at, value);
        const uint64_t b = ops[k].run(device + at, value);
        uint8_t back[SPAN];
        for (unsigned n = 0; n < SPAN; n += 64) { /* little, so that no range is opened for it */
            const uint8_t *from = device + at + n;
            uint8_t *to = back + n;
            size_t bytes = 64;
            __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(bytes) : : "memory");
        }
        if (a != b || memcmp(back, copy + at, SPAN) != 0) {
            fails(ops[k].name, (uint64_t)i);
            memcpy(copy + at, back, SPAN);
        }
        atomic_fetch_add(&done, 1);
    }
    if (munmap(all, WINDOW) != 0) {
        fails("munmap", number);
    }
    return NULL;
}

static atomic_bool over;

/* Turns a window between two tiles; what it shows must be of the tile that it shows. */
static void *turner(void *argument)
{
    uint32_t id = 0;
    volatile uint8_t *at = window_map(fd, WINDOW, &id);
    (void)argument;
    for (uint32_t i = 0; at != MAP_FAILED && !atomic_load(&over); i++) {
        const unsigned x = 5 + i % 2;
        if (window_turn(fd, id, WINDOW, x, 3, 0) != 0) {
            fails("turn", i);
        }
        volatile uint32_t *word = (volatile uint32_t *)(at + 0x40000);
        if (i >= 2 && *word != 1000 + x) {
            fails("a window that is turned", i);
        }
        *word = 1000 + x;
        usleep(100);
    }
    return NULL;
}

/* ---- faults of its own ---- */

static __thread sigjmp_buf back_here;
static atomic_int own_faults;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (info->si_addr == (void *)16) {
        atomic_fetch_add(&own_faults, 1);
    }
    siglongjmp(back_here, 1);
}

static void own_fault(void)
{
    if (sigsetjmp(back_here, 1) == 0) {
        __asm__ volatile("movl (%0), %%eax" : : "r"(16ul) : "rax", "memory");
        fails("a fault of the program's own", 0);
    }
}

static void children(unsigned i)
{
    int status = -1;
    uint32_t id;
    const pid_t child = fork();
    if (child == 0 && i % 2 == 0) {
        execl("/bin/sh", "sh", "-c", "test -c /dev/tenstorrent/0", (char *)NULL);
        _exit(9);
    }
    if (child == 0) { /* the child has the chip as it was */
        volatile uint8_t *at = window_map(fd, WINDOW, &id);
        int bad = at == MAP_FAILED || window_turn(fd, id, WINDOW, 5, 4, 0) != 0;
        *(volatile uint32_t *)(at + 0x40000) = 77;
        bad |= *(volatile uint32_t *)(at + 0x40000) != 77;
        _exit(bad);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fails("a child", (uint64_t)(unsigned)status);
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MOST], turning;
    wanted = argc > 1 ? atol(argv[1]) : wanted;
    const int count = argc > 2 ? atoi(argv[2]) : 8;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    fd = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    if (fd < 0 || count < 1 || count > THREADS_MOST) {
        perror("/dev/tenstorrent/0");
        return 1;
    }
    for (int i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, worker, (void *)(uintptr_t)i);
    }
    pthread_create(&turning, NULL, turner, NULL);
    for (unsigned i = 0; i < 6; i++) {
        own_fault();
        children(i);
        usleep(5000);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    atomic_store(&over, true);
    pthread_join(turning, NULL);
    own_fault();
    if (atomic_load(&own_faults) != 7) {
        fails("faults of the program's own", (uint64_t)atomic_load(&own_faults));
    }
    printf("%ld accesses, %d failed\n", atomic_load(&done), atomic_load(&failures));
    return atomic_load(&failures) != 0;
}
