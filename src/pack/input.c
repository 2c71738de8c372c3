/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where data come from: addresses and rows of the input, and reading Dst or L1. Source: isa
 * Packers/InputAddressGenerator 1354710 for both chips, PACR f82128b for Blackhole's read
 * interfaces, Dst 093af91; spec/pack.md 4.
 */
#include "pack/place.h"

#include "fmt/words.h"
#include "state/dst.h"
#include "state/l1.h"

#include <string.h>

/*
 * Returns the thread whose counters apply (4.1): the issuing one, or with OvrdThreadId the one that
 * the instruction (Blackhole) or the packer's configuration (Wormhole) names.
 */
unsigned pack_counters(const struct pack *x, unsigned section)
{
    unsigned thread = x->thread;
    if (!x->plain && unit_field(x->op, FLD_OVERRIDE) != 0) {
        thread = machine_has(x->look, PACR_NAMES_COUNTERS)
                     ? unit_field(x->op, FLD_INDEX)
                     : pack_banked(x, x->p->section[section].addr_context);
        thread = thread == 3 ? 0 : thread;
    }
    return thread;
}

uint32_t pack_output_offset(const struct pack_job *j)
{
    return pack_address(j, 1, &j->setup->to);
}

/* Sets row[] to the rows that the selected interfaces read, as distances from the first (4.3). */
static void choose_rows(struct pack_job *j)
{
    const struct pack *x = j->x;
    const bool remap = j->setup->remap;
    unsigned select = x->rows;
    if (j->setup->auto_select && x->last) {
        const unsigned left =
            (unsigned)(j->setup->reads_per_plane - x->s->units.pack.unit[j->index].tile_y);
        select = left >= 1 && left <= 4 ? (1u << left) - 1u : select;
    }
    j->rows = 0;
    for (unsigned b = 0; b < 4; b++) {
        if ((select >> b & 1u) != 0) {
            j->row[j->rows++] = (uint8_t)(x->strided ? (remap ? 16u : 8u) * b : b);
        }
    }
}

void pack_input_start(struct pack_job *j)
{
    pack_input_place(j);
    j->rows = 0;
    if (machine_has(j->x->look, PACK_INTERFACES)) {
        choose_rows(j);
        j->rows = j->x->zero_special ? (j->count + 15) / 16 : j->rows;
    }
}

static void undefined(const struct pack_job *j, bool met, const char *rule, const char *what)
{
    if (met) {
        machine_finding(j->x->m, TX_UNDEFINED_BEHAVIOR, rule, j->x->op, 0, "%s: %s", j->x->name,
                        what);
    }
}

void pack_input_check(const struct pack_job *j)
{
    const struct pack *x = j->x;
    const bool by_rows = machine_has(x->look, PACK_INTERFACES);
    const int64_t count = (int64_t)j->adc->ch[1][ADC_X].live - j->adc->ch[0][ADC_X].live + 1;
    const unsigned row = j->start >> 4;
    if (x->flush || j->setup->from_l1) {
        return;
    }
    undefined(j, count <= 0, PACK_ID(E_PACK), "the X counters leave no data to move");
    if (x->zero || count <= 0) {
        return;
    }
    undefined(j, by_rows && (j->start & 15u) + (count > 16 ? 16 : count) > 16, PACK_ID(E_PACK),
              "columns beyond the row; they are taken from its start");
    undefined(j, by_rows && count > 16, PACK_ID(E_PACK),
              "more than 16 data of a row; 16 are taken");
    const bool aligned = machine_rule(x->look, RULE_PACK_ROWS);
    undefined(j, by_rows && !x->strided && !aligned && (uint32_t)x->rows << (row & 3u) > 15,
              PACK_ID(P2), "rows beyond an aligned group of four");
    const unsigned last =
        by_rows ? row + (j->rows == 0 ? 0 : j->row[j->rows - 1])
                : (unsigned)((j->start + (count > PACK_DST_DATA ? PACK_DST_DATA : count) - 1) >> 4);
    undefined(j, last >= TX_DST_ROWS, PACK_ID(E_PACK), "rows beyond the last of Dst wrap");
    if (x->strided && !(j->setup->remap && j->setup->swizzle)) {
        machine_finding(x->m, TX_UNSUPPORTED, PACK_ID(P3), x->op, 0,
                        "%s reads rows in strides without remap_addrs and swizzle_32b", x->name);
    }
}

/* Wormhole's pack_input_segments: data one after the other; *done counts data. */
static unsigned contiguous(const struct pack_job *j, uint32_t *done,
                           struct pack_segment segments[PACK_SEGMENTS])
{
    unsigned n = 0;
    while (n < PACK_SEGMENTS && *done < j->count) {
        const unsigned at = (j->start + *done) % PACK_DST_DATA;
        const unsigned room = 16 - (at & 15u);
        const unsigned left = j->count - *done;
        const unsigned count = left < room ? left : room;
        segments[n++] = (struct pack_segment){(uint16_t)(at >> 4), at & 15u, (uint8_t)count, 0};
        *done += count;
    }
    return n;
}

/* Blackhole's pack_input_segments: one piece of a row from each interface; *done counts rows. */
static unsigned by_interface(const struct pack_job *j, uint32_t *done,
                             struct pack_segment segments[PACK_SEGMENTS])
{
    unsigned n = 0;
    for (; n < PACK_SEGMENTS && *done < j->rows && j->count != 0; n++, ++*done) {
        const unsigned k = *done;
        const unsigned count = j->x->zero_special ? j->count - 16 * k : j->count;
        const unsigned row = j->x->zero_special ? 0 : (j->start >> 4) + j->row[k];
        segments[n] = (struct pack_segment){(uint16_t)(row % TX_DST_ROWS), j->start & 15u,
                                            (uint8_t)(count < 16 ? count : 16), (uint8_t)k};
    }
    return n;
}

unsigned pack_input_segments(const struct pack_job *j, uint32_t *done,
                             struct pack_segment segments[PACK_SEGMENTS])
{
    return machine_has(j->x->look, PACK_INTERFACES) ? by_interface(j, done, segments)
                                                    : contiguous(j, done, segments);
}

/* ---- reading ---- */

enum words_cells pack_cells_of(const struct pack_setup *setup)
{
    switch ((unsigned)setup->route.dst) {
    case TX_FORMAT_INT16:
        return WORDS_CELLS_INT16;
    case TX_FORMAT_FP16:
    case TX_FORMAT_INT8:
        return WORDS_CELLS_FP16;
    default:
        return WORDS_CELLS_BF16;
    }
}

static bool is_whole(const struct pack_job *j, const struct pack_segment *g, unsigned at)
{
    return g->column == 0 && g->count == 16 && dst_valid(j->x->s, at) &&
           j->x->s->dst_unknown[at] == 0;
}

/*
 * Returns how many of the segments, from the first on, are whole rows of 16-bit data that follow
 * one another in Dst and are known.
 */
static unsigned whole_rows(const struct pack_job *j, const struct pack_segment *g, unsigned count,
                           const struct dst_view *view)
{
    const unsigned first = dst_row(g->row, false, view);
    unsigned n = 0;
    while (!j->setup->wide && n < count && dst_row(g[n].row, false, view) == first + n &&
           is_whole(j, &g[n], first + n)) {
        n++;
    }
    return n;
}

bool pack_input_may_be_flat(const struct pack_job *j)
{
    const struct pack *x = j->x;
    return j->setup->bulk && !x->flush && !x->zero && x->pad == 0 &&
           (!x->strided || (j->setup->remap && j->setup->swizzle)) &&
           x->m->settings.sink.event == NULL;
}

/*
 * Returns the columns of Dst that the edge masks leave of a segment whose first datum has "before"
 * data of its chunk before it.
 */
static uint32_t kept(const struct pack_job *j, const struct pack_segment *g, unsigned before)
{
    if (!j->setup->mask_used) {
        return 0xFFFFu;
    }
    if (!pack_data_by_datum(j->x)) {
        return pack_data_columns(j, (unsigned)j->k->tile_y + g->tile_row_add);
    }
    const unsigned x = j->k->tile_x + before;
    const uint32_t columns = pack_data_columns(j, j->k->tile_y + x / 16);
    return x % 16 + g->count <= 16 ? columns
                                   : columns | pack_data_columns(j, j->k->tile_y + x / 16 + 1);
}

static void check_known(const struct pack_job *j, unsigned at, const struct pack_segment *g,
                        unsigned before)
{
    uint32_t columns = bits_mask(g->count) << g->column;
    const uint32_t unknown =
        j->x->s->dst_unknown[at] | (j->setup->wide ? j->x->s->dst_unknown[at + 8] : 0u);
    if ((unknown & columns) == 0) {
        return;
    }
    columns &= kept(j, g, before);
    const uint32_t tainted =
        dst_taint_of(j->x->s, at) | (j->setup->wide ? dst_taint_of(j->x->s, at + 8) : 0u);
    if ((tainted & columns) != 0) {
        char text[DST_ORIGIN_TEXT];
        machine_finding(j->x->m, TX_UNPREDICTABLE_VALUE, PACK_ID(E_SRC), j->x->op, 0,
                        "%s packs a datum of Dst row %u that was computed from %s", j->x->name, at,
                        dst_origin_text(j->x->s, at, text));
    }
    if ((unknown & columns & ~tainted) != 0) {
        machine_finding(j->x->m, TX_UNPREDICTABLE_VALUE, PACK_ID(E_DST), j->x->op, 0,
                        "%s reads Dst cells that were never written", j->x->name);
    }
}

void pack_input_read(const struct pack_job *j, const struct pack_segment *segments, unsigned count,
                     uint32_t *words)
{
    const struct tx_state *s = j->x->s;
    const struct dst_view view = {j->setup->remap, j->setup->swizzle, s->dst16_high != 0};
    const bool wide = j->setup->wide;
    const struct words_level *level = words_level();
    const uint32_t *const first = words;
    for (unsigned i = 0; i < count; i++) {
        struct pack_segment g = segments[i];
        const unsigned at = dst_row(g.row, wide, &view);
        const unsigned rows = whole_rows(j, &segments[i], count - i, &view);
        if (rows != 0) {
            level->cells(pack_cells_of(j->setup), s->dst[at], 16 * rows, words);
            words += 16 * rows;
            i += rows - 1;
            continue;
        }
        while (g.count !=
               0) { /* Columns beyond the row are undefined; here they begin at its start again. */
            const unsigned room = 16u - g.column;
            const struct pack_segment part = {
                g.row, g.column, g.count < room ? g.count : (uint8_t)room, g.tile_row_add};
            if (!dst_valid(s, at)) {
                memset(words, 0, part.count * sizeof *words);
            } else {
                check_known(j, at, &part, (unsigned)(words - first));
                if (wide) {
                    level->wide(&s->dst[at][part.column], &s->dst[at + 8][part.column], part.count,
                                words);
                } else {
                    level->cells(pack_cells_of(j->setup), &s->dst[at][part.column], part.count,
                                 words);
                }
            }
            words += part.count;
            g.count = (uint8_t)(g.count - part.count);
            g.column = 0;
        }
    }
}

/* Reads data from L1, which Wormhole's packer 0 can do (4.7). */
void pack_input_from_l1(const struct pack_job *j, uint32_t first, uint32_t *words, uint32_t count)
{
    uint32_t x_mask;
    const uint32_t bytes = 1u << pack_datum_log(j, &x_mask);
    const uint32_t base = ((j->setup->l1_source << 18) + (pack_input_address(j) & 0x3FFFFu)) & ~15u;
    const uint32_t start = base + bytes * (j->adc->ch[0][ADC_X].live & x_mask);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t datum[4] = {0};
        const uint32_t address = (start + bytes * (first + i)) & 0x1FFFFFu;
        (void)l1_read(j->x->m, j->x->op, address, datum, bytes);
        words[i] = (uint32_t)datum[0] | (uint32_t)datum[1] << 8 | (uint32_t)datum[2] << 16 |
                   (uint32_t)datum[3] << 24;
    }
}
