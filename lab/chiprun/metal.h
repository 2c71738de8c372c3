/* SPDX-License-Identifier: Apache-2.0 */
/* metal.c: kernels in tt-metal's headers, which the vendor's compiler compiles. */
#ifndef LAB_CHIPRUN_METAL_H
#define LAB_CHIPRUN_METAL_H

#include "chiprun/plan.h"

#include <tensix-lab/kernel.h>

/*
 * Compiles such a kernel for one core. header: the file that is written for it; flags: those of
 * how, with room for 18 more.
 */
int metal_compile(struct txl_error *err, const struct plan *plan, const struct plan_kernel *kernel,
                  struct txl_cc_options *how, const char *header, const char **flags);

#endif
