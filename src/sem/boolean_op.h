/* SPDX-License-Identifier: Apache-2.0 */
/* The sixteen-way logical operation of SFPPUSHC and SFPPOPC, which have the same codes. */
#ifndef TX_SEM_BOOLEAN_OP_H
#define TX_SEM_BOOLEAN_OP_H

#include "sem/sem.h"

static inline bool sem_boolean_op(unsigned code, bool a, bool b)
{
    switch (code) {
    case TX_MOD_SFPPOPC_B:
        return b;
    case TX_MOD_SFPPOPC_NOT_B:
        return !b;
    case TX_MOD_SFPPOPC_A_AND_B:
        return a && b;
    case TX_MOD_SFPPOPC_A_OR_B:
        return a || b;
    case TX_MOD_SFPPOPC_A_AND_NOT_B:
        return a && !b;
    case TX_MOD_SFPPOPC_A_OR_NOT_B:
        return a || !b;
    case TX_MOD_SFPPOPC_NOT_A_AND_B:
        return !a && b;
    case TX_MOD_SFPPOPC_NOT_A_OR_B:
        return !a || b;
    case TX_MOD_SFPPOPC_NOT_A_AND_NOT_B:
        return !a && !b;
    case TX_MOD_SFPPOPC_NOT_A_OR_NOT_B:
        return !a || !b;
    case TX_MOD_SFPPOPC_A_XOR_B:
        return a != b;
    default:
        return a == b; /* A_XNOR_B */
    }
}

#endif
