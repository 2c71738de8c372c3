/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a plan: a function over groups of 64 lanes, with the arrays that it reads and writes.
 * In the vector shape a group is the even and the odd columns of four rows of one tile; in the tile
 * shape it is the same vector of two tiles.
 */
#ifndef TX_FAST_STEP_H
#define TX_FAST_STEP_H

#include "isa/op.h"

enum {
    FAST_GROUP = 64,
    FAST_GROUPS = 16 /* groups in a block; a whole tile in the vector shape */
};

/* Inputs of a step. Table look-ups have L0..L6 from IN_L on. Where MASK is zero, OLD is kept. */
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

/*
 * Outputs. Flags are words of all ones or zero. Table look-ups return coefficient, addend,
 * argument.
 */
enum fast_out { OUT_VALUE, OUT_LF, OUT_TOP, OUT_COUNT };

/* Kinds of steps, beside rows of isa.def. */
enum fast_kind {
    FAST_CONSTANT,
    FAST_INPUT,  /* reads words of a tile */
    FAST_OUTPUT, /* writes words of a tile */
    FAST_SEED,   /* the generators' state at the start of a tile */
    FAST_ROW,    /* executes a body of src/sem */
    FAST_MAD,    /* IN_A * IN_B + IN_C, mode as SFPMAD */
    FAST_TERMS,  /* the terms of SFPLUT and SFPLUTFP32 */
    FAST_CELL,   /* converts a tile's word to a Dst cell */
    FAST_WORD,   /* converts a Dst cell to a tile's word */
    FAST_JOIN,   /* JOIN makes 32 bits of two halves; HIGH and LOW take them apart */
    FAST_HIGH,
    FAST_LOW,
    FAST_LOAD,       /* converts a Dst cell to a register value */
    FAST_STORE,      /* converts a register value to a Dst cell */
    FAST_STORE_WORD, /* FAST_STORE, then FAST_WORD */
    FAST_LOAD_CELL,  /* FAST_CELL, then FAST_LOAD */
    FAST_SELECT,     /* IN_MASK ? IN_A : IN_OLD */
    FAST_ORDER,      /* SFPSWAP: mask of the lanes that exchange */
    FAST_NEXT,       /* the generators' state after a draw */
    FAST_PICK,       /* (IN_A & 15) == number ? IN_B : IN_C */
    FAST_PICKED,     /* (IN_A & 15) == number, as a mask */
    FAST_SIGN,       /* IN_A with the sign of IN_B */
    FAST_ROTATE,     /* from here on between lanes: SFPSHFT2 */
    FAST_UP,
    FAST_SHIFT1,    /* IN_A shifted right; the first lane of a row is the eighth of IN_B */
    FAST_TRANSPOSE, /* one register of SFPTRANSP: row "number" of IN_A .. IN_D */
    FAST_FIRST,     /* row 0 in all rows */
    FAST_EXCHANGED, /* both results of SFPSWAP in all lanes: OUT_VALUE of A, OUT_LF of B */
    FAST_RECIP,     /* SFPARECIP, modes 0 and 1 */
    FAST_CAST,      /* SFPCAST to nearest */
    FAST_KINDS
};

/*
 * A constant expression: no FAST_ROW is made of this row, whose macro arguments these are.
 * Instructions with the ports of the multiply-add become FAST_MAD or FAST_TERMS, except SFPMUL24.
 */
#define FAST_OTHER_KIND(mnemonic, writes) \
    (((writes)&TX_SET(VDX)) != 0 && INSN_##mnemonic != INSN_SFPMUL24)

/*
 * What is known of the operands of a multiply-add: A or B is 1.0; C is +0; C is a constant well
 * within the range.
 */
enum fast_mad { MAD_ANY, MAD_ONE_A, MAD_ONE_B, MAD_TIMES, MAD_BOUND };

struct fast_rules {
    bool arithmetic_bh;
    bool lut16_positive, stoch_shifted, prng_after, strict_ties, keep_denormals;
};

struct fast_context {
    const uint32_t *const *inputs; /* of the first tile in the block */
    uint32_t *output;
    const uint32_t *seeds; /* tile shape: 32 words per tile */
    bool probe;            /* outputs are used even if they do not advance */
    size_t first;          /* vector shape: group of the tile at which the block begins */
    unsigned groups;
    size_t vectors; /* if not 0: inputs and output are so many vectors, two to a group */
};

struct fast_step;
typedef void fast_function(const struct fast_step *s, const struct fast_context *c);

struct fast_step {
    fast_function *run;
    struct tx_op op; /* imm, mode, rnd */
    struct fast_rules rules;
    bool use, top_use; /* UseLaneFlagsForLaneEnable, of all lanes and of the stack's top */
    uint8_t depth;     /* entries on the flag stack */
    uint8_t format;    /* enum tx_format, of FAST_CELL and the like */
    uint8_t number;    /* of an input, or as the kind says */
    uint8_t vector;    /* tile shape: 2 * (row / 4) + odd column */
    uint8_t kind;      /* enum fast_kind */
    uint8_t mad;       /* enum fast_mad */
    bool masked;
    uint8_t *tier;  /* which tier of the multiply-add succeeded last, see fma.h */
    uint8_t *stack; /* if not NULL, receives what the body does to the flag stack */
    const uint32_t *in[IN_COUNT];
    uint32_t *out[OUT_COUNT];
    /*
     * Distance to the next group: FAST_GROUP, or 0 for constants. The type differs from that of
     * values, so that storing a value does not make a loop read these again.
     */
    uint16_t in_stride[IN_COUNT];
    uint16_t out_stride[OUT_COUNT];
};

/* What exists in a version for each CPU. */
struct fast_level {
    const char *name;
    const char *options;                       /* options of gcc and clang for this CPU */
    fast_function *const *rows;                /* by enum isa_row_id, for FAST_ROW */
    fast_function *const *kinds;               /* by enum fast_kind */
    fast_function *input_tiles, *output_tiles; /* for the tile shape */
};

extern const struct fast_level fast_base;
#if defined(__x86_64__)
extern const struct fast_level fast_avx2, fast_avx512;
#elif defined(__aarch64__)
extern const struct fast_level fast_neon;
#endif

#endif
