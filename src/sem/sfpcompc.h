/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPCOMPC: the else of a condition, within the top entry of the stack; an empty stack counts as
 * {true, true}.
 */
#ifndef TX_SEM_SFPCOMPC_H
#define TX_SEM_SFPCOMPC_H

#include "sem/sem.h"

SEM_BODY(sfpcompc)
{
    (void)op;
    struct sem_out out = sem_keep(in);
    const bool top_use = in->empty || in->top_use;
    const bool top_lf = in->empty || in->top_lf;
    out.lf = top_use && in->use && top_lf && !in->lf;
    return out;
}

#endif
