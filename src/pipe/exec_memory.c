/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOAD, SFPSTORE and the load of SFPLOADMACRO: addresses, formats and lanes. Source: isa
 * SFPLOAD, SFPSTORE, Dst, RWCs.
 */
#include "pipe/exec.h"
#include "base/check.h"

#include "pipe/check.h"
#include "sem/sfpload.h"
#include "sem/sfpstore.h"
#include "state/dst.h"
#include "state/order.h"
#include "state/rwc.h"

#include <string.h>

/* The format modifiers have the same values for SFPLOAD and SFPSTORE. */
enum {
    MODE_SRCB = TX_MOD_SFPLOAD_FMT_SRCB,
    MODE_FP16 = TX_MOD_SFPLOAD_FMT_FP16A,
    MODE_BF16 = TX_MOD_SFPLOAD_FMT_FP16B,
    MODE_FP32 = TX_MOD_SFPLOAD_FMT_FP32,
    MODE_ALL = TX_MOD_SFPLOAD_FMT_INT32_ALL,
    MODE_ZERO = TX_MOD_SFPLOAD_FMT_ZERO
};

/* Returns whether SFPLOAD and SFPSTORE give the format an 8-bit exponent: see formats C.1. */
static bool wide_exponent(uint32_t format)
{
    return ((0x83F1u >> format) & 1u) != 0; /* formats 0 4 5 6 7 8 9 15 */
}

/* Returns the modifier that applies; Mod0 0 takes it from configuration. */
static unsigned resolve_mode(const struct exec *x)
{
    const struct tx_state *s = &x->m->state;
    const struct cfg_places *p = x->m->places;
    const unsigned thread = x->op->thread;
    if (x->op->mode != MODE_SRCB) {
        return x->op->mode;
    }
    if (cfg_banked(s, p, thread, p->fp32_enabled) != 0) {
        return MODE_FP32;
    }
    uint32_t format = cfg_banked(s, p, thread, p->srcb);
    if (cfg_banked(s, p, thread, p->srcb_override) != 0) {
        format = cfg_banked(s, p, thread, p->srcb_val);
    }
    if (cfg_thread(s, thread, p->dest_fmt_en) != 0) {
        machine_note(x->m, EVIDENCE_B9);
        if (!machine_rule(x->m, RULE_SFPU_DEST_FMT)) {
            format = cfg_thread(s, thread, p->dest_fmt);
        }
    }
    return wide_exponent(format) ? MODE_BF16 : MODE_FP16;
}

/* R18: reports bases that no known kernel uses and that one simulator says do not exist. */
static void base_finding(const struct exec *x, uint32_t bits)
{
    if (bits != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, evidence_get(EVIDENCE_E_BASE)->id, x->op, 0,
                        "address uses DEST_REGW_BASE, DEST_SP_BASE, Sp or the bias counter, whose "
                        "existence is not certain");
    }
}

/*
 * Returns the 10-bit address. In the effect: the counters after the access, address modifier
 * applied.
 */
static uint32_t resolve_address(const struct exec *x, bool store)
{
    const struct tx_state *s = &x->m->state;
    const struct cfg_places *p = x->m->places;
    const struct tx_op *op = x->op;
    struct rwc *rwc = &x->e->rwc;
    const unsigned bank = cfg_bank(s, p, op->thread);
    const bool has_stack = machine_has(x->m, DST_STACK);
    const bool stack = has_stack && op->mode == MODE_ALL;
    const uint32_t incr = stack ? cfg_thread(s, op->thread, p->stack_incr) : 0;
    const uint32_t regw =
        machine_rule(x->m, RULE_DEST_REGW) ? 0 : cfg_in_bank(s, bank, p->regw_base);
    *rwc = s->rwc[op->thread];
    if (stack && !store && rwc->sp != 0) {
        rwc->sp = (uint16_t)((rwc->sp - incr) & 1023u); /* a load moves Sp before the access */
    }
    const uint32_t sp = has_stack ? rwc->sp + cfg_in_bank(s, bank, p->sp_base) : 0;
    const uint32_t dst = (uint32_t)rwc->dst + regw;
    uint32_t addr = (op->imm & 1023u) + cfg_thread(s, op->thread, p->math_offset);
    addr += op->mode == MODE_ALL ? sp + (dst & 3u) : dst + (sp & 3u);
    base_finding(x, regw | sp | (machine_has(x->m, DST_BIAS) ? rwc->bias : 0u));
    if (stack && store) {
        rwc->sp = (uint16_t)((rwc->sp + incr) & 1023u); /* a store moves Sp after the access */
    }
    if (op->scheduled != 0) {
        return op->address; /* fixed at launch, without address modifier */
    }
    rwc_apply_partial(s, p, op->thread, op->amod, rwc);
    return addr & 1023u;
}

static void keep_rwc(struct exec *x)
{
    if (x->e->template_mask != 0 && machine_rule(x->m, RULE_BACKDOOR_RWC) && x->lanes == 0) {
        return;
    }
    if (x->allowed == 0 || (x->op->scheduled != 0 && x->op->mode != MODE_ALL)) {
        return; /* dropped, or a scheduled store, which moves Sp at most */
    }
    x->e->rwc_set = 1;
    x->e->thread = x->op->thread;
}

/* The cells that a load reads, and sets of lanes with something to report. */
struct load {
    uint32_t cell[32];
    uint32_t odd; /* lanes that read the odd column */
    uint32_t invalid, unknown, tainted;
    uint32_t other; /* lanes whose cell was last written in the other view */
    uint32_t given; /* lanes whose cell still is a kernel's input */
};

/*
 * Reports reads of the wrong view, of a row that ZEROACC invalidated (R13), or of cells never
 * written.
 */
static void load_findings(const struct exec *x, const struct load *l, bool wide)
{
    const uint32_t invalid = l->invalid;
    const uint32_t unknown = l->unknown;
    if (l->other != 0) {
        machine_finding(x->m, TX_NON_CONTRACTUAL_BEHAVIOR, evidence_get(EVIDENCE_E_VIEW)->id, x->op,
                        l->other,
                        "SFPLOAD of %s data from Dst row %u, which was written as %s data",
                        wide ? "32-bit" : "16-bit", (unsigned)(x->e->address & 0x3FCu),
                        wide ? "16-bit" : "32-bit");
    }
    if (invalid != 0) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_R13)->id, x->op, invalid,
                        "SFPLOAD of a Dst row that is not valid: zero is read");
    }
    if (unknown != 0) {
        machine_finding(x->m, TX_UNPREDICTABLE_VALUE, evidence_get(EVIDENCE_E_DST)->id, x->op,
                        unknown, "SFPLOAD of Dst cells that were never written");
    }
}

/* Reads eight cells of a row and, of 32-bit data, of the row with the low halves. */
static void load_row(const struct tx_state *s, unsigned row, bool wide, uint32_t odd,
                     uint32_t cell[8])
{
    CHECK(row < TX_DST_ROWS, "a vector is loaded from rows of Dst");
    const uint16_t *high = s->dst[row];
    const uint16_t *low = s->dst[row + (wide ? 8u : 0u)];
    const unsigned shift = wide ? 16 : 0;
    if (odd == 0 || odd == 0xFFu) {
        const unsigned at = dst_pair_shift(odd & 1u);
        for (unsigned i = 0; i < DST_PAIRS; i++) {
            uint32_t upper;
            uint32_t lower;
            memcpy(&upper, high + 2 * i, sizeof upper);
            memcpy(&lower, low + 2 * i, sizeof lower);
            cell[i] = (upper >> at & 0xFFFFu) << shift | (lower >> at & 0xFFFFu);
        }
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        const unsigned column = 2 * i + (odd >> i & 1u);
        cell[i] = (uint32_t)high[column] << shift | low[column];
    }
}

static void load_cells(const struct exec *x, bool wide, uint32_t addr, struct load *l)
{
    const struct tx_state *s = &x->m->state;
    const struct dst_view view = dst_view(s, x->m->places, x->op->thread);
    for (unsigned group = 0; group < 4; group++) {
        const unsigned logical = ((addr & 0x3FCu) + group) & 1023u;
        const unsigned row = dst_row(logical, wide, &view);
        const bool valid = dst_valid(s, row);
        const uint32_t unknown =
            s->dst_unknown[row] | (wide ? s->dst_unknown[row + 8] : (uint32_t)0);
        const uint32_t tainted =
            dst_taint_of(s, row) | (wide ? dst_taint_of(s, row + 8) : (uint32_t)0);
        const uint32_t odd = l->odd >> (8 * group) & 0xFFu;
        /*
         * Read in another view than it was written in; with DBG_FEATURE_DISABLE bit 11 that is
         * intended.
         */
        const uint32_t other = wide         ? s->dst_narrow[row] | s->dst_narrow[row + 8]
                               : !view.high ? s->dst_wide[row]
                                            : (uint32_t)0;
        const uint32_t given = s->dst_given[row];
        if (!valid) {
            memset(&l->cell[8 * group], 0, 8 * sizeof l->cell[0]);
            l->invalid |= 0xFFu << (8 * group);
            continue;
        }
        load_row(s, row, wide, odd, &l->cell[8 * group]);
        for (unsigned i = 0; (unknown | other | given) != 0 && i < 8; i++) {
            const unsigned column = 2 * i + (odd >> i & 1u);
            const unsigned lane = 8 * group + i;
            l->unknown |= (unknown >> column & 1u & ~(tainted >> column)) << lane;
            l->tainted |= (tainted >> column & 1u) << lane;
            l->other |= (other >> column & 1u) << lane;
            l->given |= (given >> column & 1u) << lane;
        }
    }
    l->invalid &= x->lanes;
    l->unknown &= x->lanes;
    x->e->taint = l->tainted & x->lanes;
    l->other &= x->lanes;
}

/* One loop per mode, so that the mode is a constant in the loop. */
static void convert_cells(bool bh, unsigned mode, const uint32_t cell[32], const uint32_t old[32],
                          uint32_t inf, uint32_t value[32])
{
    switch (mode) {
#define MODE(n)                                                                               \
    case n:                                                                                   \
        for (unsigned lane = 0; lane < 32; lane++) {                                          \
            value[lane] = load_convert(bh, n, cell[lane], old[lane], (inf >> lane & 1) != 0); \
        }                                                                                     \
        break;
        MODE(0)
        MODE(1)
        MODE(2)
        MODE(3)
        MODE(4)
        MODE(5)
        MODE(6) MODE(7) MODE(8) MODE(9) MODE(10) MODE(11) MODE(12) MODE(13) MODE(14) MODE(15)
#undef MODE
    }
}

/* ENABLE_DEST_INDEX: a register four further on receives the place of the datum. */
static void capture_index(struct exec *x, uint32_t addr, uint32_t lanes, uint32_t odd)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((lanes >> lane & 1u) != 0) {
            const unsigned row = ((addr & 0x3FCu) + lane / 8) & 1023u;
            const unsigned column = 2 * (lane & 7u) + (odd >> lane & 1u);
            effect_write_lane(x->e, x->op->vd + 4u, lane, row << 4 | column);
        }
    }
}

/* Tells the listener of the configuration, counters and rows of Dst that a load or store uses. */
static void tell_access(const struct exec *x, bool store, bool wide, uint32_t lanes, uint32_t odd)
{
    struct tx_machine *m = x->m;
    const struct tx_op *op = x->op;
    const struct cfg_places *p = m->places;
    const struct dst_view view = dst_view(&m->state, p, op->thread);
    const struct cfg_place srcb[] = {p->fp32_enabled, p->srcb, p->srcb_override, p->srcb_val};
    for (unsigned i = 0; op->mode == MODE_SRCB && i < sizeof srcb / sizeof srcb[0]; i++) {
        order_field(m, op, srcb[i]);
    }
    order_field(m, op, p->remap);
    order_field(m, op, p->swizzle);
    if (op->scheduled == 0) {
        const unsigned section =
            rwc_section(&m->state, p, op->thread, op->amod, &m->state.rwc[op->thread]);
        const unsigned words[] = {p->mod_ab + section * p->mod_ab_stride, p->mod_dst + section};
        order_thread_field(m, op, p->math_offset);
        for (unsigned i = 0; i < 2; i++) {
            order_tell(m, TX_ORDER_READ, op, TX_SHARED_THREAD_CONFIG, words[i] + 128u * op->thread,
                       1, 0xFFFFu);
        }
        order_tell(m, TX_ORDER_WRITE, op, TX_SHARED_RWC, op->thread, 1, 0x1FFu);
    }
    for (unsigned group = 0; group < 4; group++) {
        const unsigned row = dst_row(((x->e->address & 0x3FCu) + group) & 1023u, wide, &view);
        uint32_t columns = 0;
        for (unsigned i = 0; i < 8; i++) {
            const unsigned lane = 8 * group + i;
            columns |= (lanes >> lane & 1u) << (2 * i + (odd >> lane & 1u));
        }
        if (columns != 0) {
            order_rows(m, op, store, &row, 1, wide, columns);
        }
    }
}

void whole_sfpload(struct exec *x)
{
    const struct tx_state *s = &x->m->state;
    const struct tx_op *op = x->op;
    const unsigned mode = resolve_mode(x);
    const uint32_t addr = resolve_address(x, false);
    struct load l;
    l.odd = (addr & 2u) != 0 ? 0xFFFFFFFFu : state_lane_config(s, LC_DEST_RD_COL_EXCHANGE);
    l.invalid = l.unknown = l.tainted = l.other = l.given = 0;
    x->m->load_address = (uint16_t)addr;
    x->e->address = (uint16_t)addr;
    x->e->mode = (uint8_t)mode;
    keep_rwc(x);
    x->lanes &= ~state_lane_config(s, LC_BLOCK_SFPU_RD_FROM_DEST);
    if (mode != MODE_ZERO) {
        load_cells(x, load_is_32bit(mode), addr, &l);
    } else {
        memset(l.cell, 0, sizeof l.cell);
    }
    if (x->lanes != 0) {
        convert_cells(machine_has(x->m, ARITHMETIC_BH), mode, l.cell, s->lreg[op->vd],
                      state_lane_config(s, LC_ENABLE_FP16A_INF),
                      effect_place(x->e, op->vd, x->lanes));
    }
    const uint32_t capture = state_lane_config(s, LC_ENABLE_DEST_INDEX) &
                             state_lane_config(s, LC_CAPTURE_DEFAULT_DEST_INDEX) & x->lanes;
    if (op->vd < 4 && capture != 0) {
        capture_index(x, addr, capture, l.odd);
    }
    if (order_wanted(x->m)) {
        tell_access(x, false, load_is_32bit(mode), mode != MODE_ZERO ? x->lanes : 0, l.odd);
    }
    load_findings(x, &l, load_is_32bit(mode));
    if (mode != MODE_ZERO) {
        check_load(x->m, op, x->e, x->lanes, l.odd, load_is_32bit(mode));
    }
    check_loaded(x->m, op, mode, x->lanes != 0 && (l.given & x->lanes) == x->lanes);
}

static void convert_values(bool bh, unsigned mode, bool keep, const uint32_t from[32],
                           uint32_t cell[32])
{
    switch (mode) {
#define MODE(n)                                                  \
    case n:                                                      \
        for (unsigned lane = 0; lane < 32; lane++) {             \
            cell[lane] = store_convert(bh, n, from[lane], keep); \
        }                                                        \
        break;
        MODE(0)
        MODE(1)
        MODE(2)
        MODE(3)
        MODE(4)
        MODE(5)
        MODE(6) MODE(7) MODE(8) MODE(9) MODE(10) MODE(11) MODE(12) MODE(13) MODE(14) MODE(15)
#undef MODE
    }
}

void whole_sfpstore(struct exec *x)
{
    const struct tx_state *s = &x->m->state;
    const struct tx_op *op = x->op;
    const unsigned mode = resolve_mode(x);
    const uint32_t addr = resolve_address(x, true);
    const struct dst_view view = dst_view(s, x->m->places, op->thread);
    struct effect *e = x->e;
    keep_rwc(x);
    e->address = (uint16_t)addr;
    e->mode = (uint8_t)mode;
    x->lanes &= ~state_lane_config(s, LC_BLOCK_DEST_WR_FROM_SFPU);
    e->store_mask = x->lanes;
    e->store_odd = (addr & 2u) != 0 ? 0xFFFFFFFFu : state_lane_config(s, LC_DEST_WR_COL_EXCHANGE);
    e->store_row = (uint16_t)(addr & 0x3FCu);
    e->store_32bit = store_is_32bit(mode);
    if (e->store_32bit == 0 && x->lanes != 0) {
        struct tx_state *to = &x->m->state;
        to->store16[to->store16_next++ % STORES16] =
            (struct store16){*op, s->cycle, x->lanes, e->store_odd, e->store_row, (uint8_t)mode, 1};
    }
    if (order_wanted(x->m)) {
        tell_access(x, true, e->store_32bit != 0, x->lanes, e->store_odd);
    }
    e->store_remap = view.remap;
    e->store_swizzle = view.swizzle;
    convert_values(machine_has(x->m, ARITHMETIC_BH), mode, machine_rule(x->m, RULE_STORE_FP32),
                   s->lreg[op->vd], e->store);
}

/* Executes the load. Its VD is below 8, and it is predicated like an SFPLOAD of the same mode. */
void whole_sfploadmacro(struct exec *x)
{
    x->lanes = op_unpredicated(x->op) ? 0xFFFFFFFFu : state_enabled(&x->m->state);
    whole_sfpload(x);
}
