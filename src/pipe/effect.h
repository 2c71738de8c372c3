/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction is about to write (struct effect), kept until the cycle ends. */
#ifndef TX_PIPE_EFFECT_H
#define TX_PIPE_EFFECT_H

#include "state/machine.h"

#include <string.h>

/* Bit of each lane: loops that take it from here become vectors everywhere. */
#define BITS4(n) 1u << (n), 1u << ((n) + 1), 1u << ((n) + 2), 1u << ((n) + 3)
static const uint32_t lane_bit[32] = {BITS4(0),  BITS4(4),  BITS4(8),  BITS4(12),
                                      BITS4(16), BITS4(20), BITS4(24), BITS4(28)};
#undef BITS4

static inline void effect_clear(struct effect *e)
{
#if defined(TX_STRESS)
    /* Whatever is read without having been written shows. */
    memset(e, 0xA5, sizeof *e);
#endif
    /* As a copy: compilers make a string instruction of a memset of this size, which is slow. */
    static const unsigned char nothing[offsetof(struct effect, mask)];
    memcpy(e, nothing, sizeof nothing);
}

/* A copy of what a two-cycle instruction has yet to write: registers. */
static inline void effect_copy(struct effect *to, const struct effect *from)
{
    memcpy(to, from, offsetof(struct effect, value));
    for (uint32_t regs = from->lregs; regs != 0; regs &= regs - 1) {
        const unsigned reg = bits_lowest(regs);
        memcpy(to->value[reg], from->value[reg], sizeof to->value[reg]);
    }
}

/* Lanes of a register, given whole. */
static inline void effect_write(struct effect *e, unsigned reg, uint32_t lanes,
                                const uint32_t value[32])
{
    e->lregs |= 1u << reg;
    e->mask[reg] = lanes;
    memcpy(e->value[reg], value, sizeof e->value[reg]);
}

/* One lane more of a register. */
static inline void effect_write_lane(struct effect *e, unsigned reg, unsigned lane, uint32_t value)
{
    if ((e->lregs & (1u << reg)) == 0) {
        e->lregs |= 1u << reg;
        e->mask[reg] = 0;
    }
    e->mask[reg] |= 1u << lane;
    e->value[reg][lane] = value;
}

/* The rotator keeps its operand as it reads it, one cycle before there is a result. */
void effect_latch(struct tx_machine *m, const struct effect *e);
/* Applies everything else of op, started in that cycle, at the end of the current cycle. */
void effect_commit(struct tx_machine *m, const struct tx_op *op, uint64_t start,
                   const struct effect *e);

#endif
