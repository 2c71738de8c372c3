/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "front": which kernels of a function nothing beats in both cycles and error. It may use
 * base, sweep, form, fit and opt.
 *
 * front.c makes the kernels, report.c shows them.
 */
#ifndef LAB_FRONT_H
#define LAB_FRONT_H

#include <tensix-lab/front.h>

#include "base/memory.h"

struct front_kernel {
    char form[32];
    char *text;
    bool pairs, beaten;
    uint64_t before, after;
    double error, bound;
};

/* A form that gave no kernel, and why. */
struct front_left {
    char form[32];
    char why[160];
};

enum { FRONT_MOST = 64 };

struct txl_front {
    char reference[64], domain[256];
    enum tx_arch arch;
    enum tx_dst_format dst;
    double limit;
    uint64_t cycles;
    struct front_kernel kernel[FRONT_MOST];
    struct front_left left[FRONT_MOST];
    size_t kernels, lefts;
    txl_json *views; /* of the kernels' sweeps, as they were made */
};

/* The index of the best kernel, or kernels where there is none. */
size_t front_best(const struct txl_front *f);

#endif
