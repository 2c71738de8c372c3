/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owners of the banks of SrcA and SrcB: the Matrix Unit or the unpackers. The side that gives a
 * bank away knows at once; the other side sees it some cycles later (BANK_HANDOVER of
 * isa/unit_times.def), unless the machine keeps no time.
 */
#ifndef STATE_BANKS_H
#define STATE_BANKS_H

#include "state/machine.h"
#include "state/times.h"

/*
 * Returns whether a side has the bank and sees that it has. matrix: the side is the Matrix Unit,
 * otherwise the unpackers. bank_give makes a side the owner.
 */
static inline bool bank_with(const struct tx_machine *m, unsigned src, unsigned bank, bool matrix)
{
    const struct units *u = &m->state.units;
    return (u->bank_owner[src][bank] != 0) == matrix && u->bank_seen[src][bank] <= m->state.cycle;
}

static inline void bank_give(struct tx_machine *m, unsigned src, unsigned bank, bool matrix)
{
    struct units *u = &m->state.units;
    u->bank_owner[src][bank] = matrix ? 1 : 0;
    known_handed(&m->state.src_known[src][bank], matrix);
    u->bank_seen[src][bank] = m->state.cycle + (m->hurries ? 0 : TIME_BANK_HANDOVER);
    u->banks_until = u->bank_seen[src][bank];
}

/* Makes both sides see the owners at once, after these were set or reset from outside. */
static inline void bank_forget(struct units *u)
{
    for (unsigned i = 0; i < 2 * SRC_BANKS; i++) {
        u->bank_seen[i / SRC_BANKS][i % SRC_BANKS] = 0;
    }
    u->banks_until = 0;
}

#endif
