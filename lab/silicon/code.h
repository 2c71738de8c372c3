/* SPDX-License-Identifier: Apache-2.0 */
/* Words of RISC-V instructions for the programs behind rows. */
#ifndef TXL_SILICON_CODE_H
#define TXL_SILICON_CODE_H

#include <tensix/base.h>

#include <stdint.h>

enum { X0, T0 = 5, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7, S2, S3, S4, S5, S6, S7, S8 };
enum { SILICON_WORDS = 4096 };

struct code {
    uint32_t word[SILICON_WORDS];
    unsigned count;
    enum tx_arch arch;
};

static inline void put(struct code *c, uint32_t word)
{
    if (c->count < SILICON_WORDS) {
        c->word[c->count++] = word;
    }
}

static inline void addi(struct code *c, unsigned rd, unsigned rs, int imm)
{
    put(c, (uint32_t)imm << 20 | rs << 15 | rd << 7 | 0x13u);
}

static inline void li(struct code *c, unsigned rd, uint32_t value)
{
    put(c, ((value + 0x800u) & 0xFFFFF000u) | rd << 7 | 0x37u);
    addi(c, rd, rd, (int)(value & 0xFFFu));
}

static inline void lw(struct code *c, unsigned rd, unsigned base, int imm)
{
    put(c, (uint32_t)imm << 20 | base << 15 | 2u << 12 | rd << 7 | 0x03u);
}

static inline void sw(struct code *c, unsigned rs, unsigned base, int imm)
{
    const uint32_t i = (uint32_t)imm;
    put(c, (i >> 5 & 127u) << 25 | rs << 20 | base << 15 | 2u << 12 | (i & 31u) << 7 | 0x23u);
}

/* Branches back to word "to". kind: 0 equal, 1 not equal, 6 below. */
static inline void branch(struct code *c, unsigned kind, unsigned a, unsigned b, unsigned to)
{
    const uint32_t i = 4 * to - 4 * c->count;
    put(c, (i >> 12 & 1u) << 31 | (i >> 5 & 63u) << 25 | b << 20 | a << 15 | kind << 12 |
               (i >> 1 & 15u) << 8 | (i >> 11 & 1u) << 7 | 0x63u);
}

#endif
