/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPSWAP: compares in its first cycle and exchanges in its second. VD gets the minimum in the
 * lanes of the mode's mask.
 */
#ifndef TX_SEM_SFPSWAP_H
#define TX_SEM_SFPSWAP_H

#include "sem/sem.h"
#include "num/sm32.h"

/*
 * Returns the lanes in which VD receives the minimum, by Mod1; none for modes without lanes in
 * exchanges.def.
 */
static inline uint32_t swap_min_lanes(unsigned mode)
{
#define EXCHANGE(mnemonic, mode, lanes) [TX_MOD_##mnemonic##_##mode] = UINT32_C(lanes),
    static const uint32_t masks[16] = {
#include "isa/exchanges.def"
    };
    return masks[mode];
}

/*
 * Returns all ones if c is before d, else 0. Equal values count as out of order if negative, which
 * is visible through the index registers only (R6; strict_ties selects the older reading).
 */
TX_INLINE uint32_t swap_order(uint32_t c, uint32_t d, bool strict_ties)
{
    const uint32_t less = 0u - (uint32_t)sm32_less(c, d);
    const uint32_t tie = 0u - ((uint32_t)(c == d) & (c >> 31));
    return less | (strict_ties ? 0 : tie);
}

/* Returns the lanes that exchange. before: the lanes whose values are in order. */
static inline uint32_t swap_decide(unsigned mode, uint32_t before, uint32_t exchange)
{
    return mode == TX_MOD_SFPSWAP_SWAP ? 0xFFFFFFFFu : before ^ ~swap_min_lanes(mode) ^ exchange;
}

#endif
