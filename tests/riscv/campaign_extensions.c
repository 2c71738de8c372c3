/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_extensions COUNT [SEED]: random instructions of F, Zfh and V on core T2 of Blackhole,
 * with and without its time, and on qemu-riscv32, an independent implementation of the RISC-V
 * manual, until COUNT of them have been executed. Each gets random operands (floating point: mostly
 * ordinary values, zeros, infinities, NaN), and what it leaves in all registers that it can write,
 * and in memory, must be equal. Left out is where Blackhole is known to differ from the manual:
 * denormals in arithmetic, FP32 products that need more than 26 bits, division. Those, and
 * conversions that truncate, are in test_float.c. Exit status 77: no qemu-riscv32.
 */
#include "riscv/qemu.h"
#include "riscv/riscv.h"

enum {
    BASE = 0x10000,
    TRIALS = 150, /* of a program */
    WORDS = 60 * TRIALS,
    DATA = 4096,         /* bytes of operands */
    INDICES = 512,       /* bytes of small numbers, of one, two and four bytes each */
    SCRATCH = 2048,      /* what stores write to */
    VECTORS = 4 * 128,   /* v0 to v31 */
    SLOT = VECTORS + 16, /* x6, f4, fcsr, vxsat */
    DATA_AT = 4 * WORDS,
    INDICES_AT = DATA_AT + DATA,
    SCRATCH_AT = INDICES_AT + 3 * INDICES,
    SLOTS_AT = SCRATCH_AT + SCRATCH,
    IMAGE = SLOTS_AT + SLOT * TRIALS,
    OUT = IMAGE - SCRATCH_AT
};

static uint8_t image[IMAGE], want[OUT], l1[RISCV_L1_MAX];
static uint32_t tried[TRIALS];
static bool inexact_sum[TRIALS];
static struct riscv core;
static uint64_t seed;
static unsigned words;

static uint32_t any(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static void put32(uint32_t at, uint32_t value)
{
    memcpy(&image[at], &value, 4); /* a little-endian host */
}

static void put(uint32_t word)
{
    put32(4 * words++, word);
}

static void put_constant(unsigned rd, uint32_t value)
{
    put(((value + 0x800u) & 0xFFFFF000u) | rd << 7 | 0x37u);
    put(value << 20 | rd << 15 | rd << 7 | 0x13u);
}

/* Ordinary values, of few bits for sums and products that are exact, and the special ones. */
static uint32_t float_value(bool half)
{
    static const uint32_t special[8] = {0,          0x80000000, 0x7F800000, 0xFF800000,
                                        0x7FC00000, 0x7F812345, 0x3F800000, 0xBF800000};
    static const uint16_t halves[8] = {0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0x7D01, 0x3C00, 0xBC00};
    const uint32_t v = any();
    if ((any() & 7u) == 0) {
        return half ? 0xFFFF0000u | halves[v & 7u] : special[v & 7u];
    }
    if (half) {
        const uint32_t exponent = 15 + (v >> 10 & 31u) % 7;
        return (any() & 31u) == 0 ? v : 0xFFFF0000u | (v & 0x83FFu) | exponent << 10;
    }
    const uint32_t exponent = 117 + (v >> 23 & 255u) % 20;
    return (v & ((any() & 1u) != 0 ? 0x807FFFFFu : 0x807FF000u)) | exponent << 23;
}

/* ---- F and Zfh ---- */

struct shape {
    uint32_t match, mask;
    char format[8];
    uint8_t class;
};
enum {
    ALU,
    MUL,
    DIV,
    LOAD,
    STORE,
    BRANCH,
    JAL,
    JALR,
    FENCE,
    SYSTEM,
    CSR,
    AMO,
    FLOAT,
    FLOAD,
    FSTORE,
    VECTOR
};
static const struct shape shapes[] = {
#define RISCV(ID, name, match, mask, format, chips, class) {match, mask, #format, class},
#include "isa/riscv.def"
};

static bool is_division(uint32_t match)
{
    return (match & 0x7Fu) == 0x53u && ((match >> 27) == 3 || (match >> 27) == 11);
}

static uint32_t random_float(void)
{
    for (;;) {
        const struct shape *s = &shapes[any() % (sizeof shapes / sizeof shapes[0])];
        if (s->class != FLOAT || is_division(s->match)) {
            continue;
        }
        const bool fused = strcmp(s->format, "FFFF") == 0;
        const uint32_t rounding =
            (s->mask >> 12 & 7u) == 0 ? ((any() & 1u) != 0 ? 7u : 0u) << 12 : 0;
        const uint32_t rs2 = (s->mask >> 20 & 31u) == 0 ? 2u << 20 : 0;
        const uint32_t to = s->format[0] == 'X' ? 6u : 4u;
        const uint32_t rs1 = strcmp(s->format, "FX") == 0 ? 5u : 1u;
        return s->match | rounding | rs2 | to << 7 | rs1 << 15 | (fused ? 3u << 27 : 0u);
    }
}

/* f1 to f3 and x5 have operands. */
static void put_float(unsigned trial)
{
    const uint32_t word = random_float();
    const bool half = (word >> 25 & 3u) == 2;
    const bool of_half = half ? (word >> 27) != 8 : (word >> 27) == 8;
    for (uint32_t r = 1; r < 4; r++) {
        const uint32_t at = (any() % (DATA / 4)) * 4;
        const bool fused = (word & 0x7Fu) != 0x53u;
        const uint32_t v = float_value(of_half && !fused ? true : half);
        /* Few bits, so that no product is cut and no half becomes a denormal. */
        put32(DATA_AT + at, !fused ? v : half ? v & ~0x1Fu : v & 0xFFFFF000u);
        put_constant(7, BASE + DATA_AT + at);
        put(7u << 15 | 2u << 12 | r << 7 | 0x07u); /* flw */
    }
    put_constant(5, (any() & 1u) != 0 ? any() : any() >> 20);
    put(word);
    tried[trial] = word;
    inexact_sum[trial] = (word & 0x7Fu) != 0x53u && !half;
}

/* ---- V ---- */

struct row {
    const char *name;
    char category;
    uint8_t funct6, forms;
    char kind[16];
    int vs1;
};
enum { OPI = 'I', OPM = 'M', OPF = 'F', FORM_V = 1, FORM_X = 2, FORM_I = 4 };
static const struct row rows[] = {
#define VECTOR(ID, name, category, funct6, forms, kind, vs1) \
    {name, category, funct6, forms, #kind, vs1},
#include "isa/riscv_vector.def"
};

static bool is(const struct row *r, const char *kind)
{
    return strcmp(r->kind, kind) == 0;
}

/* vd 8, vs2 16, vs1 24: groups of up to eight that nothing overlaps. vtype and vl are set here. */
static void put_type(uint32_t bytes, int lmul)
{
    const uint32_t log = bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
    put_constant(7, any() % (any() % 4 == 0 ? 200 : 1 + (16u << (lmul + 3)) / 8 / bytes));
    put((log << 3 | ((uint32_t)lmul & 7u)) << 20 | 7u << 15 | 7u << 12 | 8u << 7 | 0x57u);
}

static int random_lmul(uint32_t bytes, int most)
{
    const int log = bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
    const int least = log - 2; /* LMUL is at least SEW / ELEN */
    return least + (int)(any() % (unsigned)(most - least + 1));
}

static void put_arithmetic(unsigned trial)
{
    const struct row *r;
    do {
        r = &rows[any() % (sizeof rows / sizeof rows[0])];
    } while (is(r, "ABSENT") || strstr(r->name, "rtz") != NULL); /* qemu 7.2 dies of rtz */
    const bool narrow_float = is(r, "CONVERT_WIDE") || is(r, "CONVERT_NARROW");
    const bool wide = strncmp(r->kind, "WIDE", 4) == 0 || is(r, "NARROW") || narrow_float;
    const bool quarter = is(r, "EXTEND") && r->vs1 < 6;
    const bool smaller = is(r, "EXTEND");
    uint32_t bytes = 1u << any() % (wide ? 2 : 3);
    bytes = r->category == OPF ? (narrow_float ? 2 : 4)
            : quarter          ? 4
            : smaller          ? 2u << any() % 2
                               : bytes;
    int lmul = random_lmul(bytes, wide ? 2 : 3);
    const int log = bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
    if (smaller && lmul - log + (quarter ? log - 2 : log - 1) < -2) {
        lmul = 0;
    }
    if (r->funct6 == 14 && r->category == OPI && r->forms == FORM_V) { /* vrgatherei16 */
        lmul = bytes == 1 ? (lmul > 2 ? 2 : lmul) : lmul;
        lmul = bytes == 4 ? (lmul < 0 ? 0 : lmul) : lmul;
    }
    uint8_t form;
    do {
        form = (uint8_t)(1u << any() % 3);
    } while ((r->forms & form) == 0);
    const uint32_t funct3 = r->category == OPI   ? (form == FORM_V   ? 0
                                                    : form == FORM_X ? 4
                                                                     : 3)
                            : r->category == OPF ? (form == FORM_V ? 1 : 5)
                                                 : (form == FORM_V ? 2 : 6);
    uint32_t vs1 = form == FORM_V   ? 24
                   : form == FORM_X ? (r->category == OPF ? 1u : 5u)
                                    : any() % 32;
    uint32_t vs2 = 16;
    bool masked = (any() & 1u) != 0;
    if (is(r, "MASK") || is(r, "COMPRESS") || is(r, "WHOLE") || is(r, "OF_SCALAR") ||
        is(r, "TO_F") || (is(r, "TO_X") && r->vs1 == 0)) {
        masked = false;
    }
    masked = masked || is(r, "CARRY");
    if (is(r, "MERGE") && !masked) {
        vs2 = 0;
    }
    if (is(r, "OF_SCALAR") || (is(r, "IOTA") && r->vs1 == 17)) {
        vs2 = 0;
    }
    vs1 = r->vs1 >= 0 ? (uint32_t)r->vs1 : vs1;
    if (is(r, "WHOLE")) {
        vs1 = (1u << any() % 4) - 1;
    }
    const uint32_t vd = is(r, "TO_X") ? 6 : is(r, "TO_F") ? 4 : 8;
    for (uint32_t i = 0; i < 32; i++) {
        for (uint32_t k = 0; k < 4 && r->category == OPF; k++) {
            put32(DATA_AT + 16 * i + 4 * k, float_value(false) & 0xFFFFF000u);
        }
    }
    put_constant(7, BASE + DATA_AT + (r->category == OPF ? 0 : 16 * (any() % 128)));
    for (uint32_t v = 0; v < 32; v += 8) { /* vl8re8.v */
        put(7u << 29 | 1u << 25 | 8u << 20 | 7u << 15 | v << 7 | 0x07u);
        put(128u << 20 | 7u << 15 | 7u << 7 | 0x13u);
    }
    const uint32_t scalar = any() % (DATA / 4) * 4;
    put_constant(7, BASE + DATA_AT + (r->category == OPF ? scalar % 512 : scalar));
    put(7u << 15 | 2u << 12 | 1u << 7 | 0x07u); /* flw f1 */
    put_constant(5, (any() & 1u) != 0 ? any() : any() % 40);
    put_constant(7, any() & 3u);
    put(0x00Au << 20 | 7u << 15 | 1u << 12 | 0x73u); /* csrw vxrm */
    put_type(bytes, lmul);
    const uint32_t word = (uint32_t)r->funct6 << 26 | (masked ? 0u : 1u << 25) | vs2 << 20 |
                          vs1 << 15 | funct3 << 12 | vd << 7 | 0x57u;
    put(word);
    tried[trial] = word;
    inexact_sum[trial] = r->category == OPF;
}

/* A load or store: unit stride, strided, indexed, segments, whole registers, masks. */
static void put_transfer(unsigned trial)
{
    static const uint32_t widths[3] = {0, 5, 6};
    const bool store = (any() & 1u) != 0;
    const uint32_t log = any() % 3, mop = any() % 4;
    const uint32_t sew_log = mop == 0 || mop == 2 ? log : any() % 3;
    uint32_t kind = mop == 0 && any() % 3 == 0 ? ((any() & 1u) != 0 ? 8u : 11u) : 0;
    kind = mop == 0 && !store && any() % 8 == 0 ? 16u : kind;
    int lmul = random_lmul(1u << sew_log, 3);
    const int index_lmul = lmul - (int)sew_log + (int)log;
    if ((mop == 1 || mop == 3) && (index_lmul > 3 || index_lmul < -2)) {
        lmul = 0;
    }
    const uint32_t group = lmul > 0 ? 1u << lmul : 1u;
    const uint32_t fields = kind == 11 ? 1 : kind == 8 ? 1u << any() % 4 : 1 + any() % (8 / group);
    const bool masked = kind == 0 || kind == 16 ? (any() & 1u) != 0 : false;
    put_constant(7, BASE + DATA_AT + 16 * (any() % 128));
    for (uint32_t v = 0; v < 32; v += 8) {
        put(7u << 29 | 1u << 25 | 8u << 20 | 7u << 15 | v << 7 | 0x07u);
        put(128u << 20 | 7u << 15 | 7u << 7 | 0x13u);
    }
    /* v24 on: indices. */
    put_constant(7, BASE + INDICES_AT + INDICES * log + 4 * (any() % 64));
    put(7u << 29 | 1u << 25 | 8u << 20 | 7u << 15 | 24u << 7 | 0x07u);
    put_constant(9, (any() % 3) * (1u << log) + (any() % 4 == 0 ? 0 : fields << log));
    put_type(1u << sew_log, lmul);
    const uint32_t at = (store ? SCRATCH_AT : DATA_AT) + 4 * (any() % 8);
    put_constant(7, BASE + at);
    const uint32_t word = (fields - 1) << 29 | mop << 26 | (masked ? 0u : 1u << 25) |
                          (mop == 0   ? kind
                           : mop == 2 ? 9u
                                      : 24u)
                              << 20 |
                          7u << 15 |
                          (kind == 11           ? 0u
                           : kind == 8 && store ? 0u
                                                : widths[log])
                              << 12 |
                          8u << 7 | (store ? 0x27u : 0x07u);
    put(word);
    tried[trial] = word;
    inexact_sum[trial] = false;
}

static void make(void)
{
    memset(image, 0, sizeof image);
    words = 0;
    for (uint32_t i = 0; i < DATA; i += 4) {
        put32(DATA_AT + i, any() % 4 == 0 ? float_value(false) : any());
    }
    for (uint32_t i = 0; i < INDICES; i += 4) {
        put32(INDICES_AT + i, any() & 0x3C3C3C3Cu);
        put32(INDICES_AT + INDICES + i, any() & 0x00FC00FCu);
        put32(INDICES_AT + 2 * INDICES + i, any() & 0x000003FCu);
    }
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        put(0x003u << 20 | 1u << 12 | 0x73u); /* csrw fcsr, zero */
        put(0x009u << 20 | 1u << 12 | 0x73u); /* csrw vxsat, zero */
        put_constant(6, 0);
        put(6u << 15 | 4u << 7 | 0xF0000053u); /* fmv.w.x f4, x6 */
        const uint32_t kind = any() % 4;
        if (kind == 0) {
            put_float(trial);
        } else if (kind == 1) {
            put_transfer(trial);
        } else {
            put_arithmetic(trial);
        }
        put_constant(7, BASE + SLOTS_AT + SLOT * trial);
        for (uint32_t v = 0; v < 32; v += 8) { /* vs8r.v */
            put(7u << 29 | 1u << 25 | 8u << 20 | 7u << 15 | v << 7 | 0x27u);
            put(128u << 20 | 7u << 15 | 7u << 7 | 0x13u);
        }
        put(6u << 20 | 7u << 15 | 2u << 12 | 0x23u);            /* sw x6, 0(x7) */
        put(4u << 20 | 7u << 15 | 2u << 12 | 4u << 7 | 0x27u);  /* fsw f4, 4(x7) */
        put(0x003u << 20 | 2u << 12 | 9u << 7 | 0x73u);         /* csrr x9, fcsr */
        put(9u << 20 | 7u << 15 | 2u << 12 | 8u << 7 | 0x23u);  /* sw x9, 8(x7) */
        put(0x009u << 20 | 2u << 12 | 9u << 7 | 0x73u);         /* csrr x9, vxsat */
        put(9u << 20 | 7u << 15 | 2u << 12 | 12u << 7 | 0x23u); /* sw x9, 12(x7) */
    }
    put_constant(10, 1);
    put_constant(11, BASE + SCRATCH_AT);
    put_constant(12, OUT);
    put_constant(17, 64);
    put(0x73); /* write */
    put_constant(10, 0);
    put_constant(17, 93);
    put(0x73); /* exit */
}

static bool ours(bool timed)
{
    memset(l1, 0, sizeof l1);
    memcpy(l1 + BASE, image, sizeof image);
    riscv_open(&core, TX_BLACKHOLE, RISCV_T2);
    core.timed = timed;
    core.env.l1 = l1;
    core.env.l1_size = sizeof l1;
    riscv_release(&core, BASE, false);
    riscv_run(&core, 100000000);
    return core.s.phase == RISCV_PAUSED && core.s.x[17] == 64;
}

static int compare(uint64_t start, bool timed)
{
    const uint8_t *got = l1 + BASE + SCRATCH_AT;
    for (uint32_t i = 0; i < OUT; i++) {
        const uint32_t slot = i < SCRATCH ? 0 : (i - SCRATCH) / SLOT;
        const uint32_t in = i < SCRATCH ? 0 : (i - SCRATCH) % SLOT;
        if (i >= SCRATCH && in / 4 == VECTORS / 4 + 2 && inexact_sum[slot]) {
            continue; /* flags of FP32 products */
        }
        if (got[i] != want[i]) {
            char text[64];
            riscv_text(TX_BLACKHOLE, tried[slot], 0, text, sizeof text);
            printf("seed %llu%s: %s %08x %s: %s byte %u is %02x, qemu has %02x\n",
                   (unsigned long long)start, timed ? ", timed" : "",
                   i < SCRATCH ? "memory; first was" : "trial", (unsigned)tried[slot], text,
                   i < SCRATCH    ? "scratch"
                   : in < VECTORS ? "vectors"
                                  : "x6, f4, fcsr, vxsat",
                   i < SCRATCH    ? i
                   : in < VECTORS ? in
                                  : in - VECTORS,
                   got[i], want[i]);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: campaign_extensions COUNT [SEED]\n");
        return 2;
    }
    if (!qemu_is_there()) {
        printf("skipped: there is no qemu-riscv32 (package qemu-user)\n");
        return 77;
    }
    const uint64_t count = strtoull(argv[1], NULL, 10);
    uint64_t start = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t done = 0;
    for (; done < count; done += TRIALS, start++) {
        seed = start * 0x9E3779B97F4A7C15u;
        make();
        if (!qemu_run("rv32,Zve32f=true,Zfh=true,vlen=128,vext_spec=v1.0", BASE, image,
                      sizeof image, want, OUT)) {
            printf("seed %llu: qemu-riscv32 did not end well\n", (unsigned long long)start);
            return 1;
        }
        for (int timed = 0; timed < 2; timed++) {
            if (!ours(timed != 0)) {
                printf("seed %llu: phase %u, why %u at %08x\n", (unsigned long long)start,
                       core.s.phase, core.s.why, (unsigned)core.s.pc);
                return 1;
            }
            if (compare(start, timed != 0) != 0) {
                return 1;
            }
        }
    }
    printf("bh: %llu instructions of F, Zfh and V with what they leave in registers and memory as "
           "qemu-riscv32 has it, untimed and timed\n",
           (unsigned long long)done);
    return 0;
}
