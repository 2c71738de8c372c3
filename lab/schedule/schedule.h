/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "schedule": modulo schedules with SFPLOADMACRO for the rows of a straight-line kernel. It
 * may use base, kernel, flow and sweep (whose comparison is the proof).
 *
 * body.c extracts one row from the values of a run (reader.h), forms.c finds other ways to write
 * its instructions, spill.c adds stores to Dst and what comes back, bound.c calculates the lower
 * bound of II, search.c places the instructions as long as fits.c sees a way for the rest,
 * registers.c finds registers, templates and sequences for a placement, emit.c writes the kernel,
 * prove.c runs it. Where that search does not come to the bound, model.c states the same as clauses
 * (model_when.c, model_where.c, model_macros.c) for solver.c. reorder.c is for rows that are too
 * long for all that.
 *
 * Times are cycles relative to the row's own origin; the next row does the same II cycles later. An
 * "issue" is what takes a cycle of the thread: a plain instruction, or a load, which becomes an
 * SFPLOADMACRO as soon as it schedules something. An "op" is an instruction of the row other than a
 * load.
 */
#ifndef LAB_SCHEDULE_H
#define LAB_SCHEDULE_H

#include <tensix-lab/schedule.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    SCHED_OPS = 24,    /* ops of a row, the store included */
    SCHED_VALUES = 48, /* values of a row, constants included */
    SCHED_FORMS = 8,   /* ways to write one instruction */
    SCHED_ISSUES = 32, /* issues of a row, and so an upper limit of II */
    SCHED_LIVES = SCHED_VALUES + SCHED_ISSUES,
    SCHED_SPILLS = 2, /* most values that a row hands to itself through Dst */
    SCHED_PHASES = 4, /* most rows until the use of registers repeats */
    SCHED_REGS = 8,
    SCHED_MACROS = 4, /* templates, and likewise sequences */
    SCHED_DELAYS = 8,
    SCHED_L16 = SCHED_LIVES, /* the class of values that go through L16 */
    SCHED_CLASSES,
    SCHED_ROWS = 1024,  /* rows of a tile at most */
    SCHED_HOISTED = 16, /* constants that rows load */
    SCHED_AROUND = 32,  /* words before and behind the rows */
    SCHED_STILL = 3,    /* the address modifier that changes no counter */
    SCHED_NONE = -1,
    SCHED_FREE = -1, /* nothing in this slot of the plan */
    SCHED_HELD = -2, /* SFPSWAP's second cycle: no instruction may be issued */
    SCHED_MESSAGE = 240
};

enum sched_kind { SCHED_CONSTANT, SCHED_LOADED, SCHED_MADE };

struct sched_value {
    enum sched_kind kind;
    uint8_t reg;      /* of a constant: its LReg */
    uint16_t address; /* of a load: its address in row 0 */
    uint16_t turn;    /* of a load in a row with passes: the stores to its place before it */
    uint32_t word;    /* of a load: its word without register and address */
    int op;           /* the op that makes it; of a load: the one that stores it, or SCHED_NONE */
    int back;         /* of a value that is spilled: the load that brings it back, or SCHED_NONE */
    unsigned uses;    /* how often it is read */
    bool stored;      /* the store reads it */
};

/*
 * The operands of a word, by field; SCHED_OLD is what the destination holds before and keeps in
 * part: in lanes that predication leaves out, or in its other half.
 */
enum { SCHED_VA, SCHED_VB, SCHED_VC, SCHED_OLD, SCHED_OPERANDS };

struct sched_form {
    const struct tx_row *row;
    uint32_t word;
    int operand[SCHED_OPERANDS]; /* index of the value, or SCHED_NONE where the field is not read */
    bool named;                  /* L7 names the destination, as body->named says */
    bool plain;                  /* can be issued by the thread */
    bool macro;                  /* can be scheduled by an SFPLOADMACRO */
};

struct sched_op {
    struct sched_form form[SCHED_FORMS];
    unsigned forms;
    /* By LReg: the value that it reads there although no field names the register. */
    int pin[SCHED_REGS];
    /* Values that it makes: in the destination, and in VC (SFPSWAP); or SCHED_NONE. */
    int out, out_vc;
    unsigned cycles; /* 2 for SFPSWAP, which occupies its sub-unit for two cycles */
    unsigned latency;
    bool store;
    uint16_t address; /* of a load that is an op, because it keeps a part: its address in row 0 */
    uint16_t turn;    /* of such a load, and of a store: the stores to its place before it */
    /*
     * The flags are one set for all rows. after: the op that sets the flags under which this one
     * runs, until: the one that sets them next, which may run in the same cycle; SCHED_NONE: it
     * runs in all lanes. close: of an op after which lanes are masked, the one that ends that.
     */
    int after, until, close;
    bool loose; /* it may as well run in all lanes: nobody looks at the others */
};

/* A constant that rows load for themselves: .init loads it, into this register. */
struct sched_hoisted {
    uint32_t bits;
    uint8_t reg;
};

struct sched_body {
    const struct tx_program *program;
    enum tx_arch arch;
    /* Operands come before their readers; the last op is the store of the result. */
    struct sched_op op[SCHED_OPS];
    unsigned ops;
    struct sched_value value[SCHED_VALUES];
    unsigned values;
    uint16_t address;           /* of the store, in row 0 */
    uint32_t store;             /* the store's word without register and address */
    int stride;                 /* the difference of all addresses from row 0 to row 1 */
    bool stepped;               /* and from each row to the next, else: */
    int16_t offset[SCHED_ROWS]; /* of each row's addresses from those of row 0 */
    unsigned rows;
    uint8_t constants; /* the LRegs L0..L7 that must keep what .init put there, bit n: Ln */
    bool wide;         /* Dst has 32 bits for each value */
    bool unread;       /* nothing is known to be where results go: no load may use their address */
    bool parts;        /* ops keep parts of registers or set flags: clauses alone can state that */
    bool stands;       /* ops stand for loads of what was stored in another format: to be proved */
    /*
     * The row takes 16-bit data back from Dst as the kernel does: it may have several stores, and
     * loads that schedule ops although they keep a part.
     */
    bool passes;
    uint8_t named; /* the LReg that multiply-adds reach through L7, a constant; 0: none */
    bool copied;   /* an op that keeps a part of a copy: without the copy it is another row */
    struct sched_hoisted hoisted[SCHED_HOISTED];
    unsigned hoisted_count;
    /* Words before the first and behind the last vector instruction of the tile, kept as they are.
     */
    uint32_t lead[SCHED_AROUND], tail[SCHED_AROUND];
    unsigned leads, tails;
    uint64_t around;   /* the most cycles that they may take */
    uint64_t straight; /* cycles that a tile of the straight-line kernel takes */
};

struct sched_issue {
    int16_t time;
    int8_t op;      /* index of a plain instruction's op, or SCHED_NONE: a load */
    int8_t load;    /* value that it loads, or SCHED_NONE: loaded for its address only */
    int8_t cls;     /* class of the register that it loads into */
    int8_t unit[4]; /* ops that it schedules on Simple, MAD, Round and Store, or SCHED_NONE */
};

struct sched_place {
    int16_t time;
    int8_t issue; /* its own issue, or the SFPLOADMACRO that schedules it */
    int8_t form;
    int8_t life[SCHED_OPERANDS]; /* for each operand the copy that it reads: index in plan->life */
    bool macro, l16;
    bool other; /* the SFPLOADMACRO's register stands for VB instead of VC */
};

/* How long a register holds a value: it can be read in the cycles from .. to. */
struct sched_life {
    int8_t cls; /* class: lives with the same class share a register; SCHED_NONE: not (yet) there */
    int16_t from, to;
};

/* A placement of the ops, complete or partial. The search copies it at each step. */
struct sched_plan {
    unsigned ii, issues, placed;
    struct sched_issue issue[SCHED_ISSUES];
    struct sched_place place[SCHED_OPS];
    /* Values that ops make, then what the issues load (from SCHED_VALUES on). */
    struct sched_life life[SCHED_LIVES];
    int8_t pin[SCHED_CLASSES]; /* the LReg that a class must have, or SCHED_NONE */
    /* The issue in each cycle modulo II, or SCHED_FREE, or SCHED_HELD. */
    int8_t slot[SCHED_ISSUES];
    /* The op on each sub-unit in each cycle modulo II, or SCHED_FREE. */
    int8_t unit[4][SCHED_ISSUES];
};

/* The registers, templates and sequences that registers.c adds to a complete plan. */
struct sched_code {
    unsigned phases;
    int8_t reg[SCHED_CLASSES][SCHED_PHASES]; /* the LReg of each class in each phase */
    /* Their words; VD 12 stands for the SFPLOADMACRO's register. */
    uint32_t template[SCHED_MACROS];
    unsigned templates, first_template; /* how many, and the number of the first one */
    uint32_t sequence[SCHED_MACROS];
    unsigned sequences, first_sequence;
    /* By issue and phase: sequence of the load, or SCHED_NONE: a plain load. */
    int8_t macro[SCHED_ISSUES][SCHED_PHASES];
};

/* What txl_schedule_find hands out: schedule.c finds it, report.c tells of it. */
struct txl_schedule {
    struct sched_body body;
    struct sched_plan plan;
    struct sched_code code;
    struct memory_text text;
    struct txl_schedule_result result;
};

struct sched_limits {
    unsigned templates, sequences; /* numbers below these are reserved by the caller */
    uint8_t regs;                  /* L0..L7 that must not be used, bit n: Ln */
};

enum { SCHED_BOUNDS = 7 };
struct sched_bound {
    unsigned ii;
    const char *why;
};

struct sched_search {
    /* Members up to user are the input, but for nodes, which counts; the rest is the result. */
    const struct sched_body *body;
    struct sched_limits limits;
    unsigned window;      /* how many cycles an op may wait after its operands are ready */
    uint64_t seed;        /* not 0: search in a random order */
    uint64_t nodes, most; /* placements tried or conflicts, and the limit of this pass (0: none) */
    bool (*go_on)(void *user);
    void *user;
    bool stopped, full; /* stopped: cancelled; full: the limit was reached */
    bool memory;        /* there was none */
    /* The registers of some placement were not tried exhaustively, so nothing is refuted. */
    bool loose;
    struct sched_plan plan;
    struct sched_code code;
};

struct sched_why {
    char text[SCHED_MESSAGE];
    bool memory;
};

/* Constants that rows go on to load for themselves, by one SFPLOADI each. */
struct sched_local {
    uint32_t bits[SCHED_HOISTED];
    unsigned count;
};
/*
 * Other ways to read rows. FOLD: a copy of which a masked instruction keeps a part is left out as
 * other copies are. PASS: 16-bit data that the kernel takes back from Dst in another format goes
 * through Dst here, too.
 */
enum sched_way { SCHED_AS_IS, SCHED_FOLD, SCHED_PASS };
/*
 * body.c: reads the rows of a kernel. Returns false when it has none; *why then says the reason.
 * local: may be NULL.
 */
bool sched_read(struct sched_body *body, const struct tx_program *program,
                const struct tx_kernel_options *options, enum sched_way way,
                const struct sched_local *local, struct sched_why *why);
bool sched_refuse(struct sched_why *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* through.c: why rows are refused that hand 16-bit data to themselves in another format. */
extern const char sched_unproven[];
/* passes.c: puts the number of a register into L7 that multiply-adds may name, if both are free. */
void sched_name(struct sched_body *body);
/* spill.c: returns whether the words of other rows leave the place of this row's result alone. */
bool sched_own_place(const struct sched_body *body);
/* forms.c: adds all other forms of an op behind its first one. */
void sched_forms(const struct sched_body *body, struct sched_op *op);
/*
 * Returns whether an operand must be in the destination register because the word has no field for
 * it.
 */
bool sched_tied(const struct sched_form *form, unsigned operand);
/*
 * Returns whether an SFPLOADMACRO whose register stands for this operand replaces a field of the
 * word that means nothing else, so that the template may have any register there.
 */
bool sched_replaces(const struct sched_form *form, unsigned operand);
/*
 * spill.c: lists the values that the row may hand to itself through Dst. Returns how many.
 */
unsigned sched_spillable(const struct sched_body *body, int list[SCHED_VALUES]);
/* Copies the body, with stores of these values. Returns false when it becomes too large. */
bool sched_spill(const struct sched_body *body, const int *value, unsigned count,
                 struct sched_body *out);
/* Returns whether the value can go through L16, where only a store finds it. */
bool sched_in_l16(const struct sched_body *body, int value);
/* Returns whether the op reads the value. */
bool sched_reads(const struct sched_op *op, int value);
/* bound.c: the bound for a row that hands so many values to itself through Dst. */
struct sched_bound sched_bound(const struct sched_body *body, unsigned spills);
/* search.c: looks for a schedule with this II. True: search->plan and search->code hold one. */
bool sched_find(struct sched_search *search, unsigned ii);
/*
 * model.c: looks for a schedule with this II whose registers come again after so many rows (or a
 * divisor of that) and whose rows take at most slack cycles longer than their operands make them.
 * Steps are conflicts here. SCHED_FOUND: search->plan and search->code hold one; SCHED_REFUTED:
 * there is none; SCHED_OPEN: neither is known, because of a limit, cancelled, or without memory.
 */
/* The cycles of a row in which nothing waits for a slot, a sub-unit or a register. */
int sched_depth(const struct sched_body *body);
enum sched_answer { SCHED_FOUND, SCHED_REFUTED, SCHED_OPEN };
enum sched_answer sched_solve(struct sched_search *search, unsigned ii, unsigned phases,
                              unsigned slack);
/*
 * registers.c: false when there are no registers for the plan; *loose becomes true when not all
 * choices were tried.
 */
bool sched_allocate(const struct sched_body *body, const struct sched_limits *limits,
                    const struct sched_plan *plan, struct sched_code *code, bool *loose);
/*
 * fits.c: returns whether two lives would share a register in some cycle when they repeat every
 * period cycles. same: both are one life, which only meets its own repetitions.
 */
bool sched_meet(const struct sched_life *a, const struct sched_life *b, int period, bool same);
/* fits.c: returns whether a partial plan may still become a schedule, going by what it uses. */
bool sched_fits(const struct sched_search *search, const struct sched_plan *plan);
/* The slot of a cycle: its place within the II cycles that repeat. */
static inline unsigned sched_slot(const struct sched_plan *plan, int time)
{
    const int ii = (int)plan->ii;
    return (unsigned)((time % ii + ii) % ii);
}
/* The index of an instruction's sub-unit: Simple, MAD, Round, Store. */
static inline unsigned sched_unit(const struct tx_row *row)
{
    return (unsigned)row->unit - TX_UNIT_SIMPLE;
}
/* registers.c: the word of an op with its registers in this phase, the address left 0. */
uint32_t sched_word(const struct sched_body *body, const struct sched_plan *plan,
                    const struct sched_code *code, unsigned op, unsigned phase);
/*
 * registers.c: adds templates and sequences to a plan whose registers code has already. False:
 * there are too many, or Blackhole's interlock would hold an instruction.
 */
bool sched_complete(const struct sched_body *body, const struct sched_limits *limits,
                    const struct sched_plan *plan, struct sched_code *code);
/* The LReg of a copy (life) of a value in a phase. */
unsigned sched_reg(const struct sched_body *body, const struct sched_plan *plan,
                   const struct sched_code *code, int value, int life, unsigned phase);
/* emit.c */
void sched_write(FILE *out, const struct sched_body *body, const struct sched_plan *plan,
                 const struct sched_code *code);
/* Cycles of a tile from the first issue to the end of the last row. */
unsigned sched_cycles(const struct sched_body *body, const struct sched_plan *plan);
int sched_first(const struct sched_plan *plan);
int sched_last(const struct sched_body *body, const struct sched_plan *plan);
/*
 * prove.c: runs both kernels, first on tiles of random and special data, then over the domain.
 * Returns TXL_OK; TXL_NEGATIVE with *why when they differ or the schedule runs with new findings or
 * takes other cycles than calculated; TXL_CANCELLED; or TXL_INPUT.
 */
struct sched_proof {
    const struct tx_program *straight;
    const char *name, *domain; /* domain: as for a sweep; NULL: bf16, or pairs of them */
    struct tx_kernel_options kernel;
    uint64_t sample;
    /* Of a tile as calculated, and what it may take beyond; cycles become those of the machine. */
    uint64_t cycles, around;
    txl_progress progress;
    void *user;
    uint64_t compared; /* result: inputs that were compared */
    const char *covered;
};
int sched_prove(struct txl_error *err, struct sched_proof *proof, const char *text, size_t size,
                struct sched_why *why);

/*
 * reorder.c: writes the kernel with the instructions of its tile in another order, and constants
 * loaded once. Returns false with *why where there is no such kernel.
 */
struct sched_reordered {
    uint64_t cycles, around; /* of a tile, as of struct sched_proof */
    unsigned blocks;         /* how often the tile does its words, at other addresses */
};
bool sched_reorder(FILE *out, const struct tx_program *program,
                   const struct tx_kernel_options *options, struct sched_reordered *made,
                   struct sched_why *why);

#endif
