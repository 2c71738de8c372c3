/* SPDX-License-Identifier: Apache-2.0 */
/* SFPGT: VB (= VD) > VC in sign-magnitude order. */
#ifndef TX_SEM_SFPGT_H
#define TX_SEM_SFPGT_H

#include "sem/sem.h"
#include "sem/compare.h"

SEM_BODY(sfpgt)
{
    return sem_compare(op, in, sm32_less(in->c, in->b));
}

#endif
