/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_FRONT_FRONT_H
#define TX_FRONT_FRONT_H

#include "state/machine.h"

/*
 * One cycle with the Replay Expander of the thread in front of the back end. *accepted: the
 * presented word was taken. Words of a replay under way come first, one per cycle.
 */
void front_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted);

/* A replay still has words to emit. */
bool front_busy(const struct tx_machine *m, unsigned thread);

#endif
