/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADI: loads an immediate. Undocumented Mod0 values act like documented ones, as observed on
 * Wormhole (R8).
 */
#ifndef TX_SEM_SFPLOADI_H
#define TX_SEM_SFPLOADI_H

#include "sem/sem.h"
#include "num/fp16_to_fp32.h"

SEM_BODY(sfploadi)
{
    const uint32_t imm = op->imm;
    switch (op->mode) {
    case TX_MOD_SFPLOADI_FLOATB:
        return sem_value(in, imm << 16);
    case TX_MOD_SFPLOADI_FLOATA:
    case 9:
        return sem_value(in, fp16_to_fp32_rebias(imm));
    case TX_MOD_SFPLOADI_USHORT:
    case 3:
        return sem_value(in, imm);
    case TX_MOD_SFPLOADI_UPPER:
        return sem_value(in, imm << 16 | (in->d & 0xFFFFu));
    case TX_MOD_SFPLOADI_LOWER:
    case 11:
    case 14:
    case 15:
        return sem_value(in, (in->d & 0xFFFF0000u) | imm);
    default: /* SHORT, and 5 6 7 12 13 */
        return sem_value(in, (uint32_t)bits_sext(imm, 16));
    }
}

#endif
