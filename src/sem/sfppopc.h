/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPPOPC. Mod1 0 pops; 1..12 combine the flags (A) with the top entry (B) and take over its use
 * bit; 13 inverts; 14 and 15 are constants. On Wormhole, reading a full stack without popping
 * copies its top to its bottom.
 */
#ifndef TX_SEM_SFPPOPC_H
#define TX_SEM_SFPPOPC_H

#include "sem/sem.h"
#include "sem/boolean_op.h"

SEM_BODY(sfppopc)
{
    struct sem_out out = sem_keep(in);
    if (op->mode == TX_MOD_SFPPOPC_POP) {
        /* Below empty both read as true, and the counter wraps (R3). */
        out.stack = SEM_POP;
        out.beyond = in->empty;
        out.lf = in->empty || in->top_lf;
        out.use = in->empty || in->top_use;
    } else if (op->mode <= TX_MOD_SFPPOPC_A_XNOR_B) {
        out.beyond = in->empty;
        out.lf = sem_boolean_op(op->mode, in->lf, !in->empty && in->top_lf);
        out.use = !in->empty && in->top_use;
    } else if (op->mode == TX_MOD_SFPPOPC_INVERT) {
        out.lf = !in->lf;
    } else {
        out.lf = op->mode == TX_MOD_SFPPOPC_TRUE;
        out.use = true;
    }
    return out;
}

SEM_BODY(sfppopc_wh)
{
    struct sem_out out = sem_sfppopc(op, in);
    if (op->mode != TX_MOD_SFPPOPC_POP && in->eight) {
        out.stack = SEM_STRAY_TOP;
    }
    return out;
}

#endif
