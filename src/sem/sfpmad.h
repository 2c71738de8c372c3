/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPMAD, SFPADD, SFPMUL: VA * VB + VC. Mod1 bits 0 and 1 negate on Blackhole only; on Wormhole
 * they are reserved and ignored. ADD and MUL use the same datapath with their encoded VA and VC.
 */
#ifndef TX_SEM_SFPMAD_H
#define TX_SEM_SFPMAD_H

#include "sem/sem.h"
#include "sem/fma.h"

SEM_BODY(sfpmad)
{
    uint32_t a = in->a;
    uint32_t c = in->c;
    if (in->blackhole) {
        a ^= (op->mode & 1u) != 0 ? SIGN32 : 0;
        c ^= (op->mode & 2u) != 0 ? SIGN32 : 0;
    }
    return sem_value(in, sem_fma(in, a, in->b, c));
}

#endif
