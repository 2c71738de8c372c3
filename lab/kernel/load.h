/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "kernel": kernel files. Reads and assembles them, finds the source of their words, records
 * kernels from C++, and tells what there is to tell of an instruction. It may use base, flow,
 * reference, engine and data.
 */
#ifndef LAB_KERNEL_LOAD_H
#define LAB_KERNEL_LOAD_H

#include "base/error.h"

#include <tensix-lab/kernel.h>

/* Refuses words that the program's chip does not have. TXL_CONTINUE or TXL_INPUT. */
int txl_check_words(struct txl_error *err, const char *path, const struct tx_program *program);
/* The error of a text that the assembler has refused, with the order of operands; TXL_INPUT. */
int txl_refuse_text(struct txl_error *err, const char *name, enum tx_status status,
                    const struct tx_diag *diag);
/* As txl_source_of; words that no .loc covers lie in the file path, where that is not NULL. */
const char *kernel_source_of(const char *path, const struct tx_program *program, uint32_t word,
                             char text[256]);

#endif
