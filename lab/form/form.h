/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "form": writes the kernel of a function: reduces its argument, approximates what is left,
 * puts the result together, and places all that. It may use base, reference, kernel, lint and
 * sweep.
 *
 * remez.c finds coefficients, functions.c what a function's row computes, code.c notes it down,
 * place.c finds order and registers, write.c the text, table.c the forms of tables.
 *
 * A row is a list of instructions on values: each has one result, and a value that an instruction
 * changes in place is that one's alone. Constants stand beside; where they are kept is decided
 * when the row is placed.
 */
#ifndef LAB_FORM_H
#define LAB_FORM_H

#include <tensix-lab/form.h>
#include <tensix-lab/reference.h>

#include "form/remez.h"

enum {
    FORM_OPS = 200,
    FORM_VALUES = FORM_OPS,
    FORM_CONSTANTS = 48,
    FORM_CORES = 4,
    FORM_TEXT = 120,
    FORM_INPUTS = 3,
    FORM_NONE = -1,
    FORM_CONSTANT = 1000, /* an operand: this and the number of a constant */
    FORM_REGISTER = 2000, /* this and the number of an LReg */
    FORM_ZERO = FORM_REGISTER + 9,
    FORM_ONE = FORM_REGISTER + 10,
    FORM_REGS = 8,
    FORM_KEPT = 4 /* constants that SFPCONFIG keeps, from L11 on */
};

enum form_type { FORM_FP32, FORM_BF16, FORM_FP16, FORM_BITS };

struct form_constant {
    char name[16];
    double value;
    uint32_t bits;  /* of FORM_BITS */
    unsigned needs; /* bits of its significand that the result needs, 24 at most */
    bool free;      /* a coefficient that a search may choose */
    bool kept;      /* must stay in a register that nothing can write: L11 to L14 */
    bool used;
    /* Where it is, when the row is placed. */
    int reg; /* FORM_NONE: loaded in each row */
    enum form_type type;
};

/* What is approximated, and where its coefficients are. */
struct form_core {
    struct remez remez;
    char what[64];                             /* "log(1 + t) / t" */
    double largest;                            /* |t| */
    int top[REMEZ_TERMS], bottom[REMEZ_TERMS]; /* constants; FORM_NONE: held at a value */
};

struct form_op {
    /* Lines for the assembler: %d the result's register, %a %b %c of operands, %i the row's
     * address, %% percent. */
    char text[FORM_TEXT];
    int in[FORM_INPUTS]; /* values, FORM_CONSTANT + n, FORM_REGISTER + n, FORM_NONE */
    int tied;            /* value whose register becomes the result's, or FORM_NONE */
    int clobbered;       /* value whose register is of no use behind it, or FORM_NONE */
    int out;             /* value, or FORM_NONE */
    int row;             /* of those that are computed together */
    unsigned late;       /* cycles behind the first one in which the tied register is touched */
    unsigned issues;     /* words */
    unsigned cycles;     /* that it takes of the thread */
    unsigned latency;    /* until its result can be read */
};

struct form_code {
    enum tx_arch arch;
    bool bf16;    /* results are rounded to BF16 */
    bool rounded; /* that has been done */
    bool pairs;   /* Estrin's form */
    struct form_op op[FORM_OPS];
    unsigned ops, values;
    struct form_constant constant[FORM_CONSTANTS];
    unsigned constants;
    struct form_core core[FORM_CORES];
    unsigned cores;
    char method[1200]; /* of the head comment, in sentences */
    bool flags;        /* lanes are switched off: predication must be on */
    bool full;         /* something had no room: not to be used */
};

/* Where everything goes. */
struct form_plan {
    unsigned rows, length;       /* computed together; cycles of them */
    struct form_op op[FORM_OPS]; /* with the loads of constants */
    unsigned ops;
    int order[FORM_OPS]; /* by time */
    unsigned time[FORM_OPS];
    int reg[FORM_VALUES];
};

/* ---- code.c ---- */
int form_constant(struct form_code *c, const char *name, double value);
int form_bits(struct form_code *c, const char *name, uint32_t bits);
/* An instruction with a new result. tied: its register is taken over. */
int form_emit(struct form_code *c, const char *text, int a, int b, int d, int tied);
/* To BF16 where results are that; once, before special values, of which it would change NaN. */
int form_round(struct form_code *c, int value);
/* Without a result. */
void form_store(struct form_code *c, int value);
int form_load(struct form_code *c);
int form_mad(struct form_code *c, int a, int b, int d);
int form_mul(struct form_code *c, int a, int b);
int form_add(struct form_code *c, int a, int b);
int form_copy(struct form_code *c, int a);
void form_method(struct form_code *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A core of this many coefficients, not solved yet. */
struct form_core *form_core(struct form_code *c, const char *what, remez_function *g,
                            enum remez_weight weight, double a, double b, unsigned tops,
                            unsigned bottoms);
/* Holds coefficient k of the top at a number that a register has: 0 or 1. */
void form_hold(struct form_core *core, unsigned k, double value);
/* The top or the bottom at t, Horner's or Estrin's form; names begin with this letter. */
int form_poly(struct form_code *c, struct form_core *core, int t, char letter);
int form_bottom(struct form_code *c, struct form_core *core, int t, char letter);
/* Solves all cores and gives their coefficients to the constants. TXL_CONTINUE or an error. */
int form_solve(struct txl_error *err, struct form_code *c);

/* ---- functions.c ---- */
struct form_how {
    enum txl_form_kind kind;
    unsigned m, n;
    double low, high; /* of the domain */
    bool whole;       /* the domain has infinities and all numbers */
};
/* TXL_CONTINUE; TXL_NEGATIVE: this form of the function is not known, which err says. */
int form_function(struct txl_error *err, struct form_code *c, const char *name,
                  const struct form_how *how);

/* ---- place.c ---- */
/*
 * Latencies from the chip's tables. TXL_CONTINUE, or TXL_INPUT: an instruction is none, which is a
 * bug.
 */
int form_measure(struct txl_error *err, struct form_code *c);
/*
 * The shortest order found in some hundred tries for so many rows at once, with the first so many
 * constants in registers of L0 to L7. False: there are not enough registers.
 */
bool form_place(struct form_code *c, unsigned rows, unsigned registers, struct form_plan *plan);

/* ---- write.c ---- */
struct form_head {
    const char *reference, *form, *dst;
    bool both; /* chips */
};
void form_write(FILE *out, const struct form_code *c, const struct form_plan *plan,
                const struct form_head *head);

#endif
