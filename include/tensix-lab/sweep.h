/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps: run a kernel on every input of a domain and compare each result with a reference.
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
 * Errors are measured as tensix-lab/reference.h defines them. Results do not depend on the number
 * of threads, the engine, sharding or interruptions.
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
    TXL_SWEEP_SHARDS = 4096, /* the most shards of a sweep */
    TXL_SWEEP_WORST = 100    /* number of worst inputs that are kept */
};

typedef struct txl_sweep txl_sweep;
typedef struct txl_budget txl_budget;

/*
 * A reference function of the caller: its value at x, an array with as many numbers as the kernel
 * has inputs. Several threads call it at the same time.
 */
typedef double (*txl_sweep_function)(void *user, const double *x);

/*
 * What a sweep covers, and how it is run. Texts and arrays must stay valid until txl_sweep_close.
 */
struct txl_sweep_options {
    size_t size; /* of this struct */
    /* path, "-" for standard input; with program: only a name for it */
    const char *kernel;
    const struct tx_program *program; /* used instead of the file, and copied; NULL: the file */
    enum tx_arch arch;                /* TX_ARCH_NONE: the kernel's .arch */
    enum tx_start start;              /* TX_START_UNSET: the kernel's .start */
    enum tx_dst_format dst,
        out; /* of inputs and results; TX_DST_FORMAT_UNSET: the kernel's, else FP32 */
    /*
     * The inputs: all values that Dst can hold of fp32, tf32, bf16, fp16, or of the integers int32,
     * int16, int8, uint32, uint16, uint8; LOW:HIGH or FORMAT:LOW:HIGH for a range, both ends
     * included; a .npy or text file; for several operands AxB, as bf16xbf16. NULL: bf16, int16 or
     * uint16.
     */
    const char *domain;
    uint64_t stride;          /* use only the first of every so many inputs; 0 and 1: all */
    uint64_t sample;          /* draw this many inputs at random from the domain; 0: no sampling */
    uint64_t seed;            /* seed of the PRNG in tile 0 */
    const char *const *rules; /* "NAME=VALUE": alternative readings of unclear rules of the ISA */
    unsigned rule_count;
    /*
     * The name of a function; or FILE.py with reference(x), or FILE.so with double
     * tensix_reference(const double *x), both of which run in child processes. NULL: the kernel's
     * own .reference, which can only be the name of a function.
     */
    const char *reference;
    txl_sweep_function function; /* the caller's function; reference then only names it */
    void *function_user;
    /* search path for python3 and gnuplot, as PATH; NULL: /usr/bin:/bin */
    const char *path;
    char *const *environment; /* of child processes; NULL: PATH=/usr/bin:/bin */
    const char *scratch;      /* folder for temporary files; NULL: /tmp */
    enum txl_engine engine;
    txl_compiler *compiler; /* for compiled code; NULL: none */
    unsigned jobs;          /* threads, at most TXL_SWEEP_THREADS; 0: one for each processor */
    const char *state;      /* file that saves finished work, to resume from; or NULL */
    unsigned shard, shards; /* run only part shard of shards, from 0; shards 0: the whole */
    /*
     * For processes that a launcher started together: this process is number rank of ranks, does
     * its part, and rank 0 combines all parts in txl_sweep_collect. They communicate through files
     * beside state, or in scratch, provided that all have the same parent process. ranks 0 and 1: a
     * single process.
     */
    unsigned rank, ranks;
    unsigned ranks_here; /* ranks on this machine; 0: unknown */
    /* a rank without a sign of life for so many seconds is given up; 0: 60 */
    unsigned rank_seconds;
    bool has_max_ulp; /* the gate: max_ulp is the largest error allowed */
    double max_ulp;
    const txl_budget *budget; /* another gate, or NULL */
    bool timed;               /* measure times for txl_sweep_seconds */
    txl_progress progress;    /* txl_sweep_run: counts inputs; or NULL */
    void *user;
    /*
     * The program that runs FILE.so, see txl_sweep_serve: a path, or a name found in path. NULL:
     * tensix.
     */
    const char *helper;
    /*
     * A gate like numpy's allclose: |result - reference| is at most atol + rtol * |reference|, both
     * from 0 on and finite. Parts of a sweep must be run with the tolerance that they are merged
     * with.
     */
    bool has_tolerance;
    double atol, rtol;
};

/*
 * Reads and checks all inputs, and measures one tile. Returns TXL_OK; otherwise *sweep is NULL and
 * the result is TXL_INPUT, or TXL_NEGATIVE where the kernel stops.
 */
TXL_API int txl_sweep_open(struct txl_error *err, const struct txl_sweep_options *options,
                           txl_sweep **sweep);
/*
 * Combines the state files of all shards into one sweep. The files define the sweep; of the options
 * only reference, function, the gate and how it is run count. All shards must be present.
 */
TXL_API int txl_sweep_merge(struct txl_error *err, const char *const *paths, size_t count,
                            const struct txl_sweep_options *options, txl_sweep **sweep);
TXL_API void txl_sweep_close(txl_sweep *sweep); /* NULL is nothing */

/*
 * Runs what is left of this process's part. Returns TXL_OK; TXL_CANCELLED, where finished work is
 * kept (in the state file too) and can be reported; TXL_NEGATIVE where the kernel or the reference
 * stopped; or TXL_INPUT.
 */
TXL_API int txl_sweep_run(struct txl_error *err, txl_sweep *sweep);
/*
 * In rank 0: waits for the other ranks and adds up their parts. Does nothing in other ranks and in
 * a single process.
 */
TXL_API int txl_sweep_collect(struct txl_error *err, txl_sweep *sweep);
/* Tells whether this process reports the results: not with a shard, nor in ranks other than 0. */
TXL_API bool txl_sweep_reports(const txl_sweep *sweep);
/*
 * Must be called once before results are read: combines the parts, runs a tile of special values,
 * and evaluates the gate.
 */
TXL_API int txl_sweep_finish(struct txl_error *err, txl_sweep *sweep);

/* ---- results ---- */

enum txl_outcome {
    TXL_OUTCOME_EXACT,
    TXL_OUTCOME_INEXACT,
    TXL_OUTCOME_FLUSHED,    /* the reference is denormal, the result zero */
    TXL_OUTCOME_UNFLUSHED,  /* the reference is denormal, and so is the result */
    TXL_OUTCOME_ZEROED,     /* zero where the reference is a normal number */
    TXL_OUTCOME_OVERFLOWED, /* exactly one of the two is infinite */
    TXL_OUTCOME_UNDEFINED,  /* the reference is NaN, the result is not */
    TXL_OUTCOME_MISMATCH,   /* NaN where the reference is a number */
    TXL_OUTCOMES
};
enum { TXL_OUTCOME_ROOM = 16 }; /* an upper limit of TXL_OUTCOMES for all future versions */

/* "exact" ...; NULL past the end. */
TXL_API const char *txl_outcome_name(size_t outcome);

/* What the sweep covers. Its texts live as long as the sweep. The caller fills in size. */
struct txl_sweep_about {
    size_t size;
    const char *kernel, *domain, *reference;
    const struct tx_program *program;
    enum tx_dst_format dst, out;
    unsigned operands;
    bool ordered;          /* inputs are in numerical order, so that monotony can be checked */
    uint64_t wanted, done; /* inputs of this sweep, and those that have been run */
    const char *covered;   /* the inputs that figures cover, in words */
    const char *state;     /* file that saves finished work; NULL: none */
    uint64_t cycles;       /* per tile */
    bool cancelled;
    bool gated, passed; /* whether there is a gate, and whether it was met */
    const char *verdict;
    /* Kinds of findings, and occurrences for which there was no room. */
    uint64_t findings, findings_dropped;
};

TXL_API void txl_sweep_about(const txl_sweep *sweep, struct txl_sweep_about *about);
/* The error of a sweep that its user has ended; budget: one was to be written. TXL_NEGATIVE. */
TXL_API int txl_sweep_interrupted(struct txl_error *err, const txl_sweep *sweep, bool budget);
/*
 * Whether an accuracy budget can have the sweep: it has no integers, which is better reported
 * before hours of work. TXL_OK or TXL_INPUT.
 */
TXL_API int txl_sweep_budgets(struct txl_error *err, const txl_sweep *sweep);

struct txl_sweep_figures {
    size_t size;
    uint64_t compared, exact;
    /* NaN or infinity against something else; excluded from the errors below */
    uint64_t mismatched;
    /* those of mismatched whose reference is a number, or NaN though no input is NaN */
    uint64_t nonfinite;
    uint64_t breaks;    /* violations of monotony */
    uint64_t max_steps; /* largest distance, counted in representable values */
    double max_ulp, mean_ulp;
    /* largest distance from the unrounded reference in ULP; below 0: not known */
    double max_unrounded;
    uint64_t outcomes[TXL_OUTCOME_ROOM]; /* number of inputs by enum txl_outcome */
    /* Inputs with errors of 0, up to 1, 3 and 10 ULP, and larger. */
    uint64_t bands[5];
    /* Largest |result - reference|, and that over |reference| where the reference is not 0. */
    double max_abs, max_rel;
    uint64_t beyond; /* inputs that miss the tolerance of the options */
};

TXL_API void txl_sweep_figures(const txl_sweep *sweep, struct txl_sweep_figures *figures);
/* Returns the error in ULP that a fraction part (0 to 1) of the inputs does not exceed. */
TXL_API double txl_sweep_percentile(const txl_sweep *sweep, double part);

/* The result for one input. Does not grow. */
struct txl_sweep_case {
    uint64_t index;                        /* of the input in the sweep */
    double ulp;                            /* infinite: mismatch */
    uint32_t inputs[TXL_REFERENCE_INPUTS]; /* as Dst held them */
    uint32_t expected, got;
    enum txl_outcome outcome;
};

/* Which input txl_sweep_case returns. */
enum txl_sweep_cases {
    TXL_CASE_WORST,    /* the worst input for at 0, the next for at 1 ... */
    TXL_CASE_FIRST,    /* the first input with outcome at */
    TXL_CASE_LAST,     /* the last input with outcome at */
    TXL_CASE_BREAK,    /* the first violation of monotony */
    TXL_CASE_FURTHEST, /* largest distance from the unrounded reference, which ulp holds */
    /*
     * Special value number at (zeros, infinities, limits ...); with two operands a pair of them,
     * counted row by row.
     */
    TXL_CASE_SPECIAL
};

/* Fills in *one; returns false where there is no such case. */
TXL_API bool txl_sweep_case(const txl_sweep *sweep, enum txl_sweep_cases which, size_t at,
                            struct txl_sweep_case *one);

/* Returns finding number at, and the first tile that has it. NULL past the end. */
TXL_API const struct tx_finding *txl_sweep_finding(const txl_sweep *sweep, size_t at,
                                                   uint64_t *tile);

/* What one instruction wrote in the lane of the input. Does not grow. */
struct txl_sweep_step {
    uint64_t cycle; /* counted from the first step */
    uint32_t word;  /* the instruction */
    uint32_t value;
    unsigned reg;   /* LReg; undefined for a store to Dst */
    bool scheduled; /* executed by SFPLOADMACRO */
    bool store;
};

/*
 * Runs one input again on the reference engine and lists all steps from its load to its store; the
 * caller frees *steps. TXL_NEGATIVE: the kernel stops.
 */
TXL_API int txl_sweep_trace(struct txl_error *err, const txl_sweep *sweep, uint64_t index,
                            struct txl_sweep_step **steps, size_t *count);

/*
 * Determines how much each instruction contributes to the error of an input; the caller closes
 * *account with txl_account_close. TXL_NEGATIVE: the kernel stops, or the reference has no value
 * there.
 */
TXL_API int txl_sweep_blame(struct txl_error *err, const txl_sweep *sweep,
                            const struct txl_sweep_case *one, txl_account **account);

/* What a report includes. */
struct txl_sweep_report {
    size_t size;
    unsigned worst, traces; /* number of worst inputs, and how many of them with their steps */
    /* For each worst input, the instruction that contributes most to its error. */
    bool blame;
    char reserved[7]; /* zero */
};

/* Returns all results for people; the caller frees them. NULL: err says why. */
TXL_API char *txl_sweep_text(struct txl_error *err, const txl_sweep *sweep,
                             const struct txl_sweep_report *report);
/* The same as JSON. */
TXL_API txl_json *txl_sweep_json(struct txl_error *err, const txl_sweep *sweep,
                                 const struct txl_sweep_report *report);

/*
 * Gives the processor time of all threads in seconds for the kernel, the reference and judging
 * results, then the wall time; and the number of threads.
 */
TXL_API void txl_sweep_seconds(const txl_sweep *sweep, double seconds[4], unsigned *threads);

/* ---- files ---- */

/* Checks that a file can be written, before hours of work are spent. */
TXL_API int txl_sweep_check_file(struct txl_error *err, const char *path);
/*
 * The body of a sweep's helper program. It is called as HELPER --serve-reference FILE NUMBER and
 * must pass these arguments to this function and then exit; the command tensix does so. The
 * function calls tensix_reference of FILE.so for the inputs that the sweep sends through the socket
 * with that number. It returns TXL_OK when the sweep has closed the socket.
 */
#define TXL_SWEEP_SERVE "--serve-reference"
TXL_API int txl_sweep_serve(const char *file, int socket);

/* Sets rank, ranks, ranks_here and rank_seconds from environment, as Open MPI, MPICH or Slurm's PMI
 * and TENSIX_RANK_WAIT have them there. */
TXL_API void txl_sweep_find_ranks(struct txl_sweep_options *options);
/*
 * Checks that gnuplot, which draws the plots, is available; of the options path and environment
 * count.
 */
TXL_API int txl_sweep_check_plot(struct txl_error *err, const struct txl_sweep_options *options);
/* Writes a CSV file with the worst input of each 1/65536 of the inputs. */
TXL_API int txl_sweep_points(struct txl_error *err, const txl_sweep *sweep, const char *path);
/* Plots error over input as .svg or .png. */
TXL_API int txl_sweep_plot(struct txl_error *err, const txl_sweep *sweep, const char *path);

/*
 * Returns what a page shows of a sweep: the content of txl_sweep_json, all lines of
 * txl_sweep_points, bins along the input with largest and mean error, the histogram, and progress.
 * NULL: err says why.
 */
TXL_API txl_json *txl_sweep_view(struct txl_error *err, const txl_sweep *sweep,
                                 const struct txl_sweep_report *report);
/* Writes one self-contained page that shows an array of such views. */
TXL_API int txl_sweep_html(struct txl_error *err, const txl_json *views, const char *path);

/* ---- several sweeps ---- */

typedef struct txl_sweep_table txl_sweep_table;

struct txl_sweep_line {
    size_t size;
    /* Control characters masked, so that a terminal can show them. */
    const char *kernel, *reference, *domain, *verdict;
    enum tx_arch arch;
    enum tx_dst_format dst, out;
    uint64_t done, wanted, exact, mismatched, nonfinite, max_steps, findings, cycles;
    double max_ulp, mean_ulp, percentile_99, percentile_9999;
    bool passed;
};

TXL_API int txl_sweep_table_open(struct txl_error *err, txl_sweep_table **table);
TXL_API void txl_sweep_table_close(txl_sweep_table *table);
/* Adds the results of a sweep, after txl_sweep_finish; the sweep may then be closed. */
TXL_API int txl_sweep_table_add(struct txl_error *err, txl_sweep_table *table,
                                const txl_sweep *sweep);
/* Fills in *line; returns false past the end. */
TXL_API bool txl_sweep_table_line(const txl_sweep_table *table, size_t at,
                                  struct txl_sweep_line *line);
/* whether all sweeps met their gates */
TXL_API bool txl_sweep_table_passed(const txl_sweep_table *table);
/*
 * Returns the table for people, with or without a column for the gate; the caller frees it. NULL
 * without memory.
 */
TXL_API char *txl_sweep_table_text(const txl_sweep_table *table, bool gated);
/* Writes the figures of each sweep as a line of a CSV file. */
TXL_API int txl_sweep_table_csv(struct txl_error *err, const txl_sweep_table *table,
                                const char *path);
/*
 * Writes rows in the form of tt-metal's sfpu_accuracy_budget.yaml. A budget is for the whole
 * domain: if any sweep is incomplete, nothing is written, and the result is TXL_OK all the same.
 */
TXL_API int txl_sweep_table_yaml(struct txl_error *err, const txl_sweep_table *table,
                                 const char *path);

/* ---- budgets ---- */

/*
 * Reads an accuracy budget in the form of tt-metal's sfpu_accuracy_budget.yaml: for each operation,
 * rows with a key and max_ulp, or metric: tolerance with atol, rtol or both. Anything that it does
 * not understand is an error. That a row without any limit is about a sweep is an error of
 * txl_sweep_open.
 */
TXL_API int txl_budget_open(struct txl_error *err, const char *path, txl_budget **budget);
TXL_API void txl_budget_close(txl_budget *budget);

/* ---- two reports ---- */

/* Figures of one sweep in one report. Does not grow. */
struct txl_sweep_side {
    double max_ulp, mean_ulp, cycles;
    uint64_t compared, exact, mismatched, findings;
};

/* A sweep that occurs in one report or both. Texts belong to the txl_sweep_diff. Does not grow. */
struct txl_sweep_pair {
    const char *kernel, *arch, *dst, *domain;
    bool before, after; /* which reports have it */
    struct txl_sweep_side was, is;
    const char *worse; /* what has become worse, in words; "" for nothing */
};

typedef struct txl_sweep_diff txl_sweep_diff;

/* Compares two files with the output of txl_sweep_json, or {"sweeps": [...]}. */
TXL_API int txl_sweep_diff_open(struct txl_error *err, const char *before, const char *after,
                                txl_sweep_diff **diff);
TXL_API void txl_sweep_diff_close(txl_sweep_diff *diff);
/*
 * Lists sweeps of both reports first, then those only in the old one, then those only in the new
 * one. Returns false past the end.
 */
TXL_API bool txl_sweep_diff_pair(const txl_sweep_diff *diff, size_t at,
                                 struct txl_sweep_pair *pair);
/* Counts sweeps that got worse, those only in the old report, and those only in the new one. */
TXL_API void txl_sweep_diff_count(const txl_sweep_diff *diff, unsigned *worse, unsigned *gone,
                                  unsigned *added);
/* Returns the comparison for people; the caller frees it. NULL without memory. */
TXL_API char *txl_sweep_diff_text(const txl_sweep_diff *diff);
TXL_API txl_json *txl_sweep_diff_json(struct txl_error *err, const txl_sweep_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
