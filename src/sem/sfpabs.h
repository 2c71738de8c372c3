/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPABS: of two's complement (-2^31 is unchanged), or of FP32, where -NaN keeps its sign and -Inf
 * does not.
 */
#ifndef TX_SEM_SFPABS_H
#define TX_SEM_SFPABS_H

#include "sem/sem.h"

SEM_BODY(sfpabs)
{
    const uint32_t c = in->c;
    if ((op->mode & TX_MOD_SFPABS_FLOAT) != 0) {
        return sem_value(in, c > 0xFF800000u ? c : c & 0x7FFFFFFFu);
    }
    return sem_value(in, (c & SIGN32) != 0 ? 0u - c : c);
}

#endif
