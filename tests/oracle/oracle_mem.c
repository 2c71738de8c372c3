/* SPDX-License-Identifier: Apache-2.0 */
/* Dst, counters and configuration. */
#include "oracle.h"

#include "oracle_num.h"

/* Thread configuration words. */
enum {
    TC_STATE_ID = 0,
    TC_MATH_OFFSET = 1,
    TC_WH_ADDR_MOD_SET = 2,
    TC_BH_DEST_FMT = 4,
    TC_BH_STACK_INCR = 36
};

/* Configuration words. */
enum {
    CF_OVERRIDE = 0,
    CF_FORMATS = 1,
    CF_STATE_RESET = 4,
    CF_REGW_BASE = 6,
    CF_SP_BASE = 7,
    CF_DEST_ACCESS = 220
};

static const uint32_t *bank(const struct orc_state *s)
{
    return s->cfg[s->tcfg[TC_STATE_ID] & 1u];
}

/* ---- counters ------------------------------------------------------------------------------ */

static void step_counter(uint32_t *now, uint32_t *cr, uint32_t size, uint32_t incr, bool clear,
                         bool to_cr, bool from_cr)
{
    if (clear) {
        *now = 0;
        *cr = 0;
    } else if (to_cr) {
        *now = (*now + incr) % size;
        *cr = *now;
    } else if (from_cr) {
        *cr = (*cr + incr) % size;
        *now = *cr;
    } else {
        *now = (*now + incr) % size;
    }
}

static void partial_addr_mod(struct orc_state *s, int bh, uint32_t addr_mod)
{
    struct orc_rwc *r = &s->rwc;
    uint32_t sec = addr_mod;
    uint32_t ab, d, bias;

    if (!bh && (r->extra_addr_mod != 0 || (s->tcfg[TC_WH_ADDR_MOD_SET] & 1u) != 0)) {
        sec += 4;
    }
    ab = s->tcfg[bh ? 12u + sec : 7u + 2u * sec];
    d = s->tcfg[bh ? 28u + sec : 23u + sec];
    bias = s->tcfg[bh ? 47u + sec : 48u + sec];
    step_counter(&r->srca, &r->srca_cr, 64, orc_bits(ab, 0, 6), orc_bits(ab, 7, 1) != 0, false,
                 orc_bits(ab, 6, 1) != 0);
    step_counter(&r->srcb, &r->srcb_cr, 64, orc_bits(ab, 8, 6), orc_bits(ab, 15, 1) != 0, false,
                 orc_bits(ab, 14, 1) != 0);
    step_counter(&r->dst, &r->dst_cr, 1024, orc_bits(d, 0, 10), orc_bits(d, 11, 1) != 0,
                 orc_bits(d, 12, 1) != 0, orc_bits(d, 10, 1) != 0);
    if (orc_bits(bias, 4, 1) != 0) {
        r->extra_addr_mod = 0;
    } else if (orc_bits(bias, 0, 2) != 0) {
        r->extra_addr_mod ^= 1u;
    }
}

static void exec_setrwc(struct orc_rwc *r, int bh, uint32_t w)
{
    uint32_t cr = orc_bits(w, 18, 4);
    uint32_t a = orc_bits(w, 6, 4), b = orc_bits(w, 10, 4), d = orc_bits(w, 14, 4);

    if (orc_bits(w, 0, 1) != 0) {
        a += (cr & 1u) != 0 ? r->srca_cr : 0;
        r->srca = r->srca_cr = a % 64u;
    }
    if (orc_bits(w, 1, 1) != 0) {
        b += (cr & 2u) != 0 ? r->srcb_cr : 0;
        r->srcb = r->srcb_cr = b % 64u;
    }
    if (orc_bits(w, 2, 1) != 0 || (cr & 8u) != 0) {
        if ((cr & 8u) != 0) {
            d += r->dst;
        } else if ((cr & 4u) != 0) {
            d += r->dst_cr;
        }
        r->dst = r->dst_cr = d % 1024u;
    }
    if (orc_bits(w, 3, 1) != 0) {
        r->fidelity = 0;
    }
    if (bh && orc_bits(w, 4, 1) != 0) { /* M20: the twelve value bits, ten of them kept */
        r->sp = orc_bits(w, 6, 10);
    }
}

static void exec_incrwc(struct orc_rwc *r, uint32_t w)
{
    step_counter(&r->srca, &r->srca_cr, 64, orc_bits(w, 6, 4), false, false,
                 orc_bits(w, 18, 1) != 0);
    step_counter(&r->srcb, &r->srcb_cr, 64, orc_bits(w, 10, 4), false, false,
                 orc_bits(w, 19, 1) != 0);
    step_counter(&r->dst, &r->dst_cr, 1024, orc_bits(w, 14, 4), false, false,
                 orc_bits(w, 20, 1) != 0);
}

/* ---- configuration ------------------------------------------------------------------------- */

static void write_cfg(struct orc_state *s, int bh, uint32_t index, uint32_t value, bool rmw)
{
    uint32_t shared = bh ? 180u : 152u, words = bh ? 224u : 188u, i;
    uint32_t id = s->tcfg[TC_STATE_ID] & 1u;

    if (index >= words) {
        return;
    }
    if (index >= shared) {
        s->cfg[0][index] = value;
        s->cfg[1][index] = value;
    } else {
        s->cfg[id][index] = value;
    }
    if (index == CF_STATE_RESET && !rmw) {
        for (i = 0; i < shared; i++) {
            s->cfg[id][i] = 0;
        }
    }
    if (index == (bh ? 186u : 164u)) {
        orc_prng_seed(value, s->prng);
    }
}

bool orc_exec_scalar(struct orc_state *s, int bh, uint32_t w)
{
    uint32_t op = w >> 24, i, index, value;

    switch (op) {
    case 0x37:
        exec_setrwc(&s->rwc, bh, w);
        return true;
    case 0x38:
        exec_incrwc(&s->rwc, w);
        return true;
    case 0x45:
        if (orc_bits(w, 7, 1) == 0) {
            i = orc_bits(w, 1, 6);
            value = orc_bits(w, 8, 16);
            if ((w & 1u) != 0) {
                s->gpr[i] = (s->gpr[i] & 0xffffu) | value << 16;
            } else {
                s->gpr[i] = (s->gpr[i] & 0xffff0000u) | value;
            }
        }
        return true;
    case 0xb0:
        i = orc_bits(w, 16, 6);
        index = orc_bits(w, 0, 11);
        if (orc_bits(w, 15, 1) == 0) {
            write_cfg(s, bh, index, s->gpr[i], false);
            return true;
        }
        for (value = 0; value < 4; value++) {
            write_cfg(s, bh, index / 4u * 4u + value, s->gpr[i / 4u * 4u + value], false);
        }
        return true;
    case 0xb1:
        index = orc_bits(w, 0, 11);
        if (index < (bh ? 224u : 188u)) {
            s->gpr[orc_bits(w, 16, 6)] = bank(s)[index];
        }
        return true;
    case 0xb2:
        if (orc_bits(w, 16, 8) < 64u) {
            s->tcfg[orc_bits(w, 16, 8)] = (uint16_t)orc_bits(w, 0, 16);
        }
        return true;
    case 0xb3:
    case 0xb4:
    case 0xb5:
    case 0xb6:
        i = (op - 0xb3u) * 8u;
        index = orc_bits(w, 0, 8);
        value = orc_bits(w, 16, 8) << i;
        write_cfg(s, bh, index, (bank(s)[index] & ~value) | (orc_bits(w, 8, 8) << i & value), true);
        return true;
    default:
        return false;
    }
}

/* ---- SFPLOAD, SFPSTORE --------------------------------------------------------------------- */

static uint32_t resolve_mode(const struct orc_state *s, int bh, uint32_t mod0)
{
    uint32_t fmt;

    if (mod0 != 0) {
        return mod0;
    }
    if (orc_bits(bank(s)[CF_FORMATS], 30, 1) != 0) {
        return 3;
    }
    fmt = orc_bits(bank(s)[CF_FORMATS], 21, 4);
    if (orc_bits(bank(s)[CF_OVERRIDE], 9, 1) != 0) {
        fmt = orc_bits(bank(s)[CF_OVERRIDE], 5, 4);
    }
    if (bh && (s->tcfg[TC_BH_DEST_FMT] & 1u) != 0) {
        fmt = orc_bits(s->tcfg[TC_BH_DEST_FMT], 1, 4);
    }
    switch (fmt) {
    case 0:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 15:
        return 2;
    default:
        return 1;
    }
}

/* Address of an access; the stack pointer moves for INT32_ALL (before a load, after a store). */
static uint32_t address(struct orc_state *s, int bh, uint32_t w, uint32_t mode, bool store)
{
    uint32_t incr = s->tcfg[TC_BH_STACK_INCR] % 1024u;
    uint32_t addr = orc_bits(w, 0, 10) + s->tcfg[TC_MATH_OFFSET];
    uint32_t dst = (s->rwc.dst + bank(s)[CF_REGW_BASE] % 0x10000u) % 1024u, sp;

    if (!bh) {
        return (addr + (mode == 10 ? dst % 4u : dst)) % 1024u;
    }
    if (mode == 10 && !store && s->rwc.sp != 0) {
        s->rwc.sp = (s->rwc.sp + 1024u - incr) % 1024u;
    }
    sp = (s->rwc.sp + bank(s)[CF_SP_BASE] % 0x10000u) % 1024u;
    if (mode != 10) {
        return (addr + dst + sp % 4u) % 1024u;
    }
    if (store) {
        s->rwc.sp = (s->rwc.sp + incr) % 1024u;
    }
    return (addr + sp + dst % 4u) % 1024u;
}

struct place {
    unsigned row; /* as addressed */
    unsigned column;
    unsigned cell; /* physical row of the (high) half */
};

static struct place locate(const struct orc_state *s, int bh, uint32_t addr, unsigned lane,
                           bool store, bool is32)
{
    uint32_t access = bh ? bank(s)[CF_DEST_ACCESS] : 0;
    bool remap = orc_bits(access, 1, 1) != 0, swizzle = orc_bits(access, 0, 1) != 0;
    bool odd =
        (addr & 2u) != 0 || orc_lane_config_bit(s, lane, store ? ORC_STORE_ODD : ORC_LOAD_ODD);
    struct place p;

    p.row = addr / 4u * 4u + lane / 8u;
    p.column = lane % 8u * 2u + (odd ? 1u : 0u);
    p.cell = is32 ? orc_adj32(p.row, remap, swizzle) : orc_adj16(p.row, remap);
    return p;
}

static uint32_t addr_mod_field(int bh, uint32_t w)
{
    return bh ? orc_bits(w, 13, 3) : orc_bits(w, 14, 2);
}

void orc_exec_load(struct orc_state *s, int bh, uint32_t w)
{
    uint32_t vd = orc_bits(w, 20, 4);
    uint32_t mode = resolve_mode(s, bh, orc_bits(w, 16, 4));
    uint32_t addr = address(s, bh, w, mode, false);
    unsigned lane;

    for (lane = 0; vd < 8 && lane < 32; lane++) {
        bool is32 = orc_load_is32(mode);
        struct place p = locate(s, bh, addr, lane, false, is32);
        uint32_t cell = 0;

        if (orc_lane_config_bit(s, lane, ORC_BLOCK_LOAD) ||
            (mode != 10 && !orc_lane_enabled(s, lane))) {
            continue;
        }
        if (s->dst_valid[p.cell]) {
            cell = s->dst[p.cell][p.column];
            if (is32) {
                cell = cell << 16 | s->dst[p.cell + 8][p.column];
            }
        }
        s->lreg[vd][lane] = orc_dst_load(bh, mode, cell, s->lreg[vd][lane],
                                         orc_lane_config_bit(s, lane, ORC_FP16A_INF));
        if (vd < 4 && orc_lane_config_bit(s, lane, ORC_DEST_INDEX) &&
            orc_lane_config_bit(s, lane, ORC_CAPTURE_INDEX)) {
            s->lreg[vd + 4][lane] = p.row * 16u + p.column;
        }
    }
    partial_addr_mod(s, bh, addr_mod_field(bh, w));
}

void orc_exec_store(struct orc_state *s, int bh, uint32_t w, const bool runs[32])
{
    uint32_t vd = orc_bits(w, 20, 4);
    uint32_t mode = resolve_mode(s, bh, orc_bits(w, 16, 4));
    uint32_t addr = address(s, bh, w, mode, true);
    unsigned lane;

    for (lane = 0; lane < 32; lane++) {
        bool is32 = orc_store_is32(mode);
        struct place p = locate(s, bh, addr, lane, true, is32);
        uint32_t cell;

        if (!runs[lane] || orc_lane_config_bit(s, lane, ORC_BLOCK_STORE) ||
            (mode != 10 && !orc_lane_enabled(s, lane))) {
            continue;
        }
        cell = orc_dst_store(bh, mode, s->lreg[vd][lane]);
        if (is32) {
            s->dst[p.cell][p.column] = (uint16_t)(cell >> 16);
            s->dst[p.cell + 8][p.column] = (uint16_t)(cell & 0xffffu);
        } else {
            s->dst[p.cell][p.column] = (uint16_t)cell;
        }
        s->dst_valid[p.cell] = true;
    }
    partial_addr_mod(s, bh, addr_mod_field(bh, w));
}
