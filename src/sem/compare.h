/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The results of SFPGT and SFPLE, once the comparison is made. Modifier bit 0: lane flag. Bit 1:
 * AND (with bit 2: OR) into the top stack entry, which the caller does in all lanes. Bit 3: VD
 * becomes all ones or zero.
 */
#ifndef TX_SEM_COMPARE_H
#define TX_SEM_COMPARE_H

#include "sem/sem.h"
#include "num/sm32.h"

TX_INLINE struct sem_out sem_compare(const struct tx_op *op, const struct sem_in *in, bool holds)
{
    struct sem_out out = sem_value(in, holds ? 0xFFFFFFFFu : 0);
    out.write = (op->mode & TX_MOD_SFPGT_SET_VD) != 0;
    if ((op->mode & TX_MOD_SFPGT_SET_CC) != 0) {
        out.lf = holds;
    }
    if ((op->mode & TX_MOD_SFPGT_MUTATE_STACK) != 0) {
        out.stack = SEM_SET_TOP;
        out.beyond = in->empty;
        out.top_lf =
            (op->mode & TX_MOD_SFPGT_MUTATE_OR) != 0 ? in->top_lf || holds : in->top_lf && holds;
    }
    return out;
}

#endif
