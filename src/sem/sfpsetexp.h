/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSETEXP: VC with another exponent: an immediate (bit 0), the exponent of VB as FP32 (bit 1), or
 * VB's low byte.
 */
#ifndef TX_SEM_SFPSETEXP_H
#define TX_SEM_SFPSETEXP_H

#include "sem/sem.h"

SEM_BODY(sfpsetexp)
{
    uint32_t exp = in->b & 255u;
    if ((op->mode & TX_MOD_SFPSETEXP_ARG_IMM) != 0) {
        exp = op->imm;
    } else if ((op->mode & TX_MOD_SFPSETEXP_ARG_EXPONENT) != 0) {
        exp = (in->b >> 23) & 255u;
    }
    return sem_value(in, (in->c & 0x807FFFFFu) | exp << 23);
}

#endif
