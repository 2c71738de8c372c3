/* SPDX-License-Identifier: Apache-2.0 */
/* Shift by a signed amount, modulo 32: to the left, or to the right if it is negative. */
#ifndef TX_SEM_SHIFT_H
#define TX_SEM_SHIFT_H

#include "sem/sem.h"

static inline uint32_t sem_shift(uint32_t x, uint32_t amount, bool arithmetic)
{
    if ((amount & SIGN32) == 0) {
        return x << (amount & 31u);
    }
    const unsigned right = (0u - amount) & 31u;
    const uint32_t fill = arithmetic && (x & SIGN32) != 0 ? ~(0xFFFFFFFFu >> right) : 0;
    return x >> right | fill;
}

#endif
