/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSTOCHRND: FP32 to fewer mantissa bits, FP32 to a bounded integer, and an integer to a narrower
 * one.
 */
#ifndef TX_SEM_SFPSTOCHRND_H
#define TX_SEM_SFPSTOCHRND_H

#include "sem/sem.h"
#include "num/stochrnd.h"

/* Returns the rounding threshold. Mode 3, which is not specified, is taken as stochastic. */
TX_INLINE uint32_t stochrnd_threshold(const struct tx_op *op, const struct sem_in *in)
{
    return op->rnd == TX_MOD_SFPSTOCHRND_RND_NEAREST ? 0x400000u
           : op->rnd == TX_MOD_SFPSTOCHRND_RND_ZERO  ? 0x7FFFFFu
                                                     : in->draw & 0x7FFFFFu;
}

SEM_BODY(sfpstochrnd_float)
{
    const unsigned keep = (op->mode & TX_MOD_SFPSTOCHRND_FP32_TO_FP16B) != 0 ? 7 : 10;
    const uint32_t p = stochrnd_threshold(op, in);
    return sem_value(in, fp32_stochrnd_fp32(in->c, keep, p, in->stoch_shifted));
}

/* The bits of the modifier in which the targets differ. */
enum {
    STOCHRND_SIGNED = TX_MOD_SFPSTOCHRND_FP32_TO_SMAG8 ^ TX_MOD_SFPSTOCHRND_FP32_TO_UINT8,
    STOCHRND_16 = TX_MOD_SFPSTOCHRND_FP32_TO_UINT16 ^ TX_MOD_SFPSTOCHRND_FP32_TO_UINT8
};

TX_INLINE bool stochrnd_signed(const struct tx_op *op)
{
    return (op->mode & STOCHRND_SIGNED) != 0;
}

SEM_BODY(sfpstochrnd_int)
{
    const uint32_t sign = stochrnd_signed(op) ? in->c & SIGN32 : 0;
    const unsigned width =
        ((op->mode & STOCHRND_16) != 0 ? 16u : 8u) - (stochrnd_signed(op) ? 1u : 0u);
    const uint32_t p = stochrnd_threshold(op, in);
    return sem_value(in, fp32_stochrnd_int(in->c, sign, bits_mask(width), p));
}

SEM_BODY(sfpstochrnd_shift)
{
    const uint32_t sign = stochrnd_signed(op) ? in->c & SIGN32 : 0;
    const unsigned shift = ((op->mode & TX_MOD_SFPSTOCHRND_IMM8) != 0 ? op->imm : in->b) & 31u;
    const uint32_t p = stochrnd_threshold(op, in);
    return sem_value(
        in, sm32_stochrnd_int(in->c, shift, sign, bits_mask(stochrnd_signed(op) ? 7 : 8), p));
}

#endif
