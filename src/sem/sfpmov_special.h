/* SPDX-License-Identifier: Apache-2.0 */
/* SFPMOV FROM_SPECIAL: the caller has read what VC names into c. */
#ifndef TX_SEM_SFPMOV_SPECIAL_H
#define TX_SEM_SFPMOV_SPECIAL_H

#include "sem/sem.h"

SEM_BODY(sfpmov_special)
{
    return sem_value(in, op->vc == 9 ? in->draw : in->c);
}

#endif
