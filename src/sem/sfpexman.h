/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPEXMAN: the mantissa field, with a leading one (whatever the exponent) unless Mod1 bit 0 is
 * set.
 */
#ifndef TX_SEM_SFPEXMAN_H
#define TX_SEM_SFPEXMAN_H

#include "sem/sem.h"

SEM_BODY(sfpexman)
{
    const uint32_t hidden = (op->mode & TX_MOD_SFPEXMAN_PAD9) != 0 ? 0 : 0x800000u;
    return sem_value(in, (in->c & 0x7FFFFFu) | hidden);
}

#endif
