/* SPDX-License-Identifier: Apache-2.0 */
/* SFPAND: bitwise AND of VB and VC. */
#ifndef TX_SEM_SFPAND_H
#define TX_SEM_SFPAND_H

#include "sem/sem.h"

SEM_BODY(sfpand)
{
    (void)op;
    return sem_value(in, in->b & in->c);
}

#endif
