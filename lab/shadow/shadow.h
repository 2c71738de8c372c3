/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "shadow": exact arithmetic beside the machine, see <tensix-lab/shadow.h>. It may use base,
 * reference, kernel and flow.
 *
 * While the machine runs, its events become the graph of values of room flow, and each lane of a
 * value gets a node here that says what its instruction means for real numbers. Predication and all
 * other decisions are therefore the machine's own. Afterwards MPFR follows the nodes back from an
 * element of the result.
 */
#ifndef LAB_SHADOW_H
#define LAB_SHADOW_H

#include <mpfr.h>

#include <tensix-lab/shadow.h>

#include "flow/graph.h"
#include "kernel/load.h"

#include "reference/reference.h"

enum { SHADOW_NONE = 0xFFFFFFFF, SHADOW_REGS = 17, SHADOW_ARGS = 3 };

enum shadow_kind {
    SHADOW_GIVEN, /* not made by .tile: constants and what .init left */
    SHADOW_INPUT, /* a load of what .tile did not store */
    SHADOW_START, /* the emulator's result is taken as exact */
    SHADOW_WHOLE, /* the operand, a sign and magnitude integer, as a number */
    SHADOW_FMA,   /* arg 0 * arg 1 + arg 2; no arg 1: 1, no arg 2: 0 */
    SHADOW_SCALE, /* arg 0 * 2^scale */
    SHADOW_COPY
};

struct shadow_node {
    uint32_t step; /* step of the graph, or SHADOW_NONE */
    uint32_t bits; /* the value that the emulator has */
    uint32_t arg[SHADOW_ARGS];
    int16_t scale, least; /* least: exponent of the result format's least normal number */
    uint8_t kind;         /* enum shadow_kind */
    uint8_t precision;    /* of the result's mantissa, in bits */
    uint8_t negate;       /* bit n: arg n is negated */
    int8_t sign;          /* not 0: the sign of the result, whatever the arithmetic gives */
    bool integer;         /* the bits are an integer, not a float */
    bool magnitude;       /* an integer in sign and magnitude; else in two's complement */
    /* What the account reports as events, and constant: made by loading one. */
    bool constant, random, limited, vanished, by_constant;
    bool read_back; /* of a store: the bits are what a load of it gave */
};

struct shadow;

/* dst: the format that mode SRCB of loads and stores stands for. Returns NULL without memory. */
struct shadow *shadow_open(enum tx_arch arch, enum tx_dst_format dst);
void shadow_close(struct shadow *shadow);
void shadow_event(void *user, const struct tx_event *event); /* user: the shadow */
/* Forgets everything: a tile begins now. */
void shadow_begin(struct shadow *shadow);
/* Returns false when memory ran out on the way, so that nodes are missing. */
bool shadow_whole(const struct shadow *shadow);
/*
 * Returns the node of the value that was stored last in this element of a tile of Dst, or
 * SHADOW_NONE. word: what reads back from there.
 */
uint32_t shadow_output(struct shadow *shadow, unsigned tile, unsigned element,
                       enum tx_dst_format format, uint32_t word);
const struct shadow_node *shadow_node_at(const struct shadow *shadow, uint32_t node);
const struct txl_step *shadow_step_at(const struct shadow *shadow, uint32_t step);
/* Returns the number of the first instruction of the tile that was issued. */
uint64_t shadow_first(const struct shadow *shadow);
const txl_graph *shadow_graph(const struct shadow *shadow);

/* ---- shadow_rules.c ---- */

/* What an instruction found when it executed: the bits and nodes of all LRegs. */
struct shadow_found {
    struct tx_operands operands;
    const struct tx_row *row;
    uint32_t step;
    uint8_t meaning; /* enum shadow_meaning */
    struct tx_real real;
    uint32_t bits[SHADOW_REGS][TX_LANES], node[SHADOW_REGS][TX_LANES];
};

struct shadow_rules {
    void *user;
    uint32_t (*constant)(void *user, uint32_t bits); /* makes a node for a constant */
    const struct shadow_node *(*at)(void *user, uint32_t node);
    bool negates; /* modifiers of multiply-adds turn signs */
};

/* Which table of isa/ says what an instruction means for real numbers. */
enum shadow_meaning {
    SHADOW_BY_LOAD,  /* reads Dst */
    SHADOW_BY_TERMS, /* multiply_add.def */
    SHADOW_BY_TABLE, /* tables.def */
    SHADOW_BY_MOVE,  /* moves.def */
    SHADOW_BY_REAL   /* reals.def */
};

/*
 * Returns the table for an instruction and modifier. For SHADOW_BY_REAL *real is its entry, else
 * (or without an entry) one that takes the result as it is, a float.
 */
enum shadow_meaning shadow_meaning_of(const struct tx_row *row, unsigned mode,
                                      struct tx_real *real);
/* Returns the number that the bits of an integer node stand for. */
int64_t shadow_integer(const struct shadow_node *node);
/*
 * Returns the node of what an instruction wrote into one lane of a register. Loads and stores are
 * not handled here.
 */
struct shadow_node shadow_rule(const struct shadow_rules *rules, const struct shadow_found *found,
                               unsigned reg, unsigned lane, uint32_t bits);
struct shadow_node shadow_plain(enum shadow_kind kind, uint32_t step, uint32_t bits);

/* ---- shadow_account.c ---- */

enum { SHADOW_CANCELLED = 8 }; /* lost leading bits from which a sum is reported */

/*
 * One value on the way to the result. Errors are signed: emulator minus exact, in ULP of the exact
 * value in the format that the instruction rounds to. They are infinite where only one of the two
 * is finite.
 */
struct shadow_line {
    uint32_t node;
    char exact[40];     /* the value with everything exact from the inputs on */
    double local;       /* error of this instruction alone, given the operands it got */
    double so_far;      /* error against exact, in ULP of the instruction's format */
    double share;       /* part of the result's error, in ULP of the result */
    uint32_t events;    /* TXL_SHADOW_ */
    int cancelled, cut; /* bits that a sum cancelled (-1: all) and that a store cut off */
};

struct shadow_account {
    struct shadow_line *lines; /* in order of execution */
    size_t count;
    bool stored; /* false: nothing was stored there, and there are no lines */
    bool has_reference;
    double error;  /* of the result, before the one rounding that the reference would get */
    double method; /* the part of it that exact arithmetic would leave; needs a reference */
    char exact[40];
    int guilty; /* line with the largest share, or TXL_GUILTY_ */
};

/*
 * Fills *out for the result in node output. reference: the function's value, not rounded, or NULL.
 * Returns false without memory.
 */
bool shadow_account(const struct shadow *shadow, uint32_t output, enum tx_dst_format format,
                    const double *reference, struct shadow_account *out);
/* As shadow_account, but only calculates the error. */
bool shadow_error(const struct shadow *shadow, uint32_t output, enum tx_dst_format format,
                  const double *reference, double *error);
void shadow_account_free(struct shadow_account *account);

/* shadow_number.c: writes a number with at most 12 digits, as MPFR's "%.12Rg" does. */
void shadow_number(char *text, size_t size, mpfr_srcptr value);

#endif
