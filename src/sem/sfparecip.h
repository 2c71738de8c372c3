/* SPDX-License-Identifier: Apache-2.0 */
/* SFPARECIP: table approximations. Mode 1 acts where VB has its top bit, and drops the sign. */
#ifndef TX_SEM_SFPARECIP_H
#define TX_SEM_SFPARECIP_H

#include "sem/sem.h"
#include "num/fp32_arecip.h"

SEM_BODY(sfparecip)
{
    const uint32_t sign = in->c & SIGN32;
    const uint32_t magnitude = in->c & 0x7FFFFFFFu;
    if (op->mode == 0) {
        return sem_value(in, sign | fp32_arecip(magnitude));
    }
    if (op->mode == 1) {
        return sem_value(in, (in->b & SIGN32) != 0 ? fp32_arecip(magnitude) : in->c);
    }
    return sem_value(in, sign + fp32_aexp(magnitude));
}

#endif
