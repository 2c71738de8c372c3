/* SPDX-License-Identifier: Apache-2.0 */
/* SFPMUL24: low or high 23 bits of a 23 x 23 bit product. */
#ifndef TX_SEM_SFPMUL24_H
#define TX_SEM_SFPMUL24_H

#include "sem/sem.h"
#include "num/mul24.h"

SEM_BODY(sfpmul24)
{
    return sem_value(in, mul24(in->a, in->b, in->c, (op->mode & TX_MOD_SFPMUL24_UPPER) != 0));
}

#endif
