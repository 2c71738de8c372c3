/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internal interface by which the command and the Python package measure this build: it is not
 * installed and may change at any time.
 *
 * Measures how fast the engines run single instructions and small kernels on this machine. Each
 * speed is also given as a ratio to simple loops that are timed in turns with the kernel, so that
 * figures of different or busy machines can be compared. Rates are vector instructions (32 lanes)
 * per second of the thread's processor time, except for the line with two threads.
 */
#ifndef TENSIX_INTERNAL_BENCH_H
#define TENSIX_INTERNAL_BENCH_H

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

enum { TXL_BENCH_LOOPS = 4, TXL_BENCH_RUNS = 31 };

/*
 * Returns the name of a comparison loop: "fma" (on the widest vectors), "add", "copy" or "scalar".
 * NULL past the end.
 */
TXL_API const char *txl_bench_loop(size_t index);
TXL_API const char *txl_bench_vectors(void); /* vector width of fma: "512 bits" */

/* One thing that can be measured. The caller fills in size; texts are constants. */
struct txl_bench_line {
    size_t size;
    const char *name;
    enum tx_arch arch;
    const char *data; /* what the inputs are: "N(0,1)" */
    unsigned against; /* index of the loop that decides whether a build has become slower */
    double goal;      /* wanted ratio to fma; with two threads: to one thread; 0: none */
    bool compiled;    /* measured with compiled code */
};

/* Fills in *line; returns false past the end. */
TXL_API bool txl_bench_line(size_t index, struct txl_bench_line *line);
/*
 * Returns the kernel of a line, which the caller frees, and in *counted how many of its
 * instructions the rate counts. NULL: no memory.
 */
TXL_API char *txl_bench_text(size_t index, unsigned *counted);

struct txl_bench_options {
    size_t size;            /* of this struct */
    enum txl_engine engine; /* auto is fast */
    const char *level;      /* of the fast engine, see tx_fast_level; NULL: the best */
    unsigned runs;          /* runs whose median is taken, at most TXL_BENCH_RUNS; 0: 7 */
    double slice;           /* seconds for which kernel and loops run in turn; 0: 0.002 */
    txl_compiler *compiler; /* needed by lines about compiled code; NULL: none */
};

struct txl_bench_result {
    size_t size;
    double rate;                   /* instructions a second, median */
    double ratio[TXL_BENCH_LOOPS]; /* rate by rate of each loop, medians */
    /* of the ratio to the line's own loop: half of largest minus smallest, relative */
    double spread;
    double scaling;  /* two threads only: speed relative to one thread, in wall time; else 0 */
    double streamed; /* rate with tiles streamed from and to memory; 0: not measured */
    double loops[TXL_BENCH_LOOPS]; /* rates of the loops in the same period */
};

/*
 * Measures one line. Returns TXL_OK, or TXL_INPUT where the engine does not take the kernel or
 * there is no memory or compiler.
 */
TXL_API int txl_bench_measure(struct txl_error *err, size_t index,
                              const struct txl_bench_options *options,
                              struct txl_bench_result *result);
/*
 * Measures a kernel of the caller's likewise. The loop that its spread refers to is fma, or scalar
 * with the reference engine.
 */
TXL_API int txl_bench_kernel(struct txl_error *err, const struct tx_program *program,
                             const struct txl_bench_options *options,
                             struct txl_bench_result *result);

/*
 * What the functions below call with each line that was measured, in the thread that called them.
 * result NULL: the engine does not take the kernel, and why says so. All are valid during the call.
 * Returning false ends the function with TXL_CANCELLED.
 */
typedef bool (*txl_bench_tell)(void *user, const struct txl_bench_line *line,
                               const struct txl_bench_result *result, const char *why);

/* Whether name begins with one of the count texts; without texts every name is chosen. */
TXL_API bool txl_bench_chosen(const char *name, const char *const *begins, size_t count);
/*
 * Measures the lines that are chosen so. Where all are, those that the compiler or compiled code
 * cannot take are told; otherwise the first one that is not taken ends it with TXL_INPUT.
 */
TXL_API int txl_bench_lines(struct txl_error *err, const struct txl_bench_options *options,
                            const char *const *begins, size_t count, txl_bench_tell tell,
                            void *user);
/*
 * Measures a kernel with the engine of options and those slower than it: fast, compiled,
 * reference. Lines are named name, name/compiled, name/reference. The reference engine takes every
 * kernel, or the function ends with TXL_INPUT.
 */
TXL_API int txl_bench_engines(struct txl_error *err, const char *name,
                              const struct tx_program *program,
                              const struct txl_bench_options *options, txl_bench_tell tell,
                              void *user);

/*
 * Returns line and figures as JSON. An object with an array "rows" of these is what
 * txl_bench_diff_open reads.
 */
TXL_API txl_json *txl_bench_json(const struct txl_bench_line *line,
                                 const struct txl_bench_result *result);

/* ---- two builds ---- */

/* How one line of the older build compares with the newer one. Does not grow. */
struct txl_bench_change {
    const char *name;
    /* the figures that are compared; is below 0: the newer build lacks the line */
    double was, is;
    const char *verdict; /* "same", "faster", "regression", "missing" */
};

typedef struct txl_bench_diff txl_bench_diff;

/*
 * Compares the medians of two builds. Each build has at most 64 files of the form {"rows": [...]},
 * which tensix bench --json writes. A loss up to tolerance, as a fraction of 1, is not a
 * regression.
 */
TXL_API int txl_bench_diff_open(struct txl_error *err, const char *const *base, size_t base_count,
                                const char *const *news, size_t new_count, double tolerance,
                                txl_bench_diff **diff);
TXL_API void txl_bench_diff_close(txl_bench_diff *diff); /* NULL is nothing */
/* Fills in *change; returns false past the end. */
TXL_API bool txl_bench_diff_line(const txl_bench_diff *diff, size_t at,
                                 struct txl_bench_change *change);
TXL_API unsigned txl_bench_diff_lost(const txl_bench_diff *diff); /* number of regressions */
TXL_API txl_json *txl_bench_diff_json(const txl_bench_diff *diff);
/* For people; the caller frees it. NULL without memory. */
TXL_API char *txl_bench_diff_text(const txl_bench_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
