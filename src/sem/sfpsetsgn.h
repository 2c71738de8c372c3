/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSETSGN: VC with the sign of VB, or of the immediate. */
#ifndef TX_SEM_SFPSETSGN_H
#define TX_SEM_SFPSETSGN_H

#include "sem/sem.h"

SEM_BODY(sfpsetsgn)
{
    const uint32_t sign =
        (op->mode & TX_MOD_SFPSETSGN_ARG_IMM) != 0 ? op->imm << 31 : in->b & SIGN32;
    return sem_value(in, (in->c & 0x7FFFFFFFu) | sign);
}

#endif
