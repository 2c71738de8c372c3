/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of data between Dst and the streams, a chunk at a time, each stage over the whole
 * chunk. Whole rows go many at a time (rows.c). Source: isa
 * Packers/README, EdgeMasking 1131288, Downsampling, ExponentHistogram, PACR f82128b; ttsim 1.10.0;
 * spec/pack.md 5.
 */
#include "pack/place.h"
#include "base/check.h"

#include "base/bits.h"
#include "fmt/tile.h"
#include "fmt/words.h"
#include "state/order.h"

#include <string.h>

/* A chunk of data; room is for the data of the open block, which put_data() puts before them. */
struct chunk {
    uint32_t room[16];
    uint32_t words[PACK_CHUNK];
    struct pack_segment segments[PACK_SEGMENTS];
    unsigned segment_count;
    uint32_t count;
};

/* ---- tile position and edge masks (5.2) ---- */

/*
 * Returns whether the tile position advances with each datum instead of once per instruction (P9).
 */
bool pack_data_by_datum(const struct pack *x)
{
    return !machine_has(x->look, PACK_COUNTS_INSTRUCTIONS) ||
           machine_rule(x->look, RULE_PACK_TILE_ROW);
}

/*
 * Advances the tile position by rows. The plane ends only when the row becomes exactly
 * pack_reads_per_xy_plane; beyond that it counts on (P9).
 */
static void next_row(struct pack_job *j, unsigned rows)
{
    uint8_t *inner = j->setup->transposed ? &j->k->tile_z : &j->k->tile_y;
    uint8_t *outer = j->setup->transposed ? &j->k->tile_y : &j->k->tile_z;
    *inner = (uint8_t)(*inner + rows);
    if (*inner == j->setup->reads_per_plane && rows != 0 && j->setup->reads_per_plane != 0) {
        *inner = 0;
        *outer = (uint8_t)(*outer + 1u);
        j->planes++;
    }
}

/* Advances the tile position by so many data. Used only if by_datum() is true. */
static void next_datum(struct pack_job *j, unsigned count)
{
    const unsigned inner = j->setup->transposed ? j->k->tile_z : j->k->tile_y;
    if (j->k->tile_x == 0 && count % 16 == 0 && inner < j->setup->reads_per_plane &&
        inner + count / 16 <= j->setup->reads_per_plane) {
        next_row(j, count / 16); /* whole rows, and no plane ends before the last */
        return;
    }
    while (count != 0) {
        const unsigned room = 16u - j->k->tile_x;
        const unsigned step = count < room ? count : room;
        j->k->tile_x = (uint8_t)((j->k->tile_x + step) & 15u);
        count -= step;
        if (j->k->tile_x == 0) {
            next_row(j, 1);
        }
    }
}

uint32_t pack_data_columns(const struct pack_job *j, unsigned tile_row)
{
    const struct pack_setup *p = j->setup;
    const unsigned face = (p->z_offset + j->k->tile_z) & 15u;
    const unsigned set = p->face_enable ? p->face_set >> 2 * face & 3u : p->row_select;
    return p->edge_mask[p->row_set[set] >> 2 * (tile_row & 15u) & 3u];
}

uint32_t pack_data_masked(const struct pack_setup *setup)
{
    const struct pack_route *route = &setup->route;
    return !setup->mask_low || route->relu_integer ? 0
           : route->relu_bits == 32                ? 0xFF800000u
           : route->exponent_bits == 8             ? 0xFF80u
           : route->relu_bits == 8                 ? 0xFFu
                                                   : 0xFFFFu;
}

static void mask_row(const struct pack_job *j, const struct pack_segment *g, unsigned from,
                     unsigned count, uint32_t columns, uint32_t *words)
{
    const uint32_t masked = pack_data_masked(j->setup);
    for (unsigned i = from; i < from + count; i++) {
        if ((columns >> ((g->column + i) & 15u) & 1u) == 0) {
            words[i] = masked;
        }
    }
}

static void edge_masks(struct pack_job *j, struct chunk *c)
{
    uint32_t *words = c->words;
    const bool each = pack_data_by_datum(j->x);
    if (!j->setup->mask_used) {
        next_datum(j, each ? c->count : 0);
        return;
    }
    for (unsigned i = 0; i < c->segment_count; i++) {
        const struct pack_segment *g = &c->segments[i];
        if (!each) {
            const unsigned row = (unsigned)j->k->tile_y + g->tile_row_add;
            mask_row(j, g, 0, g->count, pack_data_columns(j, row), words);
        }
        for (unsigned done = 0; each && done < g->count;) {
            const unsigned room = 16u - j->k->tile_x;
            const unsigned step = g->count - done < room ? g->count - done : room;
            mask_row(j, g, done, step, pack_data_columns(j, j->k->tile_y), words);
            next_datum(j, step);
            done += step;
        }
        words += g->count;
    }
}

void pack_data_rows(struct pack_job *j, unsigned rows, uint16_t columns[])
{
    const bool each = pack_data_by_datum(j->x);
    for (unsigned i = 0; i < rows && j->setup->mask_used; i++) {
        columns[i] = (uint16_t)pack_data_columns(j, j->k->tile_y + (each ? 0 : i));
        next_datum(j, each ? 16 : 0);
    }
    if (each && !j->setup->mask_used) {
        next_datum(j, 16 * rows);
    } else if (!each) {
        next_row(j, rows);
    }
}

/* ---- statistics (5.4) ---- */

void pack_data_exponents(const struct pack_setup *setup, struct packer *k, const uint32_t *words,
                         uint32_t count)
{
    const struct pack_route *r = &setup->route;
    /* For integers: the exponent as of FP32 if they have 32 bits, else their low bits (5.4). */
    const unsigned lsb = r->exponent_bits != 0 ? r->exponent_lsb : r->bits == 32 ? 23 : 0;
    const uint32_t mask = r->exponent_bits == 5 ? 31u : 255u;
    const uint32_t most = words_level()->largest(words, count, lsb, mask);
    k->max_exponent = most > k->max_exponent ? (uint8_t)most : k->max_exponent;
    for (uint32_t i = 0; setup->statistics && i < count; i++) {
        uint8_t *bin = &k->histogram[words[i] >> lsb & 31u];
        *bin = (uint8_t)(*bin + (*bin < 255 ? 1u : 0u));
    }
}

/* ---- downsampling (4.6), padding of rows (9.1) ---- */

/*
 * Keeps the data that the downsampling mask selects and pads rows with zeros. *at counts the data
 * of the instruction before this chunk; the chunk's are added.
 */
static void select_data(const struct pack_job *j, struct chunk *c, uint32_t *at)
{
    uint32_t kept = 0;
    const uint32_t *from = c->words;
    const uint16_t mask = j->setup->ds_mask != 0 ? j->setup->ds_mask : 0xFFFFu;
    uint32_t out[PACK_CHUNK];
    for (unsigned i = 0; i < c->segment_count; i++) {
        const unsigned count = c->segments[i].count;
        const uint32_t first = machine_has(j->x->look, DOWNSAMPLE_BY_ROW) ? 0 : *at;
        const uint32_t before = kept;
        for (unsigned k = 0; k < count; k++) {
            if ((mask >> ((first + k) & 15u) & 1u) != 0) {
                out[kept++] = from[k];
            }
        }
        while (j->x->pad == 1 && (kept - before) % 16 != 0) {
            out[kept++] = 0;
        }
        from += count;
        *at += count;
    }
    memcpy(c->words, out, kept * sizeof out[0]);
    c->count = kept;
}

/* ---- blocks and streams (5.6, 5.7, 6.3) ---- */

static void put_block_data(struct pack_job *j, uint32_t *words, uint32_t count, unsigned format)
{
    CHECK(tx_format_info((enum tx_format)format)->block,
          "data with a shared exponent are of a block format");
    const struct tx_format_info *out = tx_format_info((enum tx_format)format);
    uint8_t exponents[PACK_SEGMENTS + 1] = {0};
    uint8_t bytes[PACK_CHUNK + 16];
    words_level()->assemble(words, count / 16, out->exponent_bits == 5, out->mantissa_bits,
                            exponents);
    tile_pack_bits(out->bits, words, count, bytes);
    pack_output(j, PACK_EXPONENTS, exponents, count / 16);
    pack_output(j, PACK_DATA, bytes, count * out->bits / 8);
}

/*
 * Sends data after their late conversion to the streams. A block format keeps those that do not
 * fill a block; the caller leaves 16 words free before the data so that the kept ones fit there.
 */
static void put_data(struct pack_job *j, uint32_t *words, uint32_t count)
{
    struct packer *k = j->k;
    uint8_t bytes[4 * PACK_CHUNK];
    k->output = (uint8_t)((k->output + count) & 15u);
    if (!j->setup->block) {
        tile_pack_bits(j->setup->out_bits, words, count, bytes);
        pack_output(j, PACK_DATA, bytes, count * j->setup->out_bits / 8);
        return;
    }
    if (k->group_count != 0 && k->group_format != j->setup->out) {
        machine_finding(j->x->m, TX_UNDEFINED_BEHAVIOR, PACK_ID(E_PACK), j->x->op, 0,
                        "%s: the output format has changed inside a block of 16 data", j->x->name);
    }
    words -= k->group_count;
    memcpy(words, k->group, k->group_count * sizeof *words);
    count += k->group_count;
    k->group_count = count % 16;
    k->group_format = j->setup->out;
    count -= k->group_count;
    memcpy(k->group, words + count, k->group_count * sizeof *words);
    put_block_data(j, words, count, j->setup->out);
}

static void put_zeros(struct pack_job *j, uint32_t count)
{
    uint32_t zeros[32] = {0};
    put_data(j, zeros + 16, count);
}

/* ---- all of it ---- */

static void read_chunk(const struct pack_job *j, struct chunk *c, uint32_t done)
{
    c->count = 0;
    for (unsigned i = 0; i < c->segment_count; i++) {
        c->count += c->segments[i].count;
    }
    if (j->x->zero) {
        memset(c->words, 0, c->count * sizeof c->words[0]);
    } else if (j->setup->from_l1) {
        pack_input_from_l1(j, done, c->words, c->count);
    } else {
        pack_input_read(j, c->segments, c->segment_count, c->words);
    }
}

static void convert_chunk(struct pack_job *j, struct chunk *c, uint32_t *at)
{
    const struct pack_setup *p = j->setup;
    pack_early(&p->route, c->words, c->count);
    if (!p->from_l1) {
        edge_masks(j, c);
        pack_relu(&p->route, &p->limits, c->words, c->count);
        pack_inner(&p->route, c->words, c->count);
    }
    if (!j->x->zero && !p->from_l1) { /* P24: neither is counted */
        pack_data_exponents(p, j->k, c->words, c->count);
    }
    if (p->threshold) {
        pack_threshold(&p->route, &p->limits, c->words, c->count);
    }
    if (p->ds_mask != 0 || j->x->pad == 1) {
        select_data(j, c, at);
    }
    pack_late(&p->route, c->words, c->count);
}

void pack_data(struct pack_job *j)
{
    struct chunk c;
    uint32_t done = 0;
    uint32_t at = 0;
    machine_work(j->x->m, j->count / (PACK_CHUNK + 1) * PACK_SEGMENTS);
    if (j->flat_rows != 0 && !order_wanted(j->x->m)) {
        struct pack_late_data late;
        late.rows = 0;
        if (pack_rows_later(j, &late)) {
            pack_rows_now(j->x->m, &late);
            return;
        }
    }
    for (;;) {
        const uint32_t first = done;
        c.segment_count = pack_input_segments(j, &done, c.segments);
        if (c.segment_count == 0) {
            break;
        }
        read_chunk(j, &c, first);
        convert_chunk(j, &c, &at);
        put_data(j, c.words, c.count);
    }
    if (!pack_data_by_datum(j->x) && j->count != 0) {
        next_row(j, j->rows);
    }
    if (j->x->pad == 2 && j->k->output != 0) {
        put_zeros(j, 16u - j->k->output);
    }
}

void pack_close(struct pack_job *j)
{
    struct packer *k = j->k;
    if (k->group_count != 0) { /* P12: an open block is filled with zeros */
        memset(k->group + k->group_count, 0, (16u - k->group_count) * sizeof k->group[0]);
        put_block_data(j, k->group, 16, k->group_format);
    }
    k->group_count = 0;
    k->output = 0;
    pack_output_flush(j, PACK_EXPONENTS);
    pack_output_flush(j, PACK_DATA);
    for (unsigned i = 0; i < PACK_STREAMS; i++) {
        k->stream[i].open = 0;
    }
    k->tile_running = 0;
}
