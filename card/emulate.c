/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction of the program whose operand is in the device: its bytes are fetched from the
 * device into a buffer of the thread, the instruction is executed with the program's registers and
 * that buffer in the operand's place, and what it has written goes to the device. So every
 * instruction with one memory operand is emulated by the processor itself, whatever it computes.
 * Strings, and pushes and pops, which have two, are done by hand. Decoding: Zydis.
 */
#include "card.h"
#include "emulate.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
    CACHE = 64,
    CODE_BYTES = 512,
    STACK = 512 * 1024, /* handlers may be on a small one */
    GPRS = 16,
    FLAG_DIRECTION = 1 << 10
};

/* What a thread emulates with: code, then data that the code addresses by its distance. */
struct bench {
    uint8_t code[CODE_BYTES];
    uint64_t gpr[GPRS], flags, host_stack;
    uint8_t slot[SLOT] __attribute__((aligned(64)));
    struct known known[CACHE];
    uint8_t stack[STACK] __attribute__((aligned(64)));
};
static __thread struct bench *bench __attribute__((tls_model("initial-exec")));
__thread void *card_gate_stack __attribute__((tls_model("initial-exec")));

static const int order[GPRS] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};

static pthread_key_t leaving;

static void close_bench(void *at)
{
    CARD_REAL(munmap);
    card_gate_stack = NULL;
    bench = NULL;
    (void)real_munmap(at, sizeof(struct bench));
}

__attribute__((constructor)) static void make_key(void)
{
    (void)pthread_key_create(&leaving, close_bench);
}

static bool open_bench(void)
{
    if (bench == NULL) {
        CARD_REAL(mmap64);
        void *at = real_mmap64(NULL, sizeof(struct bench), PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        bench = at == MAP_FAILED ? NULL : at;
        (void)pthread_setspecific(leaving, bench);
        card_gate_stack = bench != NULL ? bench->stack + STACK : NULL;
    }
    return bench != NULL;
}

static const struct known *emulate_find(uint64_t at)
{
    struct known *k = &bench->known[(at ^ at >> 6) % CACHE];
    if (k->at == at && memcmp(k->bytes, (const void *)(uintptr_t)at, k->length) == 0) {
        return k;
    }
    if (!decode(k, at)) {
        k->at = 0;
        return NULL;
    }
    return k;
}

/* The code must not change while it is decoded: half of it could be another instruction. */
static const struct known *look_up(uint64_t at)
{
    for (;;) {
        const uint32_t before = patch_changes();
        const struct known *k = before % 2 == 0 ? emulate_find(at) : NULL;
        if (before % 2 == 0 && patch_changes() == before) {
            return k;
        }
        bench->known[(at ^ at >> 6) % CACHE].at = 0;
        sched_yield();
    }
}

static uint64_t address_of(const struct known *k, const greg_t *g)
{
    uint64_t at = (uint64_t)k->displacement;
    if (k->base == -2) {
        return k->at + k->length + at; /* Zydis gives the distance from the next instruction */
    }
    at += k->base >= 0 ? (uint64_t)g[order[k->base]] : 0;
    at += k->index >= 0 ? (uint64_t)g[order[k->index]] * k->scale : 0;
    return k->short_address ? (uint32_t)at : at;
}

/* ---- execution by the processor ---- */

/* Appends an instruction of register "reg" with the data at "to", opcode after REX.W. */
static uint8_t *put_data(uint8_t *at, uint8_t opcode, unsigned reg, const void *to)
{
    *at++ = (uint8_t)(0x48 | (reg >> 3) << 2);
    *at++ = opcode;
    *at++ = (uint8_t)(5 | (reg & 7) << 3);
    const int32_t far = (int32_t)((const uint8_t *)to - (at + 4));
    memcpy(at, &far, 4);
    return at + 4;
}

static uint8_t *put_bytes(uint8_t *at, const char *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

/* The instruction itself, its operand at the bench's slot. */
static uint8_t *put_instruction(uint8_t *at, const struct known *k)
{
    bool prefix = true;
    for (unsigned n = 0; n < k->modrm; n++) {
        prefix = prefix && k->bytes[n] != 0 &&
                 strchr("\x66\x67\xF2\xF3\xF0\x2E\x36\x3E\x26", k->bytes[n]) != NULL;
        if (!prefix || k->bytes[n] != 0x67) { /* no short addresses: the slot is ours */
            *at++ = k->bytes[n];
        }
    }
    *at++ = (uint8_t)((k->bytes[k->modrm] & 0x38) | 5);
    const unsigned tail = k->length - k->tail;
    const int32_t far = (int32_t)(bench->slot - (at + 4 + tail));
    memcpy(at, &far, 4);
    memcpy(at + 4, k->bytes + k->tail, tail);
    return at + 4 + tail;
}

/*
 * The kernel's frame says which states of the processor it has saved. The tile registers of AMX
 * belong to no access that we execute.
 */
enum { MAGIC = 0x46505853, MAGIC_AT = 464, FEATURES_AT = 472, FEATURES = 0xE7 };

static uint32_t features_of(const void *frame)
{
    uint32_t magic, features;
    memcpy(&magic, (const uint8_t *)frame + MAGIC_AT, 4);
    memcpy(&features, (const uint8_t *)frame + FEATURES_AT, 4);
    return magic == MAGIC ? features & FEATURES : 0;
}

static void execute(const struct known *k, ucontext_t *context)
{
    greg_t *g = context->uc_mcontext.gregs;
    /* Without vectors they may stay as they are. */
    void *frame = k->vectors ? context->uc_mcontext.fpregs : NULL;
    const uint32_t features = frame != NULL ? features_of(frame) : 0;
    uint8_t *at = bench->code;
    /* Called with the frame in rdi and the features in rsi; all of C's registers are kept. */
    at = put_bytes(at, "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57\x57\x56", 12);
    at = put_data(at, 0x89, 4, &bench->host_stack);
    if (frame != NULL) { /* xrstor64 or fxrstor64 [rdi] */
        at = features != 0 ? put_bytes(at, "\x89\xF0\x31\xD2\x48\x0F\xAE\x2F", 8)
                           : put_bytes(at, "\x48\x0F\xAE\x0F", 4);
    }
    at = put_data(at, 0x8B, 0, &bench->flags); /* mov rax, flags; push rax; popfq */
    at = put_bytes(at, "\x50\x9D", 2);
    for (unsigned r = 0; r < GPRS; r++) {
        bench->gpr[r] = (uint64_t)g[order[r]];
        at = put_data(at, 0x8B, r, &bench->gpr[r]);
    }
    bench->flags = (uint64_t)g[REG_EFL] & ~0x100ull; /* no single step in here */
    at = put_instruction(at, k);
    for (unsigned r = 0; r < GPRS; r++) {
        at = put_data(at, 0x89, r, &bench->gpr[r]);
    }
    at = put_data(at, 0x8B, 4, &bench->host_stack);
    at = put_bytes(at, "\x9C\x58", 2); /* pushfq; pop rax */
    at = put_data(at, 0x89, 0, &bench->flags);
    at = put_bytes(at, "\xFC\x5E\x5F", 3); /* cld; pop rsi; pop rdi */
    if (frame != NULL) {
        at = features != 0 ? put_bytes(at, "\x89\xF0\x31\xD2\x48\x0F\xAE\x27", 8)
                           : put_bytes(at, "\x48\x0F\xAE\x07", 4);
    }
    at = put_bytes(at, "\x41\x5F\x41\x5E\x41\x5D\x41\x5C\x5D\x5B\xC3", 11);
    void (*call)(void *, uint64_t);
    const void *start = bench->code;
    memcpy(&call, &start, sizeof call);
    call(frame, features);
    for (unsigned r = 0; r < GPRS; r++) {
        g[order[r]] = (greg_t)bench->gpr[r];
    }
    g[REG_EFL] = (greg_t)((bench->flags & 0xCD5) | ((uint64_t)g[REG_EFL] & ~0xCD5ull));
}

/* ---- moves between a general register and the device ---- */

static void load_register(const struct known *k, greg_t *g)
{
    uint64_t value = 0;
    memcpy(&value, bench->slot, k->size);
    if (k->sign && k->size < 8) {
        const unsigned shift = 64 - 8u * k->size;
        value = (uint64_t)((int64_t)(value << shift) >> shift);
    }
    uint64_t *to = (uint64_t *)&g[order[k->reg]];
    if (k->reg_bits == 64) {
        *to = value;
    } else if (k->reg_bits == 32) {
        *to = (uint32_t)value;
    } else if (k->reg_bits == 16) {
        *to = (*to & ~0xFFFFull) | (value & 0xFFFF);
    } else {
        const unsigned shift = k->high ? 8 : 0;
        *to = (*to & ~(0xFFull << shift)) | (value & 0xFF) << shift;
    }
}

static void store_register(const struct known *k, const greg_t *g)
{
    uint64_t value = (uint64_t)k->value;
    if (!k->immediate) {
        value = (uint64_t)g[order[k->reg]] >> (k->high ? 8 : 0);
    }
    memcpy(bench->slot, &value, k->size);
}

/* Runs the instruction on the operand at "offset" of the region, with the chip's lock held. */
static void emulate_run(const struct known *k, ucontext_t *context, struct card_chip *c,
                        const struct card_region *r, uint64_t offset)
{
    greg_t *g = context->uc_mcontext.gregs;
    const size_t size = k->wide;
    switch (k->kind) {
    case KIND_LOAD:
        chip_read(c, r->bar, offset, bench->slot, size);
        load_register(k, g);
        break;
    case KIND_STORE:
        store_register(k, g);
        chip_write(c, r->bar, offset, bench->slot, size);
        break;
    case KIND_PUSH:
        chip_read(c, r->bar, offset, bench->slot, size);
        g[REG_RSP] -= (greg_t)size;
        memcpy((void *)(uintptr_t)g[REG_RSP], bench->slot, size);
        break;
    case KIND_POP:
        chip_write(c, r->bar, offset, (const void *)(uintptr_t)g[REG_RSP], size);
        g[REG_RSP] += (greg_t)size;
        break;
    default:
        if (k->loads) {
            chip_read(c, r->bar, offset, bench->slot, size);
        }
        execute(k, context);
        if (k->stores) {
            chip_write(c, r->bar, offset, bench->slot, size);
        }
        break;
    }
}

/* ---- strings ---- */

/* One side of a string instruction: memory of the program, or the device. */
struct side {
    struct card_region *region;
    uint8_t *memory;
};

static struct side side_of(uint64_t address)
{
    struct side s = {region_at((void *)(uintptr_t)address), (uint8_t *)(uintptr_t)address};
    return s;
}

static void side_read(struct card_chip *c, const struct side *s, void *to, size_t size)
{
    if (s->region != NULL) {
        chip_read(c, s->region->bar, s->region->offset + (uint64_t)(s->memory - s->region->start),
                  to, size);
    } else {
        memcpy(to, s->memory, size);
    }
}

static void side_write(struct card_chip *c, const struct side *s, const void *from, size_t size)
{
    if (s->region != NULL) {
        chip_write(c, s->region->bar, s->region->offset + (uint64_t)(s->memory - s->region->start),
                   from, size);
    } else {
        memcpy(s->memory, from, size);
    }
}

/* Flags of a comparison of two values of so many bytes, by the processor. */
static void emulate_compare(greg_t *g, uint64_t a, uint64_t b, unsigned size)
{
    const unsigned shift = 64 - 8 * size;
    uint64_t flags;
    __asm__("cmpq %2, %1\n\tpushfq\n\tpopq %0"
            : "=r"(flags)
            : "r"(a << shift), "r"(b << shift)
            : "cc");
    /* The auxiliary carry is of the low four bits. */
    flags = (flags & ~0x10ull) | ((a & 15) < (b & 15) ? 0x10 : 0);
    const uint64_t low = (a - b) & 0xFF;
    flags = (flags & ~4ull) | (__builtin_parityll(low) ? 0 : 4);
    g[REG_EFL] = (greg_t)((flags & 0x8D5) | ((uint64_t)g[REG_EFL] & ~0x8D5ull));
}

struct string {
    enum { STRING_MOVE, STRING_STORE, STRING_LOAD, STRING_COMPARE, STRING_SCAN } what;
    bool equal; /* goes on while equal; else while different */
};

static struct string string_of(const struct known *k)
{
    struct string s = {STRING_MOVE, false};
    for (unsigned n = 0; n < k->length; n++) {
        s.equal = s.equal || k->bytes[n] == 0xF3;
    }
    switch (k->bytes[k->length - 1] & 0xFE) {
    case 0xA6:
        s.what = STRING_COMPARE;
        break;
    case 0xAA:
        s.what = STRING_STORE;
        break;
    case 0xAC:
        s.what = STRING_LOAD;
        break;
    case 0xAE:
        s.what = STRING_SCAN;
        break;
    default:
        break;
    }
    return s;
}

/* Returns how many bytes of one side may be taken at once as memory. */
static uint64_t plain_of(struct card_chip *c, const struct side *s)
{
    if (s->region == NULL) {
        return SLOT;
    }
    const uint64_t in = (uint64_t)(s->memory - s->region->start);
    const uint64_t left = s->region->size - in;
    const uint64_t bytes =
        c->back.calls->plain(c->back.state, s->region->bar, s->region->offset + in);
    return bytes < left ? bytes : left;
}

/* Does at most one slot of the instruction. Returns the number of elements. */
static uint64_t string_piece(struct card_chip *c, const struct known *k, const struct string *s,
                             greg_t *g, uint64_t count)
{
    const struct side from = side_of((uint64_t)g[REG_RSI]);
    const struct side to = side_of((uint64_t)g[REG_RDI]);
    const bool forward = ((uint64_t)g[REG_EFL] & FLAG_DIRECTION) == 0;
    uint64_t n = 1;
    if (forward && (s->what == STRING_MOVE || s->what == STRING_STORE)) {
        uint64_t bytes = s->what == STRING_MOVE ? plain_of(c, &from) : SLOT;
        const uint64_t other = plain_of(c, &to);
        bytes = bytes < other ? bytes : other;
        bytes = bytes < SLOT ? bytes : SLOT;
        n = bytes / k->size < count ? bytes / k->size : count;
        n = n == 0 ? 1 : n;
    }
    const size_t size = (size_t)n * k->size;
    uint64_t a = 0;
    uint64_t b = 0;
    switch (s->what) {
    case STRING_MOVE:
        side_read(c, &from, bench->slot, size);
        side_write(c, &to, bench->slot, size);
        break;
    case STRING_STORE:
        for (size_t i = 0; i < size; i++) {
            bench->slot[i] = (uint8_t)((uint64_t)g[REG_RAX] >> 8 * (i % k->size));
        }
        side_write(c, &to, bench->slot, size);
        break;
    case STRING_LOAD:
        side_read(c, &from, &a, size);
        memcpy(bench->slot, &a, 8);
        {
            struct known load = *k;
            load.reg = 0;
            load.reg_bits = (uint8_t)(8 * k->size);
            load_register(&load, g);
        }
        break;
    default:
        if (s->what == STRING_COMPARE) {
            side_read(c, &from, &a, size);
        } else {
            memcpy(&a, &g[REG_RAX], k->size);
        }
        side_read(c, &to, &b, size);
        emulate_compare(g, a, b, k->size);
        break;
    }
    const int64_t step = forward ? (int64_t)size : -(int64_t)size;
    g[REG_RSI] += s->what == STRING_STORE || s->what == STRING_SCAN ? 0 : step;
    g[REG_RDI] += s->what == STRING_LOAD ? 0 : step;
    return n;
}

static bool emulate_string(const struct known *k, greg_t *g)
{
    const struct string s = string_of(k);
    const struct side from = side_of((uint64_t)g[REG_RSI]);
    const struct side to = side_of((uint64_t)g[REG_RDI]);
    const struct card_region *r = s.what != STRING_LOAD && to.region != NULL        ? to.region
                                  : s.what != STRING_STORE && s.what != STRING_SCAN ? from.region
                                                                                    : NULL;
    struct card_chip *c = r != NULL ? chip_get(r->chip) : NULL;
    const bool two = s.what == STRING_MOVE && from.region != NULL && to.region != NULL;
    if (c == NULL || k->short_address || (two && from.region->chip != to.region->chip)) {
        return false;
    }
    uint64_t count = k->repeat ? (uint64_t)g[REG_RCX] : 1;
    bool on = true;
    chip_lock(c);
    bulk_close(c);
    while (count != 0 && on) {
        const uint64_t n = string_piece(c, k, &s, g, count);
        count -= n;
        g[REG_RCX] -= k->repeat ? (greg_t)n : 0;
        if (s.what == STRING_COMPARE || s.what == STRING_SCAN) {
            on = k->repeat && (((uint64_t)g[REG_EFL] & 0x40) != 0) == s.equal;
        }
        /* Beyond the mapping the instruction faults again, or touches memory of the program. */
        const uint8_t *at = (const uint8_t *)(uintptr_t)g[r == to.region ? REG_RDI : REG_RSI];
        if (on && count != 0 && (at < r->start || at >= r->start + r->size)) {
            chip_unlock(c);
            return true; /* with the program counter where it was */
        }
    }
    chip_unlock(c);
    g[REG_RIP] += k->length;
    return true;
}

bool emulate_here(void *uc, struct card_step *step)
{
    ucontext_t *context = uc;
    greg_t *g = context->uc_mcontext.gregs;
    const struct known *k = step->known != NULL ? step->known : look_up((uint64_t)g[REG_RIP]);
    if (k == NULL) {
        return false;
    }
    step->known = k;
    if (k->kind == KIND_STRING) {
        return emulate_string(k, g);
    }
    /* pop computes its address with the stack pointer after it. */
    uint64_t at = address_of(k, g);
    at += k->kind == KIND_POP && k->base == 4 ? k->wide : 0;
    struct card_region *r = region_at((void *)(uintptr_t)at);
    struct card_chip *c = r != NULL ? chip_get(r->chip) : NULL;
    if (c == NULL || at + k->wide > (uint64_t)(uintptr_t)r->start + r->size) {
        return false;
    }
    chip_lock(c);
    if (r->generation != c->generation) { /* mapped before a reset */
        chip_unlock(c);
        step->region = r;
        return false;
    }
    if (step->gate && bulk_has(c, (const uint8_t *)(uintptr_t)at, k->wide, k->stores)) {
        chip_unlock(c);
        return false; /* the pages are open */
    }
    bulk_close(c);
    c->gated += step->gate ? 1 : 0;
    emulate_run(k, context, c, r, r->offset + (at - (uint64_t)(uintptr_t)r->start));
    g[REG_RIP] += k->length;
    step->region = r;
    step->address = (uint8_t *)(uintptr_t)at;
    step->size = k->wide;
    step->write = k->kind == KIND_STORE || (k->kind == KIND_ANY && k->stores && !k->loads);
    step_done(c, step);
    chip_unlock(c);
    return true;
}

bool emulate(void *context, struct card_step *step)
{
    uint64_t result;
    if (!open_bench()) {
        return false;
    }
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "call *%[call]\n\t"
                     "movq %%rbx, %%rsp"
                     : "=a"(result), "+D"(context), "+S"(step)
                     : [top] "r"(bench->stack + STACK), [call] "r"(emulate_here)
                     : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
    return (uint8_t)result != 0;
}
