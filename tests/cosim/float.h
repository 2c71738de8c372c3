/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F and V of the RISC-V cores, in straight programs: a word is the seed of an instruction with
 * fresh operands in some of its registers. All registers are stored at the end. Of V the registers
 * are stored behind each instruction.
 */
#ifndef TESTS_COSIM_FLOAT_H
#define TESTS_COSIM_FLOAT_H

#include "cosim/cores.h"

enum {
    FLOAT_WORDS = 48,
    FLOAT_X = 16,      /* x1 to x15 are operands */
    FLOAT_BASE = 31,   /* x31 points to the data */
    FLOAT_DATA = 2048, /* of loads and stores; registers follow */
    FLW = 0x2007,
    FSW = 0x2027,
    FMV_W_X = 0xF0000053,
    ECALL = 0x73
};

struct float_shape {
    uint32_t match, mask;
    const char *format;
    bool takes;
};
#define IS_FLOAT true
#define IS_FLOAD true
#define IS_FSTORE true
#define IS_ALU false
#define IS_MUL false
#define IS_DIV false
#define IS_LOAD false
#define IS_STORE false
#define IS_BRANCH false
#define IS_JAL false
#define IS_JALR false
#define IS_FENCE false
#define IS_SYSTEM false
#define IS_CSR false
#define IS_AMO false
#define IS_VECTOR false
static const struct float_shape float_shapes[] = {
#define RISCV(ID, name, match, mask, format, chips, class) {match, mask, #format, IS_##class},
#include "isa/riscv.def"
};
enum { FLOAT_SHAPES = sizeof float_shapes / sizeof float_shapes[0] };

/* An instruction of an S immediate. */
static uint32_t stores_at(uint32_t word, uint32_t at)
{
    return word | (at >> 5 & 127u) << 25 | (at & 31u) << 7;
}

/* Any pattern, ordinary values, values whose exponents are close together, halves, specials. */
static uint32_t float_operand(struct bridge_rng *r)
{
    static const uint32_t special[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                       0x7F800001, 0x3F800000, 0xBF800000, 0x00800000, 0x807FFFFF,
                                       0x7F7FFFFF, 0x4F000000, 0xCF000000, 0x4F800000, 0x3F000000};
    const uint32_t v = bridge_u32(r);
    switch (draw_below(r, 8)) {
    case 0:
        return special[draw_below(r, sizeof special / sizeof *special)];
    case 1:
        return v;
    case 2:
        return bridge_value(r);
    case 3: /* integers, halves of them */
        return (v & 0x80000000u) | (127 + draw_below(r, 40)) << 23 |
               (v & 0x7FFFFFu & ~0u << draw_below(r, 24));
    default:
        return (v & 0x807FFFFFu) | (117 + draw_below(r, 20)) << 23;
    }
}

/* Of Zfh, or a division: what the other side does not have is drawn now and then. */
static bool is_rare(const struct float_shape *s)
{
    const uint32_t opcode = s->match & 0x7Fu;
    const uint32_t function = s->match >> 27;
    if (opcode == (FLW & 0x7F) || opcode == (FSW & 0x7F)) {
        return (s->match >> 12 & 7u) == 1;
    }
    return (s->match >> 25 & 3u) == 2 || function == 8 ||
           (opcode == 0x53 && (function == 3 || function == 11));
}

static uint32_t float_word(struct bridge_rng *r)
{
    const struct float_shape *s;
    do {
        s = &float_shapes[draw_below(r, FLOAT_SHAPES)];
    } while (!s->takes || (is_rare(s) && !draw_one_in(r, 32)));
    const uint32_t f = draw_below(r, 32);
    const uint32_t at = 4 * draw_below(r, FLOAT_DATA / 4);
    if (strcmp(s->format, "FLOADS") == 0) {
        return s->match | at << 20 | FLOAT_BASE << 15 | f << 7;
    }
    if (strcmp(s->format, "FSTORES") == 0) {
        return stores_at(s->match | f << 20 | FLOAT_BASE << 15, at);
    }
    const uint32_t rd = s->format[0] == 'X' ? draw_below(r, FLOAT_X) : f;
    const uint32_t rs1 = s->format[1] == 'X' ? draw_below(r, FLOAT_X) : draw_below(r, 32);
    const uint32_t rounding = draw_one_in(r, 32) ? draw_below(r, 5) : 7;
    return s->match | rd << 7 | rs1 << 15 |
           (((bridge_u32(r) & 0xF9F00000u) | rounding << 12) & ~s->mask);
}

/* Some of the registers that an instruction reads have new values before it. */
static void put_operands(struct cosim *c, uint32_t word)
{
    struct cores *k = c->own;
    struct bridge_rng *r = &c->random;
    const uint32_t registers[3] = {word >> 15 & 31u, word >> 20 & 31u, word >> 27 & 31u};
    for (unsigned i = 0; i < 3; i++) {
        if (draw_one_in(r, 4)) {
            continue;
        }
        put_constant(&k->program, 16, float_operand(r));
        put(&k->program, FMV_W_X | 16u << 15 | registers[i] << 7);
    }
    if (registers[0] > 0 && registers[0] < FLOAT_X && draw_one_in(r, 2)) {
        put_constant(&k->program, registers[0], bridge_value(r));
    }
}

static void float_start(struct cores *k)
{
    k->program.count = 0;
    put_constant(&k->program, FLOAT_BASE, PROGRAM_OUT_AT);
}

/* The last words are as in program.h: a core of ours stops at the first of CORE_TAIL. */
static void float_end(struct cores *k)
{
    put_constant(&k->program, 17, 64);
    put(&k->program, ECALL);
    for (unsigned i = 1; i < CORE_TAIL; i++) {
        put(&k->program, 0x13);
    }
}

/* ---- F ---- */

static void float_make(struct cosim *c, const uint32_t *words, unsigned count)
{
    struct cores *k = c->own;
    struct bridge_rng *r = &c->random;
    float_start(k);
    if (c->arch == TX_BLACKHOLE) {
        r->s = cosim_mix(c->seed, k->number);
        for (unsigned i = 0; i < 32; i++) {
            put_constant(&k->program, 16, float_operand(r));
            put(&k->program, FMV_W_X | 16u << 15 | i << 7);
        }
    }
    for (unsigned i = 1; i < FLOAT_X; i++) {
        put_constant(&k->program, i, i);
    }
    for (unsigned i = 0; i < count; i++) {
        r->s = cosim_mix(words[i], 0x466C6F);
        const uint32_t word = float_word(r);
        k->begins[i] = k->program.count;
        put_operands(c, word);
        put(&k->program, word);
        k->last = word;
    }
    k->ends = k->program.count;
    put_constant(&k->program, FLOAT_BASE, PROGRAM_OUT_AT + PROGRAM_DATA / 2);
    for (unsigned i = 0; i < 32 && c->arch == TX_BLACKHOLE; i++) {
        put(&k->program, stores_at(FSW | i << 20 | FLOAT_BASE << 15, 4 * i + FLOAT_DATA / 2));
    }
    for (unsigned i = 0; i < FLOAT_X; i++) {
        put(&k->program,
            stores_at(0x2023 | i << 20 | FLOAT_BASE << 15, 4 * i + FLOAT_DATA / 2 + 128));
    }
    float_end(k);
}

static void float_draw(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    for (c->count = 0; c->count < FLOAT_WORDS; c->count++) {
        c->words[c->count] = bridge_u32(r);
    }
}

static void float_class_open(struct cosim *c)
{
    cores_begin(c, 1, float_draw, float_make);
}

static const struct known float_known[] = {{.id = NULL}};
static const struct steps float_steps = {float_class_open, cores_close, cores_first,
                                         cores_again,      cores_name,  cores_text};
static const struct kind float_class = {
    .name = "f", .unit = "instructions", .steps = &float_steps, .absent = 1, .known = float_known};

/* ---- V, with four elements of 32 bits in each register ---- */

enum {
    VECTOR_BYTES = 16,
    VSETIVLI = 0xCD027057, /* zero, 4, e32, m1, tu, mu */
    VMV_V_X = 0x5E004057,
    VLE32 = 0x02006007,
    VSE32 = 0x02006027,
    VS1R = 0x02800027
};
struct vector_shape {
    char category;
    uint8_t funct6, forms;
    const char *kind;
    int vs1;
};
static const struct vector_shape vector_shapes[] = {
#define OPI 'I'
#define OPM 'M'
#define OPF 'F'
#define FORM_V 1
#define FORM_X 2
#define FORM_I 4
#define VECTOR(ID, name, category, funct6, forms, kind, vs1) {category, funct6, forms, #kind, vs1},
#include "isa/riscv_vector.def"
#undef OPI
#undef OPM
#undef OPF
#undef FORM_V
#undef FORM_X
#undef FORM_I
};
enum { VECTOR_SHAPES = sizeof vector_shapes / sizeof vector_shapes[0] };

/* Of those whose operands and results are single registers, no two of them the same. */
static uint32_t vector_insn(struct bridge_rng *r)
{
    static const char *const groups[] = {"WIDE", "NARROW", "CONVERT_", "EXTEND", "WHOLE", "ABSENT"};
    const uint32_t vd = 8 + draw_below(r, 8);
    const uint32_t vs2 = 16 + draw_below(r, 8);
    if (draw_one_in(r, 4)) {
        return draw_one_in(r, 2) ? VLE32 | 16u << 15 | vd << 7 : VSE32 | 16u << 15 | vd << 7;
    }
    for (;;) {
        const struct vector_shape *s = &vector_shapes[draw_below(r, VECTOR_SHAPES)];
        bool group = s->vs1 >= 0;
        for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
            group = group || strncmp(s->kind, groups[i], strlen(groups[i])) == 0;
        }
        if (group || strcmp(s->kind, "CARRY") == 0 || strcmp(s->kind, "MERGE") == 0 ||
            strcmp(s->kind, "MASK") == 0 || strcmp(s->kind, "COMPRESS") == 0 ||
            strncmp(s->kind, "TO_", 3) == 0 || strcmp(s->kind, "OF_SCALAR") == 0 ||
            (s->forms & 1u) == 0) {
            continue;
        }
        const uint32_t funct3 = s->category == 'I' ? 0 : s->category == 'F' ? 1 : 2;
        return (uint32_t)s->funct6 << 26 | 1u << 25 | vs2 << 20 | (24 + draw_below(r, 8)) << 15 |
               funct3 << 12 | vd << 7 | 0x57u;
    }
}

static void vector_make(struct cosim *c, const uint32_t *words, unsigned count)
{
    struct cores *k = c->own;
    struct bridge_rng *r = &c->random;
    float_start(k);
    for (unsigned i = 0; i < count; i++) {
        r->s = cosim_mix(words[i], 0x566563);
        k->begins[i] = k->program.count;
        put_constant(&k->program, 16, PROGRAM_OUT_AT + VECTOR_BYTES * draw_below(r, 64));
        put(&k->program, VSETIVLI);
        for (unsigned v = 8; v < 32; v += 8) { /* an operand of each kind */
            put_constant(&k->program, 15, float_operand(r));
            put(&k->program, VMV_V_X | 15u << 15 | (v + draw_below(r, 8)) << 7);
        }
        k->last = vector_insn(r);
        put(&k->program, k->last);
        put_constant(&k->program, 16, PROGRAM_OUT_AT + FLOAT_DATA + VECTOR_BYTES * (i % 64));
        put(&k->program, VS1R | 16u << 15 | (k->last >> 7 & 31u) << 7);
    }
    k->ends = k->program.count;
    float_end(k);
}

static void vector_class_open(struct cosim *c)
{
    cores_begin(c, 2, float_draw, vector_make);
}

static const struct steps vector_core_steps = {vector_class_open, cores_close, cores_first,
                                               cores_again,       cores_name,  cores_text};
static const struct kind vector_core_class = {
    .name = "v", .unit = "instructions", .steps = &vector_core_steps, .absent = 3};

#endif
