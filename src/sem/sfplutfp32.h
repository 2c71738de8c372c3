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
    static const uint32_t middle[2] = {0x3F000000u, 0x3FC00000u}; /* 0.5, 1.5 */
    const unsigned piece = lutfp32_piece(b);
    return b >= (piece == 2 ? last_break : middle[piece]);
}

SEM_BODY(sfplutfp32)
{
    const uint32_t x = in->l[3];
    const uint32_t b = x & 0x7FFFFFFFu;
    const unsigned i = lutfp32_piece(b);
    uint32_t a;
    uint32_t c;
    if ((op->mode & 2u) == 0) {
        a = in->l[i];
        c = in->l[4 + i];
    } else if ((op->mode & 10u) == 10u) {
        a = lut16_to_fp32(in->l[i] >> 16, in->lut16_positive);
        c = lut16_to_fp32(in->l[i], in->lut16_positive);
    } else {
        const uint32_t cut = (op->mode & 3u) == 3u ? 0x40800000u : 0x40400000u;
        const unsigned shift = lutfp32_upper(b, cut) ? 16 : 0;
        a = lut16_to_fp32(in->l[i] >> shift, in->lut16_positive);
        c = lut16_to_fp32(in->l[4 + i] >> shift, in->lut16_positive);
    }
    uint32_t d = sem_fma(in, a, b, c);
    if ((op->mode & 4u) != 0) {
        d = (d & 0x7FFFFFFFu) | (x & SIGN32);
    }
    return sem_value(in, d);
}

#endif
