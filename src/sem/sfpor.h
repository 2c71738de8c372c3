/* SPDX-License-Identifier: Apache-2.0 */
/* SFPOR: bitwise OR of VB and VC. */
#ifndef TX_SEM_SFPOR_H
#define TX_SEM_SFPOR_H

#include "sem/sem.h"

SEM_BODY(sfpor)
{
    (void)op;
    return sem_value(in, in->b | in->c);
}

#endif
