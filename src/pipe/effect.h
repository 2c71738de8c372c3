/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building and applying a struct effect: what one instruction is about to write, kept until the
 * cycle ends.
 */
#ifndef TX_PIPE_EFFECT_H
#define TX_PIPE_EFFECT_H

#include "state/machine.h"

#include <string.h>

/* The bit of each lane. Loops that read it from this table are vectorized by all compilers. */
#define BITS4(n) 1u << (n), 1u << ((n) + 1), 1u << ((n) + 2), 1u << ((n) + 3)
static const uint32_t lane_bit[32] = {BITS4(0),  BITS4(4),  BITS4(8),  BITS4(12),
                                      BITS4(16), BITS4(20), BITS4(24), BITS4(28)};
#undef BITS4

static inline void effect_clear(struct effect *e)
{
#if defined(TX_STRESS)
    /* makes reads of fields that were never written visible */
    memset(e, 0xA5, sizeof *e);
#endif
    /*
     * Written as a copy: for a memset of this size, compilers emit a string instruction, which is
     * slow.
     */
    static const unsigned char nothing[offsetof(struct effect, mask)];
    memcpy(e, nothing, sizeof nothing);
}

/* Copies what a two-cycle instruction has still to write: registers. */
static inline void effect_copy(struct effect *to, const struct effect *from)
{
    memcpy(to, from, offsetof(struct effect, value));
    for (uint32_t regs = from->lregs; regs != 0; regs &= regs - 1) {
        const unsigned reg = bits_lowest(regs);
        memcpy(to->value[reg], from->value[reg], sizeof to->value[reg]);
    }
}

/* Returns where the caller is to put the values of all 32 lanes. */
static inline uint32_t *effect_place(struct effect *e, unsigned reg, uint32_t lanes)
{
    e->lregs |= 1u << reg;
    e->mask[reg] = lanes;
    return e->value[reg];
}

static inline void effect_write(struct effect *e, unsigned reg, uint32_t lanes,
                                const uint32_t value[32])
{
    memcpy(effect_place(e, reg, lanes), value, sizeof e->value[reg]);
}

/* Adds one lane of a register. */
static inline void effect_write_lane(struct effect *e, unsigned reg, unsigned lane, uint32_t value)
{
    if ((e->lregs & (1u << reg)) == 0) {
        e->lregs |= 1u << reg;
        e->mask[reg] = 0;
    }
    e->mask[reg] |= 1u << lane;
    e->value[reg][lane] = value;
}

/*
 * Keeps the operand of Wormhole's rotator, at the end of the cycle in which it was read: one cycle
 * before the result.
 */
void effect_latch(struct tx_machine *m, const struct effect *e);

/* Writes the lanes of one register. */
static inline void effect_give(struct tx_state *s, const struct effect *e, unsigned reg)
{
    const uint32_t lanes = e->mask[reg];
    const uint32_t *from = e->value[reg];
    uint32_t *to = s->lreg[reg];
    if (s->tainted != 0) {
        s->lreg_tainted[reg] = (s->lreg_tainted[reg] & ~lanes) | (e->taint & lanes);
    }
    if (lanes == 0xFFFFFFFFu) {
        memcpy(to, from, sizeof s->lreg[reg]);
        return;
    }
    for (unsigned lane = 0; lanes != 0 && lane < 32; lane++) {
        to[lane] = (lanes & lane_bit[lane]) != 0 ? from[lane] : to[lane];
    }
}

/*
 * Applies everything else that op, which started in cycle "start", writes at the end of this cycle.
 */
void effect_commit_whole(struct tx_machine *m, const struct tx_op *op, uint64_t start,
                         const struct effect *e);
static inline void effect_commit(struct tx_machine *m, const struct tx_op *op, uint64_t start,
                                 const struct effect *e)
{
    const uint32_t flags =
        e->lf_mask | e->use_mask | e->push_mask | e->pop_mask | e->set_top_mask | e->stray_mask;
    const uint32_t rest =
        e->prng_mask | e->template_mask | e->config_mask | e->store_mask | e->rwc_set;
    if ((flags | rest) != 0 || m->settings.sink.event != NULL || e->lregs == 0) {
        effect_commit_whole(m, op, start, e);
        return;
    }
    for (uint32_t regs = e->lregs & 0x1FFFFu; regs != 0; regs &= regs - 1) {
        effect_give(&m->state, e, bits_lowest(regs));
    }
}

#endif
