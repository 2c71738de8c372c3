/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multiply-add of the present chip. A caller with many lanes runs a body twice: the first time
 * the body only returns its operands, and when all lanes have been computed together it continues
 * with the result. A body multiplies at most once.
 */
#ifndef TX_SEM_FMA_H
#define TX_SEM_FMA_H

#include "sem/sem.h"
#include "num/fp32_fma_bh.h"
#include "num/fp32_fma_wh.h"

TX_INLINE uint32_t sem_fma(const struct sem_in *in, uint32_t x, uint32_t y, uint32_t z)
{
    if (in->terms != NULL) {
        in->terms[0] = x;
        in->terms[1] = y;
        in->terms[2] = z;
        return 0;
    }
    if (in->known) {
        return in->sum;
    }
    return in->arithmetic_bh ? fp32_fma_bh(x, y, z) : fp32_fma_wh(x, y, z);
}

#endif
