/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons: two kernels, or one on two chips, over the inputs of a domain. Their results are
 * identical bit by bit, or there is a first input where they part.
 */
#ifndef TENSIX_LAB_COMPARE_H
#define TENSIX_LAB_COMPARE_H

#include <tensix-lab/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_compare txl_compare;

struct txl_compare_options {
    size_t size; /* of this struct */
    /*
     * What both have in common: of a sweep's options count start, dst, out, domain, stride, sample,
     * seed, rules, engine, compiler, jobs, progress and user. Domain NULL is bf16; integer kernels
     * get the domain's patterns as numbers.
     */
    const struct txl_sweep_options *both;
    const char *a, *b; /* files of kernels; b NULL: a again */
    const struct tx_program *program_a,
        *program_b;              /* in place of the files, which name them then */
    enum tx_arch arch_a, arch_b; /* TX_ARCH_NONE: the kernel's, of b that of a */
};

/* TXL_OK; otherwise *compare is NULL, as of txl_sweep_open. Texts must stay until the end. */
TXL_API int txl_compare_open(struct txl_error *err, const struct txl_compare_options *options,
                             txl_compare **compare);
TXL_API void txl_compare_close(txl_compare *compare); /* NULL is nothing */
/* TXL_OK whether they differ or not; TXL_CANCELLED; TXL_NEGATIVE: a kernel stopped; TXL_INPUT. */
TXL_API int txl_compare_run(struct txl_error *err, txl_compare *compare);

/* The caller fills in size; texts live as long as the comparison. */
struct txl_compare_result {
    size_t size;
    const char *domain, *covered; /* as given; all inputs in words */
    unsigned operands;
    uint64_t compared, differing, first;   /* inputs; first: the first one that differs */
    uint32_t inputs[TXL_REFERENCE_INPUTS]; /* at first */
};

/* a or b. */
struct txl_compare_side {
    size_t size;
    const char *kernel;
    const struct tx_program *program;
    enum tx_dst_format dst, out;
    uint64_t cycles; /* of a tile */
    uint32_t got;    /* at the first input that differs */
    /*
     * Where the two part there: the first step with another value if both run the same
     * instructions, else the first value that the other never has. parts false: there is none.
     */
    bool parts;
    struct txl_sweep_step step;
};

TXL_API void txl_compare_result(const txl_compare *compare, struct txl_compare_result *result);
/* 0: a, 1: b. */
TXL_API void txl_compare_side(const txl_compare *compare, unsigned at,
                              struct txl_compare_side *side);
/* For people; free() it. NULL without memory. */
TXL_API char *txl_compare_text(const txl_compare *compare);
/* NULL: err says why. */
TXL_API txl_json *txl_compare_json(struct txl_error *err, const txl_compare *compare);

#ifdef __cplusplus
}
#endif

#endif
