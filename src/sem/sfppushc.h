/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPPUSHC. Wormhole only pushes (O-12). On Blackhole Mod1 1..12 combine the top entry (A) with the
 * flags (B); 13 inverts the flags and stores them; 14 and 15 store constants. An empty stack has no
 * top to change (R3).
 */
#ifndef TX_SEM_SFPPUSHC_H
#define TX_SEM_SFPPUSHC_H

#include "sem/sem.h"
#include "sem/boolean_op.h"

SEM_BODY(sfppushc)
{
    struct sem_out out = sem_keep(in);
    if (op->mode == TX_MOD_SFPPUSHC_PUSH) {
        out.stack = SEM_PUSH;
        out.top_lf = in->lf;
        out.top_use = in->use;
        out.beyond = in->full;
        return out;
    }
    out.stack = SEM_SET_TOP;
    out.beyond = in->empty;
    if (op->mode <= TX_MOD_SFPPUSHC_A_XNOR_B) {
        out.top_lf = sem_boolean_op(op->mode, in->top_lf, in->lf);
        out.top_use = in->use;
    } else if (op->mode == TX_MOD_SFPPUSHC_INVERT) {
        out.lf = !in->lf;
        out.top_lf = out.lf;
        out.top_use = in->use;
    } else {
        out.top_lf = op->mode == TX_MOD_SFPPUSHC_TOP_TRUE;
        out.top_use = true;
    }
    return out;
}

SEM_BODY(sfppushc_wh)
{
    struct tx_op push = *op;
    if (op->mode != TX_MOD_SFPPUSHC_PUSH) {
        return sem_keep(in);
    }
    push.mode = TX_MOD_SFPPUSHC_PUSH;
    return sem_sfppushc(&push, in);
}

#endif
