/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coordinates: raw ones of the two NoCs, translation by a NIU's tables, and who receives a
 * broadcast. Source: spec/chip.md 1.4, 1.5, 2.3, 2.9 from isa Coordinates 019fa85 and 5f4de27.
 */
#include "isa/chip.h"
#include "noc/noc.h"

static const struct {
    uint8_t first[2], words[2];
} items[NOC_CONFIG_KINDS] = {
#define NOC_CONFIG(ID, name, wh, wh_words, bh, bh_words) {{wh, bh}, {wh_words, bh_words}},
#include "isa/noc.def"
};

uint32_t noc_config_get(enum tx_arch arch, const struct noc_niu *niu, enum noc_config item,
                        unsigned index)
{
    const enum chip_column c = chip_column(arch);
    return index < items[item].words[c] ? niu->config[items[item].first[c] + index] : 0;
}

uint32_t *noc_config(enum tx_arch arch, struct noc_niu *niu, enum noc_config item, unsigned index)
{
    return &niu->config[items[item].first[chip_column(arch)] + index];
}

bool noc_on_grid(enum tx_arch arch, uint32_t at)
{
    return (at & 63u) < NUMBER_OF(arch, NOC_COLUMNS) && (at >> 6 & 63u) < NUMBER_OF(arch, NOC_ROWS);
}

uint32_t noc_mirrored(enum tx_arch arch, unsigned noc, uint32_t at)
{
    if (noc == 0 || !noc_on_grid(arch, at)) {
        return at;
    }
    return (NUMBER_OF(arch, NOC_COLUMNS) - 1 - (at & 63u)) |
           (NUMBER_OF(arch, NOC_ROWS) - 1 - (at >> 6 & 63u)) << 6;
}

/* Returns an entry of a translation table. */
static uint32_t entry(enum tx_arch arch, const struct noc_niu *niu, enum noc_config table,
                      uint32_t index)
{
    const uint32_t bits = NOC_FACT_OF(arch, COORDINATE_BITS);
    const uint32_t in_word = NOC_FACT_OF(arch, ENTRIES);
    const uint32_t word = noc_config_get(arch, niu, table, index / in_word);
    return bits_get(word, bits * (index % in_word), bits);
}

/* Blackhole: rows and columns may be left out of the translation, and DRAM columns swap. */
static uint32_t by_tables_bh(enum tx_arch arch, const struct noc_niu *niu, uint32_t x, uint32_t y)
{
    enum { SWAPS = 9, DDR_9 = 10, DDR_0 = 11, DDR_WORD = 5 };
    const uint32_t x5 = x & 31u;
    const uint32_t y5 = y & 31u;
    const uint32_t ddr = noc_config_get(arch, niu, CONFIG_DDR_TABLE, DDR_WORD);
    const bool dram[2] = {bits_has(ddr, DDR_0), bits_has(ddr, DDR_9)}; /* columns 0 and 9 */
    const uint32_t other = x5 ^ SWAPS;
    const bool swaps = bits_has(noc_config_get(arch, niu, CONFIG_COL_SWAP, 0), y5) &&
                       ((other == 0 && dram[0]) || (other == SWAPS && dram[1]));
    uint32_t to_x = x;
    uint32_t to_y = y;
    if (swaps) {
        to_x = other;
    } else if (!bits_has(noc_config_get(arch, niu, CONFIG_ROW_MASK, 0), y5)) {
        to_x = entry(arch, niu, CONFIG_X_TABLE, x5);
    }
    if ((x5 == 0 && dram[0]) || (x5 == SWAPS && dram[1])) {
        to_y = entry(arch, niu, CONFIG_DDR_TABLE, y5);
    } else if (!bits_has(noc_config_get(arch, niu, CONFIG_COL_MASK, 0), x5)) {
        to_y = entry(arch, niu, CONFIG_Y_TABLE, y5);
    }
    return to_x | to_y << 6;
}

uint32_t noc_translated(const struct noc_world *w, const struct noc_niu *niu, uint32_t given)
{
    const uint32_t x = given & 63u;
    const uint32_t y = given >> 6 & 63u;
    if (w->translate != NULL) {
        return noc_mirrored(w->arch, niu->noc, w->translate(w->user, niu, given & 0xFFFu));
    }
    if (!bits_has(noc_config_get(w->arch, niu, CONFIG_NIU, 0), NOC_FACT_OF(w->arch, TRANSLATES))) {
        return given & 0xFFFu;
    }
    if (CHIP_HAS(w->arch, NOC_TABLES_LEAVE_OUT)) {
        return by_tables_bh(w->arch, niu, x, y);
    }
    return entry(w->arch, niu, CONFIG_X_TABLE, x & 31u) |
           entry(w->arch, niu, CONFIG_Y_TABLE, y & 31u) << 6;
}

/* ---- broadcasts ---- */

/*
 * Returns whether n is in a span of coordinates, which wraps around the edge if it begins after its
 * end.
 */
static bool in_span(uint32_t n, uint32_t first, uint32_t last)
{
    return first <= last ? n >= first && n <= last : n >= first || n <= last;
}

/*
 * BRCST_EXCLUDE leaves out a quadrant: bit 22 turns it on, bits 20 and 21 say on which side of x
 * (bits 5:0) and y (bits 13:8). The rule is inferred (C16).
 */
static bool excluded(uint32_t word, uint32_t x, uint32_t y)
{
    const uint32_t at_x = word & 63u;
    const uint32_t at_y = word >> 8 & 63u;
    const bool by_x = bits_has(word, 20) ? x >= at_x : x <= at_x;
    const bool by_y = bits_has(word, 21) ? y >= at_y : y <= at_y;
    return bits_has(word, 22) && by_x && by_y;
}

/* Returns whether a strided broadcast keeps the n-th coordinate from its start. */
static bool kept(uint32_t n, uint32_t keep, uint32_t skip)
{
    return keep == 0 || skip == 0 || n % (keep + skip) < keep;
}

/* The strided word of the host's windows on Blackhole (spec/chip.md 8.3). */
static bool strides(enum tx_arch arch, const struct noc_request *r, uint32_t at, uint32_t x,
                    uint32_t y)
{
    const uint32_t s = r->stride;
    const uint32_t columns = NUMBER_OF(arch, NOC_COLUMNS);
    const uint32_t rows = NUMBER_OF(arch, NOC_ROWS);
    const uint32_t dx = (x + columns - (at >> 12 & 63u) % columns) % columns;
    const uint32_t dy = (y + rows - (at >> 18 & 63u) % rows) % rows;
    const bool by_x = bits_has(s, 17) ? x >= bits_get(s, 8, 5) : x <= bits_get(s, 8, 5);
    const bool by_y = bits_has(s, 18) ? y >= bits_get(s, 13, 4) : y <= bits_get(s, 13, 4);
    return kept(dx, s & 3u, s >> 2 & 3u) && kept(dy, s >> 4 & 3u, s >> 6 & 3u) &&
           !(bits_has(s, 19) && by_x && by_y);
}

/* Each NIU has masks of columns and rows of its own. */
bool noc_takes(enum tx_arch arch, const struct noc_niu *niu)
{
    const uint32_t raw = noc_mirrored(arch, niu->noc, niu->place);
    const uint32_t x = raw & 63u;
    const uint32_t y = raw >> 6;
    return !bits_has(noc_config_get(arch, niu, CONFIG_COLUMNS, x / 32), x % 32) &&
           !bits_has(noc_config_get(arch, niu, CONFIG_ROWS, y / 32), y % 32);
}

bool noc_in_rectangle(const struct noc_world *w, const struct noc_request *r, uint32_t at,
                      uint32_t place)
{
    const uint32_t raw = noc_mirrored(w->arch, r->noc, place);
    const uint32_t x = raw & 63u;
    const uint32_t y = raw >> 6;
    return in_span(x, at >> 12 & 63u, at & 63u) && in_span(y, at >> 18 & 63u, at >> 6 & 63u) &&
           !excluded(r->exclude, x, y) && (r->stride == 0 || strides(w->arch, r, at, x, y));
}

uint32_t noc_hops(enum tx_arch arch, unsigned noc, uint32_t from, uint32_t to)
{
    const uint32_t columns = NUMBER_OF(arch, NOC_COLUMNS);
    const uint32_t rows = NUMBER_OF(arch, NOC_ROWS);
    const uint32_t a = noc == 0 ? from : to; /* NoC 1 flows the other way */
    const uint32_t b = noc == 0 ? to : from;
    return ((b & 63u) + columns - (a & 63u)) % columns + ((b >> 6) + rows - (a >> 6)) % rows;
}

static bool receives(const struct noc_world *w, const struct noc_request *r, uint32_t at,
                     uint32_t place)
{
    if (!noc_in_rectangle(w, r, at, place)) {
        return false;
    }
    const struct noc_niu *niu = w->niu(w->user, r->noc, place);
    return niu != NULL ? noc_takes(w->arch, niu) : w->alone;
}

uint32_t noc_receiver(const struct noc_world *w, const struct noc_request *r, uint32_t at,
                      uint32_t after)
{
    const uint32_t columns = NUMBER_OF(w->arch, NOC_COLUMNS);
    const uint32_t places = columns * NUMBER_OF(w->arch, NOC_ROWS);
    uint32_t i = after == NOC_NOWHERE ? 0 : (after & 63u) + (after >> 6) * columns + 1;
    if (after == r->from) {
        return NOC_NOWHERE; /* the own place was the last */
    }
    for (; i < places; i++) {
        const uint32_t place = i % columns | i / columns << 6;
        if (place != r->from && receives(w, r, at, place)) {
            return place;
        }
    }
    return NOC_FLAG(r, OWN_TOO) != 0 && receives(w, r, at, r->from) ? r->from : NOC_NOWHERE;
}
