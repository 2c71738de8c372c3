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

/* Returns one of three values, chosen by two masks. */
TX_INLINE uint32_t lut_piece(uint32_t low, uint32_t middle, uint32_t a, uint32_t b, uint32_t c)
{
    return (a & low) | (b & middle & ~low) | (c & ~middle);
}

/*
 * l0..l6 are L0..L6, of which L3 is the argument. Without branches, so that the fast engine can be
 * vectorized.
 */
TX_INLINE struct lut_terms lutfp32_of(unsigned mode, uint32_t l0, uint32_t l1, uint32_t l2,
                                      uint32_t l3, uint32_t l4, uint32_t l5, uint32_t l6,
                                      bool positive)
{
    const uint32_t b = l3 & 0x7FFFFFFFu;
    const uint32_t low = 0u - (uint32_t)(b < 0x3F800000u);
    const uint32_t middle = 0u - (uint32_t)(b < 0x40000000u);
    const uint32_t last =
        (mode & TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE2) == TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE2
            ? 0x40800000u
            : 0x40400000u;
    const uint32_t first = lut_piece(low, middle, l0, l1, l2);
    const uint32_t second = lut_piece(low, middle, l4, l5, l6);
    const uint32_t cut = lut_piece(low, middle, 0x3F000000u, 0x3FC00000u, last); /* 0.5, 1.5 */
    const uint32_t shift = (uint32_t)(b >= cut) << 4;
    const bool three =
        (mode & TX_MOD_SFPLUTFP32_FP16_3ENTRY_TABLE) == TX_MOD_SFPLUTFP32_FP16_3ENTRY_TABLE;
    const uint32_t a16 = lut16_to_fp32(three ? first >> 16 : first >> shift, positive);
    const uint32_t c16 = lut16_to_fp32(three ? first : second >> shift, positive);
    const bool wide = (mode & TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE1) == 0;
    const struct lut_terms t = {wide ? first : a16, b, wide ? second : c16};
    return t;
}

TX_INLINE struct lut_terms lutfp32_terms(const struct tx_op *op, const struct sem_in *in)
{
    return lutfp32_of(op->mode, in->l[0], in->l[1], in->l[2], in->l[3], in->l[4], in->l[5],
                      in->l[6], in->lut16_positive);
}

SEM_BODY(sfplutfp32)
{
    const struct lut_terms t = lutfp32_terms(op, in);
    const uint32_t d = sem_fma(in, t.a, t.x, t.c);
    return sem_value(in,
                     (op->mode & TX_MOD_SFPLUTFP32_SGN_RETAIN) != 0 ? lut_sign(d, in->l[3]) : d);
}

#endif
