/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSHFT2. Modes 5 and 6 are plain shifts of VB; the others move whole vectors between lanes and,
 * in modes 0 to 2, registers. Rows are groups of eight lanes.
 */
#ifndef TX_SEM_SFPSHFT2_H
#define TX_SEM_SFPSHFT2_H

#include "sem/sem.h"
#include "sem/shift.h"

SEM_BODY(sfpshft2_lreg)
{
    (void)op;
    return sem_value(in, sem_shift(in->b, in->c, false));
}

/* The immediate gives both the register (its low four bits, resolved in decode) and the amount. */
SEM_BODY(sfpshft2_imm)
{
    return sem_value(in, sem_shift(in->b, (uint32_t)bits_sext(op->imm, 12), false));
}

/* Each row rotated right by one lane. */
static inline void shft2_rotate(const uint32_t in[32], uint32_t out[32])
{
    for (unsigned lane = 0; lane < 32; lane++) {
        out[lane] = in[(lane & 24u) | ((lane + 7u) & 7u)];
    }
}

/* Rows move up by one; the last becomes zero. */
static inline void shft2_rows_up(const uint32_t in[32], uint32_t out[32])
{
    for (unsigned lane = 0; lane < 32; lane++) {
        out[lane] = lane < 24 ? in[lane + 8] : 0;
    }
}

#endif
