/* SPDX-License-Identifier: Apache-2.0 */
/* Puts one random state into the oracle and into a machine, and compares the two afterwards. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "oracle.h"

#include <tensix/tensix.h>

struct bridge_rng {
    uint64_t s;
};

uint32_t bridge_u32(struct bridge_rng *r);
/* A value that finds bugs: special floats, small integers, bit patterns, or anything. */
uint32_t bridge_value(struct bridge_rng *r);

/* calm: registers, flags and PRNG only. Otherwise everything an instruction can see. */
void bridge_random_state(struct bridge_rng *r, int bh, bool calm, struct orc_state *s);
/* A word of a vector-unit (or, one time in 16, counter or configuration) instruction of the chip.
 */
uint32_t bridge_random_word(struct bridge_rng *r, int bh);
void bridge_to_machine(const struct orc_state *s, tx_machine *m, unsigned thread);
/* True where all agree; otherwise text says what differs first. */
bool bridge_equal(const struct orc_state *s, const tx_machine *m, unsigned thread, char text[256]);

#endif
