/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge.h"

#include <stdio.h>
#include <string.h>

uint32_t bridge_u32(struct bridge_rng *r)
{
    r->s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = r->s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

uint32_t bridge_value(struct bridge_rng *r)
{
    static const uint32_t special[] = {
        0x00000000u, 0x80000000u, 0x00000001u, 0x807FFFFFu, 0x00800000u, 0x80800000u, 0x00FFFFFFu,
        0x3F000000u, 0x3EFFFFFFu, 0x3F800000u, 0xBF800000u, 0x3F7FFFFFu, 0x3FC00000u, 0x40000000u,
        0x40400000u, 0x40800000u, 0x477FFF80u, 0x7F7FFFFFu, 0xFF7FFFFFu, 0x7F800000u, 0xFF800000u,
        0x7F800001u, 0xFF800001u, 0x7FC00000u, 0xFFC00000u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu,
        0x01000001u, 0x7E800000u, 0x3F320000u, 0x3C800000u,
    };
    const uint32_t kind = bridge_u32(r) & 7u;
    const uint32_t x = bridge_u32(r);
    switch (kind) {
    case 0:
    case 1:
        return special[x % (sizeof special / sizeof special[0])];
    case 2:
        return x & 0x1Fu;
    case 3:
        return (x & 0x807FFFFFu) | (0x7Bu + (x >> 23 & 7u)) << 23; /* about one */
    case 4:
        return x & 0xFFFF0000u;
    case 5:
        return 1u << (x & 31u);
    default:
        return x;
    }
}

static void random_config(struct bridge_rng *r, int bh, struct orc_state *s)
{
    const uint32_t pick = bridge_u32(r);
    for (unsigned bank = 0; bank < 2; bank++) {
        s->cfg[bank][0] = bridge_u32(r);
        s->cfg[bank][1] = bridge_u32(r);
        s->cfg[bank][6] = (pick & 3u) == 0 ? bridge_u32(r) & 0xFFFFu : 0;
        s->cfg[bank][7] = bh && (pick & 12u) == 0 ? bridge_u32(r) & 0xFFFFu : 0;
        if (bh) {
            s->cfg[bank][220] = (pick >> 4 & 3u);
        }
    }
    for (unsigned i = 0; i < 64; i++) {
        s->tcfg[i] = (uint16_t)bridge_u32(r);
    }
    s->tcfg[0] = (uint16_t)(pick >> 6 & 1u);
    if ((pick >> 8 & 3u) != 0) {
        s->tcfg[1] = (uint16_t)(bridge_u32(r) & 0x3FEu);
    }
}

void bridge_random_state(struct bridge_rng *r, int bh, bool calm, struct orc_state *s)
{
    orc_reset(s, bh);
    for (unsigned reg = 0; reg < 17; reg++) {
        if ((reg >= 8 && reg <= 10) || reg == 15) {
            continue;
        }
        for (unsigned lane = 0; lane < 32; lane++) {
            s->lreg[reg][lane] = bridge_value(r);
        }
    }
    const uint32_t pick = bridge_u32(r);
    for (unsigned lane = 0; lane < 32; lane++) {
        s->lane_flags[lane] = (bridge_u32(r) & 1u) != 0;
        s->use_flags[lane] = calm ? (pick & 1u) != 0 : (bridge_u32(r) & 3u) != 0;
        s->prng[lane] = bridge_u32(r);
        s->shift_latch[lane] = bridge_value(r);
        s->stack_ctr[lane] = (uint8_t)(calm ? pick >> 4 & 7u : bridge_u32(r) & 15u);
        for (unsigned i = 0; i < 8; i++) {
            s->stack_lane[lane][i] = (bridge_u32(r) & 1u) != 0;
            s->stack_use[lane][i] = (bridge_u32(r) & 1u) != 0;
        }
        s->misc[lane] = bridge_u32(r) & 0xFFFu;
        for (unsigned i = 0; i < 4; i++) {
            s->template[i][lane] = bridge_u32(r);
            s->sequence[i][lane] = bridge_u32(r);
        }
    }
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned column = 0; column < 16; column++) {
            s->dst[row][column] = (uint16_t)(bridge_value(r) >> (row & 8u ? 0 : 16));
        }
        s->dst_valid[row] = calm || (bridge_u32(r) & 7u) != 0;
    }
    for (unsigned i = 0; i < 64; i++) {
        s->gpr[i] = bridge_u32(r);
    }
    s->rwc.dst = bridge_u32(r) & 1023u;
    s->rwc.dst_cr = bridge_u32(r) & 1023u;
    s->rwc.srca = bridge_u32(r) & 63u;
    s->rwc.srca_cr = bridge_u32(r) & 63u;
    s->rwc.srcb = bridge_u32(r) & 63u;
    s->rwc.srcb_cr = bridge_u32(r) & 63u;
    s->rwc.fidelity = bridge_u32(r) & 3u;
    if (calm) {
        return;
    }
    s->rwc.sp = bh && (pick & 0x100u) != 0 ? bridge_u32(r) & 1023u : 0;
    s->rwc.extra_addr_mod = pick >> 9 & 1u;
    for (unsigned column = 0; column < 8; column++) {
        const uint32_t mask = (pick >> 10 & 3u) == 0   ? 0x3FFFFu
                              : (pick >> 10 & 3u) == 1 ? 0x106u
                                                       : 0;
        s->lane_config[column] = bridge_u32(r) & bridge_u32(r) & mask;
    }
    random_config(r, bh, s);
}

uint32_t bridge_random_word(struct bridge_rng *r, int bh)
{
    static const uint8_t other[] = {0x37, 0x38, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB0, 0xB1, 0x45};
    uint32_t w = bridge_u32(r) & 0xFFFFFFu;
    const uint32_t pick = bridge_u32(r);
    if ((pick & 15u) == 0) {
        const uint8_t op = other[(pick >> 4) % sizeof other];
        if (op == 0x45) {
            w &= ~0x80u; /* the other form needs packers */
        }
        if (op == 0xB2) {
            w &= ~0xC00000u; /* within the thread words that the oracle keeps */
            w = (w >> 16) < 57 ? w : w & 0x1FFFFFu;
        }
        return (uint32_t)op << 24 | w;
    }
    for (;;) {
        const uint32_t op = 0x70u + bridge_u32(r) % 0x2Au;
        if (op != 0x93 && orc_is_sfpu(bh, op << 24)) {
            if ((pick & 0x10u) != 0) {
                w &= ~0x88u; /* VD below 8 more often */
            }
            return op << 24 | w;
        }
    }
}

static uint32_t mask_of(const bool lanes[32])
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        mask |= lanes[lane] ? 1u << lane : 0;
    }
    return mask;
}

static void stack_slot(const struct orc_state *s, unsigned slot, uint32_t out[2])
{
    out[0] = out[1] = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        out[0] |= s->stack_lane[lane][slot] ? 1u << lane : 0;
        out[1] |= s->stack_use[lane][slot] ? 1u << lane : 0;
    }
}

static void rwc_values(const struct orc_state *s, uint32_t out[TX_RWC_COUNT])
{
    const struct orc_rwc *c = &s->rwc;
    const uint32_t values[TX_RWC_COUNT] = {c->dst,      c->dst_cr, c->srca,
                                           c->srca_cr,  c->srcb,   c->srcb_cr,
                                           c->fidelity, c->sp,     c->extra_addr_mod};
    memcpy(out, values, sizeof values);
}

/* One value set of a register file of the oracle, in tx_read's shape; 0 past the last index. */
static size_t values_of(const struct orc_state *s, unsigned thread, enum tx_file file, unsigned i,
                        unsigned *index, uint32_t v[32])
{
    *index = i;
    switch (file) {
    case TX_FILE_LREG:
        memcpy(v, s->lreg[i < 17 ? i : 0], sizeof s->lreg[0]);
        return i < 17 ? 32 : 0;
    case TX_FILE_LANE_FLAGS:
        v[0] = mask_of(s->lane_flags);
        return i == 0;
    case TX_FILE_USE_LANE_FLAGS:
        v[0] = mask_of(s->use_flags);
        return i == 0;
    case TX_FILE_FLAG_STACK:
        stack_slot(s, i & 7u, v);
        return i < 8 ? 2 : 0;
    case TX_FILE_STACK_DEPTH:
        for (unsigned lane = 0; lane < 32; lane++) {
            v[lane] = s->stack_ctr[lane];
        }
        return i == 0 ? 32 : 0;
    case TX_FILE_PRNG:
        memcpy(v, s->prng, sizeof s->prng);
        return i == 0 ? 32 : 0;
    case TX_FILE_LANE_CONFIG:
        memcpy(v, s->lane_config, sizeof s->lane_config);
        return i == 0 ? 8 : 0;
    case TX_FILE_MACRO_TEMPLATE:
        memcpy(v, s->template[i & 3u], sizeof s->template[0]);
        return i < 4 ? 32 : 0;
    case TX_FILE_MACRO_SEQUENCE:
        memcpy(v, s->sequence[i & 3u], sizeof s->sequence[0]);
        return i < 4 ? 32 : 0;
    case TX_FILE_MACRO_MISC:
        memcpy(v, s->misc, sizeof s->misc);
        return i == 0 ? 32 : 0;
    case TX_FILE_SHIFT_LATCH:
        memcpy(v, s->shift_latch, sizeof s->shift_latch);
        return i == 0 ? 32 : 0;
    case TX_FILE_DST:
        for (unsigned c = 0; c < 16; c++) {
            v[c] = s->dst[i & 1023u][c];
        }
        return i < 1024 ? 16 : 0;
    case TX_FILE_DST_VALID:
        v[0] = s->dst_valid[i & 1023u];
        return i < 1024;
    case TX_FILE_RWC:
        rwc_values(s, v);
        *index = thread;
        return i == 0 ? TX_RWC_COUNT : 0;
    case TX_FILE_CONFIG:
        v[0] = s->cfg[i >> 8 & 1u][i & 255u];
        return i < 512;
    case TX_FILE_THREAD_CONFIG:
        v[0] = s->tcfg[i & 63u];
        *index = 128 * thread + i;
        return i < 64;
    case TX_FILE_GPR:
        v[0] = s->gpr[i & 63u];
        *index = 64 * thread + i;
        return i < 64;
    default:
        return 0;
    }
}

static const enum tx_file files[] = {
    TX_FILE_LREG,        TX_FILE_LANE_FLAGS,     TX_FILE_USE_LANE_FLAGS,
    TX_FILE_FLAG_STACK,  TX_FILE_STACK_DEPTH,    TX_FILE_PRNG,
    TX_FILE_LANE_CONFIG, TX_FILE_MACRO_TEMPLATE, TX_FILE_MACRO_SEQUENCE,
    TX_FILE_MACRO_MISC,  TX_FILE_SHIFT_LATCH,    TX_FILE_RWC,
    TX_FILE_CONFIG,      TX_FILE_THREAD_CONFIG,  TX_FILE_GPR,
    TX_FILE_DST,         TX_FILE_DST_VALID,
};

/* A row of Dst that a reset leaves so need not be written: was it not, bridge_equal would tell. */
static bool cleared(const struct orc_state *s, enum tx_file file, unsigned row)
{
    if ((file != TX_FILE_DST && file != TX_FILE_DST_VALID) || row >= 1024 || s->dst_valid[row]) {
        return false;
    }
    uint16_t any = 0;
    for (unsigned column = 0; column < 16; column++) {
        any |= s->dst[row][column];
    }
    return any == 0;
}

void bridge_to_machine(const struct orc_state *s, tx_machine *m, unsigned thread)
{
    tx_reset(m);
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        uint32_t v[32];
        unsigned index;
        size_t n;
        for (unsigned i = 0; (n = values_of(s, thread, files[f], i, &index, v)) != 0; i++) {
            if (!cleared(s, files[f], i)) {
                /* constants refuse, and are equal anyway */
                (void)tx_write(m, files[f], index, v, n);
            }
        }
    }
}

bool bridge_equal(const struct orc_state *s, const tx_machine *m, unsigned thread, char text[256])
{
    static const char *const names[] = {
        "lreg",        "lane_flags",    "use_flags", "stack", "stack_depth", "prng",
        "lane_config", "template",      "sequence",  "misc",  "latch",       "rwc",
        "config",      "thread_config", "gpr",       "dst",   "dst_valid"};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        uint32_t want[32];
        uint32_t got[32];
        unsigned index;
        size_t n;
        for (unsigned i = 0; (n = values_of(s, thread, files[f], i, &index, want)) != 0; i++) {
            if (tx_read(m, files[f], index, got, n) != TX_OK) {
                snprintf(text, 256, "%s[%u] cannot be read", names[f], index);
                return false;
            }
            for (size_t k = 0; k < n && memcmp(want, got, n * sizeof *want) != 0; k++) {
                if (want[k] != got[k]) {
                    snprintf(text, 256, "%s[%u][%u]: oracle %08x, machine %08x", names[f], index,
                             (unsigned)k, (unsigned)want[k], (unsigned)got[k]);
                    return false;
                }
            }
        }
    }
    return true;
}
