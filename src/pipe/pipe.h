/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_PIPE_PIPE_H
#define TX_PIPE_PIPE_H

#include "state/machine.h"

/*
 * One cycle. word NULL: nothing is presented to the back end this cycle. *accepted: the word left
 * the wait gate; otherwise it is held and must be presented again.
 */
void pipe_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted);

/* Something is still to be written. */
bool pipe_busy(const struct tx_machine *m);

/* Fills the decode cache of a fresh machine. */
void pipe_open(struct tx_machine *m);

#endif
