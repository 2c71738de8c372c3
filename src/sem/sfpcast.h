/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPCAST: sign-magnitude integers to FP32 and, on Blackhole, two conversions of integers. Mode 2
 * was meant to be one of them and takes the absolute value instead (a hardware bug).
 */
#ifndef TX_SEM_SFPCAST_H
#define TX_SEM_SFPCAST_H

#include "sem/sem.h"
#include "num/sm32.h"
#include "num/sm32_to_fp32.h"

SEM_BODY(sfpcast_rne)
{
    (void)op;
    return sem_value(in, sm32_to_fp32_rne(in->c));
}

SEM_BODY(sfpcast_rns)
{
    (void)op;
    return sem_value(in, sm32_to_fp32_stoch(in->c, in->draw));
}

SEM_BODY(sfpcast_abs)
{
    (void)op;
    return sem_value(in, (in->c & SIGN32) != 0 ? 0u - in->c : in->c);
}

SEM_BODY(sfpcast_sm)
{
    (void)op;
    return sem_value(in, sm32_swap_i32(in->c));
}

#endif
