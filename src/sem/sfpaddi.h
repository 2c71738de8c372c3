/* SPDX-License-Identifier: Apache-2.0 */
/* SFPADDI: bf16 immediate times one, plus VC, which is VD unless a macro supplies it. */
#ifndef TX_SEM_SFPADDI_H
#define TX_SEM_SFPADDI_H

#include "sem/sem.h"
#include "sem/fma.h"

SEM_BODY(sfpaddi)
{
    const uint32_t negate = in->blackhole && (op->mode & 2u) != 0 ? SIGN32 : 0;
    return sem_value(in, sem_fma(in, op->imm << 16, 0x3F800000u, in->c ^ negate));
}

#endif
