/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of a block of tiles, register by register: lane l of tile v stands at v * 32 + l. Dst is
 * kept by physical row, two columns in a word (even low), rows that the schedule touches only.
 */
#ifndef TX_FAST_BLOCK_H
#define TX_FAST_BLOCK_H

#include "isa/op.h"
#include "state/state.h"

enum {
    FAST_TILES = 16,
    FAST_LANES = FAST_TILES * 32,
    FAST_ROW = FAST_TILES * 8, /* words of a Dst row */
    FAST_TEMPS = 24,           /* results that wait for their cycle */
    FAST_TRASH = 17 + FAST_TEMPS,
    FAST_SLOTS = FAST_TRASH + 1
};

struct fast_block {
    /* The same for every block when it begins. */
    _Alignas(64) uint32_t flags[FAST_LANES]; /* LaneFlags, all ones or zero */
    uint32_t enabled[FAST_LANES]; /* lanes that predicated instructions run in, the same way */
    uint32_t stack_flags[8][FAST_LANES];
    uint32_t latch[FAST_LANES];
    uint32_t lreg[FAST_SLOTS][FAST_LANES]; /* of these up to L16 */
    uint32_t prng[FAST_LANES];
    uint32_t decide[4][FAST_LANES]; /* of SFPSWAPs in their second cycle */
    uint32_t (*dst)[FAST_ROW];
    uint8_t *tier; /* by instruction: how the multiply-add fared, see fma.h */
};

struct fast_op;
typedef void fast_function(const struct fast_op *f, struct fast_block *b);

/* One step of the schedule. */
struct fast_op {
    fast_function *run;
    struct tx_op op;
    uint32_t index;  /* into tier */
    uint8_t to;      /* register or temporary that receives the result */
    uint8_t from;    /* FAST_COPY: the temporary. SFPSWAP: number of its decide array */
    bool predicated; /* runs in the enabled lanes only */
    bool use,
        top_use; /* UseLaneFlagsForLaneEnable of all lanes and of the stack's top, before it */
    bool use_after;
    bool blackhole;
    bool lut16_positive, stoch_shifted, prng_after, strict_ties, keep_denormals;
    uint8_t depth;           /* of the flag stack, before it */
    uint8_t mode;            /* of loads and stores, resolved */
    bool odd, wide;          /* column; 32-bit data */
    uint16_t row[4], low[4]; /* of Dst: numbers of the rows, for 32-bit data of the low halves */
};

/* Everything that has its own form by CPU. */
struct fast_level {
    const char *name;
    fast_function *const *rows; /* by enum isa_row_id; NULL: the reference engine must */
    fast_function *copy;        /* temporary to register */
    fast_function *exchange;    /* second cycle of SFPSWAP */
    /* 16 values of a tile row into a Dst row and back, for all tiles of the block */
    void (*in)(unsigned format, const uint32_t *values, size_t stride, uint32_t *high,
               uint32_t *low);
    void (*out)(unsigned format, uint32_t *values, size_t stride, const uint32_t *high,
                const uint32_t *low);
};

extern const struct fast_level fast_base;
#if defined(__x86_64__)
extern const struct fast_level fast_avx2, fast_avx512;
#elif defined(__aarch64__)
extern const struct fast_level fast_neon;
#endif

#endif
