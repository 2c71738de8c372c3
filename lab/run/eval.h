/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of eval.c: what NAME=VALUE sets. */
#ifndef LAB_EVAL_H
#define LAB_EVAL_H

#include "base/error.h"

#include <tensix-lab/base.h>

/* NAME=VALUE onto the machine. TXL_CONTINUE, or TXL_INPUT where it means nothing. */
int eval_assign(struct txl_error *err, tx_machine *machine, unsigned thread,
                const char *assignment);

#endif
