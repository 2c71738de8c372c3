/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_SCALAR_UNIT_H
#define TX_SCALAR_UNIT_H

#include "state/machine.h"

/* Executes an instruction of a unit other than the Vector Unit, at once. */
void unit_execute(struct tx_machine *m, const struct tx_op *op);

#endif
