/* SPDX-License-Identifier: Apache-2.0 */
/* SFPMOV without FROM_SPECIAL: a copy, or a copy with the sign flipped. */
#ifndef TX_SEM_SFPMOV_H
#define TX_SEM_SFPMOV_H

#include "sem/sem.h"

SEM_BODY(sfpmov)
{
    return sem_value(in, in->c ^ ((op->mode & TX_MOD_SFPMOV_NEGATE) != 0 ? SIGN32 : 0));
}

#endif
