/* SPDX-License-Identifier: Apache-2.0 */
/* Where a job's data begin, whether they are whole rows, and streams: what every PACR asks. */
#ifndef TX_PACK_PLACE_H
#define TX_PACK_PLACE_H

#include "pack/pack.h"
#include "state/dst.h"

#include <string.h>

enum { PACK_DST_DATA = TX_DST_ROWS * 16, PACK_ADDRESSES = 0x200000 /* of L1 */ };

TX_INLINE uint32_t pack_address(const struct pack_job *j, unsigned channel,
                                const struct pack_strides *by)
{
    const struct adc_counter *c = j->adc->ch[channel];
    /* P1: how much of Z and W the packer of Blackhole sees. */
    const uint32_t seen = machine_rule(j->x->look, RULE_PACK_ZW) ? 0xFFu : 0xFFFFFFFFu;
    return by->base + c[ADC_X].live * by->x + c[ADC_Y].live * by->y +
           (c[ADC_Z].live & seen) * by->z + (c[ADC_W].live & seen) * by->w;
}

TX_INLINE uint32_t pack_input_address(const struct pack_job *j)
{
    return pack_address(j, 0, &j->setup->from);
}

/*
 * Returns the size of a datum by In_data_format, as the exponent of two. *x_mask: the bits of X
 * that select a datum within sixteen bytes.
 */
TX_INLINE unsigned pack_datum_log(const struct pack_job *j, uint32_t *x_mask)
{
    const unsigned code = j->setup->in & 3u;
    const unsigned log = code < 2 ? 2 - code : 0;
    *x_mask = (16u >> log) - 1u;
    return log;
}

/* Sets the first datum and the count of a job whose rows have been chosen (4.2). */
TX_INLINE void pack_input_place(struct pack_job *j)
{
    const struct pack *x = j->x;
    const bool by_rows = machine_has(x->look, PACK_INTERFACES);
    const uint32_t first = j->adc->ch[0][ADC_X].live;
    const int64_t count = (int64_t)j->adc->ch[1][ADC_X].live - first + 1;
    uint32_t x_mask;
    const unsigned log = pack_datum_log(j, &x_mask);
    j->start = (((pack_input_address(j) >> log) & ~x_mask) + (first & x_mask) +
                j->setup->dst_offset * 16u) %
               PACK_DST_DATA;
    if (by_rows && !x->strided && machine_rule(x->look, RULE_PACK_ROWS)) {
        j->start &= ~0x30u; /* P2: interface b reads row b of the group of four */
    }
    j->count = x->flush || count <= 0 ? 0 : (uint32_t)count;
    if (by_rows && !x->zero_special && j->count > 16) {
        j->count = 16;
    }
}

/* Returns the rows that pack_input_check has nothing to say of, or 0. */
TX_INLINE unsigned pack_simple_rows(const struct pack_job *j)
{
    const bool by_rows = machine_has(j->x->look, PACK_INTERFACES);
    const uint32_t count = j->adc->ch[1][ADC_X].live - j->adc->ch[0][ADC_X].live + 1;
    const unsigned rows = by_rows ? j->rows : j->count / 16;
    const unsigned row = j->start >> 4;
    if (rows == 0 || rows > PACK_SEGMENTS || j->start % 16 != 0 || j->x->s->dst16_high != 0) {
        return 0;
    }
    const unsigned last = row + (by_rows ? j->row[rows - 1] : rows - 1u);
    if (last >= (j->setup->wide ? TX_DST_ROWS / 2 : TX_DST_ROWS)) {
        return 0;
    }
    if (!by_rows) {
        return count % 16 == 0 ? rows : 0;
    }
    return count == 16 && (j->x->strided || (uint32_t)j->x->rows << (row & 3u) <= 15u) ? rows : 0;
}

/* Rows of Dst lie as the job counts them. */
TX_INLINE bool pack_rows_plain(const struct pack_job *j)
{
    const bool mapped = j->setup->remap || (j->setup->wide && j->setup->swizzle);
    return !mapped && j->row[j->rows == 0 ? 0 : j->rows - 1] + 1u == (j->rows == 0 ? 1 : j->rows);
}

/* Returns the physical row of the i-th row, of the high halves if data have 32 bits. */
TX_INLINE unsigned pack_row_at(const struct pack_job *j, unsigned i)
{
    const struct dst_view view = {j->setup->remap, j->setup->swizzle, false};
    return dst_row((j->start >> 4) + (j->rows != 0 ? j->row[i] : i), j->setup->wide, &view);
}

/* All cells of the rows hold what was written there; by four rows, which is what a PACR of
 * Blackhole takes. */
TX_INLINE bool pack_all_known(const struct tx_state *s, unsigned first, unsigned rows)
{
    uint64_t unknown = 0;
    unsigned i = first;
    for (; i % 4 == 0 && first + rows - i >= 4; i += 4) {
        uint64_t four;
        memcpy(&four, &s->dst_unknown[i], sizeof four);
        unknown |= four | (~(s->dst_valid[i / 32] >> i % 32) & 15u);
    }
    for (; i < first + rows; i++) {
        unknown |= s->dst_unknown[i] | (dst_valid(s, i) ? 0u : 1u);
    }
    return unknown == 0;
}

/*
 * Returns how many rows from the i-th on, of "rows" in all, lie one behind the other, and in *at
 * where.
 */
TX_INLINE unsigned pack_rows_at(const struct pack_job *j, unsigned i, unsigned rows, unsigned *at)
{
    const unsigned row = (j->start >> 4) + i;
    const unsigned room = 8 - row % 8;
    if (!pack_rows_plain(j)) {
        *at = pack_row_at(j, i);
        return 1;
    }
    *at = j->setup->wide ? (row & ~7u) << 1 | (row & 7u) : row;
    return !j->setup->wide || rows - i < room ? rows - i : room;
}

/* Likewise of rows that lie anywhere, or of 32-bit data, of which the high halves' row is valid. */
TX_INLINE bool pack_each_known(const struct pack_job *j, unsigned rows)
{
    const struct tx_state *s = j->x->s;
    uint32_t unknown = 0;
    for (unsigned i = 0; i < rows && pack_rows_plain(j); i += 4) {
        unsigned at;
        uint64_t four;
        uint64_t low;
        if (pack_rows_at(j, i, rows, &at) < 4) {
            break;
        }
        memcpy(&four, &s->dst_unknown[at], sizeof four);
        memcpy(&low, &s->dst_unknown[at + 8], sizeof low);
        if ((four | low | (~(s->dst_valid[at / 32] >> at % 32) & 15u)) != 0) {
            return false;
        }
        if (i + 4 == rows) {
            return true;
        }
    }
    for (unsigned i = 0; i < rows; i++) {
        const unsigned at = pack_row_at(j, i);
        unknown |= s->dst_unknown[at] | (dst_valid(s, at) ? 0u : 1u);
        unknown |= j->setup->wide ? s->dst_unknown[at + 8] : 0u;
    }
    return unknown == 0;
}

/* Sets flat_first and flat_rows of a job that may be flat. */
TX_INLINE void pack_input_flat(struct pack_job *j)
{
    const unsigned rows = pack_simple_rows(j);
    j->flat_first = j->start >> 4;
    const bool known = rows != 0 && (!j->setup->wide && pack_rows_plain(j)
                                         ? pack_all_known(j->x->s, j->flat_first, rows)
                                         : pack_each_known(j, rows));
    j->flat_rows = known ? rows : 0;
}

/* FP8 and INT8 have no exponents, but a section for them. */
TX_INLINE bool pack_has_exponents(const struct pack_job *j)
{
    return (j->setup->out & 2u) != 0;
}

/* Returns whether all streams that the job needs have their addresses. */
TX_INLINE bool pack_streams_open(const struct pack_job *j)
{
    const struct pack_stream *s = j->k->stream;
    return s[PACK_DATA].open != 0 && (s[PACK_EXPONENTS].open != 0 || !pack_has_exponents(j));
}

/* Counts bytes of a stream, whole units of 16, as written. */
TX_INLINE void pack_advance(struct pack_job *j, struct pack_stream *s, uint32_t bytes)
{
    s->address = (s->address + bytes) & (PACK_ADDRESSES - 1u);
    s->count = s->written = 0;
    j->k->units = (uint16_t)(j->k->units + bytes / 16);
    j->units += bytes / 16;
}

#endif
