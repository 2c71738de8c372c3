/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPARECIP: table approximations of 1/x and e^x. Mode 1 acts only if VB has its top bit set, and
 * drops the sign.
 */
#ifndef TX_SEM_SFPARECIP_H
#define TX_SEM_SFPARECIP_H

#include "sem/sem.h"
#include "num/fp32_arecip.h"

/*
 * Returns the result of mode 0, or of the conditional mode 1, from the reciprocal r of the
 * magnitude.
 */
TX_INLINE uint32_t arecip_result(bool conditional, uint32_t b, uint32_t c, uint32_t r)
{
    const uint32_t with = conditional ? 0 : c & SIGN32;
    return conditional && (b & SIGN32) == 0 ? c : r | with;
}

SEM_BODY(sfparecip)
{
    const uint32_t magnitude = in->c & 0x7FFFFFFFu;
    if (op->mode <= TX_MOD_SFPARECIP_COND_RECIP) {
        return sem_value(in, arecip_result(op->mode == TX_MOD_SFPARECIP_COND_RECIP, in->b, in->c,
                                           fp32_arecip(magnitude)));
    }
    return sem_value(in, (in->c & SIGN32) + fp32_aexp(magnitude));
}

#endif
