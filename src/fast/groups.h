/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step does to one group of lanes. The interpreter loops over it (level_body.h); compiled
 * kernels call it with everything but the values constant. The bodies are those of the reference
 * engine, vectorized by the compiler; only the multiply-add has a form of its own (fma.h). A result
 * never overlaps an operand (plan.c).
 */
#ifndef TX_FAST_GROUPS_H
#define TX_FAST_GROUPS_H

#include "fast/step.h"

#include <tensix/formats.h>

#include "fmt/dst_lreg.h"
#include "fmt/dst_value.h"
#include "isa/moves.h"
#include "num/prng.h"
#include "sem/all.h"

#include <string.h>

#if defined(__FMA__) || defined(FAST_NEON)
#include "fast/fma.h"
#define HARDWARE_FMA 1
#else
#define HARDWARE_FMA 0
#endif

/* Lanes are independent, so that compilers need not check whether arrays overlap. */
#if defined(__clang__)
/* Not every body can be vectorized. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define FAST_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define FAST_INDEPENDENT _Pragma("GCC ivdep")
#else
#define FAST_INDEPENDENT
#endif
#define EACH_OF_GROUP FAST_INDEPENDENT for (unsigned i = 0; i < FAST_GROUP; i++)

typedef struct sem_out lane_body(const struct tx_op *op, const struct sem_in *in);

TX_INLINE const uint32_t *in_at(const struct fast_step *s, enum fast_in which, unsigned group)
{
    return s->in[which] + (size_t)group * s->in_stride[which];
}

TX_INLINE uint32_t *out_at(const struct fast_step *s, enum fast_out which, unsigned group)
{
    return s->out[which] + (size_t)group * s->out_stride[which];
}

/* Restores the old value in lanes outside the mask. */
TX_INLINE void keep_group(const struct fast_step *s, unsigned g)
{
    const uint32_t *mask = in_at(s, IN_MASK, g);
    const uint32_t *old = in_at(s, IN_OLD, g);
    uint32_t *restrict out = out_at(s, OUT_VALUE, g);
    for (unsigned i = 0; s->masked && i < FAST_GROUP; i++) {
        out[i] = (out[i] & mask[i]) | (old[i] & ~mask[i]);
    }
}

/* ---- bodies ---- */

/*
 * Executes a row's body. Random words are used if the row draws; LF and TOP if it deals with flags.
 * Lanes outside the mask keep OLD, and their flag is 0.
 */
TX_INLINE void lanes_group(const struct fast_step *s, unsigned g, lane_body *body, uint64_t reads,
                           uint64_t writes, const struct tx_op *given, bool masked, bool flags)
{
    const bool stack = flags && ((reads | writes) & TX_SET(STACK)) != 0;
    const bool gives = (writes & (TX_SET(VD) | TX_SET(VDX))) != 0;
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
    const struct tx_op op = *given; /* a local copy, which the compiler knows cannot change */
    struct sem_in in = {.arithmetic_bh = s->rules.arithmetic_bh,
                        .lut16_positive = s->rules.lut16_positive,
                        .stoch_shifted = s->rules.stoch_shifted,
                        .use = s->use,
                        .top_use = s->depth != 0 && s->top_use,
                        .empty = s->depth == 0,
                        .full = s->depth >= 8,
                        .eight = s->depth == 8};
    uint8_t kind = 0;
    EACH_OF_GROUP
    {
        in.a = (reads & (TX_SET(VA) | TX_SET(VAX))) != 0 ? a[i] : 0;
        in.b = (reads & TX_SET(VB)) != 0 ? b[i] : 0;
        in.c = (reads & TX_SET(VC)) != 0 ? c[i] : 0;
        in.d = (reads & TX_SET(VD)) != 0 ? d[i] : 0;
        in.draw = (writes & TX_SET(PRNG)) != 0 ? draw[i] : 0;
        in.lf = flags && lf[i] != 0;
        in.top_lf = stack && top[i] != 0;
        const struct sem_out out = body(&op, &in);
        const uint32_t m = masked ? mask[i] : 0xFFFFFFFFu;
        if (gives) {
            value[i] = masked ? (out.value & m) | (old[i] & ~m) : out.value;
        }
        if (flags) {
            const uint32_t v = out.lf ? 0xFFFFFFFFu : 0;
            lf_out[i] = v & m;
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

/* ---- multiply-add ---- */

TX_INLINE const uint32_t *signed_copy(const uint32_t *from, bool negate, uint32_t *to)
{
    for (unsigned i = 0; negate && i < FAST_GROUP; i++) {
        to[i] = from[i] ^ SIGN32;
    }
    return negate ? to : from;
}

#if HARDWARE_FMA

TX_INLINE void mad_group(bool bh, enum fast_mad kind, bool minus, const struct fast_step *s,
                         unsigned g)
{
    uint32_t x_copy[FAST_GROUP];
    uint32_t z_copy[FAST_GROUP];
    const uint32_t *y = in_at(s, IN_B, g);
    const uint32_t *x = signed_copy(in_at(s, IN_A, g),
                                    minus && (s->op.mode & TX_MOD_SFPMAD_NEGATE_VA) != 0, x_copy);
    const uint32_t *z = signed_copy(in_at(s, IN_C, g),
                                    minus && (s->op.mode & TX_MOD_SFPMAD_NEGATE_VC) != 0, z_copy);
    uint32_t *out = out_at(s, OUT_VALUE, g);
    if (kind == MAD_ONE_A || kind == MAD_ONE_B) {
        fma_sum(bh, x, y, z, kind == MAD_ONE_B ? x : y, out);
    } else if (kind == MAD_TIMES) {
        fma_times(bh, x, y, z, out);
    } else {
        fma_group(bh, kind == MAD_BOUND, x, y, z, out, s->tier);
    }
    keep_group(s, g);
}

#else

TX_INLINE void mad_group(bool bh, enum fast_mad kind, bool minus, const struct fast_step *s,
                         unsigned g)
{
    (void)bh;
    (void)kind;
    (void)minus;
    lanes_group(s, g, sem_sfpmad, TX_SET(VA) | TX_SET(VB) | TX_SET(VC), TX_SET(VD), &s->op,
                s->masked, false);
}

#endif

/* ---- table look-ups ---- */

/*
 * Computes coefficient, addend and argument of a table look-up. eight: for SFPLUT; else for
 * SFPLUTFP32, with the table's form in mode.
 */
TX_INLINE void terms_group(const struct fast_step *s, unsigned g, bool eight, unsigned mode)
{
    const bool positive = s->rules.lut16_positive;
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
    EACH_OF_GROUP
    {
        const struct lut_terms t =
            eight ? lut_of(l0[i], l1[i], l2[i], l3[i])
                  : lutfp32_of(mode, l0[i], l1[i], l2[i], l3[i], l4[i], l5[i], l6[i], positive);
        factor[i] = t.a;
        addend[i] = t.c;
        argument[i] = t.x;
    }
}

/* ---- Dst ---- */

/* Converts a word. Format and mode are constants at every call. */
typedef uint32_t convert_word(const struct fast_step *s, enum tx_format format, unsigned mode,
                              uint32_t x, uint32_t old);

TX_INLINE void convert_group(const struct fast_step *s, unsigned g, convert_word *convert,
                             enum tx_format format, unsigned mode)
{
    const struct fast_step step = {.rules = s->rules};
    const uint32_t *from = in_at(s, IN_A, g);
    const uint32_t *old = in_at(s, IN_D, g);
    uint32_t *restrict to = out_at(s, OUT_VALUE, g);
    EACH_OF_GROUP
    {
        to[i] = convert(&step, format, mode, from[i], old[i]);
    }
    keep_group(s, g);
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
    return load_convert(s->rules.arithmetic_bh, mode, x, old, false);
}

TX_INLINE uint32_t value_to_cell(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    (void)format;
    (void)old;
    return store_convert(s->rules.arithmetic_bh, mode, x, s->rules.keep_denormals);
}

/*
 * Converts directly where mode and format agree: the order of bits in the cell would be made and
 * undone.
 */
TX_INLINE uint32_t word_to_value(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    const uint32_t datum = dst_datum_of_word(format, x);
    if (dst_is_32bit(format) && load_is_32bit(mode)) {
        return mode == TX_MOD_SFPLOAD_FMT_SM32 && !s->rules.arithmetic_bh ? sm32_to_i32(datum)
                                                                          : datum;
    }
    if (format == TX_FORMAT_BF16 && mode == TX_MOD_SFPLOAD_FMT_FP16B) {
        return datum << 16;
    }
    if (format == TX_FORMAT_FP16 && mode == TX_MOD_SFPLOAD_FMT_FP16A) {
        return fp16_to_fp32_keep(datum);
    }
    return cell_to_value(s, format, mode, word_to_cell(s, format, mode, x, old), old);
}

TX_INLINE uint32_t value_to_word(const struct fast_step *s, enum tx_format format, unsigned mode,
                                 uint32_t x, uint32_t old)
{
    if (dst_is_32bit(format) && mode == TX_MOD_SFPSTORE_FMT_FP32) {
        return dst_word_of_datum(format, s->rules.keep_denormals ? x : store_flush(x));
    }
    if (dst_is_32bit(format) &&
        (mode == TX_MOD_SFPSTORE_FMT_INT32 || mode == TX_MOD_SFPSTORE_FMT_INT32_ALL)) {
        return dst_word_of_datum(format, x);
    }
    if (dst_is_32bit(format) && mode == TX_MOD_SFPSTORE_FMT_SM32) {
        return dst_word_of_datum(format, s->rules.arithmetic_bh ? x : i32_to_sm32(x));
    }
    if (format == TX_FORMAT_BF16 && mode == TX_MOD_SFPSTORE_FMT_FP16B) {
        return dst_word_of_datum(format, store_flush(x) >> 16);
    }
    if (format == TX_FORMAT_FP16 && mode == TX_MOD_SFPSTORE_FMT_FP16A) {
        return dst_word_of_datum(format, fp32_to_fp16_flush(x));
    }
    return cell_to_word(s, format, mode, value_to_cell(s, format, mode, x, old), old);
}

/* ---- tiles ---- */

/* Distance in words between the rows of a tile. */
enum { ROW_STEP = 32 };

#if defined(__GNUC__)
/* A warning about calling conventions; all of this is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"
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

/*
 * Returns the offset of a group within a tile, in words: 4 rows of Dst are rows y to y + 3 of one
 * face.
 */
TX_INLINE size_t group_at(size_t group)
{
    const size_t row = 4 * group;
    return ((row >> 5) * 16 + (row & 15u)) * ROW_STEP + (row >> 4 & 1u) * 16;
}

TX_INLINE void input_group(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    const uint32_t *from = c->inputs[s->number] + group_at(c->first + g);
    uint32_t *to = out_at(s, OUT_VALUE, g);
    for (unsigned half = 0; half < 2; half++) {
        const words16 a = get16(from + 2 * half * ROW_STEP);
        const words16 b = get16(from + (2 * half + 1) * ROW_STEP);
        put16(to + 16 * half, EVEN_OF(a, b));
        put16(to + 32 + 16 * half, ODD_OF(a, b));
    }
}

TX_INLINE void output_group(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    uint32_t *to = c->output + group_at(c->first + g);
    const uint32_t *from = in_at(s, IN_A, g);
    for (unsigned half = 0; half < 2; half++) {
        const words16 even = get16(from + 16 * half);
        const words16 odd = get16(from + 32 + 16 * half);
        put16(to + 2 * half * ROW_STEP, LOW_OF(even, odd));
        put16(to + (2 * half + 1) * ROW_STEP, HIGH_OF(even, odd));
    }
}

/* Copies vectors as they are; if their number is odd, the last one is used twice. */
TX_INLINE void input_vectors(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    const size_t last = c->vectors - 1;
    const size_t first = 2 * (c->first + g);
    const uint32_t *from = c->inputs[s->number];
    uint32_t *to = out_at(s, OUT_VALUE, g);
    memcpy(to, from + 32 * first, 32 * sizeof *to);
    memcpy(to + 32, from + 32 * (first < last ? first + 1 : last), 32 * sizeof *to);
}

TX_INLINE void output_vectors(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    const size_t first = 2 * (c->first + g);
    const size_t count = c->vectors - first < 2 ? 1 : 2;
    memcpy(c->output + 32 * first, in_at(s, IN_A, g), count * 32 * sizeof(uint32_t));
}

/* ---- simple ones ---- */

/* Converts a magnitude to the nearest float, ties to even, by this CPU's conversion. */
TX_INLINE uint32_t cast_word(uint32_t x)
{
    const float f = (float)(int32_t)(x & 0x7FFFFFFFu);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits | (x & SIGN32);
}

#define EACH_LANE(name, expression)                                    \
    TX_INLINE void name##_group(const struct fast_step *s, unsigned g) \
    {                                                                  \
        const unsigned number = s->number;                             \
        const uint32_t *a = in_at(s, IN_A, g);                         \
        const uint32_t *b = in_at(s, IN_B, g);                         \
        const uint32_t *c = in_at(s, IN_C, g);                         \
        const uint32_t *mask = in_at(s, IN_MASK, g);                   \
        const uint32_t *old = in_at(s, IN_OLD, g);                     \
        uint32_t *restrict out = out_at(s, OUT_VALUE, g);              \
        (void)number;                                                  \
        (void)a;                                                       \
        (void)b;                                                       \
        (void)c;                                                       \
        (void)mask;                                                    \
        (void)old;                                                     \
        EACH_OF_GROUP                                                  \
        {                                                              \
            out[i] = (expression);                                     \
        }                                                              \
    }

EACH_LANE(select, (a[i] & mask[i]) | (old[i] & ~mask[i]))
EACH_LANE(join, a[i] << 16 | (b[i] & 0xFFFFu))
EACH_LANE(high, a[i] >> 16)
EACH_LANE(low, a[i] & 0xFFFFu)
EACH_LANE(next, prng_step(a[i]))
EACH_LANE(pick, (a[i] & 15u) == number ? b[i] : c[i])
EACH_LANE(picked, (a[i] & 15u) == number ? 0xFFFFFFFFu : 0)
EACH_LANE(sign, lut_sign(a[i], b[i]))

EACH_LANE(cast, cast_word(a[i]))

/* ---- between lanes: 16 lanes are two rows, and go by the macros of isa/moves.h ---- */

#define SIXTEEN(lane)                                                                         \
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7), lane(8), lane(9), \
        lane(10), lane(11), lane(12), lane(13), lane(14), lane(15)
/* Column 0 comes from the second operand. */
#define SHIFTED_RIGHT(lane) (MOVE_LANE_RIGHT(lane) + (MOVE_COLUMN(lane) == 0 ? 16 : 0))

/*
 * Addresses are computed first: as far as the compiler knows, storing such a vector could change
 * *s.
 */

TX_INLINE void rotate_group(const struct fast_step *s, unsigned g)
{
    const uint32_t *from = in_at(s, IN_A, g);
    uint32_t *to = out_at(s, OUT_VALUE, g);
    for (unsigned i = 0; i < FAST_GROUP; i += 16) {
        const words16 a = get16(from + i);
        put16(to + i, __builtin_shufflevector(a, a, SIXTEEN(MOVE_LANE_RIGHT)));
    }
}

TX_INLINE void shift1_group(const struct fast_step *s, unsigned g)
{
    const uint32_t *from_a = in_at(s, IN_A, g);
    const uint32_t *from_b = in_at(s, IN_B, g);
    uint32_t *to = out_at(s, OUT_VALUE, g);
    for (unsigned i = 0; i < FAST_GROUP; i += 16) {
        const words16 a = get16(from_a + i);
        const words16 b = get16(from_b + i);
        put16(to + i, __builtin_shufflevector(a, b, SIXTEEN(SHIFTED_RIGHT)));
    }
}

TX_INLINE void up_group(const struct fast_step *s, unsigned g)
{
    const words16 zero = {0};
    const uint32_t *from = in_at(s, IN_A, g);
    uint32_t *to = out_at(s, OUT_VALUE, g);
    for (unsigned i = 0; i < FAST_GROUP; i += 32) {
        const words16 a = get16(from + i);
        const words16 b = get16(from + i + 16);
        put16(to + i, __builtin_shufflevector(a, b, SIXTEEN(MOVE_LANE_UP)));
        put16(to + i + 16, __builtin_shufflevector(b, zero, SIXTEEN(MOVE_LANE_UP)));
    }
}

TX_INLINE void first_group(const struct fast_step *s, unsigned g)
{
    const uint32_t *from = in_at(s, IN_A, g);
    uint32_t *to = out_at(s, OUT_VALUE, g);
    for (unsigned i = 0; i < FAST_GROUP; i += 8) {
        memcpy(to + i, from + (i & 32u), 8 * sizeof(uint32_t));
    }
}

TX_INLINE void transpose_group(const struct fast_step *s, unsigned g)
{
    const size_t row = MOVE_LANE_TURNED(s->number, 0);
    const uint32_t *from[4];
    uint32_t *to = out_at(s, OUT_VALUE, g);
    for (unsigned i = 0; i < 4; i++) {
        from[i] = in_at(s, (enum fast_in)(IN_A + i), g) + row;
    }
    for (unsigned i = 0; i < FAST_GROUP; i += 8) {
        memcpy(to + i, from[i >> 3 & 3u] + (i & 32u), 8 * sizeof(uint32_t));
    }
}

/*
 * SFPSWAP: returns a mask of the lanes that exchange A and B. uniform: all lanes take the minimum,
 * or all take the maximum.
 */
TX_INLINE uint32_t order_word(const struct fast_step *s, bool uniform, unsigned lane, uint32_t a,
                              uint32_t b)
{
    const uint32_t least = swap_min_lanes(s->op.mode); /* in the other lanes VD gets the maximum */
    const uint32_t invert = uniform ? ~least : (least >> (lane & 31u) & 1u) - 1u;
    return swap_order(a, b, s->rules.strict_ties) ^ invert;
}

TX_INLINE bool order_uniform(const struct fast_step *s)
{
    return swap_min_lanes(s->op.mode) + 1u <= 1u;
}

TX_INLINE void order_group(const struct fast_step *s, unsigned g)
{
    const uint32_t *a = in_at(s, IN_A, g);
    const uint32_t *b = in_at(s, IN_B, g);
    uint32_t *restrict out = out_at(s, OUT_VALUE, g);
    const bool uniform = order_uniform(s);
    for (unsigned i = 0; i < FAST_GROUP && uniform; i++) {
        out[i] = order_word(s, true, i, a[i], b[i]);
    }
    for (unsigned i = 0; i < FAST_GROUP && !uniform; i++) {
        out[i] = order_word(s, false, i, a[i], b[i]);
    }
}

TX_INLINE void exchanged_lanes(const struct fast_step *s, unsigned g, bool uniform)
{
    const struct fast_step step = {.op = s->op, .rules = s->rules};
    const uint32_t *a = in_at(s, IN_A, g);
    const uint32_t *b = in_at(s, IN_B, g);
    uint32_t *restrict to_a = out_at(s, OUT_VALUE, g);
    uint32_t *restrict to_b = out_at(s, OUT_LF, g);
    EACH_OF_GROUP
    {
        const uint32_t x = a[i];
        const uint32_t y = b[i];
        const uint32_t swap = order_word(&step, uniform, i, x, y);
        to_a[i] = (y & swap) | (x & ~swap);
        to_b[i] = (x & swap) | (y & ~swap);
    }
}

/* Compares and exchanges, in all lanes. */
TX_INLINE void exchanged_group(const struct fast_step *s, unsigned g)
{
    if (order_uniform(s)) {
        exchanged_lanes(s, g, true);
    } else {
        exchanged_lanes(s, g, false);
    }
}

/* ---- SFPARECIP ---- */

/* Looks entries up in the table, which is 32 words of four entries each. */
TX_INLINE void recip_entries(uint32_t *index)
{
#if defined(__AVX512F__)
    const __m512i low = _mm512_loadu_si512(arecip_recip_table);
    const __m512i high = _mm512_loadu_si512(arecip_recip_table + 64);
    for (unsigned i = 0; i < FAST_GROUP; i += 16) {
        const __m512i at = _mm512_loadu_si512(index + i);
        const __m512i four = _mm512_permutex2var_epi32(low, _mm512_srli_epi32(at, 2), high);
        const __m512i by = _mm512_slli_epi32(_mm512_and_si512(at, _mm512_set1_epi32(3)), 3);
        _mm512_storeu_si512(index + i,
                            _mm512_and_si512(_mm512_srlv_epi32(four, by), _mm512_set1_epi32(0xFF)));
    }
#else
    EACH_OF_GROUP
    {
        index[i] = arecip_recip_table[index[i]];
    }
#endif
}

TX_INLINE void recip_group(const struct fast_step *s, unsigned g)
{
    _Alignas(64) uint32_t entry[FAST_GROUP];
    const bool conditional = s->op.mode == TX_MOD_SFPARECIP_COND_RECIP;
    const uint32_t *b = in_at(s, IN_B, g);
    const uint32_t *c = in_at(s, IN_C, g);
    uint32_t *restrict out = out_at(s, OUT_VALUE, g);
    EACH_OF_GROUP
    {
        entry[i] = fp32_arecip_index(c[i]);
    }
    recip_entries(entry);
    EACH_OF_GROUP
    {
        const uint32_t r = fp32_arecip_of(c[i] & 0x7FFFFFFFu, entry[i]);
        out[i] = arecip_result(conditional, b[i], c[i], r);
    }
    keep_group(s, g);
}

#endif
