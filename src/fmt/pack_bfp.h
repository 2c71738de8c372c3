/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BFP assembly: 16 data under their largest exponent, rounded to seven bits with ties away from
 * zero and never renormalised; BFP4 and BFP2 truncate the seven bits. Source: ttsim 1.10.0, the
 * rounding also from the hardware team (tt-metal #15889, #17237); formats-and-scalar-unit.md C.8.5.
 * For the a formats the ISA documentation names the steps and ttsim has nothing: the same algorithm
 * on E5M7.
 */
#ifndef TX_FMT_PACK_BFP_H
#define TX_FMT_PACK_BFP_H

#include "base/bits.h"

/*
 * Returns the seven magnitude bits of a datum, from its exponent, its seven mantissa bits and the
 * shared exponent.
 */
TX_INLINE uint32_t bfp_magnitude(uint32_t e, uint32_t m7, uint32_t shared)
{
    const uint32_t man = (e != 0 ? 128u : 0) | m7;
    const uint32_t d = shared - e;
    const uint32_t shift = d < 8 ? d : 8;
    const uint32_t q = (man + (1u << shift)) >> (shift + 1);
    return d >= 8 ? 0 : q > 127u ? 127u : q;
}

/* Returns a datum with 7, 3 or 1 magnitude bits (width). A zero magnitude has no sign. */
TX_INLINE uint32_t bfp_datum(uint32_t negative, uint32_t magnitude7, unsigned width)
{
    const uint32_t magnitude = magnitude7 >> (7 - width);
    return magnitude == 0 ? 0 : negative << width | magnitude;
}

#endif
