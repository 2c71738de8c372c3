/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the constants that a kernel file marks with .free, so that the kernel, as the chip
 * executes it, errs least over a domain: what counts is what comes out of Dst, not what a
 * polynomial would give in real arithmetic.
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

/* What is to be small first; what comes second decides where that is equal. */
enum txl_fit_objective {
    TXL_FIT_MAX,      /* the largest error in ULP, then their sum */
    TXL_FIT_MEAN,     /* the sum, then the largest */
    TXL_FIT_RELATIVE, /* the largest relative error, then their sum */
    TXL_FIT_FAITHFUL, /* results that are not next to the exact value, then the sum in ULP */
    TXL_FIT_MONOTONE, /* neighbours whose results go the wrong way, then the largest error */
    TXL_FIT_OBJECTIVES
};
/* "max" ...; NULL past the end. */
TXL_API const char *txl_fit_objective_name(size_t index);

/* Texts and arrays must stay until txl_fit_find returns. Zero is the default of all but size. */
struct txl_fit_options {
    size_t size;        /* sizeof(struct txl_fit_options) */
    const char *kernel; /* a file, "-" for standard input; or the name of text */
    const char *text;   /* in place of the file; NULL: the file */
    enum tx_arch arch;  /* TX_ARCH_NONE: the kernel's .arch */
    enum tx_start start;
    enum tx_dst_format dst, out;
    const char *domain;          /* as for sweeps, as are dst, out and what follows */
    uint64_t stride;             /* of so many inputs only the first */
    uint64_t sample;             /* so many drawn from the domain */
    const char *reference;       /* the name of a function; NULL: the kernel's .reference */
    txl_sweep_function function; /* in place of reference, whose text is its name then */
    void *function_user;
    const char *const *rules; /* "NAME=VALUE": other readings of the sources */
    unsigned rule_count;
    enum txl_fit_objective objective;
    /*
     * "X=Y": at the input X the result is Y, bit for bit (with the sign of zero; nan is any NaN).
     * Of two operands "X,X2=Y". Each that is not met counts as much as a NaN for a number.
     */
    const char *const *pins;
    unsigned pin_count; /* at most 1024 */
    uint64_t seed;      /* of the search; results are the same for the same seed */
    unsigned jobs;      /* threads; 0: one for each processor. The result does not depend on it */
    uint64_t seconds;   /* for the search; 0: no limit */
    uint64_t restarts;  /* end after so many starts that gave nothing better; 0: 8 */
    unsigned shard, shards; /* only starts whose number is shard modulo shards; shards 0: all */
    const char *state;      /* file that keeps the best so far, and that is gone on from; or NULL */
    txl_compiler *compiler; /* for the sweeps of the proof; NULL: none */
    txl_progress progress;  /* counts candidates, of an unknown total (0); then inputs of a sweep */
    /* Called when a better candidate is found: a line for people. Or NULL. */
    void (*better)(void *user, const char *line);
    void *user; /* of both */
};

/*
 * TXL_OK: *fit is the result, for txl_fit_close; where progress cancelled the search it is the best
 * so far. TXL_NEGATIVE: the kernel stops. TXL_INPUT: no .free, options refused, no memory.
 */
TXL_API int txl_fit_find(struct txl_error *err, const struct txl_fit_options *options,
                         txl_fit **fit);
TXL_API void txl_fit_close(txl_fit *fit); /* NULL: nothing */

/* Errors of a kernel over the domain, by a sweep. Does not grow. */
struct txl_fit_figures {
    uint64_t inputs, mismatched; /* NaN or infinity against something else */
    uint64_t exact, findings;
    double max_ulp, mean_ulp;
    uint64_t cycles; /* of a tile */
};

/* The caller fills in size; texts live as long as the fit. */
struct txl_fit_result {
    size_t size;
    struct txl_fit_figures before, after;
    uint64_t tried, refuted; /* candidates; those that a few inputs were enough for */
    uint64_t starts;
    double seconds; /* of the search */
    unsigned constants;
    bool cancelled; /* by progress: the best so far */
    bool late;      /* by options.seconds */
    bool proved;    /* after is of the whole domain: else it is of the inputs of the search */
    bool better;    /* than before */
};
TXL_API void txl_fit_result(const txl_fit *fit, struct txl_fit_result *result);
/* A constant as it was and as it is: NAME, and both values as the file has them. */
TXL_API bool txl_fit_constant(const txl_fit *fit, size_t index, const char **name,
                              const char **before, const char **after);
/* The kernel file with its constants replaced; lives as long as the fit. */
TXL_API const char *txl_fit_text(const txl_fit *fit);
/* For people; free() it. NULL without memory. */
TXL_API char *txl_fit_report(const txl_fit *fit);
/* NULL: err says why. */
TXL_API txl_json *txl_fit_json(struct txl_error *err, const txl_fit *fit);

#ifdef __cplusplus
}
#endif

#endif
