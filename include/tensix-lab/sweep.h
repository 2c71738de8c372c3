/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps: every input of a domain through a kernel, each result against a reference.
 *
 *     struct txl_error err = {0};
 *     struct txl_sweep_options o = {.size = sizeof o, .kernel = "exp.s", .arch = TX_BLACKHOLE};
 *     struct txl_sweep_figures f = {.size = sizeof f};
 *     txl_sweep *sweep;
 *     if (txl_sweep_open(&err, &o, &sweep) == TXL_OK) {
 *         if (txl_sweep_run(&err, sweep) == TXL_OK && txl_sweep_finish(&err, sweep) == TXL_OK) {
 *             txl_sweep_figures(sweep, &f);
 *             printf("%g ULP\n", f.max_ulp);
 *         }
 *     }
 *     txl_sweep_close(sweep);
 *
 * Errors are measured as in tensix-lab/reference.h. Figures do not depend on the number of threads,
 * on the engine, on shards or on interruptions.
 */
#ifndef TENSIX_LAB_SWEEP_H
#define TENSIX_LAB_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/engine.h>
#include <tensix-lab/json.h>
#include <tensix-lab/reference.h>
#include <tensix-lab/shadow.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TXL_SWEEP_THREADS = 256,
    TXL_SWEEP_SHARDS = 4096, /* the most that a sweep can be cut into */
    TXL_SWEEP_WORST = 100    /* worst inputs that are kept */
};

typedef struct txl_sweep txl_sweep;
typedef struct txl_budget txl_budget;

/* A reference of the caller's: the function at x, which has as many numbers as the kernel inputs.
 * Several threads call it at a time. */
typedef double (*txl_sweep_function)(void *user, const double *x);

/*
 * What a sweep is, and how it is run. Texts and arrays must stay until txl_sweep_close.
 */
struct txl_sweep_options {
    size_t size;                      /* of this struct */
    const char *kernel;               /* a file, "-" for standard input; or the name of program */
    const struct tx_program *program; /* in place of the file, copied; NULL: the file */
    enum tx_arch arch;                /* TX_ARCH_NONE: the kernel's .arch */
    enum tx_start start;              /* TX_START_UNSET: the kernel's .start */
    enum tx_dst_format dst,
        out; /* of inputs and results; TX_DST_FORMAT_UNSET: the kernel's, else FP32 */
    /*
     * Inputs: fp32, tf32, bf16, fp16, of integers int32, int16, int8, uint32, uint16, uint8: all
     * values that Dst has; LOW:HIGH or FORMAT:LOW:HIGH: those in between, both included; a .npy or
     * text file; for several inputs AxB, as bf16xbf16. NULL: bf16, int16 or uint16.
     */
    const char *domain;
    uint64_t stride;          /* of so many inputs only the first; 0 and 1: all */
    uint64_t sample;          /* so many drawn from the domain; 0: it is not sampled */
    uint64_t seed;            /* of the PRNG in tile 0 */
    const char *const *rules; /* "NAME=VALUE": other readings of the sources */
    unsigned rule_count;
    /*
     * The name of a function, or FILE.py with reference(x), or FILE.so with double
     * tensix_reference(const double *x): these two run in child processes. A kernel's own
     * .reference, which NULL means, can only be a function's name.
     */
    const char *reference;
    txl_sweep_function function; /* in place of reference, whose text is its name then */
    void *function_user;
    const char *path;         /* folders with python3 and gnuplot, as PATH; NULL: /usr/bin:/bin */
    char *const *environment; /* of child processes; NULL: PATH=/usr/bin:/bin */
    const char *scratch;      /* folder for temporary files; NULL: /tmp */
    enum txl_engine engine;
    txl_compiler *compiler; /* for compiled code; NULL: none */
    unsigned jobs;          /* threads, at most TXL_SWEEP_THREADS; 0: one for each processor */
    const char *state;      /* file that keeps what is done, and that is gone on from; or NULL */
    unsigned shard, shards; /* only the part 0 .. shards - 1; shards 0: the whole */
    /*
     * One of several processes that a launcher started together: each does the part rank, and rank
     * 0 adds them up in txl_sweep_collect. They meet in files beside state, or in scratch, where
     * all have the same parent process. ranks 0 and 1: there is one.
     */
    unsigned rank, ranks;
    unsigned ranks_here;   /* ranks on this machine; 0: not known */
    unsigned rank_seconds; /* after so long without a sign of life a rank is given up; 0: 60 */
    bool has_max_ulp;      /* the gate: what it must meet */
    double max_ulp;
    const txl_budget *budget; /* another one; or NULL */
    bool timed;               /* txl_sweep_seconds is asked for */
    txl_progress progress;    /* of txl_sweep_run: counts inputs; or NULL */
    void *user;
    /* Program that runs FILE.so, see txl_sweep_serve: a path, or a name in path. NULL: tensix. */
    const char *helper;
};

/*
 * Reads and checks everything, and measures one tile. TXL_OK; otherwise *sweep is NULL: TXL_INPUT,
 * or TXL_NEGATIVE where the kernel stops.
 */
TXL_API int txl_sweep_open(struct txl_error *err, const struct txl_sweep_options *options,
                           txl_sweep **sweep);
/*
 * A sweep from the state files of its shards, which say what it is; of the options count reference,
 * function, gate and how it is run. All parts must be there.
 */
TXL_API int txl_sweep_merge(struct txl_error *err, const char *const *paths, size_t count,
                            const struct txl_sweep_options *options, txl_sweep **sweep);
TXL_API void txl_sweep_close(txl_sweep *sweep); /* NULL is nothing */

/*
 * Runs what is left of this process's part. TXL_OK; TXL_CANCELLED: what is done is kept, in the
 * state file too, and can be reported; TXL_NEGATIVE: the kernel or the reference stopped;
 * TXL_INPUT.
 */
TXL_API int txl_sweep_run(struct txl_error *err, txl_sweep *sweep);
/* Rank 0: waits for the others and adds their parts. Other ranks, or a single one: nothing. */
TXL_API int txl_sweep_collect(struct txl_error *err, txl_sweep *sweep);
/* Whether it is this process's to report: not of a shard, nor of a rank that is not the first. */
TXL_API bool txl_sweep_reports(const txl_sweep *sweep);
/*
 * The last step before results are read: joins the parts, runs a tile of special values, judges the
 * gate. Once.
 */
TXL_API int txl_sweep_finish(struct txl_error *err, txl_sweep *sweep);

/* ---- results ---- */

enum txl_outcome {
    TXL_OUTCOME_EXACT,
    TXL_OUTCOME_INEXACT,
    TXL_OUTCOME_FLUSHED,    /* the reference is denormal, the result zero */
    TXL_OUTCOME_UNFLUSHED,  /* a denormal result for it */
    TXL_OUTCOME_ZEROED,     /* zero for a normal reference */
    TXL_OUTCOME_OVERFLOWED, /* exactly one of the two is infinite */
    TXL_OUTCOME_UNDEFINED,  /* the reference is NaN, the result is not */
    TXL_OUTCOME_MISMATCH,   /* NaN for a number */
    TXL_OUTCOMES
};
enum { TXL_OUTCOME_ROOM = 16 }; /* more than there will be */

/* "exact" ...; NULL past the end. */
TXL_API const char *txl_outcome_name(size_t outcome);

/* What the sweep is of. Its texts live as long as the sweep. The caller fills in size. */
struct txl_sweep_about {
    size_t size;
    const char *kernel, *domain, *reference;
    const struct tx_program *program;
    enum tx_dst_format dst, out;
    unsigned operands;
    bool ordered;          /* neighbours are neighbours: monotony has a meaning */
    uint64_t wanted, done; /* inputs */
    const char *covered;   /* what the figures are of, in words */
    const char *state;     /* the file that keeps what is done; NULL: none */
    uint64_t cycles;       /* of a tile */
    bool cancelled;
    bool gated, passed; /* the gate */
    const char *verdict;
    uint64_t findings, findings_dropped; /* kinds; those for which there was no room */
};

TXL_API void txl_sweep_about(const txl_sweep *sweep, struct txl_sweep_about *about);

struct txl_sweep_figures {
    size_t size;
    uint64_t compared, exact;
    uint64_t mismatched; /* NaN or infinity against something else; not in what follows */
    uint64_t nonfinite;  /* of these with a reference that is a number */
    uint64_t breaks;     /* of monotony */
    uint64_t max_steps;  /* largest distance in representable values */
    double max_ulp, mean_ulp;
    double max_unrounded; /* largest distance from the unrounded reference; below 0: none */
    uint64_t outcomes[TXL_OUTCOME_ROOM]; /* by enum txl_outcome */
    uint64_t bands[5];                   /* errors of 0, at most 1, 3, 10 ULP, more */
};

TXL_API void txl_sweep_figures(const txl_sweep *sweep, struct txl_sweep_figures *figures);
/* The error that so great a part of the inputs does not exceed, 0 to 1. */
TXL_API double txl_sweep_percentile(const txl_sweep *sweep, double part);

/* One input. Does not grow. */
struct txl_sweep_case {
    uint64_t index;                        /* among the inputs of the sweep */
    double ulp;                            /* infinite: mismatch */
    uint32_t inputs[TXL_REFERENCE_INPUTS]; /* as Dst held them */
    uint32_t expected, got;
    enum txl_outcome outcome;
};

enum txl_sweep_cases {
    TXL_CASE_WORST,    /* at: 0 is the worst */
    TXL_CASE_FIRST,    /* at: an outcome */
    TXL_CASE_LAST,     /* likewise */
    TXL_CASE_BREAK,    /* the first break of monotony */
    TXL_CASE_FURTHEST, /* from the unrounded reference; ulp is that distance */
    TXL_CASE_SPECIAL   /* zeros, infinities, limits ...; of two inputs all pairs, row by row */
};

/* False: there is none. */
TXL_API bool txl_sweep_case(const txl_sweep *sweep, enum txl_sweep_cases which, size_t at,
                            struct txl_sweep_case *one);

/* The finding at of txl_sweep_about's, and the first tile that has it. NULL past the end. */
TXL_API const struct tx_finding *txl_sweep_finding(const txl_sweep *sweep, size_t at,
                                                   uint64_t *tile);

/* What one instruction wrote in the lane of an input. Does not grow. */
struct txl_sweep_step {
    uint64_t cycle; /* from the first step on */
    uint32_t word;  /* the instruction */
    uint32_t value;
    unsigned reg;   /* LReg; of no meaning in a store to Dst */
    bool scheduled; /* by SFPLOADMACRO */
    bool store;
};

/*
 * An input again on the reference engine, step by step from its load to its store: *steps for
 * free(). TXL_NEGATIVE: the kernel stops.
 */
TXL_API int txl_sweep_trace(struct txl_error *err, const txl_sweep *sweep, uint64_t index,
                            struct txl_sweep_step **steps, size_t *count);

/*
 * The account of an input's error, for txl_account_close: which instruction is to blame for how
 * much of it. TXL_NEGATIVE: the kernel stops, or the reference has no value there.
 */
TXL_API int txl_sweep_blame(struct txl_error *err, const txl_sweep *sweep,
                            const struct txl_sweep_case *one, txl_account **account);

/* How much a report tells. */
struct txl_sweep_report {
    size_t size;
    unsigned worst, traces; /* worst inputs, and how many of them with their steps */
    bool blame;             /* with the instruction at which each worst input's error enters */
    char reserved[7];       /* zero */
};

/* All results for people; free() it. NULL: err says why. */
TXL_API char *txl_sweep_text(struct txl_error *err, const txl_sweep *sweep,
                             const struct txl_sweep_report *report);
/* The same for txl_json_free, or to be put into another value. */
TXL_API txl_json *txl_sweep_json(struct txl_error *err, const txl_sweep *sweep,
                                 const struct txl_sweep_report *report);

/* Seconds of processor time of all threads: kernel, reference, judging; and of the clock. */
TXL_API void txl_sweep_seconds(const txl_sweep *sweep, double seconds[4], unsigned *threads);

/* ---- files ---- */

/* Before hours of work: whether the file can be written. */
TXL_API int txl_sweep_check_file(struct txl_error *err, const char *path);
/*
 * The helper of a sweep, called as HELPER --serve-reference FILE NUMBER, hands its arguments on to
 * this function and ends; the command tensix is one. It calls tensix_reference of FILE.so for what
 * the sweep sends through the socket with this number. TXL_OK when the sweep has closed it.
 */
#define TXL_SWEEP_SERVE "--serve-reference"
TXL_API int txl_sweep_serve(const char *file, int socket);

/* Whether gnuplot is there, which draws plots; of the options count path and environment. */
TXL_API int txl_sweep_check_plot(struct txl_error *err, const struct txl_sweep_options *options);
/* A CSV with the worst input of each 1/65536 of the inputs. */
TXL_API int txl_sweep_points(struct txl_error *err, const txl_sweep *sweep, const char *path);
/* Error over input, .svg or .png. */
TXL_API int txl_sweep_plot(struct txl_error *err, const txl_sweep *sweep, const char *path);

/*
 * What a page shows of a sweep: what txl_sweep_json tells, and beside it every line of
 * txl_sweep_points, bins along the input with the largest and the mean error, the histogram, and
 * what is done. For txl_json_free; NULL: err says why.
 */
TXL_API txl_json *txl_sweep_view(struct txl_error *err, const txl_sweep *sweep,
                                 const struct txl_sweep_report *report);
/* A page that needs nothing else, of an array of such views. */
TXL_API int txl_sweep_html(struct txl_error *err, const txl_json *views, const char *path);

/* ---- several sweeps ---- */

typedef struct txl_sweep_table txl_sweep_table;

struct txl_sweep_line {
    size_t size;
    const char *kernel, *reference, *domain, *verdict; /* for terminals */
    enum tx_arch arch;
    enum tx_dst_format dst, out;
    uint64_t done, wanted, exact, mismatched, nonfinite, max_steps, findings, cycles;
    double max_ulp, mean_ulp, percentile_99, percentile_9999;
    bool passed;
};

TXL_API int txl_sweep_table_open(struct txl_error *err, txl_sweep_table **table);
TXL_API void txl_sweep_table_close(txl_sweep_table *table);
/* After txl_sweep_finish. Keeps what it tells, not the sweep. */
TXL_API int txl_sweep_table_add(struct txl_error *err, txl_sweep_table *table,
                                const txl_sweep *sweep);
/* False past the end. */
TXL_API bool txl_sweep_table_line(const txl_sweep_table *table, size_t at,
                                  struct txl_sweep_line *line);
TXL_API bool txl_sweep_table_passed(const txl_sweep_table *table); /* all */
/* For people, with a column for the gate or without; free() it. NULL without memory. */
TXL_API char *txl_sweep_table_text(const txl_sweep_table *table, bool gated);
/* A line of figures for each sweep. */
TXL_API int txl_sweep_table_csv(struct txl_error *err, const txl_sweep_table *table,
                                const char *path);
/*
 * Rows in the form of tt-metal's sfpu_accuracy_budget.yaml; not where a sweep is not whole, for a
 * budget is of the whole domain.
 */
TXL_API int txl_sweep_table_yaml(struct txl_error *err, const txl_sweep_table *table,
                                 const char *path);

/* ---- budgets ---- */

/*
 * An accuracy budget in the form of tt-metal's sfpu_accuracy_budget.yaml: for each operation rows
 * with a key and max_ulp. What is not understood is refused.
 */
TXL_API int txl_budget_open(struct txl_error *err, const char *path, txl_budget **budget);
TXL_API void txl_budget_close(txl_budget *budget);

/* ---- two reports ---- */

/* Figures of one sweep in a report. Does not grow. */
struct txl_sweep_side {
    double max_ulp, mean_ulp, cycles;
    uint64_t compared, exact, mismatched, findings;
};

/* A sweep that one report has or both have. Does not grow. Its texts are the difference's. */
struct txl_sweep_pair {
    const char *kernel, *arch, *dst, *domain;
    bool before, after; /* which of the two have it */
    struct txl_sweep_side was, is;
    const char *worse; /* what got worse, in words; "" where nothing did */
};

typedef struct txl_sweep_diff txl_sweep_diff;

/* Two files that hold what txl_sweep_json tells, or {"sweeps": [...]}. */
TXL_API int txl_sweep_diff_open(struct txl_error *err, const char *before, const char *after,
                                txl_sweep_diff **diff);
TXL_API void txl_sweep_diff_close(txl_sweep_diff *diff);
/* Those of both, then those that are gone, then those that are new. False past the end. */
TXL_API bool txl_sweep_diff_pair(const txl_sweep_diff *diff, size_t at,
                                 struct txl_sweep_pair *pair);
/* How many are worse, gone and new. */
TXL_API void txl_sweep_diff_count(const txl_sweep_diff *diff, unsigned *worse, unsigned *gone,
                                  unsigned *added);
/* For people; free() it. NULL without memory. */
TXL_API char *txl_sweep_diff_text(const txl_sweep_diff *diff);
TXL_API txl_json *txl_sweep_diff_json(struct txl_error *err, const txl_sweep_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
