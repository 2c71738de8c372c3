/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a machine has beside its state: findings, a fault, counters. Snapshots leave it out,
 * checkpoints have it.
 */
#ifndef TX_STATE_BESIDE_H
#define TX_STATE_BESIDE_H

#include "state/machine.h"

size_t beside_size(void);
void beside_save(const struct tx_machine *m, void *to); /* beside_size() bytes */
void beside_load(struct tx_machine *m, const void *from);

#endif
