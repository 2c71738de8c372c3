/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "form": writes a kernel for a function: reduces its argument, approximates what remains,
 * assembles the result, and schedules the instructions. It may use base, reference, kernel, lint
 * and sweep.
 *
 * remez.c finds coefficients, functions.c defines the rows of the functions, code.c builds their
 * instruction lists, place.c finds order and registers, write.c writes the text, table.c handles
 * forms with tables.
 *
 * A row is a list of instructions on values. Each has one result, and a value that an instruction
 * changes in place is used by no other instruction afterwards. Constants are kept separately; where
 * they are stored is decided when the row is placed.
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
    FORM_CONSTANT = 1000, /* operand: this plus the number of a constant */
    FORM_REGISTER = 2000, /* operand: this plus the number of an LReg */
    FORM_ZERO = FORM_REGISTER + 9,
    FORM_ONE = FORM_REGISTER + 10,
    FORM_REGS = 8,
    FORM_KEPT = 4 /* number of constants that SFPCONFIG can store, from L11 on */
};

enum form_type { FORM_FP32, FORM_BF16, FORM_FP16, FORM_BITS };

struct form_constant {
    char name[16];
    double value;
    uint32_t bits;  /* for FORM_BITS */
    unsigned needs; /* significand bits that the result depends on, at most 24 */
    bool free;      /* a coefficient that a search may change */
    bool kept;      /* must stay in a read-only register: L11 to L14 */
    bool used;
    /* Set when the row is placed: register (FORM_NONE: loaded in each row) and format. */
    int reg;
    enum form_type type;
};

/* A function to approximate, and the constants of its coefficients. */
struct form_core {
    struct remez remez;
    char what[64];  /* "log(1 + t) / t" */
    double largest; /* largest |t| */
    unsigned bits;  /* precision that the result needs of it; 0: that of the format */
    /* Constants of numerator and denominator; FORM_NONE: held at a fixed value. */
    int top[REMEZ_TERMS], bottom[REMEZ_TERMS];
};

struct form_op {
    /*
     * Assembler lines with %d for the result's register, %a %b %c for operands, %B for the number
     * of the second one's register, %i for the row's address, %% for a percent sign.
     */
    char text[FORM_TEXT];
    int in[FORM_INPUTS]; /* values, FORM_CONSTANT + n, FORM_REGISTER + n, FORM_NONE */
    int tied;            /* value whose register the result takes over, or FORM_NONE */
    int clobbered;       /* value whose register is destroyed, or FORM_NONE */
    int out;             /* the resulting value, or FORM_NONE */
    int row;             /* which of the rows that are computed together */
    unsigned late;       /* cycles from the first until the tied register is touched */
    unsigned issues;     /* number of instruction words */
    unsigned cycles;     /* cycles that the thread is occupied */
    unsigned latency;    /* cycles until the result can be read */
};

struct form_code {
    enum tx_arch arch;
    bool bf16;    /* results must be rounded to BF16 */
    bool rounded; /* the rounding has been added */
    bool pairs;   /* use Estrin's scheme */
    struct form_op op[FORM_OPS];
    unsigned ops, values;
    struct form_constant constant[FORM_CONSTANTS];
    unsigned constants;
    struct form_core core[FORM_CORES];
    unsigned cores;
    char method[1200]; /* sentences for the head comment */
    bool flags;        /* uses lane flags: predication must be on */
    bool full;         /* something did not fit: the code must not be used */
};

/* A schedule with registers. */
struct form_plan {
    unsigned rows, length;       /* rows computed together, and their cycles */
    struct form_op op[FORM_OPS]; /* includes loads of constants */
    unsigned ops;
    int order[FORM_OPS]; /* sorted by time */
    unsigned time[FORM_OPS];
    int reg[FORM_VALUES];
};

/* ---- code.c ---- */
int form_constant(struct form_code *c, const char *name, double value);
int form_bits(struct form_code *c, const char *name, uint32_t bits);
/* Adds an instruction and returns its result. tied is a value whose register it takes over. */
int form_emit(struct form_code *c, const char *text, int a, int b, int d, int tied);
/*
 * Rounds to BF16 where results need it. Call it once, before special values are inserted, because
 * rounding would change a NaN.
 */
int form_round(struct form_code *c, int value);
/* Adds the store of the result. */
void form_store(struct form_code *c, int value);
int form_load(struct form_code *c);
int form_mad(struct form_code *c, int a, int b, int d);
int form_mul(struct form_code *c, int a, int b);
int form_add(struct form_code *c, int a, int b);
int form_copy(struct form_code *c, int a);
void form_method(struct form_code *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a core with this many coefficients, to be solved later. */
struct form_core *form_core(struct form_code *c, const char *what, remez_function *g,
                            enum remez_weight weight, double a, double b, unsigned tops,
                            unsigned bottoms);
/* Holds coefficient k of the numerator at 0 or 1, which are available in registers. */
void form_hold(struct form_core *core, unsigned k, double value);
/*
 * Evaluate the numerator or the denominator at t, by Horner's or Estrin's scheme; names of its
 * coefficients begin with this letter.
 */
int form_poly(struct form_code *c, struct form_core *core, int t, char letter);
int form_bottom(struct form_code *c, struct form_core *core, int t, char letter);
/*
 * Computes a + b, where a is the larger one, or the sum is exact. *rest becomes what the rounding
 * of the sum has lost, exactly. minus is the constant -1.
 */
int form_sum(struct form_code *c, int a, int b, int minus, int *rest);
/* Solves all cores and sets their coefficients. Returns TXL_CONTINUE or an error. */
int form_solve(struct txl_error *err, struct form_code *c);

/* ---- functions.c ---- */
struct form_how {
    enum txl_form_kind kind;
    unsigned m, n;
    double low, high; /* limits of the domain */
    bool whole;       /* the domain includes infinities and all numbers */
};
/*
 * Builds the row of a function. Returns TXL_CONTINUE, or TXL_NEGATIVE where it does not have this
 * form, as err says.
 */
int form_function(struct txl_error *err, struct form_code *c, const char *name,
                  const struct form_how *how);

/* ---- place.c ---- */
/*
 * Fills in latencies from the chip's tables. TXL_INPUT would mean that an instruction does not
 * exist, which is a bug.
 */
int form_measure(struct txl_error *err, struct form_code *c);
/*
 * Finds the shortest schedule among some hundred tries for so many rows at once, with the first so
 * many constants in registers of L0 to L7. Returns false where there are not enough registers.
 */
struct form_patience {
    double until; /* clock_seconds() at which tries end, */
    bool needed;  /* but not before one has succeeded */
};
bool form_place(struct form_code *c, unsigned rows, unsigned registers,
                const struct form_patience *patience, struct form_plan *plan);

/* ---- write.c ---- */
struct form_head {
    const char *reference, *form, *dst;
};
void form_write(FILE *out, const struct form_code *c, const struct form_plan *plan,
                const struct form_head *head);

#endif
