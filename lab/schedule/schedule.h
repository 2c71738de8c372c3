/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "schedule": modulo schedules with SFPLOADMACRO for the rows of a straight-line kernel. It
 * may use base, kernel, flow and sweep (its comparison is the proof).
 *
 * body.c takes one row from the values of a run, forms.c says how else its instructions can be
 * written, bound.c what no schedule can undercut, search.c places them, registers.c finds
 * registers, templates and sequences for a placement, emit.c writes the kernel, prove.c runs it.
 *
 * Time is cycles from the launch of a row's first instruction; the next row does the same II
 * cycles later. "Issue" is what takes a cycle of the thread: a plain instruction or a load, which
 * becomes an SFPLOADMACRO as soon as it schedules something.
 */
#ifndef LAB_SCHEDULE_H
#define LAB_SCHEDULE_H

#include <tensix-lab/schedule.h>

#include "base/error.h"

enum {
    SCHED_OPS = 24,    /* of a row, the store among them */
    SCHED_VALUES = 48, /* of a row, constants among them */
    SCHED_FORMS = 8,   /* ways to write one instruction */
    SCHED_ISSUES = 32, /* of a row: an upper limit of II, too */
    SCHED_LIVES = SCHED_VALUES + SCHED_ISSUES,
    SCHED_PHASES = 4, /* rows until registers repeat */
    SCHED_REGS = 8,
    SCHED_MACROS = 4, /* templates, and sequences */
    SCHED_DELAYS = 8,
    SCHED_L16 = SCHED_LIVES, /* the class of what is in L16 */
    SCHED_CLASSES,
    SCHED_NONE = -1,
    SCHED_MESSAGE = 240
};

enum sched_kind { SCHED_CONSTANT, SCHED_LOADED, SCHED_MADE };

struct sched_value {
    enum sched_kind kind;
    uint8_t reg;      /* of a constant */
    uint16_t address; /* of a load, in row 0 */
    uint32_t word;    /* of a load */
    int op;           /* that makes it */
    unsigned uses;    /* how often it is read */
    bool stored;      /* by the store */
};

/* Operands by field. */
enum { SCHED_VA, SCHED_VB, SCHED_VC, SCHED_OPERANDS };

struct sched_form {
    const struct tx_row *row;
    uint32_t word;
    int operand[SCHED_OPERANDS]; /* values, or SCHED_NONE where it is not read */
    bool plain;                  /* can be issued */
    bool macro;                  /* can be scheduled */
};

struct sched_op {
    struct sched_form form[SCHED_FORMS];
    unsigned forms;
    int pin[SCHED_REGS]; /* values that it reads from a register that no field names */
    int out, out_vc;     /* values: in the destination, and in the register of VC (SFPSWAP) */
    unsigned cycles;     /* 2: SFPSWAP takes its sub-unit for so long */
    unsigned latency;
    bool store;
};

struct sched_body {
    const struct tx_program *program;
    enum tx_arch arch;
    struct sched_op op[SCHED_OPS]; /* each behind those that it reads of; the last is the store */
    unsigned ops;
    struct sched_value value[SCHED_VALUES];
    unsigned values;
    uint16_t address; /* of the store, in row 0 */
    uint32_t store;   /* its word */
    int stride;       /* of all addresses from row to row */
    unsigned rows;
    uint8_t constants; /* L0..L7 that keep what .init put there, bit n: Ln */
    uint64_t straight; /* cycles of a tile as it stands */
};

struct sched_issue {
    int16_t time;
    int8_t op;      /* a plain instruction, or SCHED_NONE: a load */
    int8_t load;    /* value that it loads, or SCHED_NONE: whatever its address holds */
    int8_t cls;     /* class of the register that it loads */
    int8_t unit[4]; /* ops that it schedules on Simple, MAD, Round, Store; or SCHED_NONE */
};

struct sched_place {
    int16_t time;
    int8_t issue; /* of itself, or that schedules it */
    int8_t form;
    int8_t life[SCHED_OPERANDS]; /* which copy of each operand */
    bool macro, l16;
    bool other; /* the SFPLOADMACRO's register is VB, not VC */
};

/* How long a register holds a value: in cycles from..to it can be read. */
struct sched_life {
    int8_t cls; /* class: values that share their register, or SCHED_NONE: not there (yet) */
    int16_t from, to;
};

/* A placement of ops, complete or not. Copied at each step of the search. */
struct sched_plan {
    unsigned ii, issues, placed;
    struct sched_issue issue[SCHED_ISSUES];
    struct sched_place place[SCHED_OPS];
    struct sched_life life[SCHED_LIVES]; /* made values, then what issues load */
    int8_t pin[SCHED_CLASSES];           /* register of a class, or SCHED_NONE */
    int8_t slot[SCHED_ISSUES];           /* issue of each cycle modulo II; -2: held */
    int8_t unit[4][SCHED_ISSUES];        /* op of each sub-unit and cycle */
};

/* What registers.c adds. */
struct sched_code {
    unsigned phases;
    int8_t reg[SCHED_CLASSES][SCHED_PHASES]; /* of each class */
    uint32_t template[SCHED_MACROS];    /* words; their VD is 12.. where the macro's is meant */
    unsigned templates, first_template; /* how many, and the number of the first */
    uint32_t sequence[SCHED_MACROS];
    unsigned sequences, first_sequence;
    int8_t macro[SCHED_ISSUES][SCHED_PHASES]; /* sequence of each load, or SCHED_NONE */
};

struct sched_limits {
    unsigned templates, sequences; /* first ones that are reserved by the caller */
    uint8_t regs;                  /* L0..L7 that must not be used, bit n: Ln */
};

enum { SCHED_BOUNDS = 7 };
struct sched_bound {
    unsigned ii;
    const char *why;
};

struct sched_search {
    const struct sched_body *body;
    struct sched_limits limits;
    unsigned window;      /* cycles that an op may wait for beyond its operands */
    uint64_t seed;        /* not 0: in a random order */
    uint64_t nodes, most; /* most: of this pass; 0: no limit */
    bool (*go_on)(void *user);
    void *user;
    bool stopped, full; /* cancelled; most was reached */
    bool loose;         /* registers of some placement were not tried out: nothing is refuted */
    struct sched_plan plan;
    struct sched_code code;
};

struct sched_why {
    char text[SCHED_MESSAGE];
    bool memory;
};

/* body.c: false: *why says why there is none. */
bool sched_read(struct sched_body *body, const struct tx_program *program,
                const struct tx_kernel_options *options, struct sched_why *why);
bool sched_refuse(struct sched_why *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* forms.c: adds all others to the first form of an op. */
void sched_forms(const struct sched_body *body, struct sched_op *op);
/* Register that stands for an operand which the word has no field for: its destination. */
bool sched_tied(const struct sched_form *form, unsigned operand);
/* bound.c */
struct sched_bound sched_bound(const struct sched_body *body);
/* search.c: true: plan and code hold a schedule with this II. */
bool sched_find(struct sched_search *search, unsigned ii);
/* registers.c */
bool sched_allocate(const struct sched_body *body, const struct sched_limits *limits,
                    const struct sched_plan *plan, struct sched_code *code, bool *loose);
/*
 * Whether two lives would share a cycle where one of them comes again every period cycles; same:
 * they are one, which does not meet itself.
 */
bool sched_meet(const struct sched_life *a, const struct sched_life *b, int period, bool same);
/* The word of an op with its registers in a row; its destination where the word has one. */
uint32_t sched_word(const struct sched_body *body, const struct sched_plan *plan,
                    const struct sched_code *code, unsigned op, unsigned phase);
/* Register of a copy of a value in a row. */
unsigned sched_reg(const struct sched_body *body, const struct sched_plan *plan,
                   const struct sched_code *code, int value, int life, unsigned phase);
/* emit.c */
void sched_write(FILE *out, const struct sched_body *body, const struct sched_plan *plan,
                 const struct sched_code *code);
/* Cycles of a tile, first issue to last. */
unsigned sched_cycles(const struct sched_body *body, const struct sched_plan *plan);
int sched_first(const struct sched_plan *plan);
int sched_last(const struct sched_body *body, const struct sched_plan *plan);
/*
 * prove.c: runs both, first on tiles of random and special data, then over the domain. TXL_OK;
 * TXL_NEGATIVE with *why: they differ, or text runs with findings or in other cycles than it
 * should; TXL_CANCELLED; TXL_INPUT.
 */
struct sched_proof {
    const struct tx_program *straight;
    const char *name, *domain; /* domain: as for sweep; NULL: bf16, or pairs of them */
    struct tx_kernel_options kernel;
    uint64_t sample, cycles; /* cycles: of a tile */
    txl_progress progress;
    void *user;
    uint64_t compared; /* result: inputs */
    const char *covered;
};
int sched_prove(struct txl_error *err, struct sched_proof *proof, const char *text, size_t size,
                struct sched_why *why);

#endif
