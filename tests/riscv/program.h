/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A random program that a core of ours and an RV32 Linux program can both run: it sets its
 * registers, executes random instructions several times over, stores its registers behind the data
 * it worked on, and hands all of that to write(1, ...).
 */
#ifndef TESTS_RISCV_PROGRAM_H
#define TESTS_RISCV_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PROGRAM_BASE = 0x10000,
    PROGRAM_BODY = 20000, /* instructions at most */
    PROGRAM_WORDS = PROGRAM_BODY + 300,
    PROGRAM_DATA = 4096, /* bytes, then 32 registers */
    PROGRAM_OUT = PROGRAM_DATA + 128,
    PROGRAM_OUT_AT = PROGRAM_BASE + 4 * PROGRAM_WORDS
};

struct program {
    uint32_t words[PROGRAM_WORDS];
    unsigned count;
    uint64_t seed;
};

static inline uint32_t program_random(struct program *p)
{
    p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->seed >> 32);
}

static inline void put(struct program *p, uint32_t word)
{
    p->words[p->count++] = word;
}

/* lui, addi */
static inline void put_constant(struct program *p, unsigned rd, uint32_t value)
{
    put(p, ((value + 0x800u) & 0xFFFFF000u) | rd << 7 | 0x37u);
    put(p, value << 20 | rd << 15 | rd << 7 | 0x13u);
}

/* x30 counts loops, x31 points into the data: no random instruction writes them. */
static inline unsigned random_rd(struct program *p)
{
    return program_random(p) % 30;
}

struct shape {
    uint32_t match, mask;
    char format; /* R I h(shift) S B U J A(atomic) -: takes no part */
    bool both;   /* on both chips */
};

enum { BOTH_CHIPS = 6, BH_ONLY = 4 };
#define FORMAT_R 'R'
#define FORMAT_I 'I'
#define FORMAT_SHIFT 'h'
#define FORMAT_S 'S'
#define FORMAT_B 'B'
#define FORMAT_U 'U'
#define FORMAT_J 'J'
#define FORMAT_AMO 'A'
#define FORMAT_CSR '-'
#define FORMAT_CSRI '-'
#define FORMAT_NONE '-'
/* F, Zfh and V have a program of their own: campaign_extensions.c. */
#define FORMAT_FLOADS '-'
#define FORMAT_FSTORES '-'
#define FORMAT_FF '-'
#define FORMAT_FFF '-'
#define FORMAT_FFFF '-'
#define FORMAT_FX '-'
#define FORMAT_XF '-'
#define FORMAT_XFF '-'
#define FORMAT_VECTOR '-'

static const struct shape program_shapes[] = {
#define BOTH true
#define BH false
#define RISCV(ID, name, match, mask, format, chips, class) {match, mask, FORMAT_##format, chips},
#include "isa/riscv.def"
#undef BOTH
#undef BH
};
enum { PROGRAM_SHAPES = sizeof program_shapes / sizeof program_shapes[0] };

static inline uint32_t branch_bits(uint32_t offset)
{
    return (offset >> 12 & 1u) << 31 | (offset >> 5 & 63u) << 25 | (offset >> 1 & 15u) << 8 |
           (offset >> 11 & 1u) << 7;
}

static inline uint32_t jump_bits(uint32_t offset)
{
    return (offset >> 20 & 1u) << 31 | (offset >> 1 & 1023u) << 21 | (offset >> 11 & 1u) << 20 |
           (offset >> 12 & 255u) << 12;
}

enum { OP_LOAD = 0x03, OP_STORE = 0x23, OP_JALR = 0x67 };

/* How far loads and stores reach from x31, aligned to what funct3 says. */
static inline uint32_t random_offset(struct program *p, uint32_t match)
{
    const uint32_t size = 1u << (match >> 12 & 3u);
    return (program_random(p) % PROGRAM_DATA - PROGRAM_DATA / 2) & ~(size - 1u);
}

/* One instruction, or the two of a jump to a register; left: how many may follow. */
static inline void put_random(struct program *p, const struct shape *s, unsigned left,
                              bool *targeted)
{
    const uint32_t rd = random_rd(p) << 7;
    const uint32_t rs1 = program_random(p) % 32 << 15;
    const uint32_t rs2 = program_random(p) % 32 << 20;
    const uint32_t ahead = 1 + program_random(p) % 8;
    const uint32_t offset = 4 * (ahead < left ? ahead : left);
    const unsigned here = p->count;
    switch (s->format) {
    case 'R':
        put(p, s->match | rd | rs1 | rs2);
        return;
    case 'h':
        /* grevi: only the two controls that ratified extensions have, rev8 and brev8. */
        put(p, s->match | rd | rs1 |
                   (s->match >> 25 == 0x34 ? (program_random(p) & 1u) != 0 ? 24u << 20 : 7u << 20
                                           : rs2 & 31u << 20));
        return;
    case 'I':
        if ((s->match & 127u) == OP_LOAD) {
            put(p, s->match | rd | 31u << 15 | random_offset(p, s->match) << 20);
        } else if ((s->match & 127u) != OP_JALR) {
            put(p, s->match | rd | rs1 | (program_random(p) & ~s->mask & 0xFFF00000u));
        } else if (!targeted[here + 1] && left > 2) {
            put(p, 29u << 7 | 0x17u); /* auipc x29, 0 */
            put(p, s->match | rd | 29u << 15 | (4 + offset) << 20);
            targeted[here + 1 + offset / 4] = true;
        }
        return;
    case 'S': {
        const uint32_t at = random_offset(p, s->match);
        put(p, s->match | 31u << 15 | rs2 | (at >> 5 & 127u) << 25 | (at & 31u) << 7);
        return;
    }
    case 'B':
        put(p, s->match | rs1 | rs2 | branch_bits(offset));
        targeted[here + offset / 4] = true;
        return;
    case 'U':
        put(p, s->match | rd | (program_random(p) & 0xFFFFF000u));
        return;
    case 'J':
        put(p, s->match | rd | jump_bits(offset));
        targeted[here + offset / 4] = true;
        return;
    case 'A':
        put(p, s->match | rd | 31u << 15 | rs2 | (program_random(p) & 3u << 25));
        return;
    default:
        return;
    }
}

/* "size" instructions, executed so many times over. */
static inline void program_make(struct program *p, uint64_t seed, bool both_chips, unsigned size,
                                unsigned loops)
{
    static bool targeted[PROGRAM_WORDS + 16];
    for (unsigned i = 0; i < PROGRAM_WORDS + 16; i++) {
        targeted[i] = false;
    }
    p->seed = seed;
    p->count = 0;
    for (unsigned r = 1; r < 30; r++) {
        const uint32_t v = program_random(p);
        put_constant(p, r, (v & 7u) == 0 ? v >> 20 : (v & 7u) == 1 ? 0u - (v >> 24) : v);
    }
    put_constant(p, 30, loops);
    put_constant(p, 31, PROGRAM_OUT_AT + PROGRAM_DATA / 2);
    const unsigned body = p->count;
    while (p->count < body + size) {
        const struct shape *s = &program_shapes[program_random(p) % PROGRAM_SHAPES];
        if (s->both || !both_chips) {
            put_random(p, s, body + size + 2 - p->count, targeted);
        }
    }
    while (p->count < body + size + 10) { /* where the last jumps may land */
        put(p, 0x13);
    }
    put(p, (uint32_t)-1 << 20 | 30u << 15 | 30u << 7 | 0x13u); /* addi x30, x30, -1 */
    put(p, 30u << 15 | branch_bits(8) | 0x63u);                /* beqz x30, 2 on */
    put(p, jump_bits(4 * (body - p->count)) | 0x6Fu);          /* j body */
    for (unsigned r = 0; r < 31; r++) {                        /* sw, 4 * r into the registers */
        const uint32_t at = 4 * r + (PROGRAM_DATA / 2 - 1920);
        if (r == 0) {
            put(p, 1920u << 20 | 31u << 15 | 31u << 7 | 0x13u); /* addi x31, x31, 1920 */
        }
        put(p, (at >> 5 & 127u) << 25 | r << 20 | 31u << 15 | 2u << 12 | (at & 31u) << 7 | 0x23u);
    }
    put_constant(p, 10, 1);
    put_constant(p, 11, PROGRAM_OUT_AT);
    put_constant(p, 12, PROGRAM_OUT);
    put_constant(p, 17, 64);
    put(p, 0x73); /* write */
    put_constant(p, 10, 0);
    put_constant(p, 17, 93);
    put(p, 0x73); /* exit */
}

#endif
