/* SPDX-License-Identifier: Apache-2.0 */
/* Contract checks around an instruction: they record findings and change nothing else. */
#ifndef TX_PIPE_CHECK_H
#define TX_PIPE_CHECK_H

#include "state/machine.h"

struct started;

/* Encoding and mode, before execution. */
void check_word(struct tx_machine *m, const struct tx_op *op);
/* What it drew and wrote, after execution and before commit. */
void check_effect(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                  uint32_t lanes);
/* Against an instruction in its second cycle; either may be regular or scheduled. */
void check_hazards(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                   uint32_t lanes, const struct in_flight *flight);
/* Two instructions of one cycle, in the order in which they are committed: one register twice. */
void check_writes(struct tx_machine *m, const struct started *younger, const struct started *older);
/* A load against what wrote its cells: 16-bit stores (T-12), the Matrix Unit (E-FPU). */
void check_load(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                uint32_t lanes, uint32_t odd);
/* An instruction of any unit has been issued. */
void check_passed(struct tx_machine *m, const struct tx_op *op);
/* SFPCONFIG and its next vector instruction (R2). */
void check_visibility(struct tx_machine *m, const struct tx_op *op);

#endif
