/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLE: VB (= VD) <= VC in sign-magnitude order. */
#ifndef TX_SEM_SFPLE_H
#define TX_SEM_SFPLE_H

#include "sem/sem.h"
#include "sem/compare.h"

SEM_BODY(sfple)
{
    return sem_compare(op, in, !sm32_less(in->c, in->b));
}

#endif
