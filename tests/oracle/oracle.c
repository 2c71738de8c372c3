/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle.h"

#include <string.h>

#include "oracle_num.h"

static const uint32_t defaults[4] = {0xbf800000u, 0x3b000000u, 0xbf2cc4c7u, 0xbeb08ff9u};

void orc_reset(struct orc_state *s, int bh)
{
    unsigned i, lane;

    (void)bh;
    memset(s, 0, sizeof *s);
    for (lane = 0; lane < 32; lane++) {
        s->lreg[8][lane] = 0x3f56594bu;
        s->lreg[10][lane] = 0x3f800000u;
        for (i = 0; i < 4; i++) {
            s->lreg[11 + i][lane] = defaults[i];
        }
        s->lreg[15][lane] = 2u * lane;
    }
    for (i = 0; i < 1024; i++) {
        s->dst_valid[i] = true;
    }
}

bool orc_is_sfpu(int bh, uint32_t word)
{
    uint32_t op = word >> 24;

    return op >= 0x70 && op <= (bh ? 0x99u : 0x95u);
}

bool orc_lane_config_bit(const struct orc_state *s, unsigned lane, unsigned bit)
{
    return orc_bits(s->lane_config[lane % 8u], bit, 1) != 0;
}

bool orc_lane_enabled(const struct orc_state *s, unsigned lane)
{
    if (orc_lane_config_bit(s, lane, ORC_ROW_MASK + lane / 8u)) {
        return false;
    }
    return !s->use_flags[lane] || s->lane_flags[lane];
}

static int32_t signed12(uint32_t w)
{
    int32_t v = (int32_t)orc_bits(w, 12, 12);

    return v >= 2048 ? v - 4096 : v;
}

static int32_t as_signed(uint32_t x)
{
    return x >= 0x80000000u ? (int32_t)((int64_t)x - 0x100000000) : (int32_t)x;
}

static uint32_t draw(struct orc_state *s, unsigned lane)
{
    uint32_t old = s->prng[lane];

    s->prng[lane] = orc_prng_step(old);
    return old;
}

/* Operand fields of the instructions that have their destination at [7:4]. */
struct fields {
    uint32_t w;
    unsigned op, mod1, vd, vc, vb, va;
};

static struct fields decode(uint32_t w)
{
    struct fields f;

    f.w = w;
    f.op = w >> 24;
    f.mod1 = orc_bits(w, 0, 4);
    f.vd = f.op <= 0x73 ? orc_bits(w, 20, 4) : orc_bits(w, 4, 4);
    f.vc = orc_bits(w, 8, 4);
    f.vb = orc_bits(w, 12, 4);
    f.va = orc_bits(w, 16, 4);
    return f;
}

/* ---- lane-wise instructions without any effect unless the destination is L0..L7 ------------- */

static void set_flag(struct orc_state *s, unsigned lane, bool set, bool value, bool invert)
{
    bool flag = set ? value : s->lane_flags[lane];

    s->lane_flags[lane] = invert ? !flag : flag;
}

static uint32_t shift_operand(const struct orc_state *s, int bh, struct fields f, unsigned lane)
{
    unsigned mod1 = f.mod1 & (bh ? 7u : 1u);
    bool imm = (mod1 & 1u) != 0;
    uint32_t c = s->lreg[f.vc][lane];

    return orc_shift(imm && (mod1 & 4u) != 0 ? c : s->lreg[f.vd][lane],
                     imm ? signed12(f.w) : as_signed(c), (mod1 & 2u) != 0);
}

static uint32_t strict_value(struct orc_state *s, int bh, struct fields f, unsigned lane)
{
    uint32_t c = s->lreg[f.vc][lane], d = s->lreg[f.vd][lane];
    uint32_t imm8 = orc_bits(f.w, 12, 8), imm12 = orc_bits(f.w, 12, 12), e, r;
    uint32_t b = bh && (f.mod1 & 1u) != 0 ? s->lreg[f.vb][lane] : d;
    bool odd = (f.mod1 & 1u) != 0;

    switch (f.op) {
    case 0x76:
        e = orc_bits(c, 23, 8);
        if (!odd) {
            e = imm8;
        } else if (e != 255) {
            e = (e + imm8) % 256u;
        }
        return (c & 0x807fffffu) | e << 23;
    case 0x77:
        r = orc_exexp(c, odd);
        set_flag(s, lane, (f.mod1 & 2u) != 0, r >= 0x80000000u, (f.mod1 & 8u) != 0);
        return r;
    case 0x78:
        return (c & 0x7fffffu) + (odd ? 0 : 0x800000u);
    case 0x79:
        if (odd) {
            r = c + (uint32_t)signed12(f.w);
        } else {
            r = (f.mod1 & 2u) != 0 ? c - d : c + d;
        }
        set_flag(s, lane, (f.mod1 & 4u) == 0, r >= 0x80000000u, (f.mod1 & 8u) != 0);
        return r;
    case 0x7a:
        return shift_operand(s, bh, f, lane);
    case 0x7d:
        return odd ? orc_abs_float(c) : orc_abs_int(c);
    case 0x7e:
        return b & c;
    case 0x7f:
        return b | c;
    case 0x80:
        return ~c;
    case 0x81:
        c = (f.mod1 & 4u) != 0 ? c & 0x7fffffffu : c;
        set_flag(s, lane, (f.mod1 & 2u) != 0, c != 0, (f.mod1 & 8u) != 0);
        return orc_lz(c);
    case 0x82:
        e = (f.mod1 & 2u) != 0 ? orc_bits(d, 23, 8) : orc_bits(d, 0, 8);
        e = odd ? imm8 : e;
        return (c & 0x807fffffu) | e << 23;
    case 0x83:
        return (c & 0xff800000u) | (odd ? imm12 << 11 : d & 0x7fffffu);
    case 0x89:
        return (c & 0x7fffffffu) | (odd ? orc_bits(f.w, 12, 1) << 31 : d & 0x80000000u);
    case 0x8d:
        return c ^ d;
    case 0x90:
        return (f.mod1 & 1u) != 0 ? orc_cast_int_sm(c) : orc_abs_int(c);
    case 0x94:
        return orc_shift(s->lreg[f.vb][lane], f.mod1 == 5 ? as_signed(c) : signed12(f.w), false);
    default:
        return orc_arecip(f.mod1, s->lreg[f.vb][lane], c);
    }
}

/* ---- lane-wise instructions with effects beside their destination --------------------------- */

/* The table instructions: multiplier and addend for |L3|. */
static void table_entry(const struct orc_state *s, struct fields f, unsigned lane, uint32_t *a,
                        uint32_t *c)
{
    uint32_t b = s->lreg[3][lane] & 0x7fffffffu, coeff;
    unsigned i = b < 0x3f800000u ? 0 : b < 0x40000000u ? 1 : 2;
    uint32_t limit[3] = {0x3f000000u, 0x3fc00000u, 0x40400000u};
    unsigned half;

    if (f.op == 0x73) {
        coeff = s->lreg[i][lane];
        *a = orc_lut8(orc_bits(coeff, 8, 8));
        *c = orc_lut8(orc_bits(coeff, 0, 8));
        return;
    }
    if ((f.mod1 & 2u) == 0) {
        *a = s->lreg[i][lane];
        *c = s->lreg[4 + i][lane];
        return;
    }
    if ((f.mod1 & 8u) != 0) {
        *a = orc_lut16(s->lreg[i][lane] >> 16);
        *c = orc_lut16(s->lreg[i][lane] & 0xffffu);
        return;
    }
    if ((f.mod1 & 1u) != 0) {
        limit[2] = 0x40800000u;
    }
    half = b < limit[i] ? 0 : 16;
    *a = orc_lut16(orc_bits(s->lreg[i][lane], half, 16));
    *c = orc_lut16(orc_bits(s->lreg[4 + i][lane], half, 16));
}

static uint32_t mad_value(const struct orc_state *s, int bh, struct fields f, unsigned lane)
{
    unsigned va = (f.mod1 & 4u) != 0 ? s->lreg[7][lane] & 15u : f.va;
    uint32_t flip_a = bh && (f.mod1 & 1u) != 0 ? 0x80000000u : 0;
    uint32_t flip_c = bh && (f.mod1 & 2u) != 0 ? 0x80000000u : 0;
    uint32_t imm = orc_bits(f.w, 8, 16) << 16, a, c, d;

    switch (f.op) {
    case 0x73:
    case 0x95:
        table_entry(s, f, lane, &a, &c);
        d = orc_fma(bh, a, s->lreg[3][lane] & 0x7fffffffu, c);
        if ((f.mod1 & 4u) != 0) {
            d = (d & 0x7fffffffu) | (s->lreg[3][lane] & 0x80000000u);
        }
        return d;
    case 0x74:
        return orc_fma(bh, imm, s->lreg[f.vd][lane] ^ flip_c, 0);
    case 0x75:
        return orc_fma(bh, imm, 0x3f800000u, s->lreg[f.vd][lane] ^ flip_c);
    case 0x98:
        return orc_mul24((f.mod1 & 1u) != 0, s->lreg[va][lane], s->lreg[f.vb][lane],
                         s->lreg[f.vc][lane]);
    default:
        return orc_fma(bh, s->lreg[va][lane] ^ flip_a, s->lreg[f.vb][lane],
                       s->lreg[f.vc][lane] ^ flip_c);
    }
}

static uint32_t special(struct orc_state *s, unsigned which, unsigned lane)
{
    if (which < 4) {
        return s->template[which][lane];
    }
    if (which < 8) {
        return s->sequence[which - 4][lane];
    }
    switch (which) {
    case 8:
        return s->misc[lane];
    case 9:
        return draw(s, lane);
    case 15:
        return s->lane_config[lane % 8u];
    default:
        return 0;
    }
}

static void exec_mov(struct orc_state *s, struct fields f, unsigned lane)
{
    unsigned mod1 = f.mod1 & 11u;
    uint32_t x;

    if (mod1 != 2 && !orc_lane_enabled(s, lane)) {
        return;
    }
    if ((mod1 & 8u) != 0) {
        x = special(s, f.vc, lane);
    } else {
        x = s->lreg[f.vc][lane] ^ ((mod1 & 1u) != 0 ? 0x80000000u : 0);
    }
    if (f.vd < 8) {
        s->lreg[f.vd][lane] = x;
    }
}

static void exec_swap(struct orc_state *s, struct fields f, unsigned lane)
{
    /* rows (bit r = row r) in which VD receives the smaller value */
    static const unsigned min_rows[16] = {0, 15, 3, 5, 9, 1, 2, 4, 8};
    uint32_t c = s->lreg[f.vc][lane], d = s->lreg[f.vd][lane];
    unsigned limit = 8;
    bool swap = true;

    if (f.mod1 != 0) {
        swap = orc_sm_less(c, d) || (c == d && c >= 0x80000000u);
        if (orc_bits(min_rows[f.mod1], lane / 8u, 1) == 0) {
            swap = !swap;
        }
        if (orc_lane_config_bit(s, lane, ORC_EXCHANGE)) {
            swap = !swap;
        }
    }
    if (!swap) {
        return;
    }
    if (orc_lane_config_bit(s, lane, ORC_DEST_INDEX)) {
        uint32_t *p = &s->lreg[4 + f.vc % 4u][lane], *q = &s->lreg[4 + f.vd % 4u][lane];
        uint32_t t = *p;

        *p = *q;
        *q = t;
        limit = 4;
    }
    if (f.vc < limit) {
        s->lreg[f.vc][lane] = d;
    }
    if (f.vd < limit) {
        s->lreg[f.vd][lane] = c;
    }
}

static void exec_lane(struct orc_state *s, int bh, struct fields f, unsigned lane)
{
    unsigned vd = f.vd;
    uint32_t x;

    switch (f.op) {
    case 0x7b:
    case 0x87:
    case 0x88:
    case 0x8a:
    case 0x8b:
    case 0x96:
    case 0x97:
        orc_exec_flow(s, bh, f.w, lane);
        return;
    case 0x7c:
        exec_mov(s, f, lane);
        return;
    default:
        break;
    }
    if (!orc_lane_enabled(s, lane)) {
        return;
    }
    switch (f.op) {
    case 0x71:
        if (vd < 8) {
            s->lreg[vd][lane] = orc_loadi(f.va, orc_bits(f.w, 0, 16), s->lreg[vd][lane]);
        }
        return;
    case 0x73:
        f.mod1 = f.va;
        /* fall through */
    case 0x74:
    case 0x75:
    case 0x84:
    case 0x85:
    case 0x86:
    case 0x95:
    case 0x98:
        x = mad_value(s, bh, f, lane);
        if ((f.mod1 & 8u) != 0) {
            vd = s->lreg[7][lane] & 15u;
        }
        break;
    case 0x8e:
        x = orc_stochrnd(bh, f.mod1 & 7u, orc_bits(f.w, 21, 2), draw(s, lane),
                         (f.mod1 & 8u) != 0 ? orc_bits(f.w, 16, 5) : s->lreg[f.vb][lane] % 32u,
                         s->lreg[f.vc][lane]);
        break;
    case 0x8f:
        return;
    case 0x90:
        x = s->lreg[f.vc][lane];
        if (bh && (f.mod1 & 2u) != 0) {
            if (vd >= 8) {
                return;
            }
            x = strict_value(s, bh, f, lane);
        } else if ((f.mod1 & 1u) != 0) {
            x = orc_cast_sm32_fp32_stoch(x, draw(s, lane));
        } else {
            x = orc_cast_sm32_fp32_rne(x);
        }
        break;
    case 0x92:
        exec_swap(s, f, lane);
        return;
    default:
        if (vd >= 8) {
            return;
        }
        x = strict_value(s, bh, f, lane);
        break;
    }
    if (vd < 8) {
        s->lreg[vd][lane] = x;
    }
}

/* ---- instructions that look across lanes ----------------------------------------------------- */

static void exec_transp(struct orc_state *s, const bool runs[32])
{
    uint32_t old[8][32];
    unsigned r, lane;

    memcpy(old, s->lreg, sizeof old);
    for (r = 0; r < 8; r++) {
        for (lane = 0; lane < 32; lane++) {
            if (runs[lane] && orc_lane_enabled(s, lane)) {
                s->lreg[r][lane] = old[r / 4u * 4u + lane / 8u][r % 4u * 8u + lane % 8u];
            }
        }
    }
}

static void exec_shuffle(struct orc_state *s, int bh, struct fields f, const bool runs[32])
{
    uint32_t old[17][32];
    unsigned lane, mode = f.mod1;

    memcpy(old, s->lreg, sizeof old);
    for (lane = 0; lane < 32; lane++) {
        unsigned left = lane % 8u == 0 ? lane + 7 : lane - 1;
        bool writes = runs[lane] && orc_lane_enabled(s, lane);
        uint32_t x;

        if (mode <= 2 && writes) {
            s->lreg[0][lane] = old[1][lane];
            s->lreg[1][lane] = old[2][lane];
            s->lreg[2][lane] = old[3][lane];
            s->lreg[3][lane] = mode == 1 && lane < 24 ? old[0][lane + 8] : 0;
            if (mode == 2) {
                s->lreg[3][lane] = old[f.vc][left];
            }
        }
        if (mode >= 3 && f.vd < 8 && writes) {
            x = old[f.vc][left];
            if (mode == 4 && lane % 8u == 0) {
                x = bh ? 0 : s->shift_latch[left];
            }
            s->lreg[f.vd][lane] = x;
        }
    }
    for (lane = 0; !bh && (mode == 2 || mode == 3) && lane < 32; lane++) {
        if (runs[lane]) {
            s->shift_latch[lane] = old[f.vc][lane];
        }
    }
}

/* ---- SFPCONFIG ------------------------------------------------------------------------------- */

static uint32_t combine(unsigned op, uint32_t old, uint32_t value)
{
    switch (op) {
    case 1:
        return old | value;
    case 2:
        return old & value;
    case 3:
        return old ^ value;
    default:
        return value;
    }
}

static void exec_config(struct orc_state *s, struct fields f)
{
    uint32_t imm = orc_bits(f.w, 8, 16);
    bool use_imm = (f.mod1 & 1u) != 0;
    unsigned op = f.mod1 / 2u % 4u, lane;

    for (lane = 0; lane < 32; lane++) {
        unsigned col = lane % 8u;
        uint32_t l0 = s->lreg[0][col], value = use_imm ? imm : l0, old;

        if (((f.mod1 & 8u) != 0 && orc_bits(imm, 2 * col, 1) == 0) ||
            (s->use_flags[col] && !s->lane_flags[col])) {
            continue;
        }
        if (f.vd < 4) {
            s->template[f.vd][lane] = l0;
        } else if (f.vd < 8) {
            s->sequence[f.vd - 4][lane] = value;
        } else if (f.vd == 8) {
            s->misc[lane] = combine(op, s->misc[lane], value) & 0xfffu;
        } else if (f.vd >= 11 && f.vd < 15) {
            s->lreg[f.vd][lane] = use_imm ? defaults[f.vd - 11] : l0;
        } else if (f.vd == 15 && lane < 8) {
            old = s->lane_config[col];
            value = combine(op, old, value) & 0x3ffffu;
            s->lane_config[col] = value | (use_imm ? old & 0x30000u : 0);
        }
    }
}

/* ---- dispatch ------------------------------------------------------------------------------- */

void orc_exec(struct orc_state *s, int bh, uint32_t word)
{
    struct fields f = decode(word);
    bool runs[32];
    unsigned lane;

    if (orc_exec_scalar(s, bh, word) || !orc_is_sfpu(bh, word) || f.op == 0x93) {
        return;
    }
    if (f.op == 0x91) {
        exec_config(s, f);
        return;
    }
    for (lane = 0; lane < 32; lane++) {
        runs[lane] = f.vd < 12 || orc_lane_config_bit(s, lane, ORC_NO_BACKDOOR);
        if (!runs[lane]) {
            s->template[f.vd - 12][lane] = word;
        }
    }
    if (f.op == 0x70) {
        orc_exec_load(s, bh, word);
    } else if (f.op == 0x72) {
        orc_exec_store(s, bh, word, runs);
    } else if (f.op == 0x8c) {
        exec_transp(s, runs);
    } else if (f.op == 0x94 && f.mod1 < 5) {
        exec_shuffle(s, bh, f, runs);
    } else if (f.op != 0x94 || f.mod1 < 7) {
        for (lane = 0; lane < 32; lane++) {
            if (runs[lane]) {
                exec_lane(s, bh, f, lane);
            }
        }
    }
}
