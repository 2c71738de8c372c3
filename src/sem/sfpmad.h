/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI: one multiply-add, of the operands that
 * isa/multiply_add.def states. ADD and MUL use the same datapath with their encoded VA and VC; VC
 * of the immediate forms is VD unless a macro supplies it.
 */
#ifndef TX_SEM_SFPMAD_H
#define TX_SEM_SFPMAD_H

#include "sem/sem.h"
#include "sem/fma.h"

TX_INLINE uint32_t sem_term(const struct tx_op *op, const struct sem_in *in, enum tx_term term)
{
    switch (term) {
    case TX_TERM_VA:
        return in->a;
    case TX_TERM_VB:
        return in->b;
    case TX_TERM_VC:
        return in->c;
    case TX_TERM_IMM:
        return op->imm << 16;
    case TX_TERM_ONE:
        return 0x3F800000u;
    case TX_TERM_ZERO:
        break;
    }
    return 0;
}

TX_INLINE uint32_t sem_minus(const struct tx_op *op, const struct sem_in *in, unsigned bits)
{
    return in->arithmetic_bh && (op->mode & bits) != 0 ? SIGN32 : 0;
}

#define TERMS(mnemonic, body, x, y, z, product, addend)                                \
    SEM_BODY(body)                                                                     \
    {                                                                                  \
        const uint32_t a = sem_term(op, in, TX_TERM_##x) ^ sem_minus(op, in, product); \
        const uint32_t c = sem_term(op, in, TX_TERM_##z) ^ sem_minus(op, in, addend);  \
        return sem_value(in, sem_fma(in, a, sem_term(op, in, TX_TERM_##y), c));        \
    }
#include "isa/multiply_add.def"

#endif
