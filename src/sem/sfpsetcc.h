/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSETCC: sets the lane flag by a test of VC or by an immediate, or clears it. Without
 * predication it becomes false.
 */
#ifndef TX_SEM_SFPSETCC_H
#define TX_SEM_SFPSETCC_H

#include "sem/sem.h"

SEM_BODY(sfpsetcc)
{
    struct sem_out out = sem_keep(in);
    if (!in->use || (op->mode & TX_MOD_SFPSETCC_CLEAR) != 0) {
        out.lf = false;
    } else if ((op->mode & TX_MOD_SFPSETCC_IMM_BIT0) != 0) {
        out.lf = op->imm != 0;
    } else {
        switch (op->mode & TX_MOD_SFPSETCC_LREG_EQ0) {
        case TX_MOD_SFPSETCC_LREG_LT0:
            out.lf = (in->c & SIGN32) != 0;
            break;
        case TX_MOD_SFPSETCC_LREG_NE0:
            out.lf = in->c != 0;
            break;
        case TX_MOD_SFPSETCC_LREG_GTE0:
            out.lf = (in->c & SIGN32) == 0;
            break;
        default: /* LREG_EQ0 */
            out.lf = in->c == 0;
            break;
        }
    }
    return out;
}

#endif
