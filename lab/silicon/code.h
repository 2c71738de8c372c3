/* SPDX-License-Identifier: Apache-2.0 */
/* Words of RISC-V instructions for the programs behind rows. */
#ifndef TXL_SILICON_CODE_H
#define TXL_SILICON_CODE_H

#include <tensix/tile.h>

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
    put(c, tx_core_encode(TX_CORE_INSN_ADDI, rd, rs, 0, (uint32_t)imm));
}

static inline void add(struct code *c, unsigned rd, unsigned a, unsigned b)
{
    put(c, tx_core_encode(TX_CORE_INSN_ADD, rd, a, b, 0));
}

static inline void li(struct code *c, unsigned rd, uint32_t value)
{
    put(c, tx_core_encode(TX_CORE_INSN_LUI, rd, 0, 0, value + 0x800u));
    addi(c, rd, rd, (int)(value & 0xFFFu));
}

static inline void lw(struct code *c, unsigned rd, unsigned base, int imm)
{
    put(c, tx_core_encode(TX_CORE_INSN_LW, rd, base, 0, (uint32_t)imm));
}

static inline void sw(struct code *c, unsigned rs, unsigned base, int imm)
{
    put(c, tx_core_encode(TX_CORE_INSN_SW, 0, base, rs, (uint32_t)imm));
}

/* Branches back to word "to". kind: 0 equal, 1 not equal, 6 below. */
static inline void branch(struct code *c, unsigned kind, unsigned a, unsigned b, unsigned to)
{
    const enum tx_core_insn_id id = kind == 0   ? TX_CORE_INSN_BEQ
                                    : kind == 1 ? TX_CORE_INSN_BNE
                                                : TX_CORE_INSN_BLTU;
    put(c, tx_core_encode(id, 0, a, b, 4 * to - 4 * c->count));
}

static inline void fence(struct code *c)
{
    put(c, tx_core_encode(TX_CORE_INSN_FENCE, 0, 0, 0, 0));
}

#endif
