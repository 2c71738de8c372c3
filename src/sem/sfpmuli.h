/* SPDX-License-Identifier: Apache-2.0 */
/* SFPMULI: bf16 immediate times VC, plus +0. */
#ifndef TX_SEM_SFPMULI_H
#define TX_SEM_SFPMULI_H

#include "sem/sem.h"
#include "sem/fma.h"

SEM_BODY(sfpmuli)
{
    const uint32_t negate = in->blackhole && (op->mode & 2u) != 0 ? SIGN32 : 0;
    return sem_value(in, sem_fma(in, op->imm << 16, in->c ^ negate, 0));
}

#endif
