/* SPDX-License-Identifier: Apache-2.0 */
/* SFPEXEXP: the exponent as an integer. Mod1 bit 3 inverts the lane flag, also by itself. */
#ifndef TX_SEM_SFPEXEXP_H
#define TX_SEM_SFPEXEXP_H

#include "sem/sem.h"

SEM_BODY(sfpexexp)
{
    const uint32_t bias = (op->mode & TX_MOD_SFPEXEXP_NODEBIAS) != 0 ? 0 : 127;
    struct sem_out out = sem_value(in, ((in->c >> 23) & 255u) - bias);
    if ((op->mode & TX_MOD_SFPEXEXP_SET_CC_SGN_EXP) != 0) {
        out.lf = (out.value & SIGN32) != 0;
    }
    out.lf ^= (op->mode & TX_MOD_SFPEXEXP_SET_CC_COMP_EXP) != 0;
    return out;
}

#endif
