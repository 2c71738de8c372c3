/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPENCC: sets the use bit to Imm2 bit 0 (EI, modifier bit 1) or toggles it (EC, bit 0); sets the
 * flag to Imm2 bit 1 (RI) or true.
 */
#ifndef TX_SEM_SFPENCC_H
#define TX_SEM_SFPENCC_H

#include "sem/sem.h"

SEM_BODY(sfpencc)
{
    struct sem_out out = sem_keep(in);
    if ((op->mode & TX_MOD_SFPENCC_EI_R1) != 0) {
        out.use = (op->imm & 1u) != 0;
    } else if ((op->mode & TX_MOD_SFPENCC_EC_R1) != 0) {
        out.use = !in->use;
    }
    out.lf = (op->mode & TX_MOD_SFPENCC_EU_RI) == 0 || (op->imm & 2u) != 0;
    return out;
}

#endif
