/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLUT: three linear pieces over |L3| with 8-bit coefficients. The piece is chosen by an integer
 * comparison, so that NaN takes the last one. SGN_RETAIN (4) gives any result the sign of L3, even
 * NaN.
 */
#ifndef TX_SEM_SFPLUT_H
#define TX_SEM_SFPLUT_H

#include "sem/sem.h"
#include "num/lut_coefficient.h"
#include "sem/fma.h"

TX_INLINE struct lut_terms lut_of(uint32_t l0, uint32_t l1, uint32_t l2, uint32_t l3)
{
    const uint32_t b = l3 & 0x7FFFFFFFu;
    const uint32_t table = b < 0x3F800000u ? l0 : b < 0x40000000u ? l1 : l2;
    const struct lut_terms terms = {lut8_to_fp32(table >> 8), b, lut8_to_fp32(table)};
    return terms;
}

SEM_BODY(sfplut)
{
    const struct lut_terms t = lut_of(in->l[0], in->l[1], in->l[2], in->l[3]);
    const uint32_t d = sem_fma(in, t.a, t.x, t.c);
    return sem_value(in, (op->mode & TX_MOD_SFPLUT_SGN_RETAIN) != 0 ? lut_sign(d, in->l[3]) : d);
}

#endif
