/* SPDX-License-Identifier: Apache-2.0 */
/* Turns kernels into machine code with the system's compiler. */
#ifndef LAB_COMPILE_H
#define LAB_COMPILE_H

#include "base/error.h"

#include <tensix-internal/fast_steps.h>
#include <tensix-lab/engine.h>

/*
 * Returns the kernel's code, from the cache directory or newly compiled. Only complete files that
 * belong to the user are loaded. cached_only: do not compile. NULL: err says why. Several
 * threads may call it.
 */
tx_fast_tile *compile_tile(txl_compiler *compiler, const tx_fast *fast, bool cached_only,
                           struct txl_error *err);
/* Compiles all steps that were collected. jobs: compilers at a time. Progress counts steps. */
int compile_steps(struct txl_error *err, txl_compiler *compiler, tx_fast_steps *steps,
                  unsigned jobs, txl_progress progress, void *user);

#endif
