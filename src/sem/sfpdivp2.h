/* SPDX-License-Identifier: Apache-2.0 */
/* SFPDIVP2: sets the exponent, or adds to it modulo 256 (Inf and NaN are unchanged). */
#ifndef TX_SEM_SFPDIVP2_H
#define TX_SEM_SFPDIVP2_H

#include "sem/sem.h"

SEM_BODY(sfpdivp2)
{
    uint32_t exp = (in->c >> 23) & 255u;
    if ((op->mode & TX_MOD_SFPDIVP2_ADD) == 0) {
        exp = op->imm;
    } else if (exp != 255u) {
        exp = (exp + op->imm) & 255u;
    }
    return sem_value(in, (in->c & 0x807FFFFFu) | exp << 23);
}

#endif
