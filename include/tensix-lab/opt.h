/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a kernel as short as the tools of this library can: what SFPLOADMACRO schedules is written
 * out, the rows are read from what they compute, scheduled anew, and proved equal to the kernel as
 * it was given. Rows that cannot be scheduled have their instructions put in another order. Where
 * that is not shorter, or cannot be done, the kernel stays as it is, and the result says why.
 */
#ifndef TENSIX_LAB_OPT_H
#define TENSIX_LAB_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/error.h>
#include <tensix-lab/json.h>
#include <tensix/formats.h>
#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_opt txl_opt;

/* All fields but size may be zero, which means their default. */
struct txl_opt_options {
    size_t size;            /* sizeof(struct txl_opt_options) */
    const char *name;       /* name of the kernel, for messages and the header; NULL: "kernel" */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst */
    enum tx_dst_format out; /* of the output; TX_DST_FORMAT_UNSET: the kernel's .out, else dst */
    uint64_t seconds;       /* time limit of the search; 0: none */
    uint64_t nodes;         /* limit of search steps for one II; 0: none */
    /* inputs of the proof, as for sweeps; NULL: bf16, or pairs of it */
    const char *domain;
    uint64_t sample;       /* number of inputs drawn from it; 0: all of bf16, or 65536 pairs */
    txl_progress progress; /* counts steps of the search, with total 0 for unknown; then inputs */
    void *user;            /* of progress */
};

/*
 * Returns TXL_OK with *out, which the caller closes; also where the kernel stays as it is.
 * TXL_INPUT: options or domain were refused, or no memory; TXL_NEGATIVE: the kernel stops;
 * TXL_CANCELLED.
 */
TXL_API int txl_opt_find(struct txl_error *err, const struct tx_program *program,
                         const struct txl_opt_options *options, txl_opt **out);
TXL_API void txl_opt_close(txl_opt *opt); /* NULL: nothing */

/* The caller fills in size; texts live as long as the result. */
struct txl_opt_result {
    size_t size;
    uint64_t before, after; /* cycles of a tile */
    const char *kept;       /* why the kernel stays as it is; NULL: it does not */
    bool expanded;          /* what SFPLOADMACRO scheduled was written out first */
    bool optimal;           /* no shorter distance of rows is possible, see schedule.h */
    unsigned ii;            /* cycles from one row to the next; 0: kept or reordered */
    unsigned bound;
    uint64_t compared; /* inputs of the proof */
    bool reordered;    /* without SFPLOADMACRO: instructions in another order; ii is 0 */
    bool selected;     /* conditions became selections, without flags */
    /*
     * Values that a row stores in Dst and loads again. Of 16-bit data the finding T-12 says that
     * they may come too late on a card; the kernel as given has it then, too.
     */
    uint64_t through_dst;
};
TXL_API void txl_opt_result(const txl_opt *opt, struct txl_opt_result *result);
/* Returns the kernel as zero-terminated assembler text, which lives as long as the result. */
TXL_API const char *txl_opt_text(const txl_opt *opt);
/*
 * Returns the kernel as a header in the vendor's style, with functions _init_NAME_ and
 * _calculate_NAME_ of TTI_ macros; the caller frees it. NULL: err says why.
 */
TXL_API char *txl_opt_header(struct txl_error *err, const txl_opt *opt);
/* For people; the caller frees it. NULL without memory. */
TXL_API char *txl_opt_report(const txl_opt *opt);
/* Returns the result as JSON; NULL: err says why. */
TXL_API txl_json *txl_opt_json(struct txl_error *err, const txl_opt *opt);

#ifdef __cplusplus
}
#endif

#endif
