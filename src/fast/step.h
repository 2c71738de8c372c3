/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a plan: a function over groups of 64 lanes, with the arrays it reads and writes. In
 * the vector shape a group is the even and the odd columns of four rows of one tile, in the tile
 * shape the same vector of two tiles.
 */
#ifndef TX_FAST_STEP_H
#define TX_FAST_STEP_H

#include "isa/op.h"

enum {
    FAST_GROUP = 64,
    FAST_GROUPS = 16 /* in a block; a whole tile in the vector shape */
};

/* Inputs of a step; table look-ups have L0..L6 from IN_L on. OLD stays where MASK is zero. */
enum fast_in {
    IN_A,
    IN_B,
    IN_C,
    IN_D,
    IN_LF,
    IN_TOP,
    IN_DRAW,
    IN_MASK,
    IN_OLD,
    IN_L,
    IN_COUNT = IN_L + 7
};

/* Outputs. Flags are words of all ones or zero. Look-ups: coefficient, addend, argument. */
enum fast_out { OUT_VALUE, OUT_LF, OUT_TOP, OUT_COUNT };

/* What steps are, beside rows of isa.def. */
enum fast_kind {
    FAST_CONSTANT,
    FAST_INPUT,  /* words of a tile */
    FAST_OUTPUT, /* the same */
    FAST_SEED,   /* random state that a tile begins with */
    FAST_ROW,    /* a body of src/sem */
    FAST_MAD,    /* IN_A * IN_B + IN_C, mode as SFPMAD */
    FAST_TERMS,  /* of SFPLUT and SFPLUTFP32 */
    FAST_CELL,   /* word to Dst cell */
    FAST_WORD,   /* and back */
    FAST_JOIN,   /* 32 bits of two halves, and back */
    FAST_HIGH,
    FAST_LOW,
    FAST_LOAD,       /* Dst cell to value */
    FAST_STORE,      /* and back */
    FAST_STORE_WORD, /* FAST_WORD of FAST_STORE */
    FAST_LOAD_CELL,  /* FAST_LOAD of FAST_CELL */
    FAST_SELECT,     /* IN_MASK ? IN_A : IN_OLD */
    FAST_ORDER,      /* of SFPSWAP: exchange? */
    FAST_NEXT,       /* random state after a step */
    FAST_PICK,       /* (IN_A & 15) == number ? IN_B : IN_C */
    FAST_PICKED,     /* (IN_A & 15) == number, as a mask */
    FAST_SIGN,       /* IN_A with the sign of IN_B */
    FAST_ROTATE,     /* between lanes: SFPSHFT2 */
    FAST_UP,
    FAST_SHIFT1,    /* IN_A, first lane of each row from the eighth of IN_B */
    FAST_TRANSPOSE, /* one register of SFPTRANSP: row number of IN_A .. IN_D */
    FAST_FIRST,     /* row 0 in all rows */
    FAST_EXCHANGED, /* both results of SFPSWAP in all lanes: OUT_VALUE of A, OUT_LF of B */
    FAST_RECIP,     /* SFPARECIP, modes 0 and 1 */
    FAST_CAST,      /* SFPCAST to nearest */
    FAST_KINDS
};

/*
 * A constant: no FAST_ROW is made of the row, whose macro arguments these are. What has the ports
 * of the multiply-add is FAST_MAD or FAST_TERMS, all but SFPMUL24.
 */
#define FAST_OTHER_KIND(mnemonic, writes) \
    (((writes)&TX_SET(VDX)) != 0 && INSN_##mnemonic != INSN_SFPMUL24)

/* What is known of the operands: A or B is 1.0; C is +0; C is a constant well inside the range. */
enum fast_mad { MAD_ANY, MAD_ONE_A, MAD_ONE_B, MAD_TIMES, MAD_BOUND };

struct fast_rules {
    bool blackhole;
    bool lut16_positive, stoch_shifted, prng_after, strict_ties, keep_denormals;
};

struct fast_context {
    const uint32_t *const *inputs; /* of the first tile of the block */
    uint32_t *output;
    const uint32_t *seeds; /* tile shape: 32 words a tile */
    bool probe;            /* outputs count though they do not advance */
    size_t first;          /* vector shape: the block begins at this group of the tile */
    unsigned groups;
    size_t vectors; /* not 0: inputs and output are so many vectors, two of them a group */
};

struct fast_step;
typedef void fast_function(const struct fast_step *s, const struct fast_context *c);

struct fast_step {
    fast_function *run;
    struct tx_op op; /* imm, mode, rnd */
    struct fast_rules rules;
    bool use, top_use; /* UseLaneFlagsForLaneEnable of all lanes, and of the stack's top */
    uint8_t depth;     /* of the flag stack */
    uint8_t format;    /* enum tx_format, of FAST_CELL and the like */
    uint8_t number;    /* of an input; see the kinds */
    uint8_t vector;    /* tile shape: 2 * rows / 4 + odd column */
    uint8_t kind;      /* enum fast_kind */
    uint8_t mad;       /* enum fast_mad */
    bool masked;
    uint8_t *tier;  /* how the multiply-add fared */
    uint8_t *stack; /* not NULL: wants to know what the body does with the flag stack */
    const uint32_t *in[IN_COUNT];
    uint32_t *out[OUT_COUNT];
    /* To the next group: FAST_GROUP, or 0 of constants. Not of the type that values have, so that
     * no store of one makes a loop read them again. */
    uint16_t in_stride[IN_COUNT];
    uint16_t out_stride[OUT_COUNT];
};

/* Everything that has its own form by CPU. */
struct fast_level {
    const char *name;
    const char *options;                       /* of gcc and clang for the CPU */
    fast_function *const *rows;                /* by enum isa_row_id, of FAST_ROW */
    fast_function *const *kinds;               /* by enum fast_kind */
    fast_function *input_tiles, *output_tiles; /* in the tile shape */
};

extern const struct fast_level fast_base;
#if defined(__x86_64__)
extern const struct fast_level fast_avx2, fast_avx512;
#elif defined(__aarch64__)
extern const struct fast_level fast_neon;
#endif

#endif
