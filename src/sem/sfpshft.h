/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSHFT: VB (= VD) shifted by VC or by the immediate; Blackhole adds arithmetic right shifts (bit
 * 1) and, with an immediate, shifting VC instead (bit 2).
 */
#ifndef TX_SEM_SFPSHFT_H
#define TX_SEM_SFPSHFT_H

#include "sem/sem.h"
#include "sem/shift.h"

SEM_BODY(sfpshft)
{
    const bool imm = (op->mode & TX_MOD_SFPSHFT_ARG_IMM) != 0;
    const bool from_c = in->arithmetic_bh && imm && (op->mode & TX_MOD_SFPSHFT_ARG_IMM_USE_VC) != 0;
    const bool arithmetic = in->arithmetic_bh && (op->mode & TX_MOD_SFPSHFT_ARITHMETIC) != 0;
    const uint32_t amount = imm ? (uint32_t)bits_sext(op->imm, 12) : in->c;
    return sem_value(in, sem_shift(from_c ? in->c : in->b, amount, arithmetic));
}

#endif
