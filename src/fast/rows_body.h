/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps over groups of lanes. Included once by each rows_LEVEL.c, compiled for that CPU: the bodies
 * are those of the reference engine, the compiler makes vectors of them. Only the multiply-add has
 * a form of its own (fma.h). A result never overlaps an operand (plan.c).
 */
#include "fast/step.h"

#include <tensix/formats.h>
#include <tensix/kernel.h>

#include "fmt/dst_lreg.h"
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

TX_INLINE const uint32_t *in_at(const struct fast_step *s, enum fast_in which, unsigned group)
{
    return s->in[which] + (size_t)group * s->in_stride[which];
}

TX_INLINE uint32_t *out_at(const struct fast_step *s, enum fast_out which, unsigned group)
{
    return s->out[which] + (size_t)group * s->out_stride[which];
}

/* Lanes outside the mask keep what was there. */
static void keep_old(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; s->masked && g < c->groups; g++) {
        const uint32_t *mask = in_at(s, IN_MASK, g);
        const uint32_t *old = in_at(s, IN_OLD, g);
        uint32_t *restrict out = out_at(s, OUT_VALUE, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            out[i] = (out[i] & mask[i]) | (old[i] & ~mask[i]);
        }
    }
}

/* ---- bodies ---- */

/* Random words count where the row draws; LF and TOP where it has to do with flags. */
TX_INLINE void lanes_group(const struct fast_step *s, unsigned g, lane_body *body, uint64_t reads,
                           uint64_t writes, const struct tx_op *given, bool masked, bool flags)
{
    const bool stack = flags && ((reads | writes) & SET_STACK) != 0;
    const bool gives = (writes & (SET_VD | SET_VDX)) != 0;
    const bool requested = gives && ((reads | writes) & SET_STACK) != 0; /* SFPGT and SFPLE */
    const uint32_t *a = in_at(s, IN_A, g);
    const uint32_t *b = in_at(s, IN_B, g);
    const uint32_t *c = in_at(s, IN_C, g);
    const uint32_t *d = in_at(s, IN_D, g);
    const uint32_t *lf = in_at(s, IN_LF, g);
    const uint32_t *top = in_at(s, IN_TOP, g);
    const uint32_t *draw = in_at(s, IN_DRAW, g);
    const uint32_t *mask = in_at(s, IN_MASK, g);
    const uint32_t *old = in_at(s, IN_OLD, g);
    uint32_t *restrict value = out_at(s, OUT_VALUE, g);
    uint32_t *restrict lf_out = out_at(s, OUT_LF, g);
    uint32_t *restrict top_out = out_at(s, OUT_TOP, g);
    const struct tx_op op = *given; /* a local one: nothing can change it meanwhile */
    struct sem_in in = {.blackhole = s->rules.blackhole,
                        .lut16_positive = s->rules.lut16_positive,
                        .stoch_shifted = s->rules.stoch_shifted,
                        .use = s->use,
                        .top_use = s->depth != 0 && s->top_use,
                        .empty = s->depth == 0,
                        .full = s->depth >= 8,
                        .eight = s->depth == 8};
    uint8_t kind = 0;
    for (unsigned i = 0; i < FAST_GROUP; i++) {
        in.a = (reads & (SET_VA | SET_VAX)) != 0 ? a[i] : 0;
        in.b = (reads & SET_VB) != 0 ? b[i] : 0;
        in.c = (reads & SET_VC) != 0 ? c[i] : 0;
        in.d = (reads & SET_VD) != 0 || requested ? d[i] : 0;
        in.draw = (writes & SET_PRNG) != 0 ? draw[i] : 0;
        in.lf = flags && lf[i] != 0;
        in.top_lf = stack && top[i] != 0;
        const struct sem_out out = body(&op, &in);
        if (gives) {
            const uint32_t v = !requested || out.write ? out.value : in.d;
            value[i] = masked ? (v & mask[i]) | (old[i] & ~mask[i]) : v;
        }
        if (flags) {
            lf_out[i] = out.lf ? 0xFFFFFFFFu : 0;
        }
        if (stack) {
            top_out[i] = out.top_lf ? 0xFFFFFFFFu : 0;
            kind = out.stack;
        }
    }
    if (stack && s->stack != NULL) {
        *s->stack = kind;
    }
}

TX_INLINE void lanes_masked(const struct fast_step *s, const struct fast_context *c,
                            lane_body *body, uint64_t reads, uint64_t writes,
                            const struct tx_op *op, bool flags)
{
    if (s->masked) {
        for (unsigned g = 0; g < c->groups; g++) {
            lanes_group(s, g, body, reads, writes, op, true, flags);
        }
    } else {
        for (unsigned g = 0; g < c->groups; g++) {
            lanes_group(s, g, body, reads, writes, op, false, flags);
        }
    }
}

/* Where nobody wants the flags that a row gives beside a value, they are not computed. */
TX_INLINE void lanes_op(const struct fast_step *s, const struct fast_context *c, lane_body *body,
                        uint64_t reads, uint64_t writes, const struct tx_op *op)
{
    const bool flags = ((reads | writes) & (SET_LF | SET_LF8 | SET_FLAGS | SET_STACK)) != 0;
    const bool gives = (writes & (SET_VD | SET_VDX)) != 0;
    const bool wanted = s->stack != NULL || s->out_stride[OUT_LF] != 0 ||
                        s->out_stride[OUT_TOP] != 0 || c->probe;
    if (flags && (!gives || wanted)) {
        lanes_masked(s, c, body, reads, writes, op, true);
    } else {
        lanes_masked(s, c, body, reads, writes, op, false);
    }
}

/* Modes of the contract are constants in their loops; others, and old CPUs, share one. */
TX_INLINE void lanes_run(const struct fast_step *s, const struct fast_context *c, lane_body *body,
                         uint64_t reads, uint64_t writes, unsigned legal)
{
    struct tx_op op = {.imm = s->op.imm, .mode = s->op.mode, .rnd = s->op.rnd, .vc = s->op.vc};
    const bool rounds = (writes & SET_PRNG) != 0;
    if (!HARDWARE_FMA || legal == 0xFFFFu || (legal >> op.mode & 1u) == 0 || (rounds && op.rnd != 0)) {
        lanes_op(s, c, body, reads, writes, &op);
        return;
    }
    op.rnd = 0;
    switch (s->op.mode) {
#define MODE(n)                                                \
    case n:                                                    \
        if ((legal >> (n) & 1u) != 0) {                        \
            op.mode = n;                                       \
            lanes_op(s, c, body, reads, writes, &op);          \
        }                                                      \
        break;
        MODE(0) MODE(1) MODE(2) MODE(3) MODE(4) MODE(5) MODE(6) MODE(7)
        MODE(8) MODE(9) MODE(10) MODE(11) MODE(12) MODE(13) MODE(14) MODE(15)
#undef MODE
    default:
        break;
    }
}

/* ---- multiply-add ---- */

#if HARDWARE_FMA

TX_INLINE const uint32_t *signed_copy(const uint32_t *from, bool negate, uint32_t *to)
{
    if (!negate) {
        return from;
    }
    for (unsigned i = 0; i < FAST_GROUP; i++) {
        to[i] = from[i] ^ SIGN32;
    }
    return to;
}

TX_INLINE void mad_run(bool bh, enum fast_mad kind, bool minus, const struct fast_step *s,
                       const struct fast_context *c)
{
    uint32_t x_copy[FAST_GROUP];
    uint32_t z_copy[FAST_GROUP];
    const bool one_is_b = s->in_stride[IN_B] == 0 && s->in[IN_B][0] == 0x3F800000u;
    for (unsigned g = 0; g < c->groups; g++) {
        const uint32_t *y = in_at(s, IN_B, g);
        const uint32_t *x =
            signed_copy(in_at(s, IN_A, g), minus && (s->op.mode & 1u) != 0, x_copy);
        const uint32_t *z =
            signed_copy(in_at(s, IN_C, g), minus && (s->op.mode & 2u) != 0, z_copy);
        uint32_t *out = out_at(s, OUT_VALUE, g);
        if (kind == MAD_SUM) {
            fma_sum(bh, x, y, z, one_is_b ? x : y, out);
        } else if (kind == MAD_TIMES) {
            fma_times(bh, x, y, z, out);
        } else {
            fma_group(bh, kind == MAD_BOUND, x, y, z, out, s->tier);
        }
    }
    keep_old(s, c);
}

TX_INLINE void mad_kinds(bool bh, bool minus, const struct fast_step *s,
                         const struct fast_context *c)
{
    switch ((enum fast_mad)s->mad) {
    case MAD_SUM:
        mad_run(bh, MAD_SUM, minus, s, c);
        break;
    case MAD_TIMES:
        mad_run(bh, MAD_TIMES, minus, s, c);
        break;
    case MAD_BOUND:
        mad_run(bh, MAD_BOUND, minus, s, c);
        break;
    case MAD_ANY:
        mad_run(bh, MAD_ANY, minus, s, c);
        break;
    }
}

static void fast_mad(const struct fast_step *s, const struct fast_context *c)
{
    if (!s->rules.blackhole) {
        mad_kinds(false, false, s, c);
    } else if (s->op.mode == 0) {
        mad_kinds(true, false, s, c);
    } else {
        mad_kinds(true, true, s, c);
    }
}

#else

static void fast_mad(const struct fast_step *s, const struct fast_context *c)
{
    lanes_run(s, c, sem_sfpmad, SET_VA | SET_VB | SET_VC, SET_VD, 0);
}

#endif

/* ---- table look-ups ---- */

TX_INLINE void terms_run(const struct fast_step *s, const struct fast_context *c,
                         struct lut_terms (*terms)(const struct tx_op *op, const struct sem_in *in),
                         uint8_t mode)
{
    const struct tx_op op = {.mode = mode};
    const bool positive = s->rules.lut16_positive;
    for (unsigned g = 0; g < c->groups; g++) {
        uint32_t *restrict factor = out_at(s, 0, g);
        uint32_t *restrict addend = out_at(s, 1, g);
        uint32_t *restrict argument = out_at(s, 2, g);
        const uint32_t *l0 = in_at(s, IN_L, g);
        const uint32_t *l1 = in_at(s, IN_L + 1, g);
        const uint32_t *l2 = in_at(s, IN_L + 2, g);
        const uint32_t *l3 = in_at(s, IN_L + 3, g);
        const uint32_t *l4 = in_at(s, IN_L + 4, g);
        const uint32_t *l5 = in_at(s, IN_L + 5, g);
        const uint32_t *l6 = in_at(s, IN_L + 6, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            const struct sem_in in = {.l = {l0[i], l1[i], l2[i], l3[i], l4[i], l5[i], l6[i]},
                                      .lut16_positive = positive};
            const struct lut_terms t = terms(&op, &in);
            factor[i] = t.a;
            addend[i] = t.c;
            argument[i] = t.x;
        }
    }
}

static void fast_terms(const struct fast_step *s, const struct fast_context *c)
{
    if (s->number != 0) {
        terms_run(s, c, lut_terms, 0);
    } else if (s->op.mode == 0) {
        terms_run(s, c, lutfp32_terms, 0);
    } else if (s->op.mode == 10) {
        terms_run(s, c, lutfp32_terms, 10);
    } else if (s->op.mode == 3) {
        terms_run(s, c, lutfp32_terms, 3);
    } else {
        terms_run(s, c, lutfp32_terms, 2);
    }
}

/* ---- Dst ---- */

/* Functions of one word, a format and a mode; both are constants where they are called. */
typedef uint32_t convert_word(const struct fast_step *s, enum tx_format format, unsigned mode,
                              uint32_t x, uint32_t old);

TX_INLINE void convert_run(const struct fast_step *s, const struct fast_context *c,
                           convert_word *convert, enum tx_format format, unsigned mode)
{
    const struct fast_step step = {.rules = s->rules};
    for (unsigned g = 0; g < c->groups; g++) {
        const uint32_t *from = in_at(s, IN_A, g);
        const uint32_t *old = in_at(s, IN_D, g);
        uint32_t *restrict to = out_at(s, OUT_VALUE, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            to[i] = convert(&step, format, mode, from[i], old[i]);
        }
    }
    keep_old(s, c);
}

TX_INLINE uint32_t word_to_cell(const struct fast_step *s, enum tx_format format, unsigned mode,
                                uint32_t x, uint32_t old)
{
    (void)s;
    (void)mode;
    (void)old;
    return dst_cell_of_datum(format, dst_datum_of_word(format, x));
}

TX_INLINE uint32_t cell_to_word(const struct fast_step *s, enum tx_format format, unsigned mode,
                                uint32_t x, uint32_t old)
{
    (void)s;
    (void)mode;
    (void)old;
    return dst_word_of_datum(format, dst_datum_of_cell(format, x));
}

TX_INLINE uint32_t cell_to_value(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    (void)format;
    return load_convert(s->rules.blackhole, mode, x, old, false);
}

TX_INLINE uint32_t value_to_cell(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    (void)format;
    (void)old;
    return store_convert(s->rules.blackhole, mode, x, s->rules.keep_denormals);
}

TX_INLINE uint32_t word_to_value(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    return cell_to_value(s, format, mode, word_to_cell(s, format, mode, x, old), old);
}

/* Of what rules leave as it is. */
TX_INLINE uint32_t value_to_word(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    return cell_to_word(s, format, mode, value_to_cell(s, format, mode, x, old), old);
}

#define FORMATS(CASE) CASE(FP32) CASE(BF16) CASE(FP16) CASE(INT32) CASE(INT16) CASE(INT8)
#define FORMAT_RUN(convert, format, mode)                              case TX_FORMAT_##format:                                               convert_run(s, c, convert, TX_FORMAT_##format, mode);              break;
#define MODE_RUN(convert, format, mode)                                case mode:                                                             convert_run(s, c, convert, format, mode);                          break;
#define MODES(convert, format)                                                              MODE_RUN(convert, format, 1) MODE_RUN(convert, format, 2) MODE_RUN(convert, format, 3)       MODE_RUN(convert, format, 4) MODE_RUN(convert, format, 5) MODE_RUN(convert, format, 6)       MODE_RUN(convert, format, 7) MODE_RUN(convert, format, 8) MODE_RUN(convert, format, 9)       MODE_RUN(convert, format, 10) MODE_RUN(convert, format, 11) MODE_RUN(convert, format, 12)     MODE_RUN(convert, format, 13) MODE_RUN(convert, format, 14) MODE_RUN(convert, format, 15)

static void fast_cell(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->format) {
#define CASE(format) FORMAT_RUN(word_to_cell, format, 0)
        FORMATS(CASE)
#undef CASE
    }
}

static void fast_word(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->format) {
#define CASE(format) FORMAT_RUN(cell_to_word, format, 0)
        FORMATS(CASE)
#undef CASE
    }
}

static void fast_load(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode) {
        MODES(cell_to_value, TX_FORMAT_FP32)
    }
}

static void fast_store(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode) {
        MODES(value_to_cell, TX_FORMAT_FP32)
    }
}

/* Modes that fit the format have both conversions in one loop. */
static void fast_load_cell(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode | (unsigned)s->format << 4) {
#define CASE(format, mode)                                                      case mode | (unsigned)TX_FORMAT_##format << 4:                                  convert_run(s, c, word_to_value, TX_FORMAT_##format, mode);                 return;
        CASE(BF16, 2) CASE(FP16, 1) CASE(INT32, 4) CASE(INT32, 12) CASE(INT16, 6) CASE(INT16, 8)
        CASE(INT8, 5) CASE(INT8, 13)
#undef CASE
    }
    for (unsigned g = 0; g < c->groups; g++) {
        const uint32_t *from = in_at(s, IN_A, g);
        uint32_t *to = out_at(s, OUT_VALUE, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            to[i] = word_to_value(s, (enum tx_format)s->format, s->op.mode, from[i], 0);
        }
    }
    keep_old(s, c);
}

static void fast_store_word(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode | (unsigned)s->format << 4) {
#define CASE(format, mode)                                                      case mode | (unsigned)TX_FORMAT_##format << 4:                                  convert_run(s, c, value_to_word, TX_FORMAT_##format, mode);                 return;
        CASE(FP32, 3) CASE(FP32, 4) CASE(BF16, 2) CASE(FP16, 1) CASE(INT32, 4) CASE(INT32, 12)
        CASE(INT16, 6) CASE(INT16, 8) CASE(INT8, 5) CASE(INT8, 13)
#undef CASE
    }
    for (unsigned g = 0; g < c->groups; g++) {
        const uint32_t *from = in_at(s, IN_A, g);
        uint32_t *to = out_at(s, OUT_VALUE, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            to[i] = value_to_word(s, (enum tx_format)s->format, s->op.mode, from[i], 0);
        }
    }
    keep_old(s, c);
}

/* ---- tiles ---- */

/* Words of four rows of a tile; tile rows lie one 32nd of the tile apart. */
enum { ROW_STEP = 32 };

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* all of this is inlined */
#endif
typedef uint32_t words16 __attribute__((vector_size(64), aligned(4), may_alias));

#define EVEN_OF(a, b) \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD_OF(a, b) \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define LOW_OF(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_OF(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

TX_INLINE words16 get16(const uint32_t *from)
{
    words16 v;
    memcpy(&v, from, sizeof v);
    return v;
}

TX_INLINE void put16(uint32_t *to, words16 v)
{
    memcpy(to, &v, sizeof v);
}

/* Group of a tile, in words: 4 rows of Dst are rows y .. y + 3 of one face. */
TX_INLINE size_t group_at(unsigned group)
{
    const unsigned row = 4 * group;
    return (size_t)((row >> 5) * 16 + (row & 15u)) * ROW_STEP + (row >> 4 & 1u) * 16;
}

static void fast_input(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        const uint32_t *from = c->inputs[s->number] + group_at(c->first + g);
        uint32_t *to = out_at(s, OUT_VALUE, g);
        for (unsigned half = 0; half < 2; half++) {
            const words16 a = get16(from + 2 * half * ROW_STEP);
            const words16 b = get16(from + (2 * half + 1) * ROW_STEP);
            put16(to + 16 * half, EVEN_OF(a, b));
            put16(to + 32 + 16 * half, ODD_OF(a, b));
        }
    }
}

static void fast_output(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        uint32_t *to = c->output + group_at(c->first + g);
        const uint32_t *from = in_at(s, IN_A, g);
        for (unsigned half = 0; half < 2; half++) {
            const words16 even = get16(from + 16 * half);
            const words16 odd = get16(from + 32 + 16 * half);
            put16(to + 2 * half * ROW_STEP, LOW_OF(even, odd));
            put16(to + (2 * half + 1) * ROW_STEP, HIGH_OF(even, odd));
        }
    }
}

static void fast_input_tiles(const struct fast_step *s, const struct fast_context *c)
{
    const size_t at = tx_tile_element(s->vector / 2u * 4u, 0) + (s->vector & 1u);
    for (unsigned tile = 0; tile < 2 * c->groups; tile++) {
        const uint32_t *from = c->inputs[s->number] + (size_t)tile * TX_TILE_ELEMENTS + at;
        uint32_t *restrict to = out_at(s, OUT_VALUE, tile / 2) + tile % 2 * 32;
        for (unsigned i = 0; i < 32; i++) {
            to[i] = from[i / 8 * ROW_STEP + 2 * (i % 8)];
        }
    }
}

static void fast_output_tiles(const struct fast_step *s, const struct fast_context *c)
{
    const size_t at = tx_tile_element(s->vector / 2u * 4u, 0) + (s->vector & 1u);
    for (unsigned tile = 0; tile < 2 * c->groups; tile++) {
        uint32_t *restrict to = c->output + (size_t)tile * TX_TILE_ELEMENTS + at;
        const uint32_t *from = in_at(s, IN_A, tile / 2) + tile % 2 * 32;
        for (unsigned i = 0; i < 32; i++) {
            to[i / 8 * ROW_STEP + 2 * (i % 8)] = from[i];
        }
    }
}

static void fast_seed(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        memcpy(out_at(s, OUT_VALUE, g), c->seeds + (size_t)g * FAST_GROUP,
               FAST_GROUP * sizeof(uint32_t));
    }
}

/* ---- simple ones ---- */

#define EACH_LANE(name, expression)                                                  \
    static void fast_##name(const struct fast_step *s, const struct fast_context *context) \
    {                                                                                \
        const unsigned number = s->number;                                           \
        (void)number;                                                                \
        for (unsigned g = 0; g < context->groups; g++) {                             \
            const uint32_t *a = in_at(s, IN_A, g);                                   \
            const uint32_t *b = in_at(s, IN_B, g);                                   \
            const uint32_t *c = in_at(s, IN_C, g);                                   \
            const uint32_t *mask = in_at(s, IN_MASK, g);                             \
            const uint32_t *old = in_at(s, IN_OLD, g);                               \
            uint32_t *restrict out = out_at(s, OUT_VALUE, g);                        \
            (void)a;                                                                 \
            (void)b;                                                                 \
            (void)c;                                                                 \
            (void)mask;                                                              \
            (void)old;                                                               \
            for (unsigned i = 0; i < FAST_GROUP; i++) {                              \
                out[i] = (expression);                                               \
            }                                                                        \
        }                                                                            \
    }

EACH_LANE(select, (a[i] & mask[i]) | (old[i] & ~mask[i]))
EACH_LANE(join, a[i] << 16 | (b[i] & 0xFFFFu))
EACH_LANE(high, a[i] >> 16)
EACH_LANE(low, a[i] & 0xFFFFu)
EACH_LANE(next, prng_step(a[i]))
EACH_LANE(pick, (a[i] & 15u) == number ? b[i] : c[i])
EACH_LANE(picked, (a[i] & 15u) == number ? 0xFFFFFFFFu : 0)
EACH_LANE(sign, lut_sign(a[i], b[i]))
EACH_LANE(rotate, a[(i & ~7u) + ((i + 7u) & 7u)])
EACH_LANE(up, (i & 31u) < 24 ? a[(i + 8) & 63u] : 0)
EACH_LANE(shift1, (i & 7u) != 0 ? a[i - 1] : b[i + 7])
EACH_LANE(first, a[(i & 32u) + (i & 7u)])

static void fast_transpose(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        uint32_t *to = out_at(s, OUT_VALUE, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            const uint32_t *from = in_at(s, (enum fast_in)(IN_A + (i >> 3 & 3u)), g);
            to[i] = from[(i & 32u) + 8u * s->number + (i & 7u)];
        }
    }
}

/* SFPSWAP: lanes that exchange, A against B. */
static void fast_order(const struct fast_step *s, const struct fast_context *c)
{
    const bool strict = s->rules.strict_ties;
    uint32_t invert[FAST_GROUP]; /* lanes in which VD gets the maximum */
    for (unsigned i = 0; i < FAST_GROUP; i++) {
        invert[i] = (swap_min_lanes(s->op.mode) >> (i & 31u) & 1u) != 0 ? 0 : 0xFFFFFFFFu;
    }
    for (unsigned g = 0; g < c->groups; g++) {
        const uint32_t *a = in_at(s, IN_A, g);
        const uint32_t *b = in_at(s, IN_B, g);
        uint32_t *restrict out = out_at(s, OUT_VALUE, g);
        for (unsigned i = 0; i < FAST_GROUP; i++) {
            out[i] = (swap_order(a[i], b[i], strict) ? 0xFFFFFFFFu : 0) ^ invert[i];
        }
    }
}

/* ---- the tables ---- */

/* Rows that schedule.c turns into other kinds have none. */
#define LANE(body) lanes_run(s, c, sem_##body, reads, writes, legal)
#define WHOLE(body) ((void)0)
#define UNIT(body) ((void)0)
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_,     \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)                    \
    static void fast_row_##id_(const struct fast_step *s, const struct fast_context *c)         \
    {                                                                                           \
        const uint64_t reads = (reads_);                                                        \
        const uint64_t writes = (writes_);                                                      \
        const unsigned legal = (legal_) & 0xFFFFu;                                              \
        (void)reads;                                                                            \
        (void)writes;                                                                           \
        (void)legal;                                                                            \
        (void)s;                                                                                \
        (void)c;                                                                                \
        body_;                                                                                  \
    }
#include "isa/isa.def"
#undef ROW

static fast_function *const fast_rows[ROWID_COUNT] = {
#define ROW(id_, ...) [ROWID_##id_] = fast_row_##id_,
#include "isa/isa.def"
#undef ROW
};

static fast_function *const fast_kinds[FAST_KINDS] = {
    [FAST_INPUT] = fast_input,
    [FAST_OUTPUT] = fast_output,
    [FAST_SEED] = fast_seed,
    [FAST_MAD] = fast_mad,
    [FAST_TERMS] = fast_terms,
    [FAST_CELL] = fast_cell,
    [FAST_WORD] = fast_word,
    [FAST_JOIN] = fast_join,
    [FAST_HIGH] = fast_high,
    [FAST_LOW] = fast_low,
    [FAST_LOAD] = fast_load,
    [FAST_STORE] = fast_store,
    [FAST_STORE_WORD] = fast_store_word,
    [FAST_LOAD_CELL] = fast_load_cell,
    [FAST_SELECT] = fast_select,
    [FAST_ORDER] = fast_order,
    [FAST_NEXT] = fast_next,
    [FAST_PICK] = fast_pick,
    [FAST_PICKED] = fast_picked,
    [FAST_SIGN] = fast_sign,
    [FAST_ROTATE] = fast_rotate,
    [FAST_UP] = fast_up,
    [FAST_SHIFT1] = fast_shift1,
    [FAST_TRANSPOSE] = fast_transpose,
    [FAST_FIRST] = fast_first,
};
