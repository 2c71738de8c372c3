/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSETMAN: VC with the mantissa of VB, or with the immediate in its upper twelve bits. */
#ifndef TX_SEM_SFPSETMAN_H
#define TX_SEM_SFPSETMAN_H

#include "sem/sem.h"

SEM_BODY(sfpsetman)
{
    const uint32_t man =
        (op->mode & TX_MOD_SFPSETMAN_ARG_IMM) != 0 ? op->imm << 11 : in->b & 0x7FFFFFu;
    return sem_value(in, (in->c & 0xFF800000u) | man);
}

#endif
