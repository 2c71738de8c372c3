/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLUTFP32: pieces over |L3|. Mod1 bit 1 clear: three FP32 pairs; Mod1 & 10 == 10: three FP16
 * pairs in L0..L2; else six FP16 pairs with the last break at 4.0 (Mod1 & 3 == 3) or 3.0.
 */
#ifndef TX_SEM_SFPLUTFP32_H
#define TX_SEM_SFPLUTFP32_H

#include "sem/sem.h"
#include "num/lut_coefficient.h"
#include "sem/fma.h"

TX_INLINE struct lut_terms lutfp32_terms(const struct tx_op *op, const struct sem_in *in)
{
    const uint32_t b = in->l[3] & 0x7FFFFFFFu;
    const bool low = b < 0x3F800000u;
    const bool middle = b < 0x40000000u;
    const uint32_t first = low ? in->l[0] : middle ? in->l[1] : in->l[2];
    const uint32_t second = low ? in->l[4] : middle ? in->l[5] : in->l[6];
    const uint32_t last = (op->mode & 3u) == 3u ? 0x40800000u : 0x40400000u;
    const uint32_t cut = low ? 0x3F000000u : middle ? 0x3FC00000u : last; /* 0.5, 1.5 */
    const unsigned upper = b >= cut ? 16 : 0;
    const bool three = (op->mode & 10u) == 10u;
    const bool positive = in->lut16_positive;
    const uint32_t a16 = lut16_to_fp32(first >> (three ? 16 : upper), positive);
    const uint32_t c16 = lut16_to_fp32(three ? first : second >> upper, positive);
    const bool wide = (op->mode & 2u) == 0;
    const struct lut_terms t = {wide ? first : a16, b, wide ? second : c16};
    return t;
}

SEM_BODY(sfplutfp32)
{
    const struct lut_terms t = lutfp32_terms(op, in);
    const uint32_t d = sem_fma(in, t.a, t.x, t.c);
    return sem_value(in, (op->mode & 4u) != 0 ? lut_sign(d, in->l[3]) : d);
}

#endif
