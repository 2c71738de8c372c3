/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two kernels, or one kernel on two chips, over all inputs of a domain. Either their
 * results are identical bit by bit, or the comparison names the first input where they differ.
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
     * The options that apply to both kernels. Of a sweep's options these count: start, dst, out,
     * domain, stride, sample, seed, rules, engine, compiler, jobs, progress and user. Domain NULL
     * is bf16; kernels on integers read the domain's bit patterns as numbers.
     */
    const struct txl_sweep_options *both;
    const char *a, *b; /* paths of kernel files; b NULL: the same as a */
    const struct tx_program *program_a,
        /* Programs to use instead of the files, which then only name them. */
        *program_b;
    enum tx_arch arch_a, arch_b; /* TX_ARCH_NONE: what the kernel says; for b: that of a */
};

/*
 * Reads both kernels. Returns TXL_OK; otherwise *compare is NULL, with the statuses of
 * txl_sweep_open. Texts in options must stay valid until txl_compare_close.
 */
TXL_API int txl_compare_open(struct txl_error *err, const struct txl_compare_options *options,
                             txl_compare **compare);
TXL_API void txl_compare_close(txl_compare *compare); /* NULL is nothing */
/*
 * Runs the comparison. Returns TXL_OK whether results differ or not, TXL_CANCELLED, TXL_NEGATIVE
 * where a kernel stopped, or TXL_INPUT.
 */
TXL_API int txl_compare_run(struct txl_error *err, txl_compare *compare);

/* The caller fills in size; texts live as long as the comparison. */
struct txl_compare_result {
    size_t size;
    const char *domain, *covered; /* the domain as it was given, and the inputs covered in words */
    unsigned operands;
    /* counts of inputs; first: index of the first that differs */
    uint64_t compared, differing, first;
    uint32_t inputs[TXL_REFERENCE_INPUTS]; /* operands of the first input that differs */
    /*
     * Not 0: from the state of .init all results are equal; the counts are of this many inputs, run
     * in another order with state carried from tile to tile.
     */
    uint64_t carried;
};

/* One of the two kernels. The caller fills in size. */
struct txl_compare_side {
    size_t size;
    const char *kernel;
    const struct tx_program *program;
    enum tx_dst_format dst, out;
    uint64_t cycles; /* cycles per tile */
    uint32_t got;    /* its result at the first input that differs */
    /*
     * The step at which the two computations diverge for that input: the first step with different
     * values if both run the same instructions, else the first value that the other kernel never
     * computes. parts is false where there is no such step.
     */
    bool parts;
    struct txl_sweep_step step;
};

TXL_API void txl_compare_result(const txl_compare *compare, struct txl_compare_result *result);
/* Fills in *side: at 0 for a, 1 for b. */
TXL_API void txl_compare_side(const txl_compare *compare, unsigned at,
                              struct txl_compare_side *side);
/* Returns the report for people, which the caller frees. NULL without memory. */
TXL_API char *txl_compare_text(const txl_compare *compare);
/* Returns the report as JSON; NULL: err says why. */
TXL_API txl_json *txl_compare_json(struct txl_error *err, const txl_compare *compare);

#ifdef __cplusplus
}
#endif

#endif
