/* SPDX-License-Identifier: Apache-2.0 */
/* The multiply-add of the chip at hand. */
#ifndef TX_SEM_FMA_H
#define TX_SEM_FMA_H

#include "sem/sem.h"
#include "num/fp32_fma_bh.h"
#include "num/fp32_fma_wh.h"

TX_INLINE uint32_t sem_fma(const struct sem_in *in, uint32_t x, uint32_t y, uint32_t z)
{
    return in->blackhole ? fp32_fma_bh(x, y, z) : fp32_fma_wh(x, y, z);
}

#endif
