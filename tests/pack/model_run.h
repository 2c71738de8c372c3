/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction itself and what it adds to L1, see model.h. */
#ifndef TEST_PACK_MODEL_RUN_H
#define TEST_PACK_MODEL_RUN_H

#include "pack/model.h"

#include "fmt/second_groups.h"

static inline uint32_t add_l1(const struct setup *c, uint32_t old, uint32_t in)
{
    switch (c->LT) {
    case 5:
        return second_accumulate_bf16(old, in);
    case 1:
        return second_accumulate_fp16(old, in);
    case 8:
        return second_accumulate_int32(old, in);
    default:
        return second_accumulate_fp32(old, in);
    }
}

/* ---- rows: C.3.2, by bits ---- */

static inline unsigned map_row(const struct setup *c, unsigned r, bool wide_view)
{
    unsigned b[10];
    unsigned n[10];
    unsigned row = 0;
    for (unsigned i = 0; i < 10; i++) {
        b[i] = n[i] = r >> i & 1;
    }
    if (c->remap) {
        n[5] = b[3];
        n[4] = b[5];
        n[3] = b[4];
    }
    if (wide_view && c->swizzle) {
        const unsigned three = n[3];
        n[3] = n[4] ^ n[2];
        n[2] = three;
    }
    for (unsigned i = 0; i < 10; i++) {
        row += n[i] << i;
    }
    return wide_view ? ((row & 0x1F8) << 1) | (row & 0x207) : row;
}

/* map_row of the row that was asked for last, which is most often the same. */
static inline unsigned row_at(const struct setup *c, unsigned row)
{
    static unsigned last, at;
    const unsigned key = 1u << 13 | (unsigned)c->remap << 12 | (unsigned)c->swizzle << 11 |
                         (unsigned)c->r32 << 10 | row;
    at = key == last ? at : map_row(c, row, c->r32);
    last = key;
    return at;
}

static inline struct num fetch(const struct model *m, unsigned row, unsigned column)
{
    const unsigned at = row_at(&m->c, row % 1024);
    const uint32_t high = m->valid[at] ? m->dst[at][column] : 0;
    if (!m->c.r32) {
        return early16(&m->c, high);
    }
    return early32(&m->c, high, m->valid[at] ? m->dst[at + 8][column] : 0);
}

/* ---- edge masks ---- */

static inline bool kept(const struct model *m, const struct model_packer *k, unsigned i,
                        unsigned tile_row, unsigned column)
{
    const struct setup *c = &m->c;
    unsigned set = c->select >> 2 * i & 3;
    if (c->face_enable) {
        const unsigned faces = c->face_select >> 2 * i & 3;
        set = c->faces[faces] >> 2 * ((c->z_offset[i] + k->z) % 16) & 3;
    }
    const unsigned which = c->rows[set] >> 2 * (tile_row % 16) & 3;
    return (c->edge[which] >> column & 1) != 0;
}

static inline void row_done(const struct setup *c, struct model_packer *k, unsigned rows)
{
    unsigned *inner = c->transposed ? &k->z : &k->y;
    unsigned *outer = c->transposed ? &k->y : &k->z;
    *inner = (*inner + rows) % 256;
    if (c->plane != 0 && *inner == c->plane) {
        *inner = 0;
        *outer = (*outer + 1) % 256;
    }
}

/* One datum from its cell to the stream; at: where it is in its instruction, or row. */
static inline bool one_datum(struct model *m, unsigned i, bool zero, unsigned row, unsigned column,
                             unsigned tile_row, unsigned at)
{
    const struct setup *c = &m->c;
    struct model_packer *k = &m->packer[i];
    struct num n = zero ? (c->r32 ? early32(c, 0, 0) : early16(c, 0)) : fetch(m, row, column);
    if (!kept(m, k, i, tile_row, column)) {
        n = c->low ? least(n) : zero_of(n.cls);
    }
    n = relu(c, n);
    if (c->r32 && c->IF == 1) {
        n = to5(n);
    }
    if (!zero) {
        count_exponent(k, n);
    }
    if (n.cls < I32 && n.e < (c->threshold < 256 ? c->threshold : 0)) {
        n = zero_of(n.cls);
    }
    if (c->ds != 0 && (c->ds >> at % 16 & 1) == 0) {
        return false;
    }
    put_num(m, k, n);
    return true;
}

static inline struct num padding(const struct setup *c)
{
    return zero_of(c->LF == 8                 ? I32
                   : c->LF == 9               ? I16
                   : c->LF == 14              ? I8
                   : c->LF == 10              ? C8
                   : c->LF == 1 || c->LF == 2 ? C5
                                              : C32);
}

/* ---- the instruction ---- */

static inline void open_streams(struct model *m, unsigned i)
{
    const struct setup *c = &m->c;
    struct model_packer *k = &m->packer[i];
    uint32_t base = c->dest[i] + 1;
    const uint32_t yzw = c->obase + m->adc[1][1] * c->oy_stride + m->adc[1][2] * c->oz_stride +
                         m->adc[1][3] * c->ow_stride;
    if (!c->bh && i > 0 && (c->dest[0] + 1) >> 31 != 0) {
        base += c->dest[0] + 1;
    }
    base += c->bh ? yzw % 262144 / 16 : yzw / 16 * 16;
    if (c->LT / 2 % 2 != 0) {
        if (!k->exps.open) {
            k->exps.open = true;
            k->exps.address = base % 131072 * 16;
        }
        base += c->exp_size[i];
    }
    if (!k->data.open) {
        k->data.open = true;
        k->data.address = base % 131072 * 16;
    }
}

static inline void run_rows(struct model *m, uint32_t word, unsigned start, unsigned count)
{
    const struct setup *c = &m->c;
    struct model_packer *k = &m->packer[0];
    const unsigned select = word >> 8 & 15 ? word >> 8 & 15 : 15;
    const bool zero = (word >> 12 & 1) != 0;
    const unsigned pad = word >> 18 & 7;
    const unsigned when = pad & 3;
    const bool pads =
        when == 1 || (when == 2 && (word >> 4 & 1) == 0) || (when == 3 && (word & 1) != 0);
    unsigned rows = 0;
    for (unsigned b = 0; b < 4; b++) {
        const unsigned step = (word >> 17 & 1) == 0 ? b : c->remap ? 16 * b : 8 * b;
        unsigned given = 0;
        if ((select >> b & 1) == 0) {
            continue;
        }
        for (unsigned j = 0; j < count; j++) {
            given += one_datum(m, 0, zero, start / 16 + step, (start + j) % 16, k->y + rows, j);
        }
        while (pads && pad < 4 && given % 16 != 0) {
            put_num(m, k, padding(c));
            given++;
        }
        k->put += given;
        rows++;
    }
    row_done(c, k, rows);
    while (pads && pad > 4 && k->put % 16 != 0) {
        put_num(m, k, padding(c));
        k->put++;
    }
}

static inline void run_line(struct model *m, unsigned i, uint32_t word, unsigned start,
                            unsigned count)
{
    struct model_packer *k = &m->packer[i];
    for (unsigned j = 0; j < count; j++) {
        const unsigned at = (start + j) % 16384;
        (void)one_datum(m, i, (word >> 12 & 1) != 0, at / 16, at % 16, k->y, j);
        k->x++;
        if (k->x == 16) {
            k->x = 0;
            row_done(&m->c, k, 1);
        }
    }
}

static inline void close_streams(struct model *m, struct model_packer *k)
{
    while (k->grouped != 0) {
        put_num(m, k, padding(&m->c));
    }
    commit(m, &k->exps, false, true);
    commit(m, &k->data, m->c.acc, true);
    k->running = false;
    k->put = 0;
}

static inline void step(uint32_t *live, uint32_t *cr, unsigned incr, bool by_cr, bool clear,
                        uint32_t size)
{
    if (clear) {
        *live = *cr = 0;
    } else if (by_cr) {
        *live = *cr = (*cr + incr) % size;
    } else {
        *live = (*live + incr) % size;
    }
}

static inline void model_pacr(struct model *m, uint32_t word)
{
    const struct setup *c = &m->c;
    const unsigned n = c->LF % 4 == 0 ? 4 : c->LF % 4 == 1 ? 2 : 1;
    const unsigned inside = 16 / n;
    const uint32_t a = c->base + m->adc[0][0] * (c->x_stride % 16) + m->adc[0][1] * c->y_stride +
                       m->adc[0][2] * c->z_stride + m->adc[0][3] * c->w_stride;
    const bool flush = (word >> 1 & 1) != 0;
    const bool last = (word & 1) != 0;
    const unsigned packers = c->bh ? 1 : word >> 8 & 15 ? word >> 8 & 15 : 1;
    for (unsigned i = 0; i < 4; i++) {
        struct model_packer *k = &m->packer[i];
        if ((packers >> i & 1) == 0) {
            continue;
        }
        if (!k->running) {
            k->x = k->y = k->z = 0;
        }
        k->running = true;
        open_streams(m, i);
        const uint32_t start =
            (a / n / (inside) * (inside) + m->adc[0][0] % inside + c->offset[i] * 16) % 16384;
        const uint32_t count = flush ? 0 : m->adc[1][0] - m->adc[0][0] + 1;
        if (c->bh && !flush) {
            run_rows(m, word, start, count);
        } else if (!c->bh) {
            run_line(m, i, word, start, count);
        }
        if (last || flush) {
            close_streams(m, k);
        } else {
            commit(m, &k->exps, false, false);
            commit(m, &k->data, c->acc, false);
        }
    }
    const unsigned mode = c->mode[word >> 15 & 3];
    const uint32_t z_size = c->bh ? 8192 : 256;
    step(&m->adc[0][1], &m->cr[0][1], mode & 15, mode >> 4 & 1, mode >> 5 & 1, 8192);
    step(&m->adc[1][1], &m->cr[1][1], mode >> 6 & 15, mode >> 10 & 1, mode >> 11 & 1, 8192);
    step(&m->adc[0][2], &m->cr[0][2], mode >> 12 & 1, false, mode >> 13 & 1, z_size);
    step(&m->adc[1][2], &m->cr[1][2], mode >> 14 & 1, false, mode >> 15 & 1, z_size);
}

#endif
