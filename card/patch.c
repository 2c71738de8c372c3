/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An instruction of the program that touches the device often is replaced by a jump to code that
 * does what the fault would have done. Only bytes of the instruction itself change: where it is
 * shorter than a jump, the jump's last bytes are those of what follows it, as they are, and its
 * target is a page at the place that they name (island.c). So code that jumps to the next
 * instruction finds it. The code saves what it changes, compares the address with the stretch of
 * the device's mappings (arena.c), and executes the instruction itself where it is somewhere else.
 *
 * Other threads may be about to execute it: first its two first bytes become a jump to themselves,
 * in one store; when each core has seen that, which membarrier says, the others are written, and
 * then the two. What is not the code of a file, what nobody may write to for a moment, and what
 * has no free target stays as it is: it faults, which is right, too. TENSIX_CARD_PATCH=off leaves
 * all as it is; a number says after how many faults an instruction is patched.
 */
#include "card.h"

#include "patch.h"

#include <cpuid.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { SITES = 4096, HASH = 4 * SITES, FAULTS = 64, LINE = 16 };

static struct site sites[SITES];
static size_t site_count;
static _Atomic uint16_t hash[HASH]; /* number of a site + 1 */
static uint8_t *codes;              /* CODE bytes for each site */
static uint32_t faults_wanted;      /* 0: nothing is patched */
static _Atomic uint32_t changes;
static pthread_mutex_t patching = PTHREAD_MUTEX_INITIALIZER;

/* ---- what a patched instruction calls ---- */

/*
 * Registers as card_gate_enter has pushed them. The site's code has pushed the last three, below
 * the 128 bytes that a function may use under its stack pointer.
 */
struct frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rbx, rcx, flags, back;
    uint64_t arithmetic; /* SF ZF AF PF CF as lahf, OF in the lowest bit */
    uint64_t rdx, rax;
};
enum { RED_ZONE = 128, FLAGS_LOW = 0xD5, FLAG_OVERFLOW = 0x800 };

/* Which states of the processor our own code may change: all vectors. */
uint32_t card_gate_states;
const uint64_t card_gate_signals = ~0ull;
void card_gate_enter(void);
uint64_t card_gate_access(const struct site *site, struct frame *f);

/*
 * Called with the site in rax; says in al whether the access is done. All other registers are
 * kept, but for what the instruction does to them. Signals wait meanwhile: their handlers could
 * touch the device. C runs on the stack that this thread emulates on.
 */
__asm__(".text\n"
        ".globl card_gate_enter\n"
        ".hidden card_gate_enter, card_gate_stack, card_gate_states, card_gate_signals\n"
        ".type card_gate_enter, @function\n"
        "card_gate_enter:\n"
        "  pushfq; cld\n"
        "  pushq %rcx; pushq %rbx; pushq %rsi; pushq %rdi; pushq %rbp\n"
        "  pushq %r8; pushq %r9; pushq %r10; pushq %r11\n"
        "  pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
        "  movq %rsp, %rbp\n"
        "  movq %rax, %r15\n"
        "  xorl %r14d, %r14d\n"
        "  movq card_gate_stack@gottpoff(%rip), %r12\n"
        "  movq %fs:(%r12), %r12\n"
        "  testq %r12, %r12\n"
        "  jz 1f\n"
        "  subq $16, %rsp\n"
        "  movl $14, %eax\n" /* rt_sigprocmask */
        "  movl $2, %edi\n"
        "  leaq card_gate_signals(%rip), %rsi\n"
        "  movq %rsp, %rdx\n"
        "  movl $8, %r10d\n"
        "  syscall\n"
        "  leaq -4096(%r12), %rsp\n"
        "  xorl %eax, %eax\n"
        "  movq %rax, 528(%rsp); movq %rax, 536(%rsp); movq %rax, 544(%rsp)\n"
        "  movq %rax, 552(%rsp); movq %rax, 560(%rsp); movq %rax, 568(%rsp)\n"
        "  movl card_gate_states(%rip), %eax\n"
        "  xorl %edx, %edx\n"
        "  xsavec64 (%rsp)\n"
        "  movq %r15, %rdi\n"
        "  movq %rbp, %rsi\n"
        "  call card_gate_access\n"
        "  movq %rax, %r14\n"
        "  movl card_gate_states(%rip), %eax\n"
        "  xorl %edx, %edx\n"
        "  xrstor64 (%rsp)\n"
        "  leaq -16(%rbp), %rsp\n"
        "  movl $14, %eax\n"
        "  movl $2, %edi\n"
        "  movq %rsp, %rsi\n"
        "  xorl %edx, %edx\n"
        "  movl $8, %r10d\n"
        "  syscall\n"
        "  movq %rbp, %rsp\n"
        "1: movq %r14, %rax\n"
        "  popq %r15; popq %r14; popq %r13; popq %r12\n"
        "  popq %r11; popq %r10; popq %r9; popq %r8\n"
        "  popq %rbp; popq %rdi; popq %rsi; popq %rbx; popq %rcx\n"
        "  popfq\n"
        "  ret\n"
        ".size card_gate_enter, . - card_gate_enter\n");

/* clang-format off */
#define EACH_REGISTER(X) \
    X(R15, r15) X(R14, r14) X(R13, r13) X(R12, r12) X(R11, r11) X(R10, r10) X(R9, r9) X(R8, r8) \
    X(RBP, rbp) X(RDI, rdi) X(RSI, rsi) X(RBX, rbx) X(RCX, rcx) X(RDX, rdx) X(RAX, rax)
/* clang-format on */

uint64_t card_gate_access(const struct site *site, struct frame *f)
{
    const int error = errno;
    ucontext_t context; /* of which emulation without vectors needs these only */
    greg_t *g = context.uc_mcontext.gregs;
    struct card_step step = {.known = &site->known, .gate = true};
#define GET(name, member) g[REG_##name] = (greg_t)f->member;
    EACH_REGISTER(GET)
    const uint64_t a = f->arithmetic;
    g[REG_RSP] = (greg_t)((uint64_t)(uintptr_t)(f + 1) + RED_ZONE);
    g[REG_RIP] = (greg_t)site->known.at;
    g[REG_EFL] = (greg_t)((f->flags & ~(uint64_t)(FLAGS_LOW | FLAG_OVERFLOW)) |
                          (a >> 8 & FLAGS_LOW) | ((a & 1) != 0 ? FLAG_OVERFLOW : 0));
    context.uc_mcontext.fpregs = NULL;
    const bool done = emulate_here(&context, &step);
    if (done) {
#define PUT(name, member) f->member = (uint64_t)g[REG_##name];
        EACH_REGISTER(PUT)
        const uint64_t flags = (uint64_t)g[REG_EFL];
        f->arithmetic = (flags & FLAGS_LOW) << 8 | ((flags & FLAG_OVERFLOW) != 0 ? 1 : 0);
    }
    errno = error;
    return done;
}

/* ---- the code of a site ---- */

struct writer {
    uint8_t *at, *start;
};

static void patch_put(struct writer *w, const char *bytes, size_t size)
{
    memcpy(w->at, bytes, size);
    w->at += size;
}
#define PUT_CODE(w, text) patch_put(w, text, sizeof(text) - 1)

static void put_address(struct writer *w, const char *bytes, size_t size, const void *address)
{
    patch_put(w, bytes, size);
    memcpy(w->at, &address, 8);
    w->at += 8;
}

/* lea rdx, the operand of the instruction */
static void put_operand(struct writer *w, const struct known *k)
{
    *w->at++ = (uint8_t)(0x48 | (k->rex & 3));
    *w->at++ = 0x8D;
    *w->at++ = (uint8_t)((k->bytes[k->modrm] & 0xC7) | 2 << 3);
    memcpy(w->at, k->bytes + k->modrm + 1, k->tail - k->modrm - 1u);
    w->at += k->tail - k->modrm - 1;
}

/* pop rax; add al, 0x7f; sahf; pop rdx; pop rax; lea rsp, [rsp + 128] */
#define LEAVE "\x58\x04\x7F\x9E\x5A\x58\x48\x8D\xA4\x24\x80\x00\x00\x00"

/* A jump, or a call, through the address that the code has at "to". */
static void put_through(struct writer *w, uint8_t kind, size_t to)
{
    const int32_t far = (int32_t)((int64_t)to - (w->at + 6 - w->start));
    *w->at++ = 0xFF;
    *w->at++ = kind;
    memcpy(w->at, &far, 4);
    w->at += 4;
}

static void write_code(struct site *s, uint8_t *to)
{
    enum { ENTER_AT = CODE - 16, BACK_AT = CODE - 8, CALL = 0x15, GO = 0x25 };
    const struct known *k = &s->known;
    struct writer w = {to, to};
    void (*enter)(void) = card_gate_enter;
    const uint64_t back = k->at + k->length;
    memset(to, 0xCC, CODE);
    /* lea rsp, [rsp - 128]; push rax; push rdx; lahf; seto al; push rax; mov rax, [rsp + 16] */
    PUT_CODE(&w, "\x48\x8D\x64\x24\x80\x50\x52\x9F\x0F\x90\xC0\x50\x48\x8B\x44\x24\x10");
    put_operand(&w, k);
    put_address(&w, "\x48\xB8", 2, &card_gate);
    PUT_CODE(&w, "\x48\x2B\x10\x48\x3B\x50\x08\x73"); /* sub rdx, [rax]; cmp rdx, [rax + 8]; jae */
    uint8_t *elsewhere = w.at++;
    PUT_CODE(&w, "\x48\x2B\x50\x10\x48\x3B\x50\x18\x72"); /* the open range likewise; jb */
    uint8_t *open = w.at++;
    put_address(&w, "\x48\xB8", 2, s);
    put_through(&w, CALL, ENTER_AT);
    PUT_CODE(&w, "\x84\xC0\x75"); /* test al, al; jnz */
    uint8_t *done = w.at++;
    *elsewhere = (uint8_t)(w.at - elsewhere - 1);
    *open = (uint8_t)(w.at - open - 1);
    PUT_CODE(&w, LEAVE);
    s->plain = (uint8_t)(w.at - to);
    patch_put(&w, (const char *)k->bytes, k->length);
    put_through(&w, GO, BACK_AT);
    *done = (uint8_t)(w.at - done - 1);
    PUT_CODE(&w, LEAVE);
    put_through(&w, GO, BACK_AT);
    memcpy(to + ENTER_AT, &enter, 8);
    memcpy(to + BACK_AT, &back, 8);
}

/* ---- changing the program's code ---- */

uint32_t patch_changes(void)
{
    return atomic_load(&changes);
}

static bool all_cores(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
}

/* Puts "size" bytes at the beginning of an instruction. Returns false where nothing changed. */
static bool change(uint64_t at, const uint8_t *to, size_t size)
{
    uint8_t *text = (uint8_t *)(uintptr_t)at;
    if (!code_open(text, size)) {
        return false;
    }
    atomic_fetch_add(&changes, 1);
    code_put(text, "\xEB\xFE");
    (void)all_cores();
    memcpy(text + 2, to + 2, size - 2);
    (void)all_cores();
    code_put(text, to);
    (void)all_cores();
    atomic_fetch_add(&changes, 1);
    code_close(text, size);
    return true;
}

/*
 * Sites whose jump ends in bytes that are to change become as they were, and come again later;
 * before them those whose jump ends in theirs.
 */
static bool free_bytes(uint64_t at, size_t size)
{
    for (size_t i = 0; i < site_count; i++) {
        struct site *s = &sites[i];
        const uint64_t start = s->known.at;
        const uint64_t end = start + s->prefix + JUMP;
        if (s->state != SITE_PATCHED || start == at || at >= end ||
            start + s->known.length >= at + size) {
            continue;
        }
        if (!free_bytes(start, s->written) || !change(start, s->known.bytes, s->written)) {
            return false;
        }
        s->state = SITE_COUNTED;
        s->faults = 0;
    }
    return true;
}

/* Finds a jump for the instruction, with so many prefixes before it. */
static bool find_jump(struct site *s, unsigned prefix)
{
    const struct known *k = &s->known;
    const uint64_t next = k->at + prefix + JUMP;
    unsigned own = k->length - prefix - 1u; /* bytes of the distance that are the instruction's */
    own = own > 4 ? 4 : own;
    uint32_t distance = 0;
    memcpy((uint8_t *)&distance + own, (const uint8_t *)(uintptr_t)(next - 4 + own), 4 - own);
    uint64_t low = next + (uint64_t)(int64_t)(int32_t)distance;
    uint64_t high = low + (1ull << 8 * own);
    if (own == 4) {
        low = next > INT32_MAX ? next - INT32_MAX : 0;
        high = next + INT32_MAX;
    }
    const uint64_t place = island_place(low, high, s->code);
    if (place == 0) {
        return false;
    }
    uint8_t jump[2 * JUMP] = {0x48, 0x48, 0x48, 0x48, 0x48};
    distance = (uint32_t)(place - next);
    jump[prefix] = 0xE9;
    memcpy(jump + prefix + 1, &distance, 4);
    s->prefix = (uint8_t)prefix;
    s->written = (uint8_t)(prefix + 1 + own);
    memcpy(s->text, jump, s->written);
    return true;
}

static bool patch(struct site *s)
{
    const struct known *k = &s->known;
    const uint64_t end = k->at + 2 * JUMP;
    if (k->at % LINE == LINE - 1 || !maps_read() || !maps_code(k->at, end) ||
        memcmp(k->bytes, (const void *)(uintptr_t)k->at, k->length) != 0 ||
        !free_bytes(k->at, k->length)) {
        return false;
    }
    uint8_t code[CODE];
    write_code(s, code);
    s->code = codes + (size_t)(s - sites) * CODE;
    /* Threads may still be in it, where it was patched before. */
    if (memcmp(s->code, code, CODE) != 0) {
        if (!code_open(s->code, CODE)) {
            return false;
        }
        memcpy(s->code, code, CODE);
        code_close(s->code, CODE);
    }
    bool found = false;
    for (unsigned prefix = 0; prefix + 2u <= k->length && prefix < JUMP - 1 && !found; prefix++) {
        found = find_jump(s, prefix);
    }
    return found && change(k->at, s->text, s->written);
}

/* ---- sites ---- */

static struct site *site_at(uint64_t at)
{
    for (uint64_t h = (at ^ at >> 12) % HASH;; h = (h + 1) % HASH) {
        const uint16_t number = atomic_load_explicit(&hash[h], memory_order_acquire);
        if (number == 0 || sites[number - 1].known.at == at) {
            return number != 0 ? &sites[number - 1] : NULL;
        }
    }
}

/* With the lock held. */
static struct site *make_site(const struct known *k)
{
    if (site_count == SITES) {
        return NULL;
    }
    sites[site_count].known = *k;
    uint64_t h = (k->at ^ k->at >> 12) % HASH;
    while (atomic_load(&hash[h]) != 0) {
        h = (h + 1) % HASH;
    }
    atomic_store_explicit(&hash[h], (uint16_t)(site_count + 1), memory_order_release);
    return &sites[site_count++];
}

void patch_seen(const struct known *k)
{
    if (faults_wanted == 0 || k == NULL || !k->movable || card_gate.size == 0) {
        return;
    }
    pthread_mutex_lock(&patching);
    struct site *s = site_at(k->at);
    s = s != NULL ? s : make_site(k);
    if (s != NULL && s->state == SITE_COUNTED && ++s->faults >= faults_wanted) {
        s->known = *k;
        s->state = patch(s) ? SITE_PATCHED : SITE_REFUSED;
        if (card_verbose()) {
            card_tell("instruction of %u bytes at %p: %s", k->length, (void *)(uintptr_t)k->at,
                      s->state == SITE_PATCHED ? "patched" : "cannot be patched");
        }
    }
    pthread_mutex_unlock(&patching);
}

bool patch_origin(void *uc, struct card_step *step)
{
    greg_t *g = ((ucontext_t *)uc)->uc_mcontext.gregs;
    const uint64_t at = (uint64_t)g[REG_RIP];
    const uint64_t in = at - (uint64_t)(uintptr_t)codes;
    if (faults_wanted == 0) {
        return true;
    }
    if (in < (uint64_t)SITES * CODE) {
        const struct site *s = &sites[in / CODE];
        if (in % CODE == s->plain) {
            g[REG_RIP] = (greg_t)s->known.at;
            step->known = &s->known;
        }
        return true;
    }
    struct site *s = site_at(at);
    if (s == NULL) {
        return true;
    }
    pthread_mutex_lock(&patching);
    const void *text = (const void *)(uintptr_t)at;
    const bool again = s->state == SITE_PATCHED && memcmp(s->text, text, s->written) == 0;
    if (s->state == SITE_PATCHED && !again) { /* the code is another one now */
        s->state = SITE_COUNTED;
        s->faults = 0;
    }
    /* Nobody looks at the code again: it may become a jump meanwhile. */
    step->known = memcmp(s->known.bytes, text, s->known.length) == 0 ? &s->known : NULL;
    pthread_mutex_unlock(&patching);
    return !again;
}

bool patch_knows(const void *context)
{
    const greg_t *g = ((const ucontext_t *)context)->uc_mcontext.gregs;
    return faults_wanted != 0 && site_at((uint64_t)g[REG_RIP]) != NULL;
}

/* ---- start ---- */

static bool processor_can(void)
{
    enum { XSAVEC = 2, VECTORS = 0xE6 };
    unsigned a, b, c, d;
    if (__get_cpuid_count(1, 0, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0 ||
        __get_cpuid_count(0xD, 1, &a, &b, &c, &d) == 0 || (a & XSAVEC) == 0) {
        return false;
    }
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    card_gate_states = low & VECTORS;
    return __get_cpuid_count(0x80000001, 0, &a, &b, &c, &d) != 0 && (c & 1) != 0; /* lahf */
}

void patch_install(void)
{
    const char *wanted = getenv("TENSIX_CARD_PATCH");
    const long given = wanted != NULL ? strtol(wanted, NULL, 10) : FAULTS;
    if ((wanted != NULL && given <= 0) || given > INT32_MAX || !processor_can() ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) != 0) {
        return;
    }
    const long at = syscall(SYS_mmap, NULL, (size_t)SITES * CODE, PROT_READ | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == -1) {
        return;
    }
    codes = (uint8_t *)at; // NOLINT(performance-no-int-to-ptr): an address from the kernel
    faults_wanted = (uint32_t)given;
}

void patch_fork(int stage)
{
    lock_fork(&patching, stage);
    if (stage == 2 && faults_wanted != 0) { /* the wish does not come along everywhere */
        (void)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
    }
}
