/* SPDX-License-Identifier: Apache-2.0 */
/* The sixteen-way operation of SFPPUSHC and SFPPOPC, codes 1 to 12. */
#ifndef TX_SEM_BOOLEAN_OP_H
#define TX_SEM_BOOLEAN_OP_H

#include "sem/sem.h"

static inline bool sem_boolean_op(unsigned code, bool a, bool b)
{
    switch (code) {
    case 1:
        return b;
    case 2:
        return !b;
    case 3:
        return a && b;
    case 4:
        return a || b;
    case 5:
        return a && !b;
    case 6:
        return a || !b;
    case 7:
        return !a && b;
    case 8:
        return !a || b;
    case 9:
        return !a && !b;
    case 10:
        return !a || !b;
    case 11:
        return a != b;
    default:
        return a == b; /* 12 */
    }
}

#endif
