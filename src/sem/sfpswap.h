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

/* Is c before d? Ties: equal negative values count as out of order (R6). */
static inline bool swap_order(uint32_t c, uint32_t d, bool strict_ties)
{
    return sm32_less(c, d) || (!strict_ties && c == d && (c & SIGN32) != 0);
}

/*
 * Does this lane swap? Equal values count as out of order when negative: visible through the index
 * registers only (R6; strict_ties selects the older reading).
 */
static inline bool swap_decide(unsigned mode, uint32_t c, uint32_t d, bool min_lane, bool exchange,
                               bool strict_ties)
{
    if (mode == 0) {
        return true;
    }
    bool swap = swap_order(c, d, strict_ties);
    swap ^= !min_lane;
    swap ^= exchange;
    return swap;
}

#endif
