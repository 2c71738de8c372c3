/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPIADD: VC + imm (bit 0, which takes precedence), VC - VB (bit 1) or VC + VB. The lane flag
 * becomes the sign unless bit 2 is set; bit 3 inverts the flag, also by itself.
 */
#ifndef TX_SEM_SFPIADD_H
#define TX_SEM_SFPIADD_H

#include "sem/sem.h"

SEM_BODY(sfpiadd)
{
    uint32_t d;
    if ((op->mode & TX_MOD_SFPIADD_ARG_IMM) != 0) {
        d = in->c + (uint32_t)bits_sext(op->imm, 12);
    } else if ((op->mode & TX_MOD_SFPIADD_ARG_2SCOMP_LREG_DST) != 0) {
        d = in->c - in->b;
    } else {
        d = in->c + in->b;
    }
    struct sem_out out = sem_value(in, d);
    if ((op->mode & TX_MOD_SFPIADD_CC_NONE) == 0) {
        out.lf = (d & SIGN32) != 0;
    }
    out.lf ^= (op->mode & TX_MOD_SFPIADD_CC_GTE0) != 0;
    return out;
}

#endif
