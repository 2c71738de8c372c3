/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "shadow": exact arithmetic beside the machine, see <tensix-lab/shadow.h>. It may use base,
 * reference, kernel and flow.
 *
 * While the machine runs, its events become the graph of values of room flow; each lane of a value
 * gets a node here that says what its instruction means for real numbers. Predication and every
 * other decision are thereby the machine's. Afterwards MPFR follows the nodes backwards from an
 * element of the result.
 */
#ifndef LAB_SHADOW_H
#define LAB_SHADOW_H

#include <tensix-lab/shadow.h>

#include "flow/graph.h"
#include "kernel/load.h"

#include "reference/reference.h"

enum { SHADOW_NONE = 0xFFFFFFFF, SHADOW_REGS = 17, SHADOW_ARGS = 3 };

enum shadow_kind {
    SHADOW_GIVEN, /* not made by .tile: constants, what .init left */
    SHADOW_INPUT, /* a load of what .tile did not store */
    SHADOW_START, /* the emulator's result as it is */
    SHADOW_WHOLE, /* the number that the operand is as a sign and magnitude integer */
    SHADOW_FMA,   /* arg 0 * arg 1 + arg 2; no arg 1: 1, no arg 2: 0 */
    SHADOW_SCALE, /* arg 0 * 2^scale */
    SHADOW_COPY
};

struct shadow_node {
    uint32_t step; /* of the graph, or SHADOW_NONE */
    uint32_t bits; /* as the emulator has it */
    uint32_t arg[SHADOW_ARGS];
    int16_t scale, least; /* least: exponent of the least normal number */
    uint8_t kind;         /* enum shadow_kind */
    uint8_t precision;    /* of the result, in bits */
    uint8_t negate;       /* bit per arg */
    int8_t sign;          /* not 0: the result's, whatever the arithmetic gives */
    bool integer;         /* bits are no float */
    bool magnitude;       /* but sign and magnitude, else two's complement */
    bool constant, random, limited, vanished, by_constant;
    bool read_back; /* of a store: bits are what a load of it gave */
};

struct shadow;

/* dst: what mode SRCB of loads and stores means. NULL: out of memory. */
struct shadow *shadow_open(enum tx_arch arch, enum tx_dst_format dst);
void shadow_close(struct shadow *shadow);
void shadow_event(void *user, const struct tx_event *event); /* user: the shadow */
/* Forgets everything; a tile begins now. */
void shadow_begin(struct shadow *shadow);
/* False: out of memory on the way. */
bool shadow_whole(const struct shadow *shadow);
/* The value that was stored last in this element of a tile of Dst, which reads back as word. */
uint32_t shadow_output(struct shadow *shadow, unsigned tile, unsigned element,
                       enum tx_dst_format format, uint32_t word);
const struct shadow_node *shadow_node_at(const struct shadow *shadow, uint32_t node);
const struct txl_step *shadow_step_at(const struct shadow *shadow, uint32_t step);
/* Number of the first instruction of the tile that was issued. */
uint64_t shadow_first(const struct shadow *shadow);
const txl_graph *shadow_graph(const struct shadow *shadow);

/* ---- shadow_rules.c ---- */

/* What an instruction found: bits and nodes of all LRegs. */
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
    uint32_t (*constant)(void *user, uint32_t bits); /* a node for it */
    const struct shadow_node *(*at)(void *user, uint32_t node);
    bool blackhole;
};

/* The table of isa/ that says what a behaviour means. */
enum shadow_meaning {
    SHADOW_BY_LOAD,  /* reads Dst */
    SHADOW_BY_TERMS, /* multiply_add.def */
    SHADOW_BY_TABLE, /* tables.def */
    SHADOW_BY_MOVE,  /* moves.def */
    SHADOW_BY_REAL   /* reals.def */
};

/* real: of SHADOW_BY_REAL; bits of their own that are a float where the table does not know it. */
enum shadow_meaning shadow_meaning_of(const struct tx_row *row, unsigned mode,
                                      struct tx_real *real);
float shadow_float(uint32_t bits);
/* The number that an integer node is. */
int64_t shadow_integer(const struct shadow_node *node);
/* The node of what the instruction wrote into a register; loads and stores aside. */
struct shadow_node shadow_rule(const struct shadow_rules *rules, const struct shadow_found *found,
                               unsigned reg, unsigned lane, uint32_t bits);
struct shadow_node shadow_plain(enum shadow_kind kind, uint32_t step, uint32_t bits);

/* ---- shadow_account.c ---- */

enum { SHADOW_CANCELLED = 8 }; /* bits by which a sum falls for the event to be told */

/*
 * One value on the way to the result. Errors are signed: emulator minus exact, in ULP of the exact
 * value in the format that the instruction rounds to; infinite where one of the two is not finite.
 */
struct shadow_line {
    uint32_t node;
    char exact[40];     /* with everything exact from the inputs on */
    double local;       /* error of this instruction alone, from the operands it got */
    double so_far;      /* against exact */
    double share;       /* of the result's error, in the result's ULP */
    uint32_t events;    /* TXL_SHADOW_ */
    int cancelled, cut; /* bits; cancelled -1: all */
};

struct shadow_account {
    struct shadow_line *lines; /* in order of execution */
    size_t count;
    bool stored; /* else nothing was stored there, and there are no lines */
    bool has_reference;
    double error;  /* of the result, before the one rounding of a reference */
    double method; /* part of it that exact arithmetic would leave; with a reference */
    char exact[40];
    int guilty; /* line with the largest share, or TXL_GUILTY_ */
};

/* reference: the function, not rounded, or NULL. False: out of memory. */
bool shadow_account(const struct shadow *shadow, uint32_t output, enum tx_dst_format format,
                    const double *reference, struct shadow_account *out);
/* Its error alone. */
bool shadow_error(const struct shadow *shadow, uint32_t output, enum tx_dst_format format,
                  const double *reference, double *error);
void shadow_account_free(struct shadow_account *account);

#endif
