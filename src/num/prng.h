/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The per-lane generator: a 32-bit shift register whose new top bit is the inverted parity of four
 * taps. FFFFFFFF is a fixed point. Source: ISA documentation VectorUnit; seeding: ttsim (R5).
 */
#ifndef TX_NUM_PRNG_H
#define TX_NUM_PRNG_H

#include "base/bits.h"

static inline uint32_t prng_step(uint32_t state)
{
    const uint32_t taps = state ^ (state >> 1) ^ (state >> 21) ^ (state >> 31);
    return (~taps << 31) | (state >> 1);
}

/*
 * Sets the lanes' states as a write of the seed word does: 32 steps, then two steps for each lane
 * from 31 down to 0.
 */
static inline void prng_seed(uint32_t seed, uint32_t lanes[32])
{
    uint32_t state = seed;
    for (int i = 0; i < 32; i++) {
        state = prng_step(state);
    }
    for (int lane = 31; lane >= 0; lane--) {
        state = prng_step(prng_step(state));
        lanes[lane] = state;
    }
}

#endif
