/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a kernel for a mathematical function in a requested form: the argument is reduced by the
 * function's own identities, and the reduced function is computed by a polynomial, a quotient, a
 * table or SFPARECIP. Coefficients come from a Remez exchange, and the instructions are put in the
 * cheapest order that is found. Coefficients are .free constants, so that fit.h can go on to
 * optimise them in the device's arithmetic.
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
    TXL_FORM_POLY,     /* poly:N, with degree N */
    TXL_FORM_RATIONAL, /* rational:M,N, degrees of numerator and denominator */
    TXL_FORM_LUT,      /* lut:3, SFPLUT with 8-bit entries; lut:6, SFPLUTFP32 with 16-bit ones */
    TXL_FORM_ARECIP,   /* arecip+newton:N, Newton steps after SFPARECIP; Blackhole only */
    TXL_FORM_KINDS
};

/* All fields but size may be zero, which means their default, unless stated otherwise. */
struct txl_form_options {
    size_t size;            /* sizeof(struct txl_form_options) */
    const char *form;       /* "poly:5"; must be given */
    const char *reference;  /* "exp", a function of tensix-lab/reference.h; must be given */
    enum tx_arch arch;      /* must be given */
    enum tx_dst_format dst; /* FP32 or BF16; TX_DST_FORMAT_UNSET: FP32 */
    /* as for sweeps; NULL: all numbers. Code is omitted for what lies outside all ranges */
    const char *domain;
    uint64_t budget;       /* most cycles per tile, met by lowering the degree; 0: no limit */
    txl_progress progress; /* counts variants tried; or NULL */
    void *user;            /* of progress */
    /*
     * After so many seconds no shorter schedule is looked for, and no table of lut: is found any
     * more; 0: no limit. The first schedule and its coefficients are always completed.
     */
    double seconds;
    uint64_t scheme; /* of evaluation; 0: the shorter one; 1: Horner's; 2: Estrin's */
};

/*
 * Writes the kernel. Returns TXL_OK with *out, which the caller closes and about which lint reports
 * nothing; TXL_NEGATIVE where the function has no such form or the budget is too small, as err
 * says; TXL_CANCELLED or TXL_INPUT.
 */
TXL_API int txl_form_write(struct txl_error *err, const struct txl_form_options *options,
                           txl_form **out);
TXL_API void txl_form_close(txl_form *form); /* NULL: nothing */
/* Returns the kernel file as zero-terminated text, which lives as long as the form. */
TXL_API const char *txl_form_text(const txl_form *form);

/* The caller fills in size; texts live as long as the form. */
struct txl_form_result {
    size_t size;
    enum txl_form_kind kind;
    unsigned m, n;         /* degrees of the form as written: M and N; N alone; or 3 or 6 for lut */
    bool reduced;          /* the budget made n smaller than asked for */
    bool pairs;            /* Estrin's scheme, else Horner's */
    bool optimal;          /* lut only: no other table entries have a smaller largest error */
    unsigned rows;         /* rows of a tile that are interleaved */
    unsigned coefficients; /* number of .free constants */
    uint64_t cycles;       /* per tile, measured on the machine */
    double row_cycles;     /* per row */
    double other_row;      /* per row of the rejected scheme (Horner's or Estrin's); 0: none */
    /* error of the approximation in exact arithmetic, relative; lut: absolute */
    double error;
    uint64_t tried; /* lut only: pairs of table entries evaluated */
    bool late;      /* options.seconds ended the search for a shorter schedule */
    double seconds; /* that it has taken */
};

TXL_API void txl_form_result(const txl_form *form, struct txl_form_result *result);
/* For people; free() it. NULL without memory. */
TXL_API char *txl_form_report(const txl_form *form);
/* Returns the result as JSON; NULL: err says why. */
TXL_API txl_json *txl_form_json(struct txl_error *err, const txl_form *form);

#ifdef __cplusplus
}
#endif

#endif
