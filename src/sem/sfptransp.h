/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPTRANSP: within each column, row j of register i and row i of register j change places, for
 * registers base .. base + 3.
 */
#ifndef TX_SEM_SFPTRANSP_H
#define TX_SEM_SFPTRANSP_H

#include "sem/sem.h"

static inline void transp_four(const uint32_t in[8][32], uint32_t out[8][32], unsigned base)
{
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned lane = 0; lane < 32; lane++) {
            out[base + i][lane] = in[base + (lane >> 3)][8 * i + (lane & 7u)];
        }
    }
}

#endif
