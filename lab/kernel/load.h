/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "kernel": kernel files: reading and assembling them, the places of their words, kernels
 * recorded from C++, and what is to be told of an instruction. It may use base, flow, reference,
 * engine and data.
 */
#ifndef LAB_KERNEL_LOAD_H
#define LAB_KERNEL_LOAD_H

#include "base/error.h"

#include <tensix-lab/kernel.h>

/* Other names of txl_kernel_load, which return TXL_CONTINUE where all is well. */
struct txl_load {
    enum tx_arch arch;
    bool hex, ttinsn, threads, empty;
    enum tx_start start;
};
int txl_load_program(struct txl_error *err, const char *path, const struct txl_load *how,
                     struct tx_program **out);
struct txl_files {
    const char *path[TX_THREADS];
    unsigned count;
};
int txl_check_words(struct txl_error *err, const char *path, const struct tx_program *program);

#endif
