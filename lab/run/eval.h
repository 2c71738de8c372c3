/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to eval.c: applies NAME=VALUE settings. */
#ifndef LAB_EVAL_H
#define LAB_EVAL_H

#include "base/error.h"

#include <tensix-lab/base.h>

/*
 * Applies NAME=VALUE to a machine. Returns TXL_CONTINUE, or TXL_INPUT where the text has no
 * meaning.
 */
int eval_assign(struct txl_error *err, tx_machine *machine, unsigned thread,
                const char *assignment);

#endif
