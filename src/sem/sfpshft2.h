/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSHFT2 modes 5 and 6: plain shifts of VB. The movements of the other modes are in
 * isa/moves.def.
 */
#ifndef TX_SEM_SFPSHFT2_H
#define TX_SEM_SFPSHFT2_H

#include "sem/sem.h"
#include "sem/shift.h"

SEM_BODY(sfpshft2_lreg)
{
    (void)op;
    return sem_value(in, sem_shift(in->b, in->c, false));
}

/*
 * The immediate is both the register's number (its low four bits, resolved in decode) and the
 * amount.
 */
SEM_BODY(sfpshft2_imm)
{
    return sem_value(in, sem_shift(in->b, (uint32_t)bits_sext(op->imm, 12), false));
}

#endif
