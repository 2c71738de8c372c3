/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSTOCHRND: FP32 to fewer mantissa bits, FP32 to a bounded integer, integer to a smaller one. */
#ifndef TX_SEM_SFPSTOCHRND_H
#define TX_SEM_SFPSTOCHRND_H

#include "sem/sem.h"
#include "num/stochrnd.h"

/* Rounding mode 0: nearest, ties away. 2: toward zero. 1 and, not specified, 3: the random draw. */
TX_INLINE uint32_t stochrnd_threshold(const struct tx_op *op, const struct sem_in *in)
{
    return op->rnd == 0 ? 0x400000u : op->rnd == 2 ? 0x7FFFFFu : in->draw & 0x7FFFFFu;
}

SEM_BODY(sfpstochrnd_float)
{
    const unsigned keep = (op->mode & 1u) != 0 ? 7 : 10;
    const uint32_t p = stochrnd_threshold(op, in);
    return sem_value(in, fp32_stochrnd_fp32(in->c, keep, p, in->stoch_shifted));
}

/* Low two mode bits: 2 unsigned, 3 signed. Bit 2: 16 instead of 8 bits. */
SEM_BODY(sfpstochrnd_int)
{
    const uint32_t sign = (op->mode & 1u) != 0 ? in->c & SIGN32 : 0;
    const unsigned width = ((op->mode & 4u) != 0 ? 16u : 8u) - (op->mode & 1u);
    const uint32_t p = stochrnd_threshold(op, in);
    return sem_value(in, fp32_stochrnd_int(in->c, sign, bits_mask(width), p));
}

SEM_BODY(sfpstochrnd_shift)
{
    const uint32_t sign = (op->mode & 1u) != 0 ? in->c & SIGN32 : 0;
    const unsigned shift = ((op->mode & 8u) != 0 ? op->imm : in->b) & 31u;
    const uint32_t p = stochrnd_threshold(op, in);
    return sem_value(in, sm32_stochrnd_int(in->c, shift, sign, bits_mask(8 - (op->mode & 1u)), p));
}

#endif
