/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the engines run single instructions and small kernels on this machine, each as a ratio
 * to loops that are timed in turns with them, so that other machines and busy ones can be compared.
 * Rates are vector instructions (32 lanes) a second, in processor time of the thread, but for the
 * line with two threads.
 */
#ifndef TENSIX_LAB_BENCH_H
#define TENSIX_LAB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/engine.h>
#include <tensix-lab/json.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TXL_BENCH_LOOPS = 4, TXL_BENCH_ROOM = 8, TXL_BENCH_RUNS = 31 }; /* room for loops */

/* "fma" (on the widest vectors), "add", "copy", "scalar"; NULL past the end. */
TXL_API const char *txl_bench_loop(size_t index);
TXL_API const char *txl_bench_vectors(void); /* those of fma: "512 bits" */

/* One thing that is measured. The caller fills in size; texts are constants. */
struct txl_bench_line {
    size_t size;
    const char *name;
    enum tx_arch arch;
    const char *data; /* what the inputs are: "N(0,1)" */
    unsigned against; /* the loop that a regression is measured against */
    double goal;      /* of fma; of the line with two threads of one thread; 0: none */
    bool compiled;    /* it is about compiled code */
};

/* False past the end. */
TXL_API bool txl_bench_line(size_t index, struct txl_bench_line *line);
/* Its kernel, for free(), and how many of the instructions count. NULL: no memory. */
TXL_API char *txl_bench_text(size_t index, unsigned *counted);

struct txl_bench_options {
    size_t size;            /* of this struct */
    enum txl_engine engine; /* auto is fast */
    const char *level;      /* of the fast engine, see tx_fast_level; NULL: the best */
    unsigned runs;          /* that the medians are of, at most TXL_BENCH_RUNS; 0: 7 */
    double slice;           /* seconds that kernel and loops run by turns; 0: 0.002 */
    txl_compiler *compiler; /* for compiled code; NULL: none */
};

struct txl_bench_result {
    size_t size;
    double rate;                  /* instructions a second, median */
    double ratio[TXL_BENCH_ROOM]; /* medians, TXL_BENCH_LOOPS of them */
    double spread;   /* of the ratio to the loop of the line: half of largest less smallest, of 1 */
    double scaling;  /* with two threads: of one thread, by the clock on the wall; else 0 */
    double streamed; /* rate where tiles come from memory and go there; 0: not measured */
    double loops[TXL_BENCH_ROOM]; /* rates of the loops meanwhile */
};

/* TXL_OK; TXL_INPUT: the engine does not take the kernel, or there is no memory or compiler. */
TXL_API int txl_bench_measure(struct txl_error *err, size_t index,
                              const struct txl_bench_options *options,
                              struct txl_bench_result *result);
/* The same of a kernel; its loop is fma, of the reference engine scalar. */
TXL_API int txl_bench_kernel(struct txl_error *err, const struct tx_program *program,
                             const struct txl_bench_options *options,
                             struct txl_bench_result *result);

/* Row and figures as JSON; in a list "rows" they are what txl_bench_diff_open reads. */
TXL_API txl_json *txl_bench_json(const struct txl_bench_line *line,
                                 const struct txl_bench_result *result);

/* ---- two builds ---- */

/* A line of the older build: figures that count, and what became of it. Does not grow. */
struct txl_bench_change {
    const char *name;
    double was, is;      /* is below 0: it is missing */
    const char *verdict; /* "same", "faster", "regression", "missing" */
};

typedef struct txl_bench_diff txl_bench_diff;

/*
 * Files that hold {"rows": [...]} as tensix bench --json prints them, at most 64 of each build:
 * medians are compared. tolerance: the loss that is no regression, as a part of 1.
 */
TXL_API int txl_bench_diff_open(struct txl_error *err, const char *const *base, size_t base_count,
                                const char *const *news, size_t new_count, double tolerance,
                                txl_bench_diff **diff);
TXL_API void txl_bench_diff_close(txl_bench_diff *diff); /* NULL is nothing */
/* False past the end. */
TXL_API bool txl_bench_diff_line(const txl_bench_diff *diff, size_t at,
                                 struct txl_bench_change *change);
TXL_API unsigned txl_bench_diff_lost(const txl_bench_diff *diff); /* regressions */
TXL_API txl_json *txl_bench_diff_json(const txl_bench_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
