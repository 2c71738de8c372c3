/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLZ: the number of leading zeros; with bit 2 of the magnitude only. Bit 1 sets the lane flag to
 * "not zero"; bit 3 inverts the flag, also by itself.
 */
#ifndef TX_SEM_SFPLZ_H
#define TX_SEM_SFPLZ_H

#include "sem/sem.h"

SEM_BODY(sfplz)
{
    const uint32_t c = (op->mode & TX_MOD_SFPLZ_NOSGN_MASK) != 0 ? in->c & 0x7FFFFFFFu : in->c;
    struct sem_out out = sem_value(in, bits_clz(c));
    if ((op->mode & TX_MOD_SFPLZ_CC_NE0) != 0) {
        out.lf = c != 0;
    }
    out.lf ^= (op->mode & TX_MOD_SFPLZ_CC_COMP) != 0;
    return out;
}

#endif
