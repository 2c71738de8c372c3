/* SPDX-License-Identifier: Apache-2.0 */
/* SFPXOR: bitwise exclusive OR of VB and VC. */
#ifndef TX_SEM_SFPXOR_H
#define TX_SEM_SFPXOR_H

#include "sem/sem.h"

SEM_BODY(sfpxor)
{
    (void)op;
    return sem_value(in, in->b ^ in->c);
}

#endif
