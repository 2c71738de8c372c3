/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as machine code, by the system's compiler. */
#ifndef LAB_COMPILE_H
#define LAB_COMPILE_H

#include "base/error.h"

/*
 * The kernel's code, which the cache directory has or the compiler makes: $TENSIX_CACHE, else
 * tensix/ in $XDG_CACHE_HOME or ~/.cache; $CC, else cc, gcc or clang. Only what belongs to the user
 * and is whole is loaded. cached_only: not where it would have to be made. NULL: message says why.
 * Threads may call it.
 */
tx_fast_tile *compile_tile(const tx_fast *fast, bool cached_only, char *message, size_t size);
/* From now on workers of fast run it. */
bool compile_kernel(tx_fast *fast, char *message, size_t size);
/* The same for all steps that were collected; jobs: compilers at a time. */
bool compile_steps(tx_fast_steps *steps, unsigned jobs, bool progress, char *message, size_t size);

#endif
