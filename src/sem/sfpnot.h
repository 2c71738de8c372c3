/* SPDX-License-Identifier: Apache-2.0 */
/* SFPNOT: bitwise complement of VC. */
#ifndef TX_SEM_SFPNOT_H
#define TX_SEM_SFPNOT_H

#include "sem/sem.h"

SEM_BODY(sfpnot)
{
    (void)op;
    return sem_value(in, ~in->c);
}

#endif
