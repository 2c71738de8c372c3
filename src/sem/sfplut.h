/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLUT: three linear pieces over |L3| with 8-bit coefficients. The piece is chosen by an integer
 * compare, so NaN takes the last one. SGN_RETAIN (4) puts the sign of L3 on any result, NaN
 * included.
 */
#ifndef TX_SEM_SFPLUT_H
#define TX_SEM_SFPLUT_H

#include "sem/sem.h"
#include "num/lut_coefficient.h"
#include "sem/fma.h"

SEM_BODY(sfplut)
{
    const uint32_t x = in->l[3];
    const uint32_t b = x & 0x7FFFFFFFu;
    const uint32_t table = b < 0x3F800000u ? in->l[0] : b < 0x40000000u ? in->l[1] : in->l[2];
    uint32_t d = sem_fma(in, lut8_to_fp32(table >> 8), b, lut8_to_fp32(table));
    if ((op->mode & 4u) != 0) {
        d = (d & 0x7FFFFFFFu) | (x & SIGN32);
    }
    return sem_value(in, d);
}

#endif
