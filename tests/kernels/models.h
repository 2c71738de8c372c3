/* SPDX-License-Identifier: Apache-2.0 */
/* What the example kernels mean, in plain C, and what that needs. */
#ifndef TX_TESTS_KERNELS_MODELS_H
#define TX_TESTS_KERNELS_MODELS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return u;
}

static inline float number(uint32_t u)
{
    float x;
    memcpy(&x, &u, 4);
    return x;
}

static inline bool is_nan(uint32_t u)
{
    return (u & 0x7FFFFFFFu) > 0x7F800000u;
}

/* What reaches a calculation: denormals are zeros. */
static inline uint32_t flushed(uint32_t u)
{
    return (u & 0x7F800000u) == 0 ? u & 0x80000000u : u;
}

/* Element of the tile that lane sees in the step-th row of 32: addresses go up by two. */
static inline unsigned element(unsigned step, unsigned lane)
{
    const unsigned row = (step * 2 & ~3u) + lane / 8;
    const unsigned column = 2 * (lane & 7) + (step & 1);
    const unsigned face = row / 16;
    return ((face / 2) * 16 + row % 16) * 32 + (face % 2) * 16 + column;
}

/* Towards zero, saturating at +-(2^31 - 1). */
static inline int32_t to_int(uint32_t x)
{
    const double limit = 2147483647.0;
    const double value = fabs((double)number(x & 0x7FFFFFFFu));
    const double magnitude = is_nan(x) || value > limit ? limit : floor(value);
    return (int32_t)(x >> 31 != 0 ? -magnitude : magnitude);
}

/* Random numbers, as docs/machine.md describes them. */
struct lanes {
    uint32_t state[32];
};

static inline uint32_t lfsr(uint32_t s)
{
    const uint32_t parity = (s ^ s >> 1 ^ s >> 21 ^ s >> 31) & 1; /* taps 80200003 */
    return (parity ^ 1) << 31 | s >> 1;
}

static inline struct lanes seeded(uint32_t seed)
{
    struct lanes lanes;
    for (unsigned i = 0; i < 32; i++) {
        seed = lfsr(seed);
    }
    for (unsigned lane = 32; lane-- > 0;) {
        seed = lfsr(lfsr(seed));
        lanes.state[lane] = seed;
    }
    return lanes;
}

static inline uint32_t draw(struct lanes *lanes, unsigned lane)
{
    const uint32_t drawn = lanes->state[lane];
    lanes->state[lane] = lfsr(drawn);
    return drawn;
}

static inline uint32_t round_at_random(uint32_t x, uint32_t drawn)
{
    if ((x & 0x7F800000u) == 0) {
        return 0;
    }
    if ((x & 0x7F800000u) == 0x7F800000u) {
        return (x & 0x80000000u) | 0x7F800000u;
    }
    const bool up = (x & 0xFFFFu) >= (drawn & 0x7FFFFFu) >> 7;
    return (x & 0xFFFF0000u) + (up ? 0x10000u : 0);
}

/* The order that cumsum.s states, for one column. */
static inline void cumulate(const float x[32], float y[32])
{
    float carry = 0;
    for (unsigned half = 0; half < 32; half += 16) {
        float before = carry;
        for (unsigned group = half; group < half + 16; group += 4) {
            y[group] = x[group];
            for (unsigned r = group + 1; r < group + 4; r++) {
                y[r] = y[r - 1] + x[r];
            }
            const float total = y[group + 3];
            for (unsigned r = group; group != 0 && r < group + 4; r++) {
                y[r] += before;
            }
            before = group == 0 ? total : before + total;
        }
        carry = before;
    }
}

/* Larger means later in the order of sign and magnitude. */
static inline int64_t rank(uint32_t u)
{
    return u >> 31 != 0 ? -1 - (int64_t)(u & 0x7FFFFFFFu) : (int64_t)u;
}

#endif
