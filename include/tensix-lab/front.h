/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels of a function nothing beats in both cycles and error: each form is written in each
 * scheme of evaluation (form.h), its constants are searched (fit.h), what comes out is made as
 * short as it goes (opt.h), and swept (sweep.h).
 */
#ifndef TENSIX_LAB_FRONT_H
#define TENSIX_LAB_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/error.h>
#include <tensix-lab/fit.h>
#include <tensix-lab/form.h>
#include <tensix-lab/json.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_front txl_front;

/* All fields but size and fit may be zero, which means their default. */
struct txl_front_options {
    size_t size; /* sizeof(struct txl_front_options) */
    /*
     * The function (reference, a name), the chip (arch), domain and dst (UNSET: BF16), and how each
     * search is run: seed, jobs, compiler, path, environment, progress, and better, which gets a
     * line about each kernel, with user. Other fields mean nothing here.
     */
    const struct txl_fit_options *fit;
    const char *forms; /* as of form.h, separated by spaces; NULL: usual ones */
    /* For each kernel: a third for its constants, the rest for its schedule; 0: 15. */
    uint64_t seconds;
    /*
     * What the best kernel is: the shortest of at most this error, in ULP from the unrounded
     * function, or else the most exact one of at most so many cycles a tile; 0: of all.
     * Forms whose coefficients cannot reach the error are left out as soon as that is known.
     */
    double error;
    uint64_t cycles;
    const char *page; /* file for a page of the kernels' sweeps with the front; NULL: none */
};

/*
 * Returns TXL_OK with *out, which the caller closes; TXL_NEGATIVE where the function has none of
 * these forms; TXL_CANCELLED or TXL_INPUT.
 */
TXL_API int txl_front_find(struct txl_error *err, const struct txl_front_options *options,
                           txl_front **out);
TXL_API void txl_front_close(txl_front *front); /* NULL: nothing */

/* One kernel; texts live as long as the front. The caller fills in size. */
struct txl_front_point {
    size_t size;
    const char *form;       /* "poly:5" */
    bool pairs;             /* Estrin's scheme, else Horner's */
    bool front;             /* no other one is as short and as exact, and better in one of both */
    char reserved[6];       /* zero */
    uint64_t before, after; /* cycles of a tile, as written and as short as it goes */
    double error;           /* largest, in ULP from the unrounded function */
    double bound;           /* no coefficients of the form are better; 0: not known */
    const char *text;       /* the kernel file */
};
/* Gives a kernel, the shortest first. Returns false past the end. */
TXL_API bool txl_front_point(const txl_front *front, size_t index, struct txl_front_point *point);
/* The best kernel, as the options define it; false where there is none. */
TXL_API bool txl_front_best(const txl_front *front, struct txl_front_point *point);
/* For people; the caller frees it. NULL without memory. */
TXL_API char *txl_front_report(const txl_front *front);
/* Returns the result as JSON; NULL: err says why. */
TXL_API txl_json *txl_front_json(struct txl_error *err, const txl_front *front);

/*
 * Writes one kernel of a form, and searches its constants. Reference, chip, format and domain are
 * those of fit, whose seconds bound both; half of them at most are for the form. Returns TXL_OK
 * with *form and *search, which the caller closes; *search is NULL where there is nothing to
 * search.
 */
TXL_API int txl_front_one(struct txl_error *err, const struct txl_form_options *form_how,
                          const struct txl_fit_options *fit, txl_form **form, txl_fit **search);

#ifdef __cplusplus
}
#endif

#endif
