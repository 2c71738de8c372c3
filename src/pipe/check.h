/* SPDX-License-Identifier: Apache-2.0 */
/* Contract checks around an instruction: they record findings and change nothing else. */
#ifndef TX_PIPE_CHECK_H
#define TX_PIPE_CHECK_H

#include "state/machine.h"

/* Encoding and mode, before execution. */
void check_word(struct tx_machine *m, const struct tx_op *op);
/* What it drew and wrote, after execution and before commit. */
void check_effect(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                  uint32_t lanes);
/* Against the instruction in its second cycle. */
void check_hazards(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                   uint32_t lanes, const struct in_flight *flight);
/* SFPCONFIG and its next vector instruction (R2). */
void check_visibility(struct tx_machine *m, const struct tx_op *op);

#endif
