/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSWAP: cycle one compares, cycle two exchanges. VD gets the minimum in the lanes of the mode's
 * mask. */
#ifndef TX_SEM_SFPSWAP_H
#define TX_SEM_SFPSWAP_H

#include "sem/sem.h"
#include "num/sm32.h"

/* Lanes in which VD receives the minimum, by Mod1; 10..15 are as 9 (not contractual). */
static inline uint32_t swap_min_lanes(unsigned mode)
{
    static const uint32_t masks[16] = {0,           0xFFFFFFFFu, 0x0000FFFFu,
                                       0x00FF00FFu, 0xFF0000FFu, 0x000000FFu,
                                       0x0000FF00u, 0x00FF0000u, 0xFF000000u};
    return masks[mode];
}

/*
 * All ones where c is before d, else 0. Equal values count as out of order when negative: visible
 * through the index registers only (R6; strict_ties selects the older reading).
 */
TX_INLINE uint32_t swap_order(uint32_t c, uint32_t d, bool strict_ties)
{
    const uint32_t less = 0u - (uint32_t)sm32_less(c, d);
    const uint32_t tie = 0u - ((uint32_t)(c == d) & (c >> 31));
    return less | (strict_ties ? 0 : tie);
}

/* The lanes that swap. before: those whose values are in order. */
static inline uint32_t swap_decide(unsigned mode, uint32_t before, uint32_t exchange)
{
    return mode == 0 ? 0xFFFFFFFFu : before ^ ~swap_min_lanes(mode) ^ exchange;
}

#endif
