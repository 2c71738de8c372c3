/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of RISC-V instructions that takes more than an expression. */
#ifndef TX_RISCV_ALU_H
#define TX_RISCV_ALU_H

#include "base/bits.h"
#include "riscv/riscv.h"

static inline uint32_t alu_sra(uint32_t a, uint32_t n)
{
    const uint32_t fill = (a & SIGN32) != 0 ? ~(0xFFFFFFFFu >> n) : 0u;
    return a >> n | fill;
}

static inline uint32_t alu_ror(uint32_t a, uint32_t n)
{
    return a >> (n & 31u) | a << ((0u - n) & 31u);
}

static inline uint32_t alu_div(uint32_t a, uint32_t b)
{
    if (b == 0) {
        return 0xFFFFFFFFu;
    }
    return a == SIGN32 && b == 0xFFFFFFFFu ? a : (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t alu_rem(uint32_t a, uint32_t b)
{
    if (b == 0) {
        return a;
    }
    return a == SIGN32 && b == 0xFFFFFFFFu ? 0u : (uint32_t)((int32_t)a % (int32_t)b);
}

static inline uint32_t alu_cpop(uint32_t a)
{
    a = a - (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    return ((a + (a >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}

/* Returns a with each byte that is not 0 replaced by FF. */
static inline uint32_t alu_orc_b(uint32_t a)
{
    uint32_t out = 0;
    for (unsigned byte = 0; byte < 32; byte += 8) {
        out |= (a >> byte & 0xFFu) != 0 ? 0xFFu << byte : 0u;
    }
    return out;
}

/* Returns a with its bits permuted: bit k of the result is bit k xor n of a. */
static inline uint32_t alu_grev(uint32_t a, uint32_t n)
{
    static const uint32_t low[5] = {0x55555555u, 0x33333333u, 0x0F0F0F0Fu, 0x00FF00FFu,
                                    0x0000FFFFu};
    for (unsigned k = 0; k < 5; k++) {
        if ((n >> k & 1u) != 0) {
            a = (a & low[k]) << (1u << k) | (a >> (1u << k) & low[k]);
        }
    }
    return a;
}

static inline uint32_t alu_atomic(enum riscv_id id, uint32_t a, uint32_t b)
{
    switch (id) {
    case RISCV_AMOADD_W:
        return a + b;
    case RISCV_AMOSWAP_W:
        return b;
    case RISCV_AMOXOR_W:
        return a ^ b;
    case RISCV_AMOOR_W:
        return a | b;
    case RISCV_AMOAND_W:
        return a & b;
    case RISCV_AMOMIN_W:
        return (int32_t)a < (int32_t)b ? a : b;
    case RISCV_AMOMAX_W:
        return (int32_t)a < (int32_t)b ? b : a;
    case RISCV_AMOMINU_W:
        return a < b ? a : b;
    default: /* AMOMAXU_W */
        return a < b ? b : a;
    }
}

static inline bool alu_taken(enum riscv_id id, uint32_t a, uint32_t b)
{
    switch (id) {
    case RISCV_BEQ:
        return a == b;
    case RISCV_BNE:
        return a != b;
    case RISCV_BLT:
        return (int32_t)a < (int32_t)b;
    case RISCV_BGE:
        return (int32_t)a >= (int32_t)b;
    case RISCV_BLTU:
        return a < b;
    default: /* BGEU */
        return a >= b;
    }
}

#endif
