/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of isa.def over a block of tiles. Included once by each rows_LEVEL.c, compiled for that
 * CPU: the bodies are those of the reference engine, the compiler makes vectors of them. Only the
 * multiply-add has a form of its own (fma.h).
 */
#include "fast/block.h"

#include "fmt/dst_value.h"
#include "num/prng.h"
#include "sem/all.h"

#include <string.h>

#include "isa/tokens.h"

#if defined(__FMA__) || defined(FAST_NEON)
#include "fast/fma.h"
#define HARDWARE_FMA 1
#else
#define HARDWARE_FMA 0
#endif

typedef struct sem_out lane_body(const struct tx_op *op, const struct sem_in *in);

/* ---- results ---- */

/* Disabled lanes keep what VD holds; a temporary takes it over. */
TX_INLINE void keep_value(const struct fast_op *f, struct fast_block *b, const uint32_t *value)
{
    const uint32_t *old = b->lreg[f->op.vd < 17 ? f->op.vd : FAST_TRASH];
    uint32_t *to = b->lreg[f->to];
    if (f->predicated) {
        for (unsigned i = 0; i < FAST_LANES; i++) {
            to[i] = (value[i] & b->enabled[i]) | (old[i] & ~b->enabled[i]);
        }
    } else {
        memcpy(to, value, sizeof b->lreg[0]);
    }
}

/* Indirect destination: L7 names the register of each lane. */
static void scatter(const struct fast_op *f, struct fast_block *b, const uint32_t *value)
{
    for (unsigned i = 0; i < FAST_LANES; i++) {
        const unsigned vd = b->lreg[7][i] & 15u;
        if (vd < 8 && (!f->predicated || b->enabled[i] != 0)) {
            b->lreg[vd][i] = value[i];
        }
    }
}

TX_INLINE void write_value(const struct fast_op *f, struct fast_block *b, const uint32_t *value,
                           uint64_t writes)
{
    if ((writes & SET_VDX) != 0 && (f->op.mode & 8u) != 0 && f->op.vd != 16) {
        scatter(f, b, value);
    } else if ((writes & (SET_VD | SET_VDX)) != 0 && f->to != FAST_TRASH) {
        keep_value(f, b, value);
    }
}

/* Lanes in which predicated instructions run from now on. */
static void set_enabled(struct fast_block *b, bool use)
{
    for (unsigned i = 0; i < FAST_LANES; i++) {
        b->enabled[i] = use ? b->flags[i] : 0xFFFFFFFFu;
    }
}

static void step_prng(const struct fast_op *f, struct fast_block *b)
{
    for (unsigned i = 0; i < FAST_LANES; i++) {
        const uint32_t next = prng_step(b->prng[i]);
        b->prng[i] = !f->predicated || b->enabled[i] != 0 ? next : b->prng[i];
    }
}

/* ---- lanes ---- */

TX_INLINE const uint32_t *source_a(const struct fast_op *f, struct fast_block *b, uint64_t reads,
                                   uint32_t *scratch)
{
    if ((reads & SET_VAX) == 0 || (f->op.mode & 4u) == 0) {
        return b->lreg[f->op.va];
    }
    for (unsigned i = 0; i < FAST_LANES; i++) {
        scratch[i] = b->lreg[b->lreg[7][i] & 15u][i];
    }
    return scratch;
}

/* Flags that a body changed: in lanes that run; LF8 only under a destination below 8. */
TX_INLINE void write_flags(const struct fast_op *f, struct fast_block *b, const uint32_t *lf,
                           uint64_t writes)
{
    const bool changes = (writes & SET_LF) != 0 || ((writes & SET_LF8) != 0 && f->op.vd < 8);
    if (!changes && (writes & SET_USE) == 0) {
        return;
    }
    for (unsigned i = 0; changes && i < FAST_LANES; i++) {
        const uint32_t m = f->predicated ? b->enabled[i] : 0xFFFFFFFFu;
        b->flags[i] = (lf[i] & m) | (b->flags[i] & ~m);
    }
    set_enabled(b, f->use_after);
}

/* What the body did to the flag stack: the same in all lanes. Its depth is part of the schedule. */
static void write_stack(const struct fast_op *f, struct fast_block *b, const uint32_t *top,
                        enum sem_stack kind)
{
    uint32_t *slot = b->stack_flags[f->depth & 7u];
    uint32_t *under = b->stack_flags[(f->depth - 1u) & 7u];
    switch (kind) {
    case SEM_KEEP:
    case SEM_POP:
        break;
    case SEM_PUSH:
        memcpy(slot, top, sizeof b->flags);
        break;
    case SEM_SET_TOP:
        if (f->depth != 0) {
            memcpy(under, top, sizeof b->flags);
        }
        break;
    case SEM_STRAY_TOP:
        memcpy(slot, under, sizeof b->flags);
        break;
    }
}

/* The random words of this step. */
static const uint32_t *draws(const struct fast_op *f, const struct fast_block *b, uint32_t *scratch)
{
    for (unsigned i = 0; f->prng_after && i < FAST_LANES; i++) {
        scratch[i] = prng_step(b->prng[i]);
    }
    return f->prng_after ? scratch : b->prng;
}

TX_INLINE void lanes_run(const struct fast_op *f, struct fast_block *b, lane_body *body,
                         uint64_t reads, uint64_t writes)
{
    uint32_t scratch[FAST_LANES];
    uint32_t value[FAST_LANES];
    uint32_t lf[FAST_LANES];
    uint32_t top[FAST_LANES];
    uint32_t stepped[FAST_LANES];
    enum sem_stack kind = SEM_KEEP;
    const bool stack = ((reads | writes) & SET_STACK) != 0;
    const bool flags = ((reads | writes) & (SET_LF | SET_LF8 | SET_FLAGS | SET_STACK)) != 0;
    const uint32_t *a = source_a(f, b, reads, scratch);
    const uint32_t *vb = b->lreg[f->op.vb];
    const uint32_t *vc = b->lreg[f->op.vc];
    const uint32_t *vd = b->lreg[f->op.vd < 17 ? f->op.vd : FAST_TRASH];
    const uint32_t *under = b->stack_flags[(f->depth - 1u) & 7u];
    const uint32_t *draw = (writes & SET_PRNG) != 0 ? draws(f, b, stepped) : b->prng;
    const struct tx_op op = f->op; /* a local one: nothing can change it meanwhile */
    struct sem_in in = {.blackhole = f->blackhole,
                        .lut16_positive = f->lut16_positive,
                        .stoch_shifted = f->stoch_shifted,
                        .use = f->use,
                        .top_use = f->depth != 0 && f->top_use,
                        .empty = f->depth == 0,
                        .full = f->depth >= 8,
                        .eight = f->depth == 8};
    for (unsigned i = 0; i < FAST_LANES; i++) {
        in.a = (reads & (SET_VA | SET_VAX)) != 0 ? a[i] : 0;
        in.b = (reads & SET_VB) != 0 ? vb[i] : 0;
        in.c = (reads & SET_VC) != 0 ? vc[i] : 0;
        in.d = (reads & SET_VD) != 0 ? vd[i] : 0;
        for (unsigned r = 0; r < 7; r++) {
            in.l[r] = (reads & SET_LREG(r)) != 0 ? b->lreg[r][i] : 0;
        }
        if ((writes & SET_PRNG) != 0) {
            in.draw = draw[i];
        }
        if (flags) {
            in.lf = b->flags[i] != 0;
        }
        if (stack) {
            in.top_lf = f->depth != 0 && under[i] != 0;
        }
        const struct sem_out out = body(&op, &in);
        value[i] = out.value;
        if ((writes & (SET_VD | SET_VDX)) != 0 && stack) {
            value[i] = out.write ? out.value : vd[i]; /* SFPGT and SFPLE write VD on request */
        }
        if (flags) {
            lf[i] = out.lf ? 0xFFFFFFFFu : 0;
        }
        if (stack) {
            top[i] = out.top_lf ? 0xFFFFFFFFu : 0;
            kind = (enum sem_stack)out.stack;
        }
    }
    if ((writes & SET_STACK) != 0) {
        write_stack(f, b, top, kind);
    }
    write_value(f, b, value, writes);
    if ((writes & SET_PRNG) != 0) {
        step_prng(f, b);
    }
    if (flags) {
        write_flags(f, b, lf, writes);
    }
}

/* ---- multiply-add ---- */

#if HARDWARE_FMA

static void signed_copy(const uint32_t *from, bool negate, uint32_t *to)
{
    const uint32_t sign = negate ? SIGN32 : 0;
    for (unsigned i = 0; i < FAST_LANES; i++) {
        to[i] = from[i] ^ sign;
    }
}

/* Constants of the register file: 0.0 and 1.0. */
enum { ZERO = 9, ONE = 10 };

static void fast_mad(const struct fast_op *f, struct fast_block *b)
{
    uint32_t x[FAST_LANES];
    uint32_t z[FAST_LANES];
    uint32_t out[FAST_LANES];
    const struct tx_op *op = &f->op;
    const bool minus_a = f->blackhole && (op->mode & 1u) != 0;
    const bool minus_c = f->blackhole && (op->mode & 2u) != 0;
    const uint32_t *a = source_a(f, b, SET_VAX, x);
    const uint32_t *y = b->lreg[op->vb];
    const uint32_t *c = b->lreg[op->vc];
    if (minus_a) {
        signed_copy(a, true, x);
        a = x;
    }
    if (minus_c) {
        signed_copy(c, true, z);
        c = z;
    }
    if (op->vc == ZERO && !minus_c) {
        if (f->blackhole) {
            fma_times(true, a, y, c, out);
        } else {
            fma_times(false, a, y, c, out);
        }
    } else if (f->blackhole && op->vb == ONE) {
        fma_sum(a, c, out);
    } else if (f->blackhole && op->va == ONE && !minus_a && (op->mode & 4u) == 0) {
        fma_sum(y, c, out);
    } else {
        fma_array(f->blackhole, a, y, c, out, &b->tier[f->index]);
    }
    write_value(f, b, out, SET_VDX);
}

static void fast_addi(const struct fast_op *f, struct fast_block *b)
{
    uint32_t x[FAST_LANES];
    uint32_t y[FAST_LANES];
    uint32_t z[FAST_LANES];
    uint32_t out[FAST_LANES];
    for (unsigned i = 0; i < FAST_LANES; i++) {
        x[i] = f->op.imm << 16;
        y[i] = 0x3F800000u;
    }
    signed_copy(b->lreg[f->op.vc], f->blackhole && (f->op.mode & 2u) != 0, z);
    if (f->blackhole) {
        fma_sum(x, z, out);
    } else {
        fma_array(false, x, y, z, out, &b->tier[f->index]);
    }
    write_value(f, b, out, SET_VDX);
}

static void fast_muli(const struct fast_op *f, struct fast_block *b)
{
    uint32_t x[FAST_LANES];
    uint32_t y[FAST_LANES];
    uint32_t out[FAST_LANES];
    for (unsigned i = 0; i < FAST_LANES; i++) {
        x[i] = f->op.imm << 16;
    }
    signed_copy(b->lreg[f->op.vc], f->blackhole && (f->op.mode & 2u) != 0, y);
    fma_times(f->blackhole, x, y, b->lreg[ZERO], out);
    write_value(f, b, out, SET_VDX);
}

/* Coefficients per lane, then one multiply-add over all of them. */
TX_INLINE void lut_run(const struct fast_op *f, struct fast_block *b,
                       struct lut_terms (*terms)(const struct tx_op *op, const struct sem_in *in),
                       uint8_t mode)
{
    uint32_t a[FAST_LANES];
    uint32_t c[FAST_LANES];
    uint32_t x[FAST_LANES];
    uint32_t out[FAST_LANES];
    const struct tx_op op = {.mode = mode};
    const bool positive = f->lut16_positive;
    for (unsigned i = 0; i < FAST_LANES; i++) {
        const struct sem_in in = {.l = {b->lreg[0][i], b->lreg[1][i], b->lreg[2][i], b->lreg[3][i],
                                        b->lreg[4][i], b->lreg[5][i], b->lreg[6][i]},
                                  .lut16_positive = positive};
        const struct lut_terms t = terms(&op, &in);
        a[i] = t.a;
        x[i] = t.x;
        c[i] = t.c;
    }
    fma_array(f->blackhole, a, x, c, out, &b->tier[f->index]);
    for (unsigned i = 0; (f->op.mode & 4u) != 0 && i < FAST_LANES; i++) {
        out[i] = lut_sign(out[i], b->lreg[3][i]);
    }
    write_value(f, b, out, SET_VDX);
}

static void fast_sfplut(const struct fast_op *f, struct fast_block *b)
{
    lut_run(f, b, lut_terms, 0);
}

static void fast_sfplutfp32(const struct fast_op *f, struct fast_block *b)
{
    /* The table's form as a constant: three FP32 pairs, three FP16 ones, six with either break. */
    const unsigned mode = f->op.mode;
    if ((mode & 2u) == 0) {
        lut_run(f, b, lutfp32_terms, 0);
    } else if ((mode & 10u) == 10u) {
        lut_run(f, b, lutfp32_terms, 10);
    } else if ((mode & 3u) == 3u) {
        lut_run(f, b, lutfp32_terms, 3);
    } else {
        lut_run(f, b, lutfp32_terms, 2);
    }
}

#endif

/* ---- Dst ---- */

TX_INLINE uint32_t half(uint32_t pair, bool odd)
{
    return odd ? pair >> 16 : pair & 0xFFFFu;
}

TX_INLINE void load_mode(const struct fast_op *f, struct fast_block *b, unsigned mode, bool odd)
{
    uint32_t value[FAST_LANES];
    const uint32_t *old = b->lreg[f->op.vd];
    const bool wide = load_is_32bit(mode);
    for (unsigned group = 0; group < 4; group++) {
        const uint32_t *high = b->dst[f->row[group]];
        const uint32_t *low = wide ? b->dst[f->low[group]] : high;
        for (unsigned tile = 0; tile < FAST_TILES; tile++) {
            for (unsigned i = 0; i < 8; i++) {
                const unsigned lane = tile * 32 + group * 8 + i;
                const uint32_t h = half(high[tile * 8 + i], odd);
                const uint32_t cell = wide ? h << 16 | half(low[tile * 8 + i], odd) : h;
                value[lane] = load_convert(f->blackhole, mode, cell, old[lane], false);
            }
        }
    }
    keep_value(f, b, value);
}

TX_INLINE void store_mode(const struct fast_op *f, struct fast_block *b, unsigned mode, bool odd)
{
    const uint32_t *from = b->lreg[f->op.vd];
    const bool wide = store_is_32bit(mode);
    for (unsigned group = 0; group < 4; group++) {
        uint32_t *high = b->dst[f->row[group]];
        uint32_t *low = wide ? b->dst[f->low[group]] : high;
        for (unsigned tile = 0; tile < FAST_TILES; tile++) {
            for (unsigned i = 0; i < 8; i++) {
                const unsigned lane = tile * 32 + group * 8 + i;
                const unsigned at = tile * 8 + i;
                const uint32_t m = f->predicated ? b->enabled[lane] : 0xFFFFFFFFu;
                const uint32_t cell =
                    store_convert(f->blackhole, mode, from[lane], f->keep_denormals);
                const uint32_t mask = m & (odd ? 0xFFFF0000u : 0x0000FFFFu);
                const uint32_t h = wide ? cell >> 16 : cell & 0xFFFFu;
                high[at] = (high[at] & ~mask) | ((odd ? h << 16 : h) & mask);
                if (wide) {
                    const uint32_t l = cell & 0xFFFFu;
                    low[at] = (low[at] & ~mask) | ((odd ? l << 16 : l) & mask);
                }
            }
        }
    }
}

#define MODES(what)                                                                        \
    switch (f->mode) {                                                                     \
        MODE(what, 0) MODE(what, 1) MODE(what, 2) MODE(what, 3) MODE(what, 4)              \
        MODE(what, 5) MODE(what, 6) MODE(what, 7) MODE(what, 8) MODE(what, 9)              \
        MODE(what, 10) MODE(what, 11) MODE(what, 12) MODE(what, 13) MODE(what, 14)         \
        MODE(what, 15)                                                                     \
    }
#define MODE(what, n)        \
    case n:                  \
        if (f->odd) {        \
            what(f, b, n, true);  \
        } else {             \
            what(f, b, n, false); \
        }                    \
        break;

static void fast_sfpload(const struct fast_op *f, struct fast_block *b)
{
    MODES(load_mode)
}

static void fast_sfpstore(const struct fast_op *f, struct fast_block *b)
{
    MODES(store_mode)
}

#define fast_sfploadmacro fast_sfpload

/* ---- between lanes ---- */

static void keep_register(const struct fast_op *f, struct fast_block *b, unsigned reg,
                          const uint32_t *value)
{
    for (unsigned i = 0; i < FAST_LANES; i++) {
        b->lreg[reg][i] = !f->predicated || b->enabled[i] != 0 ? value[i] : b->lreg[reg][i];
    }
}

static void fast_sfptransp(const struct fast_op *f, struct fast_block *b)
{
    for (unsigned base = 0; base < 8; base += 4) {
        uint32_t out[4][FAST_LANES];
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned at = 0; at < FAST_LANES; at++) {
                out[i][at] =
                    b->lreg[base + (at >> 3 & 3u)][(at & ~31u) + 8 * i + (at & 7u)];
            }
        }
        for (unsigned i = 0; i < 4; i++) {
            keep_register(f, b, base + i, out[i]);
        }
    }
}

/* Within each tile, by the functions that work on one vector. */
static void per_vector(const uint32_t *in, uint32_t *out,
                       void (*move)(const uint32_t in[32], uint32_t out[32]))
{
    for (unsigned at = 0; at < FAST_LANES; at += 32) {
        move(in + at, out + at);
    }
}

static void copy4(const struct fast_op *f, struct fast_block *b, const uint32_t *last)
{
    for (unsigned reg = 0; reg < 3; reg++) {
        keep_register(f, b, reg, b->lreg[reg + 1]);
    }
    keep_register(f, b, 3, last);
}

static void fast_sfpshft2_copy4(const struct fast_op *f, struct fast_block *b)
{
    static const uint32_t zero[FAST_LANES];
    copy4(f, b, zero);
}

static void fast_sfpshft2_chained_copy4(const struct fast_op *f, struct fast_block *b)
{
    uint32_t up[FAST_LANES];
    per_vector(b->lreg[0], up, shft2_rows_up);
    copy4(f, b, up);
}

/* Wormhole's rotator keeps its operand in all lanes (pipe/exec_whole.c). */
static void remember(const struct fast_op *f, struct fast_block *b)
{
    if (!f->blackhole) {
        memcpy(b->latch, b->lreg[f->op.vc], sizeof b->latch);
    }
}

static void fast_sfpshft2_ror1_copy4(const struct fast_op *f, struct fast_block *b)
{
    uint32_t rotated[FAST_LANES];
    per_vector(b->lreg[f->op.vc], rotated, shft2_rotate);
    remember(f, b);
    copy4(f, b, rotated);
}

static void fast_sfpshft2_ror1(const struct fast_op *f, struct fast_block *b)
{
    uint32_t rotated[FAST_LANES];
    per_vector(b->lreg[f->op.vc], rotated, shft2_rotate);
    remember(f, b);
    if (f->to != FAST_TRASH) {
        keep_value(f, b, rotated);
    }
}

static void shr1(const struct fast_op *f, struct fast_block *b, const uint32_t *first)
{
    uint32_t moved[FAST_LANES];
    per_vector(b->lreg[f->op.vc], moved, shft2_rotate);
    for (unsigned i = 0; i < FAST_LANES; i += 8) {
        moved[i] = first != NULL ? first[i + 7] : 0;
    }
    keep_value(f, b, moved);
}

static void fast_sfpshft2_shr1(const struct fast_op *f, struct fast_block *b)
{
    shr1(f, b, NULL);
}

static void fast_sfpshft2_shr1_wh(const struct fast_op *f, struct fast_block *b)
{
    shr1(f, b, b->latch);
}

/* ---- SFPSWAP ---- */

static void fast_sfpswap(const struct fast_op *f, struct fast_block *b)
{
    const uint32_t *c = b->lreg[f->op.vc];
    const uint32_t *d = b->lreg[f->op.vb];
    uint32_t *decide = b->decide[f->from];
    const bool strict = f->strict_ties;
    uint32_t invert[32]; /* lanes in which VD gets the maximum */
    for (unsigned lane = 0; lane < 32; lane++) {
        invert[lane] = (swap_min_lanes(f->op.mode) >> lane & 1u) != 0 ? 0 : 0xFFFFFFFFu;
    }
    for (unsigned at = 0; at < FAST_LANES; at += 32) {
        for (unsigned lane = 0; lane < 32; lane++) {
            const bool swap = swap_order(c[at + lane], d[at + lane], strict);
            decide[at + lane] = (swap ? 0xFFFFFFFFu : 0) ^ invert[lane];
        }
    }
    for (unsigned i = 0; i < FAST_LANES; i++) {
        decide[i] = (f->op.mode == 0 ? 0xFFFFFFFFu : decide[i]) &
                    (f->predicated ? b->enabled[i] : 0xFFFFFFFFu);
    }
}

/* The second operand is written under its own number, or to L16 (pipe/exec_whole.c). */
static void fast_exchange(const struct fast_op *f, struct fast_block *b)
{
    const uint32_t *decide = b->decide[f->from];
    const unsigned second = f->op.vd == 16 ? 16 : f->op.vb;
    uint32_t *to_c = b->lreg[f->op.vc < 8 ? f->op.vc : FAST_TRASH];
    uint32_t *to_d = b->lreg[second < 8 || second == 16 ? second : FAST_TRASH];
    const uint32_t *from_c = b->lreg[f->op.vc];
    const uint32_t *from_d = b->lreg[f->op.vb];
    for (unsigned i = 0; i < FAST_LANES; i++) {
        const uint32_t m = decide[i];
        const uint32_t c = from_c[i];
        const uint32_t d = from_d[i];
        to_c[i] = (d & m) | (to_c[i] & ~m);
        to_d[i] = (c & m) | (to_d[i] & ~m);
    }
}

/* Constants L11..L14: what the immediate form restores, or the first row of L0 in every row. */
static void fast_sfpconfig(const struct fast_op *f, struct fast_block *b)
{
    const bool restore = (f->op.mode & 1u) != 0;
    for (unsigned i = 0; i < FAST_LANES; i++) {
        b->lreg[f->op.vd][i] =
            restore ? config_constant(f->op.vd) : b->lreg[0][(i & ~31u) + (i & 7u)];
    }
}

static void fast_copy(const struct fast_op *f, struct fast_block *b)
{
    memcpy(b->lreg[f->to], b->lreg[f->from], sizeof b->lreg[0]);
}

/* ---- the table ---- */

#define LANE(body) lanes_run(f, b, sem_##body, reads, writes)
#define WHOLE(body) fast_##body(f, b)
#define UNIT(body) ((void)0)
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_,     \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)                    \
    static void fast_row_##id_(const struct fast_op *f, struct fast_block *b)                   \
    {                                                                                           \
        const uint64_t reads = (reads_);                                                        \
        const uint64_t writes = (writes_);                                                      \
        (void)reads;                                                                            \
        (void)writes;                                                                           \
        (void)f;                                                                                \
        (void)b;                                                                                \
        body_;                                                                                  \
    }
#include "isa/isa.def"
#undef ROW

/* Later entries replace earlier ones. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
static fast_function *const fast_rows[ROWID_COUNT] = {
#define ROW(id_, ...) [ROWID_##id_] = fast_row_##id_,
#include "isa/isa.def"
#undef ROW
#if HARDWARE_FMA
    [ROWID_SFPMAD_WH] = fast_mad,   [ROWID_SFPMAD_BH] = fast_mad,   [ROWID_SFPADD_WH] = fast_mad,
    [ROWID_SFPADD_BH] = fast_mad,   [ROWID_SFPMUL_WH] = fast_mad,   [ROWID_SFPMUL_BH] = fast_mad,
    [ROWID_SFPADDI_WH] = fast_addi, [ROWID_SFPADDI_BH] = fast_addi, [ROWID_SFPMULI_WH] = fast_muli,
    [ROWID_SFPMULI_BH] = fast_muli,
    [ROWID_SFPLUT] = fast_sfplut,
    [ROWID_SFPLUTFP32_FP32_WH] = fast_sfplutfp32,
    [ROWID_SFPLUTFP32_FP16_6_WH] = fast_sfplutfp32,
    [ROWID_SFPLUTFP32_FP16_3_WH] = fast_sfplutfp32,
    [ROWID_SFPLUTFP32_FP32_BH] = fast_sfplutfp32,
    [ROWID_SFPLUTFP32_FP16_6_BH] = fast_sfplutfp32,
    [ROWID_SFPLUTFP32_FP16_3_BH] = fast_sfplutfp32,
#endif
};

/* ---- tiles ---- */

TX_INLINE void in_format(enum tx_format format, const uint32_t *values, size_t stride,
                         uint32_t *high, uint32_t *low)
{
    const bool wide = dst_is_32bit(format);
    for (unsigned tile = 0; tile < FAST_TILES; tile++) {
        for (unsigned i = 0; i < 8; i++) {
            const uint32_t *v = values + tile * stride + 2 * i;
            const uint32_t even = dst_cell_of_datum(format, dst_datum_of_word(format, v[0]));
            const uint32_t odd = dst_cell_of_datum(format, dst_datum_of_word(format, v[1]));
            high[tile * 8 + i] =
                wide ? even >> 16 | (odd & 0xFFFF0000u) : (even & 0xFFFFu) | odd << 16;
            if (wide) {
                low[tile * 8 + i] = (even & 0xFFFFu) | odd << 16;
            }
        }
    }
}

TX_INLINE void out_format(enum tx_format format, uint32_t *values, size_t stride,
                          const uint32_t *high, const uint32_t *low)
{
    const bool wide = dst_is_32bit(format);
    for (unsigned tile = 0; tile < FAST_TILES; tile++) {
        for (unsigned i = 0; i < 8; i++) {
            uint32_t *v = values + tile * stride + 2 * i;
            const uint32_t h = high[tile * 8 + i];
            const uint32_t l = wide ? low[tile * 8 + i] : 0;
            const uint32_t even = wide ? h << 16 | (l & 0xFFFFu) : h & 0xFFFFu;
            const uint32_t odd = wide ? (h & 0xFFFF0000u) | l >> 16 : h >> 16;
            v[0] = dst_word_of_datum(format, dst_datum_of_cell(format, even));
            v[1] = dst_word_of_datum(format, dst_datum_of_cell(format, odd));
        }
    }
}

#define FORMATS FORMAT_CASE(FP32) FORMAT_CASE(BF16) FORMAT_CASE(FP16) FORMAT_CASE(INT32) \
    FORMAT_CASE(INT16) FORMAT_CASE(INT8)

static void fast_in(unsigned format, const uint32_t *values, size_t stride, uint32_t *high,
                    uint32_t *low)
{
    switch (format) {
#define FORMAT_CASE(name)                                            \
    case TX_FORMAT_##name:                                           \
        in_format(TX_FORMAT_##name, values, stride, high, low);      \
        break;
        FORMATS
#undef FORMAT_CASE
    default:
        break;
    }
}

static void fast_out(unsigned format, uint32_t *values, size_t stride, const uint32_t *high,
                     const uint32_t *low)
{
    switch (format) {
#define FORMAT_CASE(name)                                            \
    case TX_FORMAT_##name:                                           \
        out_format(TX_FORMAT_##name, values, stride, high, low);     \
        break;
        FORMATS
#undef FORMAT_CASE
    default:
        break;
    }
}
