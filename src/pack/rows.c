/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole rows of Dst through all stages, many at a time: those of one PACR, or of several that
 * follow one another. data.c says what the stages are; tests/front/test_flat.c compares both ways,
 * and the build that checks itself does each PACR by both.
 */
#include "pack/place.h"
#include "base/check.h"

#include "fmt/tile.h"
#include "fmt/words.h"
#include "state/l1.h"

#include <string.h>

/* Returns where plain memory of L1 ends; 0: there is none. */
static uint32_t memory_end(const struct tx_machine *m)
{
    uint32_t end = l1_size(m->arch);
    if (m->host.l1 != NULL && m->host.l1_size < end) {
        end = m->host.l1_size;
    }
    return m->host.memory != NULL || l1_at(m, 0, end) == NULL ? 0 : end;
}

/* Whether exponents of the job follow those that have been added. */
static bool exponents_go_on(const struct pack_job *j, const struct pack_late_data *late)
{
    const struct pack_stream *e = &j->k->stream[PACK_EXPONENTS];
    return !j->setup->block || late->exponents + late->filled + late->rows == e->address + e->count;
}

static void begin_rows(const struct pack_job *j, struct pack_late_data *late)
{
    const struct pack_stream *e = &j->k->stream[PACK_EXPONENTS];
    late->k = j->k;
    late->setup = j->setup;
    late->end = memory_end(j->x->m);
    late->exponents = e->address;
    late->filled = e->count;
    late->uneven = false;
    late->count = 0;
    late->from = late->to = j->k->stream[PACK_DATA].address;
}

/*
 * Whether exponents and data of all that has been added and of the job are written to different
 * bytes, so that their order does not matter.
 */
static bool apart(const struct pack_job *j, const struct pack_late_data *late)
{
    const uint32_t at = j->k->stream[PACK_DATA].address;
    const uint32_t end = at + 2u * j->setup->out_bits * j->flat_rows;
    const uint32_t from = at < late->from ? at : late->from;
    const uint32_t to = end > late->to ? end : late->to;
    const uint32_t exponents = (late->filled + late->rows + j->flat_rows) & ~15u;
    return !j->setup->block || late->exponents + exponents <= from || late->exponents >= to;
}

/* Adds rows, to the last part if they follow it. each: the bytes of a row in L1. */
static void add_rows(struct pack_late_data *late, unsigned at, unsigned rows, uint32_t address,
                     uint32_t each)
{
    struct pack_part *last = &late->part[late->count == 0 ? 0 : late->count - 1];
    const unsigned block = late->setup->wide ? 8 : TX_DST_ROWS;
    CHECK(at % block + rows <= block, "rows of 32-bit data lie in blocks of eight");
    if (late->count != 0 && last->at + last->rows == at && at % block != 0 &&
        last->address + each * last->rows == address) {
        last->rows = (uint16_t)(last->rows + rows);
    } else {
        late->part[late->count++] = (struct pack_part){(uint16_t)at, (uint16_t)rows, address};
    }
}

/* Whether the streams can take the data as whole units of sixteen bytes of plain memory. */
static bool fits(const struct pack_job *j, const struct pack_late_data *late)
{
    const struct pack_stream *s = &j->k->stream[PACK_DATA];
    const struct pack_stream *e = &j->k->stream[PACK_EXPONENTS];
    const uint32_t bytes = 2u * j->setup->out_bits * j->flat_rows;
    if (bytes > late->end || s->address > late->end - bytes) {
        return false;
    }
    if (j->setup->block &&
        (e->open == 0 || e->written != 0 || late->end < 128 || e->address > late->end - 128)) {
        return false;
    }
    return !j->setup->accumulate || !l1_unwritten(j->x->m, s->address, bytes);
}

static void count_exponents(struct pack_job *j, unsigned rows)
{
    struct pack_stream *e = &j->k->stream[PACK_EXPONENTS];
    unsigned count = e->count + rows;
    for (; count >= 16; count -= 16) {
        pack_advance(j, e, 16);
    }
    e->count = (uint8_t)count;
    j->k->group_format = j->setup->out;
}

bool pack_rows_later(struct pack_job *j, struct pack_late_data *late)
{
    struct pack_stream *s = &j->k->stream[PACK_DATA];
    const uint32_t each = 2u * j->setup->out_bits;
    const unsigned rows = j->flat_rows;
    if (each * rows % 16 != 0 || s->open == 0 || s->count != 0 || j->k->group_count != 0 ||
        (j->setup->mask_used && pack_data_by_datum(j->x) && j->k->tile_x != 0)) {
        return false;
    }
    if (late->rows != 0 &&
        (late->k != j->k || late->setup != j->setup || late->rows + rows > PACK_SEGMENTS ||
         !exponents_go_on(j, late) || !apart(j, late))) {
        pack_rows_now(j->x->m, late);
    }
    if (late->rows == 0) {
        begin_rows(j, late);
    }
    if (!fits(j, late) || !apart(j, late)) {
        return false;
    }
    late->from = s->address < late->from ? s->address : late->from;
    late->to = s->address + each * rows > late->to ? s->address + each * rows : late->to;
    for (unsigned i = 0, n; i < rows; i += n) {
        unsigned at;
        n = pack_rows_at(j, i, rows, &at);
        add_rows(late, at, n, s->address + each * i, each);
    }
    pack_data_rows(j, rows, &late->columns[late->rows]);
    pack_advance(j, s, each * rows);
    if (j->setup->block) {
        late->uneven = late->uneven || rows % 16 != 0;
        count_exponents(j, rows);
    }
    late->rows += rows;
    return true;
}

/* ---- the data ---- */

static void read_rows(const struct tx_state *s, const struct pack_late_data *late, uint32_t *words)
{
    const struct words_level *level = words_level();
    const enum words_cells cells = pack_cells_of(late->setup);
    for (unsigned i = 0; i < late->count; i++) {
        const struct pack_part *part = &late->part[i];
        if (late->setup->wide) {
            level->wide(s->dst[part->at], s->dst[part->at + 8], 16 * (size_t)part->rows, words);
        } else {
            level->cells(cells, s->dst[part->at], 16 * (size_t)part->rows, words);
        }
        words += 16 * (size_t)part->rows;
    }
}

static void mask_rows(const struct pack_late_data *late, uint32_t *words)
{
    const uint32_t masked = pack_data_masked(late->setup);
    for (unsigned i = 0; i < late->rows; i++) {
        if (late->columns[i] != 0xFFFFu) {
            words_level()->mask(late->columns[i], masked, words + 16 * (size_t)i);
        }
    }
}

/* All stages from Dst to data of L1; exponents: one for each row of a block format. */
static void make_rows(struct tx_machine *m, const struct pack_late_data *late, uint8_t *data,
                      uint8_t *exponents)
{
    const struct pack_setup *p = late->setup;
    const uint32_t count = 16 * late->rows;
    uint32_t words[PACK_CHUNK];
    read_rows(&m->state, late, words);
    pack_early(&p->route, words, count);
    if (p->mask_used) {
        mask_rows(late, words);
    }
    pack_relu(&p->route, &p->limits, words, count);
    pack_inner(&p->route, words, count);
    pack_data_exponents(p, late->k, words, count);
    if (p->threshold) {
        pack_threshold(&p->route, &p->limits, words, count);
    }
    pack_late(&p->route, words, count);
    if (p->block) {
        const struct tx_format_info *out = tx_format_info((enum tx_format)p->out);
        words_level()->assemble(words, late->rows, out->exponent_bits == 5, out->mantissa_bits,
                                exponents);
    }
    tile_pack_bits(p->out_bits, words, count, data);
}

/* The one conversion that stands for all stages. */
static void make_flat(struct tx_machine *m, const struct pack_late_data *late, uint8_t *data)
{
    for (unsigned i = 0; i < late->count; i++) {
        const struct pack_part *part = &late->part[i];
        uint16_t out[PACK_CHUNK];
        const uint32_t most = words_level()->pack(late->setup->flat, m->state.dst[part->at],
                                                  16 * (size_t)part->rows, out);
        late->k->max_exponent =
            most > late->k->max_exponent ? (uint8_t)most : late->k->max_exponent;
        memcpy(data, out, 32 * (size_t)part->rows);
        data += 32 * (size_t)part->rows;
    }
}

/* Parts that follow one another in L1 are written together. */
static void write_rows(struct tx_machine *m, const struct pack_late_data *late, uint8_t *data)
{
    const struct pack_setup *p = late->setup;
    const uint32_t each = 2u * p->out_bits;
    const enum words_add add = p->out_bits == 16
                                   ? p->out == TX_FORMAT_BF16 ? WORDS_ADD_BF16 : WORDS_ADD_FP16
                               : p->out == TX_FORMAT_INT32 ? WORDS_ADD_INT32
                                                           : WORDS_ADD_FP32;
    for (unsigned i = 0; i < late->count;) {
        const uint32_t address = late->part[i].address;
        uint32_t rows = 0;
        while (i < late->count && late->part[i].address == address + each * rows) {
            rows += late->part[i++].rows;
        }
        uint8_t *memory = l1_at(m, address, each * rows);
        CHECK(memory != NULL, "whole rows go to plain memory");
        if (p->accumulate) {
            words_level()->add(add, memory, data, 16 * (size_t)rows);
        }
        memcpy(memory, data, (size_t)each * rows);
        l1_mark(m, address, each * rows);
        data += (size_t)each * rows;
    }
}

/* Whole units of sixteen go to L1, the rest stays in the stream. */
static void write_exponents(struct tx_machine *m, const struct pack_late_data *late,
                            const uint8_t *exponents)
{
    struct pack_stream *e = &late->k->stream[PACK_EXPONENTS];
    uint8_t bytes[PACK_SEGMENTS + 16];
    const uint32_t total = late->filled + late->rows;
    const uint32_t whole = total & ~15u;
    memcpy(bytes, e->bytes, late->filled);
    memcpy(bytes + late->filled, exponents, late->rows);
    CHECK(total - whole == e->count, "exponents that are left are those that the stream counts");
    if (whole != 0) {
        memcpy(l1_at(m, late->exponents, whole), bytes, whole);
        l1_mark(m, late->exponents, whole);
    }
    if (late->uneven || late->filled != 0) { /* otherwise they have not come through here */
        memcpy(e->bytes, bytes + (whole != 0 ? whole - 16 : 0), whole != 0 ? 16 : total);
        memcpy(e->bytes, bytes + whole, total - whole);
    }
}

void pack_rows_now(struct tx_machine *m, struct pack_late_data *late)
{
    uint8_t data[4 * PACK_CHUNK];
    uint8_t exponents[PACK_SEGMENTS];
    if (late->rows == 0) {
        return;
    }
    if (late->setup->flat != WORDS_PACK_NONE) {
        make_flat(m, late, data);
    } else {
        make_rows(m, late, data, exponents);
    }
    write_rows(m, late, data);
    if (late->setup->block) {
        write_exponents(m, late, exponents);
    }
    late->rows = 0;
}
