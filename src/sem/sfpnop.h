/* SPDX-License-Identifier: Apache-2.0 */
/* SFPNOP, and other encodings that do nothing. */
#ifndef TX_SEM_SFPNOP_H
#define TX_SEM_SFPNOP_H

#include "sem/sem.h"

SEM_BODY(sfpnop)
{
    (void)op;
    struct sem_out out = sem_keep(in);
    out.write = false;
    return out;
}

#endif
