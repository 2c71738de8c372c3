/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second statement of what UNPACR does, written from spec/unpack.md 5 and
 * formats-and-scalar-unit.md C.5 for reading: one datum after the other, in 64-bit integers, with
 * no part of the emulator.
 */
#ifndef TESTS_UNPACK_SECOND_H
#define TESTS_UNPACK_SECOND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { L1_BYTES_MAX = 1536 * 1024 };
enum {
    FP32,
    FP16,
    BFP8A,
    BFP4A,
    TF32,
    BF16,
    BFP8,
    BFP4,
    INT32,
    INT16,
    FP8,
    BFP2A,
    NO12,
    NO13,
    INT8,
    BFP2
};

struct counters {
    uint32_t x[2], y[2], z[2], w[2];
};

/* Everything that one instruction depends on. */
struct setting {
    bool bh;
    unsigned unit, thread, xy_thread;
    uint32_t in, out, x_dim, y_dim, z_dim, w_dim, digest, base, offset;
    uint32_t y_stride, z_stride, w_stride, address_base, dest, shared_exponent, limit, fifo;
    uint32_t shift[3], column_shift, upsample;
    bool add_dest, to_dst, transpose, strided, interleave, force, e4m3, is_unsigned, override, zero,
        give, update, high;
    unsigned throttle;
    bool throttle_used;
    unsigned src_base;
    unsigned y_inc[2], z_inc[2];
    bool remap, swizzle;
};

struct second {
    uint8_t *l1;
    uint32_t src[2][2][64][16];
    uint16_t dst[1024][16];
    bool valid[1024];
    unsigned bank[2];
    bool owned[2][2];
    unsigned format[2][2];
    unsigned src_row[2][3];
    struct counters adc[3][2];
};

static unsigned second_bits(unsigned format)
{
    switch (format) {
    case FP32:
    case TF32:
    case INT32:
        return 32;
    case FP16:
    case BF16:
    case INT16:
        return 16;
    case BFP4:
    case BFP4A:
        return 4;
    case BFP2:
    case BFP2A:
        return 2;
    default:
        return 8;
    }
}

static bool second_block(unsigned format)
{
    return format == BFP8 || format == BFP8A || format == BFP4 || format == BFP4A ||
           format == BFP2 || format == BFP2A;
}

static bool second_wide(unsigned format)
{
    return format == FP32 || format == TF32 || format == INT32;
}

/* ---- C.5: an L1 datum to a pattern in plain order ---- */

/* Sign, leading zeros and the rest of eight magnitude bits. */
static uint32_t second_x(uint32_t d, uint32_t e, bool five)
{
    const uint32_t sign = d >> 7 & 1u;
    uint32_t g = (d & 0x7Fu) * 2;
    if (g == 0) {
        return sign == 0 ? 0 : five ? 0xFC00u : 0xFF80u;
    }
    while ((g & 0x80u) == 0) {
        g *= 2;
        e = (e + 255u) % 256u;
    }
    const uint32_t m7 = g & 0x7Eu;
    return five ? sign << 15 | (e % 32u) << 10 | m7 << 3 : sign << 15 | e << 7 | m7;
}

static uint32_t second_fp16_of(uint32_t x)
{
    const uint32_t sign = (x >> 31) << 15;
    const int32_t e = (int32_t)(x >> 23 & 255u) - 112;
    if (e < 0) {
        return sign;
    }
    return e > 31 ? sign | 0x7FFFu : sign | (uint32_t)e << 10 | (x >> 13 & 0x3FFu);
}

static uint32_t second_bf16_of(uint32_t x)
{
    return (x & 0x7F800000u) == 0 ? (x >> 31) << 15 : x >> 16;
}

static uint32_t second_fp8(const struct setting *s, uint32_t x)
{
    const uint32_t sign = (x >> 7) << 15;
    if (s->e4m3) {
        const uint32_t e = x >> 3 & 15u;
        return sign | (e != 0 ? e + 8 : 0) << 10 | (x & 7u) << 7 | ((x & 127u) == 127 ? 127u : 0);
    }
    return sign | (x & 127u) << 8 | (s->bh && (x & 127u) == 127 ? 255u : 0);
}

static uint32_t second_int8(const struct setting *s, uint32_t x)
{
    const uint32_t magnitude = s->is_unsigned ? x : x & 127u;
    const uint32_t sign = s->is_unsigned ? 0 : x >> 7;
    return sign << 15 | (magnitude != 0 ? 16u : 0) << 10 | magnitude;
}

/* Families of cells: s.e8.m7, s.e5.m10, s.e8.m10, raw. */
enum family { F_BF16, F_FP16, F_TF32, F_RAW };

static uint32_t second_plain(const struct setting *s, uint32_t x, uint32_t e, enum family *family)
{
    *family = F_BF16;
    switch (s->in) {
    case FP32:
    case TF32:
    case INT32:
        if (s->out == BF16) {
            return second_bf16_of(x);
        }
        if (s->out == FP16) {
            *family = F_FP16;
            return second_fp16_of(x);
        }
        *family = F_TF32;
        return x >> 13;
    case BF16:
        return x;
    case BFP8:
        return second_x(x, e, false);
    case BFP4:
        return second_x(x * 16, e, false);
    case BFP2:
        return second_x(x * 64, e, false);
    case INT16:
        *family = F_RAW;
        return x;
    default:
        *family = F_FP16;
        return s->in == BFP8A   ? second_x(x, e, true)
               : s->in == BFP4A ? second_x(x * 16, e, true)
               : s->in == BFP2A ? second_x(x * 64, e, true)
               : s->in == FP8   ? second_fp8(s, x)
               : s->in == INT8  ? second_int8(s, x)
                                : x;
    }
}

/* C.2: sign, mantissa of ten bits, exponent of eight. */
static uint32_t second_src_cell(uint32_t p, enum family family)
{
    switch (family) {
    case F_BF16:
        return (p >> 15) << 18 | (p & 127u) << 11 | (p >> 7 & 255u);
    case F_FP16:
        return (p >> 15) << 18 | (p & 1023u) << 8 | (p >> 10 & 31u);
    case F_TF32:
        return (p >> 18) << 18 | (p & 1023u) << 8 | (p >> 10 & 255u);
    default:
        return (p >> 8) << 11 | (p & 255u);
    }
}

/* C.3: sign, mantissa, exponent. */
static uint32_t second_dst_cell(uint32_t p, enum family family)
{
    switch (family) {
    case F_BF16:
        return (p >> 15) << 15 | (p & 127u) << 8 | (p >> 7 & 255u);
    case F_FP16:
        return (p >> 15) << 15 | (p & 1023u) << 5 | (p >> 10 & 31u);
    default:
        return p;
    }
}

/* ---- L1 ---- */

static uint32_t second_read(const struct second *m, const struct setting *s, uint64_t bit,
                            unsigned bits)
{
    const uint64_t size = s->bh ? 1536u * 1024u : 1464u * 1024u;
    uint32_t x = 0;
    for (unsigned i = 0; i < bits; i++, bit++) {
        const uint32_t byte = bit / 8 < size ? m->l1[bit / 8] : 0;
        x |= (byte >> bit % 8 & 1u) << i;
    }
    return x;
}

static uint64_t second_wrap(const struct setting *s, uint64_t at, uint64_t unit)
{
    return at > (uint64_t)s->limit * 16 * unit ? at - (uint64_t)s->fifo * 16 * unit : at;
}

/* ---- places ---- */

static unsigned second_adj16(unsigned r, bool remap)
{
    return remap ? (r & 0x3C7u) ^ ((r & 0x30u) >> 1) ^ ((r & 8u) << 2) : r;
}

static unsigned second_row32(unsigned r, const struct setting *s)
{
    r = second_adj16(r, s->remap);
    if (s->swizzle) {
        r = (r & 0x3F3u) ^ ((r & 0x18u) >> 1) ^ ((r & 4u) << 1);
    }
    return ((r & 0x1F8u) << 1) | (r & 0x207u);
}

static unsigned second_burst(const struct setting *s)
{
    static const unsigned wh[5][3] = {{4, 4, 4}, {2, 4, 8}, {1, 2, 4}, {1, 1, 2}, {1, 1, 1}};
    static const unsigned bh[5][4] = {
        {4, 4, 4, 4}, {2, 4, 8, 8}, {1, 2, 4, 8}, {1, 1, 4, 4}, {1, 1, 2, 2}};
    const unsigned bits = second_bits(s->in);
    const unsigned k = bits == 2 ? 0 : bits == 4 ? 1 : bits == 8 ? 2 : bits == 16 ? 3 : 4;
    if (s->strided) {
        static const unsigned tile[2][5] = {{0, 0, 4, 2, 1}, {0, 0, 4, 4, 2}};
        return tile[s->bh][k];
    }
    if (!s->bh) {
        return wh[k][s->throttle];
    }
    static const unsigned usual[5] = {4, 8, 8, 4, 2};
    return s->throttle_used ? bh[k][s->throttle] : usual[k];
}

struct output {
    uint64_t first_row; /* of SrcA, that is not dropped */
    bool many;
};

static void second_write(struct second *m, const struct setting *s, const struct output *o,
                         uint32_t place, uint32_t cell, uint32_t wide_cell, uint32_t exact)
{
    uint32_t row = place / 16;
    unsigned column = place % 16;
    const unsigned b = m->bank[s->unit];
    if (s->unit == 1) {
        m->src[1][b][(row + m->src_row[1][s->thread]) % 64][column] = cell;
        return;
    }
    if (s->to_dst) {
        row = (row - 4) & (s->override ? 0x3CFu : 0x3FFu);
        if (second_wide(s->out)) {
            const unsigned at = second_row32(row, s);
            m->dst[at][column] = (uint16_t)(wide_cell >> 16);
            m->dst[at + 8][column] = (uint16_t)wide_cell;
            m->valid[at] = true;
        } else {
            const unsigned at = second_adj16(row, s->remap);
            m->dst[at][column] = (uint16_t)exact;
            m->valid[at] = true;
        }
        return;
    }
    const unsigned cut = s->strided ? 0 : s->column_shift;
    if (row < 4 || column < cut) {
        return;
    }
    uint64_t r = row - 4;
    column -= cut;
    r += s->override ? 0 : m->src_row[0][s->thread];
    if (o->many) {
        const uint64_t begin = r - (r - o->first_row) % second_burst(s);
        if (begin / 16 != r / 16) {
            return;
        }
    }
    r %= 64;
    if (s->transpose) {
        m->src[0][b][r / 16 * 16 + column][r % 16] = cell;
    } else {
        m->src[0][b][r][column] = cell;
    }
}

/* ---- 5.3 to 5.9 ---- */

static void second_unpack(struct second *m, const struct setting *s)
{
    const struct counters *xy = &m->adc[s->xy_thread][s->unit];
    const struct counters *zw = &m->adc[s->thread][s->unit];
    const unsigned bits = second_bits(s->in);
    uint64_t base = (uint32_t)((s->base + s->offset + 1 + s->digest) * 16);
    uint64_t exponents = base;
    const uint64_t n = (uint64_t)s->x_dim * s->y_dim * s->z_dim * s->w_dim;
    if (second_block(s->in) && !s->force) {
        base += ((n + 15) / 16 + 15) / 16 * 16;
    }
    const uint64_t first =
        (((uint64_t)(zw->w[0] & 255u) * s->z_dim + (zw->z[0] & 255u)) * s->y_dim + xy->y[0]) *
            s->x_dim +
        xy->x[0];
    const uint64_t count = xy->x[1] < xy->x[0] ? 0 : xy->x[1] - xy->x[0] + 1u;
    uint64_t at = second_wrap(s, base * 8 + first * bits, 8);
    uint64_t exponent = second_wrap(s, exponents * 16 + first, 16);
    const unsigned width = s->bh && bits > 8 ? 32 : 16;
    const uint64_t stride =
        (s->shift[0] * 16 + s->shift[1] * 256 + s->shift[2] * 4096) * UINT64_C(8);
    uint32_t out =
        s->address_base + zw->y[1] * s->y_stride + zw->z[1] * s->z_stride + zw->w[1] * s->w_stride;
    out /= second_wide(s->out) ? 4 : second_bits(s->out) == 16 ? 2 : 1;
    if (s->unit == 0) {
        out = s->to_dst || s->add_dest ? out + s->dest : s->dest;
    }
    const unsigned zeros = (1u << s->upsample) - 1;
    struct output o = {.many = count * (1 + zeros) > 16};
    o.first_row = (out / 16 > 4 ? out / 16 - 4 : 0) + (s->override ? 0 : m->src_row[0][s->thread]);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t e = s->shared_exponent;
        if (second_block(s->in) && !s->force) {
            e = second_read(m, s, exponent / 16 * 8, 8);
            exponent++;
            exponent = exponent % 256 == 0 ? second_wrap(s, exponent, 16) : exponent;
        }
        enum family family;
        const uint32_t x = second_read(m, s, at + i % width * bits, bits);
        const uint32_t p = second_plain(s, x, e, &family);
        uint32_t cell = second_src_cell(p, family);
        uint32_t narrow = second_dst_cell(p, family);
        uint32_t wide = second_dst_cell(x >> 16, F_BF16) << 16 | (x & 0xFFFFu);
        if (i % width == width - 1) {
            at += s->strided ? stride : (uint64_t)width * bits;
            at = second_wrap(s, at, 8);
        }
        if (s->zero) {
            cell = narrow = wide = 0;
        }
        second_write(m, s, &o, out++, cell, wide, narrow);
        for (unsigned k = 0; k < zeros; k++, out++) {
            if (!s->interleave) {
                second_write(m, s, &o, out, 0, 0, 0);
            }
        }
    }
    for (unsigned t = 0; t < 3; t++) {
        if (t == s->thread || t == s->xy_thread) {
            struct counters *c = &m->adc[t][s->unit];
            for (unsigned ch = 0; ch < 2; ch++) {
                c->y[ch] = (c->y[ch] + s->y_inc[ch]) & 0x1FFFu;
                c->z[ch] = (c->z[ch] + s->z_inc[ch]) & (s->bh ? 0x1FFFu : 255u);
            }
        }
    }
    unsigned *src_row = &m->src_row[s->unit][s->thread];
    if (s->give) {
        m->owned[s->unit][m->bank[s->unit]] = true;
        m->format[s->unit][m->bank[s->unit]] = s->out;
        m->bank[s->unit] ^= 1u;
        *src_row = s->src_base * 16;
    } else if (s->update) {
        *src_row = (*src_row + 16 + s->src_base * 16) % 64;
    }
}

#endif
