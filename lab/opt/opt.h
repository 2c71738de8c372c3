/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "opt": composes what other rooms do to make a kernel shorter: expand, schedule, and the
 * proof against the kernel as it was given. It may use base, expand and schedule.
 *
 * opt.c composes and proves, select.c makes selections of conditions, header.c writes the vendor's
 * style of header, text.c reports.
 */
#ifndef LAB_OPT_H
#define LAB_OPT_H

#include <tensix-lab/opt.h>

#include "base/memory.h"

struct txl_opt {
    char *name;
    struct txl_opt_result result;
    struct tx_program *program; /* the kernel that is the result */
    char *text;
    char kept[1024];
};

/* select.c: *text becomes the kernel with so many selections in place of conditions, or NULL. */
int opt_select(struct txl_error *err, const struct tx_program *program, char **text,
               unsigned *selections);

#endif
