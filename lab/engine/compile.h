/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as machine code, by the system's compiler. */
#ifndef LAB_COMPILE_H
#define LAB_COMPILE_H

#include "base/error.h"

#include <tensix-internal/fast_steps.h>
#include <tensix-lab/engine.h>

/*
 * The kernel's code, which the cache directory has or the compiler makes. Only what belongs to the
 * user and is whole is loaded. cached_only: not where it would have to be made. NULL: message says
 * why. Threads may call it.
 */
tx_fast_tile *compile_tile(txl_compiler *compiler, const tx_fast *fast, bool cached_only,
                           char *message, size_t size);
/* For all steps that were collected; jobs: compilers at a time. Progress counts steps. */
int compile_steps(struct txl_error *err, txl_compiler *compiler, tx_fast_steps *steps,
                  unsigned jobs, txl_progress progress, void *user);

#endif
