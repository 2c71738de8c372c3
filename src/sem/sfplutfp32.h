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

static inline unsigned lutfp32_piece(uint32_t b)
{
    return b < 0x3F800000u ? 0u : b < 0x40000000u ? 1u : 2u;
}

/* Does |x| take the upper half of its 16-bit pair of coefficients? */
static inline bool lutfp32_upper(uint32_t b, uint32_t last_break)
{
    const unsigned piece = lutfp32_piece(b);
    return b >= (piece == 2 ? last_break : piece == 1 ? 0x3FC00000u : 0x3F000000u); /* 1.5, 0.5 */
}

TX_INLINE struct lut_terms lutfp32_terms(const struct tx_op *op, const struct sem_in *in)
{
    const uint32_t b = in->l[3] & 0x7FFFFFFFu;
    const unsigned i = lutfp32_piece(b);
    const uint32_t first = i == 0 ? in->l[0] : i == 1 ? in->l[1] : in->l[2];
    const uint32_t second = i == 0 ? in->l[4] : i == 1 ? in->l[5] : in->l[6];
    struct lut_terms t = {first, b, second};
    if ((op->mode & 2u) == 0) {
        return t;
    }
    if ((op->mode & 10u) == 10u) {
        t.a = lut16_to_fp32(first >> 16, in->lut16_positive);
        t.c = lut16_to_fp32(first, in->lut16_positive);
    } else {
        const uint32_t cut = (op->mode & 3u) == 3u ? 0x40800000u : 0x40400000u;
        const unsigned shift = lutfp32_upper(b, cut) ? 16 : 0;
        t.a = lut16_to_fp32(first >> shift, in->lut16_positive);
        t.c = lut16_to_fp32(second >> shift, in->lut16_positive);
    }
    return t;
}

SEM_BODY(sfplutfp32)
{
    const struct lut_terms t = lutfp32_terms(op, in);
    const uint32_t d = sem_fma(in, t.a, t.x, t.c);
    return sem_value(in, (op->mode & 4u) != 0 ? lut_sign(d, in->l[3]) : d);
}

#endif
