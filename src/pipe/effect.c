/* SPDX-License-Identifier: Apache-2.0 */
/* Writing at the end of a cycle: what instructions have computed (struct effect) becomes state. */
#include "pipe/effect.h"
#include "base/check.h"

#include "num/prng.h"
#include "scalar/unit.h"
#include "state/dst.h"

/* The instruction that writes, for events. */
struct writer {
    const struct tx_op *op;
    uint64_t start;
};

/* What a write changes, for its event. */
struct written {
    enum tx_event_kind kind;
    unsigned index;
    uint32_t lanes;
    const uint32_t *values;
};

/* Every member is given: compilers clear a struct of which some are left out as a block, slowly. */
static void write_event(const struct tx_machine *m, const struct writer *w, const struct effect *e,
                        struct written what)
{
    const struct tx_event event = {.size = sizeof event,
                                   .kind = what.kind,
                                   .thread = w->op->thread,
                                   .unit = w->op->unit,
                                   .index = (uint16_t)what.index,
                                   .cycle = m->state.cycle,
                                   .word = w->op->word,
                                   .lanes = what.lanes,
                                   .row = NULL,
                                   .values = what.values,
                                   .finding = NULL,
                                   .text = NULL,
                                   .number = w->op->number,
                                   .start = w->start,
                                   .address = e->address,
                                   .scheduled = w->op->scheduled,
                                   .mode = 0,
                                   .operands = NULL,
                                   .stall = NULL};
    machine_event(m, &event);
}

static void commit_lregs(struct tx_machine *m, const struct writer *w, const struct effect *e)
{
    for (uint32_t regs = e->lregs & 0x1FFFFu; regs != 0; regs &= regs - 1) {
        const unsigned reg = bits_lowest(regs);
        effect_give(&m->state, e, reg);
        if (m->settings.sink.event != NULL && e->mask[reg] != 0) {
            write_event(
                m, w, e,
                (struct written){TX_EVENT_WRITE_LREG, reg, e->mask[reg], m->state.lreg[reg]});
        }
    }
}

static uint32_t merge(uint32_t old, uint32_t mask, uint32_t value)
{
    return (old & ~mask) | (value & mask);
}

/*
 * Applies a lane's operation on the flag stack. The counter is modulo 16, the slots modulo 8 (R3).
 */
static void commit_stack_lane(struct tx_state *s, const struct effect *e, unsigned lane)
{
    CHECK(lane < TX_LANES, "a flag stack is one of 32 lanes'");
    const uint32_t bit = 1u << lane;
    unsigned ctr = s->stack_ctr[lane];
    const unsigned top = (ctr - 1u) & 7u;
    if ((e->push_mask & bit) != 0) {
        s->stack_lf[ctr & 7u] = merge(s->stack_lf[ctr & 7u], bit, e->top_lf);
        s->stack_use[ctr & 7u] = merge(s->stack_use[ctr & 7u], bit, e->top_use);
        s->stack_ctr[lane] = (uint8_t)((ctr + 1u) & 15u);
    } else if ((e->pop_mask & bit) != 0) {
        s->stack_ctr[lane] = (uint8_t)((ctr - 1u) & 15u);
    } else if ((e->set_top_mask & bit) != 0 && ctr != 0) {
        s->stack_lf[top] = merge(s->stack_lf[top], bit, e->top_lf);
        s->stack_use[top] = merge(s->stack_use[top], bit, e->top_use);
    } else if ((e->stray_mask & bit) != 0) {
        s->stack_lf[ctr & 7u] = merge(s->stack_lf[ctr & 7u], bit, s->stack_lf[top]);
        s->stack_use[ctr & 7u] = merge(s->stack_use[ctr & 7u], bit, s->stack_use[top]);
    }
}

static void commit_flags(struct tx_machine *m, const struct writer *w, const struct effect *e)
{
    struct tx_state *s = &m->state;
    const uint32_t stack = e->push_mask | e->pop_mask | e->set_top_mask | e->stray_mask;
    for (unsigned lane = 0; stack != 0 && lane < 32; lane++) {
        if ((stack >> lane & 1u) != 0) {
            commit_stack_lane(s, e, lane);
        }
    }
    s->lane_flags = merge(s->lane_flags, e->lf_mask, e->lf);
    s->use_flags = merge(s->use_flags, e->use_mask, e->use);
    if (m->settings.sink.event != NULL && (e->lf_mask | e->use_mask) != 0) {
        write_event(m, w, e,
                    (struct written){TX_EVENT_WRITE_FLAGS, 0, s->lane_flags, &s->use_flags});
    }
}

static void commit_config(struct tx_state *s, const struct effect *e)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((e->template_mask >> lane & 1u) != 0) {
            s->macro_template[e->template_index][lane] = e->template_word;
        }
        if ((e->config_mask >> lane & 1u) == 0) {
            continue;
        }
        switch ((enum effect_config)e->config_kind) {
        case EFFECT_NO_CONFIG:
            break;
        case EFFECT_TEMPLATE:
            s->macro_template[e->config_index][lane] = e->config[lane];
            break;
        case EFFECT_SEQUENCE:
            s->macro_sequence[e->config_index][lane] = e->config[lane];
            break;
        case EFFECT_MISC:
            s->macro_misc[lane] = e->config[lane];
            break;
        case EFFECT_CONSTANT:
            s->lreg[e->config_index][lane] = e->config[lane];
            break;
        case EFFECT_LANE_CONFIG:
            s->lane_config[lane & 7u] = e->config[lane];
            break;
        }
    }
}

static void store_event(const struct tx_machine *m, const struct writer *w, const struct effect *e,
                        unsigned row)
{
    uint32_t cells[16];
    for (unsigned column = 0; column < 16; column++) {
        cells[column] = m->state.dst[row][column];
    }
    write_event(m, w, e, (struct written){TX_EVENT_WRITE_DST, row, 0xFFFF, cells});
}

/* Writes cells of a row from eight lanes; shift is 16 for the high halves of 32-bit data. */
static void store_row(struct tx_state *s, unsigned row, const uint32_t *value, unsigned shift,
                      uint32_t lanes, uint32_t odd)
{
    CHECK(row < TX_DST_ROWS, "a vector is stored to rows of Dst");
    CHECK(shift == 0 || shift == 16, "a vector is stored to low or high halves");
    if (lanes == 0xFFu && (odd == 0 || odd == 0xFFu)) {
        const unsigned at = dst_pair_shift(odd & 1u);
        uint32_t pair[DST_PAIRS];
        memcpy(pair, s->dst[row], sizeof pair);
        for (unsigned i = 0; i < DST_PAIRS; i++) {
            pair[i] = (pair[i] & ~(0xFFFFu << at)) | (value[i] >> shift & 0xFFFFu) << at;
        }
        memcpy(s->dst[row], pair, sizeof pair);
        s->dst_unknown[row] = (uint16_t)(s->dst_unknown[row] & ~(0x5555u << (odd & 1u)));
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        if ((lanes >> i & 1u) != 0) {
            dst_put(s, row, 2 * i + (odd >> i & 1u), value[i] >> shift);
        }
    }
}

/* Returns the columns that eight lanes write, as bits. */
static uint32_t columns_of(uint32_t lanes, uint32_t odd)
{
    uint32_t columns = 0;
    if (lanes == 0xFFu && (odd == 0 || odd == 0xFFu)) {
        return 0x5555u << (odd & 1u);
    }
    for (unsigned i = 0; i < 8; i++) {
        columns |= (lanes >> i & 1u) << (2 * i + (odd >> i & 1u));
    }
    return columns;
}

static void commit_store(struct tx_machine *m, const struct writer *w, const struct effect *e)
{
    struct tx_state *s = &m->state;
    uint64_t *stored = s->units.matrix.stored;
    const uint64_t until = s->cycle + 5; /* until then a packer waits for these rows */
    s->units.matrix.stored_until = until;
    for (unsigned group = 0; group < 4; group++) {
        const uint32_t lanes = e->store_mask >> (8 * group) & 0xFFu;
        const unsigned logical = (e->store_row + group) & 1023u;
        if (lanes == 0) {
            continue;
        }
        const struct dst_view view = {e->store_remap != 0, e->store_swizzle != 0,
                                      s->dst16_high != 0};
        const bool wide = e->store_32bit != 0;
        const unsigned row = dst_row(logical, wide, &view);
        const uint32_t odd = e->store_odd >> (8 * group) & 0xFFu;
        const uint32_t *value = &e->store[8 * group];
        unit_pack_row(m, w->op, row, wide);
        stored[row / 8] = until;
        dst_mark(s, row);
        store_row(s, row, value, wide ? 16 : 0, lanes, odd);
        dst_written(s, row, columns_of(lanes, odd), wide);
        if (wide) {
            stored[(row + 8) / 8] = until;
            store_row(s, row + 8, value, 0, lanes, odd);
        }
        const uint32_t tainted = lanes & e->taint >> (8 * group);
        if (tainted != 0) {
            s->origin = s->dst_origin[row].set != 0 ? s->dst_origin[row] : s->origin;
            dst_taint(s, row, columns_of(tainted, odd), wide);
        }
        if (m->settings.sink.event != NULL) {
            store_event(m, w, e, row);
            if (e->store_32bit != 0) {
                store_event(m, w, e, row + 8);
            }
        }
    }
}

void effect_latch(struct tx_machine *m, const struct effect *e)
{
    for (unsigned lane = 0; e->latch_mask != 0 && lane < 32; lane++) {
        if ((e->latch_mask >> lane & 1u) != 0) {
            m->state.shift_latch[lane] = e->latch[lane];
        }
    }
}

void effect_commit_whole(struct tx_machine *m, const struct tx_op *op, uint64_t start,
                         const struct effect *e)
{
    struct tx_state *s = &m->state;
    const struct writer w = {op, start};
    if (e->lregs != 0) {
        commit_lregs(m, &w, e);
    }
    if ((e->lf_mask | e->use_mask | e->push_mask | e->pop_mask | e->set_top_mask | e->stray_mask) !=
        0) {
        commit_flags(m, &w, e);
    }
    for (unsigned lane = 0; e->prng_mask != 0 && lane < 32; lane++) {
        const uint32_t state = s->prng[lane];
        s->prng[lane] = (e->prng_mask & lane_bit[lane]) != 0 ? prng_step(state) : state;
    }
    if ((e->template_mask | e->config_mask) != 0) {
        commit_config(s, e);
    }
    if (e->store_mask != 0) {
        commit_store(m, &w, e);
    }
    if (e->rwc_set != 0) {
        s->rwc[e->thread] = e->rwc;
    }
}
