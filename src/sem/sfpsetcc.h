/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSETCC: the lane flag from a test of VC, an immediate, or cleared. Without predication: false.
 */
#ifndef TX_SEM_SFPSETCC_H
#define TX_SEM_SFPSETCC_H

#include "sem/sem.h"

SEM_BODY(sfpsetcc)
{
    struct sem_out out = sem_keep(in);
    if (!in->use || (op->mode & 8u) != 0) {
        out.lf = false;
    } else if ((op->mode & 1u) != 0) {
        out.lf = op->imm != 0;
    } else {
        switch (op->mode & 6u) {
        case 0:
            out.lf = (in->c & SIGN32) != 0;
            break;
        case 2:
            out.lf = in->c != 0;
            break;
        case 4:
            out.lf = (in->c & SIGN32) == 0;
            break;
        default: /* 6 */
            out.lf = in->c == 0;
            break;
        }
    }
    return out;
}

#endif
