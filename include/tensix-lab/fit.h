/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the constants that a kernel file marks with .free so that the kernel has the least error
 * over a domain. The error is that of the results which the chip's arithmetic leaves in Dst, not
 * that of a polynomial in real arithmetic.
 *
 *     struct txl_fit_options o = {.size = sizeof o, .kernel = "exp2.s", .arch = TX_BLACKHOLE};
 *     txl_fit *fit;
 *     if (txl_fit_find(&err, &o, &fit) == TXL_OK) {
 *         puts(txl_fit_text(fit));
 *     }
 *     txl_fit_close(fit);
 */
#ifndef TENSIX_LAB_FIT_H
#define TENSIX_LAB_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/engine.h>
#include <tensix-lab/json.h>
#include <tensix-lab/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_fit txl_fit;

/*
 * What the search minimises. The second criterion decides between candidates that are equal in the
 * first.
 */
enum txl_fit_objective {
    TXL_FIT_MAX,      /* the largest error in ULP, then their sum */
    TXL_FIT_MEAN,     /* the sum, then the largest */
    TXL_FIT_RELATIVE, /* the largest relative error, then the sum of relative errors */
    TXL_FIT_FAITHFUL, /* results not adjacent to the exact value, then the sum of ULPs */
    /* Violations of monotony between neighbouring inputs, then the largest error. */
    TXL_FIT_MONOTONE,
    /*
     * The largest distance from the function before it is rounded, in ULP, then the sum: tells
     * kernels apart whose results are all next to the exact value.
     */
    TXL_FIT_UNROUNDED,
    TXL_FIT_OBJECTIVES
};
/* Names as users write them: "max" ...; NULL past the end. */
TXL_API const char *txl_fit_objective_name(size_t index);

/*
 * All fields but size may be zero, which means their default. Texts and arrays must stay valid
 * until txl_fit_find returns.
 */
struct txl_fit_options {
    size_t size;        /* sizeof(struct txl_fit_options) */
    const char *kernel; /* path, "-" for standard input; with text: only a name for it */
    const char *text;   /* the kernel's text, used instead of the file; or NULL */
    enum tx_arch arch;  /* TX_ARCH_NONE: the kernel's .arch */
    enum tx_start start;
    enum tx_dst_format dst, out;
    /* The inputs; domain, dst, out, stride and sample are as for sweeps. */
    const char *domain;
    uint64_t stride;             /* use only the first of every so many inputs */
    uint64_t sample;             /* draw this many inputs at random from the domain */
    const char *reference;       /* as for sweeps; NULL: the kernel's .reference */
    txl_sweep_function function; /* the caller's function; reference then only names it */
    void *function_user;
    const char *const *rules; /* "NAME=VALUE": alternative readings of unclear rules of the ISA */
    unsigned rule_count;
    enum txl_fit_objective objective;
    /*
     * "X=Y": at input X the result must be Y, bit for bit (including the sign of zero; nan matches
     * any NaN). With two operands "X,X2=Y". A violated pin counts as much as a NaN where the
     * reference is a number.
     */
    const char *const *pins;
    unsigned pin_count; /* at most 1024 */
    uint64_t seed;      /* seed of the search: the same seed gives the same result */
    /* number of threads; 0: one per processor. The result does not depend on it */
    unsigned jobs;
    /*
     * Time limit of it all, in seconds; 0: none. Of domains that are too large to be searched
     * completely (more than 131072 inputs) the sweep of the kernel as it is ends after a quarter,
     * that of the result at the limit, and the search early enough for it: txl_fit_result says what
     * they covered.
     */
    double seconds;
    uint64_t restarts; /* end after this many restarts without improvement; 0: 8 */
    /* do only restarts whose number modulo shards is shard; shards 0: all */
    unsigned shard, shards;
    const char *state;      /* file that saves the best result so far, to resume from; or NULL */
    txl_compiler *compiler; /* for the sweeps of the proof; NULL: none */
    /* Counts candidates, with total 0 for unknown; then inputs of a sweep. */
    txl_progress progress;
    /* Called with a line for people whenever a better candidate is found; or NULL. */
    void (*better)(void *user, const char *line);
    void *user; /* passed to progress and better */
    /* Files that shards kept (state): the best of them is swept, and nothing is searched. */
    const char *const *merge;
    size_t merge_count;
    /*
     * Leave out, in search and sweeps, the inputs at which the function is below the least normal
     * number of the format, where the chip gives zero whatever the constants are.
     */
    bool without_flushed;
    /*
     * Also ask which error no real numbers in place of the constants can undercut, by a linear
     * programme that glpsol (GLPK) solves, and begin the search where these are best. Only for
     * results of 16 bits that are a linear function of the constants.
     */
    bool bound;
    /* For a reference that is a file, as for sweeps; bound looks for glpsol in path. */
    const char *path, *helper;
    char *const *environment;
};

/*
 * Runs the search. Returns TXL_OK with the result in *fit, which the caller closes (if progress
 * cancelled the search: the best found so far); TXL_NEGATIVE where the kernel stops; TXL_INPUT
 * where there is no .free constant, an option is refused, or memory is short.
 */
TXL_API int txl_fit_find(struct txl_error *err, const struct txl_fit_options *options,
                         txl_fit **fit);
TXL_API void txl_fit_close(txl_fit *fit); /* NULL: nothing */

/* Errors of one version of the kernel over the domain, measured by a sweep. Does not grow. */
struct txl_fit_figures {
    uint64_t inputs, mismatched; /* NaN or infinity against something else */
    uint64_t exact, findings;
    double max_ulp, mean_ulp;
    uint64_t cycles; /* per tile */
};

/* The caller fills in size; texts live as long as the fit. */
struct txl_fit_result {
    size_t size;
    struct txl_fit_figures before, after;
    uint64_t tried, refuted; /* candidates, and those of them rejected after a few inputs */
    uint64_t starts;
    double seconds; /* duration of the search */
    unsigned constants;
    bool cancelled; /* progress ended the search: this is the best so far */
    bool late;      /* options.seconds ended the search */
    bool proved;    /* after was measured on the whole domain, else on what after_swept says */
    bool better;    /* after has a smaller error than before */
    /* Largest distances from the unrounded function, in ULP, of both sweeps; below 0: none. */
    double before_unrounded, after_unrounded;
    /*
     * Inputs of the domain, and how many of them each sweep has covered: fewer where its time was
     * over, none where it was cancelled. after is about nothing where after_swept is 0.
     */
    uint64_t inputs, before_swept, after_swept;
    uint64_t left_out; /* inputs of the last sweep that without_flushed has left out */
    /*
     * options.bound: no constants are better, in ULP from the unrounded function; 0: there is no
     * bound, and no_bound says why (NULL: it was not asked for).
     */
    double bound;
    const char *no_bound;
};
TXL_API void txl_fit_result(const txl_fit *fit, struct txl_fit_result *result);
/*
 * Gives name, old and new value of one constant, as the file writes them. Returns false past the
 * end.
 */
TXL_API bool txl_fit_constant(const txl_fit *fit, size_t index, const char **name,
                              const char **before, const char **after);
/*
 * Returns the kernel file with its constants replaced; it lives as long as the fit. If it was not
 * swept, its first line says so.
 */
TXL_API const char *txl_fit_text(const txl_fit *fit);
/* For people; free() it. NULL without memory. */
TXL_API char *txl_fit_report(const txl_fit *fit);
/* Returns the result as JSON; NULL: err says why. */
TXL_API txl_json *txl_fit_json(struct txl_error *err, const txl_fit *fit);

#ifdef __cplusplus
}
#endif

#endif
