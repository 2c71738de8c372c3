/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the kernel of a function in a given form: its argument reduced by the function's own
 * identities, what is left by a polynomial, a quotient, a table or SFPARECIP, coefficients from a
 * Remez exchange, the cheapest order of its instructions that was found. Coefficients stand as
 * .free constants, so that a search on the device's arithmetic can go on from there.
 */
#ifndef TENSIX_LAB_FORM_H
#define TENSIX_LAB_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/error.h>
#include <tensix-lab/json.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_form txl_form;

enum txl_form_kind {
    TXL_FORM_POLY,     /* poly:N, the degree of the polynomial */
    TXL_FORM_RATIONAL, /* rational:M,N, degrees above and below */
    TXL_FORM_LUT,      /* lut:3, SFPLUT with 8-bit entries; lut:6, SFPLUTFP32 with 16-bit ones */
    TXL_FORM_ARECIP,   /* arecip+newton:N, steps behind SFPARECIP; Blackhole */
    TXL_FORM_KINDS
};

/* Zero is the default of all fields but size. */
struct txl_form_options {
    size_t size;            /* sizeof(struct txl_form_options) */
    const char *form;       /* "poly:5"; must be given */
    const char *reference;  /* "exp", a function of tensix-lab/reference.h; must be given */
    enum tx_arch arch;      /* must be given */
    enum tx_dst_format dst; /* FP32 or BF16; TX_DST_FORMAT_UNSET: FP32 */
    const char *domain;     /* as for sweeps; NULL: all numbers. LOW:HIGH saves what is beyond */
    uint64_t budget;        /* cycles of a tile at most, at the price of the degree; 0: no limit */
    txl_progress progress;  /* counts variants tried; or NULL */
    void *user;             /* of progress */
};

/*
 * TXL_OK: *out is the kernel, which the caller closes; lint has nothing to say of it. TXL_NEGATIVE:
 * err says why there is none: the function has no such form, the budget is too small.
 * TXL_CANCELLED, or TXL_INPUT.
 */
TXL_API int txl_form_write(struct txl_error *err, const struct txl_form_options *options,
                           txl_form **out);
TXL_API void txl_form_close(txl_form *form); /* NULL: nothing */
/* The kernel file, with a zero behind it. Lives as long as the form. */
TXL_API const char *txl_form_text(const txl_form *form);

/* The caller fills in size; texts live as long as the form. */
struct txl_form_result {
    size_t size;
    enum txl_form_kind kind;
    unsigned m, n;         /* of the form as written: M and N, or N, or 3 or 6 */
    bool reduced;          /* n is less than asked for: the budget */
    bool pairs;            /* Estrin's form; else Horner's */
    bool optimal;          /* lut: no other entries have a smaller largest error */
    unsigned rows;         /* of a tile that are computed together */
    unsigned coefficients; /* free constants */
    uint64_t cycles;       /* of a tile, as the machine runs it */
    double row_cycles;     /* of a row */
    double other_row;      /* of the form that was not taken, Horner's or Estrin's; 0: none */
    double error;          /* of the approximation by itself, relative; lut: largest absolute one */
    uint64_t tried;        /* lut: pairs of entries that were judged */
};

TXL_API void txl_form_result(const txl_form *form, struct txl_form_result *result);
/* For people; free() it. NULL without memory. */
TXL_API char *txl_form_report(const txl_form *form);
/* NULL: err says why. */
TXL_API txl_json *txl_form_json(struct txl_error *err, const txl_form *form);

#ifdef __cplusplus
}
#endif

#endif
