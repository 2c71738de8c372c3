/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products: which tiles there are, and what firmware leaves in their network interfaces. Source:
 * spec/chip.md 1, 2.1, 2.3, 11.1; the numbers are in isa/grid.def.
 */
#include "chip/chip.h"

#include "base/sized.h"
#include "isa/chip.h"

#include <string.h>

#define WH TX_WORMHOLE
#define BH TX_BLACKHOLE
enum { COLUMNS = 14 };

static const struct {
    const char *name;
    uint8_t arch;
    uint16_t bad_tensix, bad_dram, ethernet;
    uint8_t pcie, l2cpu;
    uint64_t board;
} products[] = {
#define PRODUCT(name, chip, bad, dram, ethernet, pcie, l2cpu, board) \
    {name, chip, bad, dram, ethernet, pcie, l2cpu, board},
#include "isa/grid.def"
};

static const struct {
    uint8_t arch, first_x, last_x, first_y, last_y;
} blocks[] = {
#define GRID_TENSIX(chip, first_x, last_x, first_y, last_y) \
    {chip, first_x, last_x, first_y, last_y},
#include "isa/grid.def"
};

static const struct {
    uint8_t arch, kind, number, port, x, y;
} tiles[] = {
#define GRID_TILE(chip, kind, number, port, x, y) {chip, TX_CHIP_##kind, number, port, x, y},
#include "isa/grid.def"
};

static const struct {
    uint8_t arch;
    uint32_t address, value;
} words[] = {
#define GRID_WORD(chip, address, value) {chip, address, value},
#include "isa/grid.def"
};

/* Blackhole's columns by physical index. */
static const uint8_t columns[COLUMNS] = {
#define GRID_COLUMN(index, x) [index] = x,
#include "isa/grid.def"
};

const char *tx_chip_kind_name(enum tx_chip_kind kind)
{
    static const char *const names[TX_CHIP_KINDS] = {"empty", "Tensix", "Ethernet", "DRAM",
                                                     "PCIe",  "ARC",    "L2CPU",    "security"};
    return (unsigned)kind < TX_CHIP_KINDS ? names[kind] : "?";
}

const char *tx_chip_product(size_t index)
{
    return index < sizeof products / sizeof products[0] ? products[index].name : NULL;
}

enum tx_status tx_chip_settings_default_sized(struct tx_chip_settings *settings, size_t size,
                                              const char *product)
{
    struct tx_chip_settings s = {.size = (uint32_t)size, .policy = TX_CHIP_TIMED};
    enum tx_status status = TX_ENOENT;
    enum tx_arch chip = TX_ARCH_NONE;
    const bool usual = product != NULL && tx_arch_parse(product, &chip) == TX_OK;
    for (size_t i = 0; product != NULL && tx_chip_product(i) != NULL && status != TX_OK; i++) {
        if (usual ? chip_column(chip) == chip_column((enum tx_arch)products[i].arch)
                  : strcmp(product, products[i].name) == 0) {
            s.arch = (enum tx_arch)products[i].arch;
            s.bad_tensix = products[i].bad_tensix;
            s.bad_dram = products[i].bad_dram;
            s.ethernet = products[i].ethernet;
            s.pcie = products[i].pcie;
            s.l2cpu = products[i].l2cpu;
            s.board_id = products[i].board;
            s.arch = usual ? chip : s.arch;
            status = TX_OK;
        }
    }
    memset(settings, 0, size);
    sized_give(settings, size, &s, sizeof s);
    return status;
}

/* ---- the grid ---- */

static unsigned column_index(uint32_t x)
{
    unsigned i = 0;
    while (i < COLUMNS && columns[i] != x) {
        i++;
    }
    return i;
}

/* Returns whether a row of the tables is of the chip's column. */
static bool of_chip(const tx_chip *chip, unsigned arch)
{
    return chip_column((enum tx_arch)arch) == chip_column(chip->arch);
}

/* Returns whether a Tensix tile is harvested, or beyond the columns and rows that are wanted. */
static bool is_bad(const tx_chip *chip, uint32_t x, uint32_t y)
{
    const struct tx_chip_settings *s = &chip->settings;
    uint32_t column = 0;
    uint32_t row = 0;
    const bool columns = CHIP_HAS(chip->arch, HARVEST_COLUMNS);
    const bool harvested =
        columns ? bits_has(s->bad_tensix, column_index(x)) : bits_has(s->bad_tensix, y);
    for (uint32_t i = 0; i < x; i++) { /* columns and rows of good tiles before this one */
        const bool tensix =
            columns ? column_index(i) < COLUMNS && !bits_has(s->bad_tensix, column_index(i))
                    : i != 0 && i != 5;
        column += tensix ? 1 : 0;
    }
    for (uint32_t i = 0; i < y; i++) {
        const bool tensix = columns ? i >= 2 : i != 0 && i != 6 && !bits_has(s->bad_tensix, i);
        row += tensix ? 1 : 0;
    }
    return harvested || (s->columns != 0 && column >= s->columns) ||
           (s->rows != 0 && row >= s->rows);
}

static void place_tensix(tx_chip *chip)
{
    unsigned number = 0;
    for (uint32_t i = 0; i < chip->count; i++) {
        const uint32_t x = i % chip->width;
        const uint32_t y = i / chip->width;
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            if (of_chip(chip, blocks[b].arch) && x >= blocks[b].first_x && x <= blocks[b].last_x &&
                y >= blocks[b].first_y && y <= blocks[b].last_y) {
                chip->at[i].kind = TX_CHIP_TENSIX;
                chip->at[i].number = (uint8_t)number++;
                chip->at[i].off = is_bad(chip, x, y);
            }
        }
    }
}

static bool is_off(const tx_chip *chip, unsigned kind, unsigned number)
{
    switch (kind) {
    case TX_CHIP_ETHERNET:
        return !bits_has(chip->settings.ethernet, number);
    case TX_CHIP_DRAM:
        return bits_has(chip->settings.bad_dram, number);
    case TX_CHIP_L2CPU:
        return !bits_has(chip->settings.l2cpu, number);
    case TX_CHIP_PCIE:
        return CHIP_HAS(chip->arch, PCIE_CHOSEN) && number != chip->settings.pcie;
    default:
        return false;
    }
}

void chip_grid(tx_chip *chip)
{
    chip->width = NUMBER_OF(chip->arch, NOC_COLUMNS);
    chip->height = NUMBER_OF(chip->arch, NOC_ROWS);
    chip->count = chip->width * chip->height;
    for (uint32_t i = 0; i < chip->count; i++) {
        chip->at[i].kind = TX_CHIP_EMPTY;
        chip->at[i].place = i % chip->width | i / chip->width << 6;
        chip->at[i].index = i;
        chip->at[i].chip = chip;
    }
    place_tensix(chip);
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        struct chip_endpoint *e = &chip->at[tiles[i].x + tiles[i].y * chip->width];
        if (of_chip(chip, tiles[i].arch)) {
            e->kind = tiles[i].kind;
            e->number = tiles[i].number;
            e->port = tiles[i].port;
            e->off = is_off(chip, e->kind, e->number);
            if (e->kind == TX_CHIP_PCIE && !e->off) {
                chip->pcie = (uint32_t)(e - chip->at);
            }
        }
    }
}

/* ---- translation tables ---- */

enum { ENTRIES = 32 };
struct tables {
    uint8_t x[ENTRIES], y[ENTRIES];
};

/* Wormhole: 16.. are columns and rows by kind of tile, harvested rows at the end. */
static void tables_wh(const tx_chip *chip, struct tables *t)
{
    static const uint8_t x[10] = {0, 5, 1, 2, 3, 4, 6, 7, 8, 9};
    unsigned n = 18;
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < 16; i++) {
        t->x[i] = t->y[i] = (uint8_t)i;
    }
    memcpy(t->x + 16, x, sizeof x);
    t->y[16] = 0;
    t->y[17] = 6;
    for (unsigned bad = 0; bad < 2; bad++) {
        for (unsigned y = 1; y < 12; y++) {
            if (y != 6 && bits_has(chip->settings.bad_tensix, y) == (bad != 0)) {
                t->y[n++] = (uint8_t)y;
            }
        }
    }
}

/* Good Tensix columns in ascending order, then bad ones from the end by physical index. */
static void tensix_columns(uint32_t bad, uint8_t x[ENTRIES])
{
    unsigned n = 0;
    unsigned end = COLUMNS;
    static const uint8_t slots[COLUMNS] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};
    for (unsigned i = 0; i < COLUMNS; i++) { /* the slots are the columns, too */
        if (!bits_has(bad, column_index(slots[i]))) {
            x[slots[n++]] = slots[i];
        }
    }
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (bits_has(bad, i)) {
            x[slots[--end]] = columns[i];
        }
    }
}

/* What firmware of Blackhole computes (ComputeNocTranslation of tt-zephyr-platforms). */
static void tables_bh(const tx_chip *chip, struct tables *t)
{
    static const uint8_t rows[4][3] = {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}};
    static const uint8_t rest[8] = {0, 1, 3, 9, 5, 7, 2, 0};
    const struct tx_chip_settings *s = &chip->settings;
    unsigned bad = CHIP_BANKS;
    unsigned n = 0;
    memset(t, 0, sizeof *t);
    for (unsigned b = 0; b < CHIP_BANKS; b++) {
        bad = bits_has(s->bad_dram, b) && bad == CHIP_BANKS ? b : bad;
    }
    t->x[8] = 8;
    t->x[9] = 9;
    tensix_columns(s->bad_tensix, t->x);
    t->x[17] = bad < 4 ? 9 : 0;
    t->x[18] = bad < 4 ? 0 : 9;
    t->x[19] = s->pcie == 0 ? 2 : 11;
    for (unsigned i = 0; i < COLUMNS && n < 12; i++) {
        if (bits_has(s->ethernet, i)) {
            t->x[20 + n++] = columns[i];
        }
    }
    n = 12;
    for (unsigned y = 0; y < 12; y++) {
        t->y[y] = (uint8_t)y;
    }
    for (unsigned last = 0; last < 2; last++) { /* the group of a bad bank comes last */
        for (unsigned group = 0; group < 4; group++) {
            if ((bad < CHIP_BANKS && bad % 4 == group) == (last != 0)) {
                memcpy(t->y + n, rows[group], 3);
                n += 3;
            }
        }
    }
    memcpy(t->y + 24, rest, sizeof rest);
}

/* Writes a table into the configuration of an interface. NoC 1 has the mirrored coordinates. */
static void put_table(const tx_chip *chip, struct noc_niu *niu, enum noc_config item,
                      const uint8_t entry[ENTRIES])
{
    const uint32_t bits = NOC_FACT_OF(chip->arch, COORDINATE_BITS);
    const uint32_t in_word = NOC_FACT_OF(chip->arch, ENTRIES);
    const uint32_t edge = (item == CONFIG_X_TABLE ? chip->width : chip->height) - 1;
    const bool edges = !CHIP_HAS(chip->arch, EDGES_TRANSLATED);
    for (unsigned i = 0; i < ENTRIES; i++) {
        const bool same = edges && (i < 16 || i >= (item == CONFIG_X_TABLE ? 26u : 28u));
        const uint32_t value = niu->noc == 0 || same ? entry[i] : edge - entry[i];
        uint32_t *word = noc_config(chip->arch, niu, item, i / in_word);
        *word = bits_set(*word, bits * (i % in_word), bits, value);
    }
}

/* ---- names ---- */

/* Returns the index of a value in a table from "first" on, before "end"; end if there is none. */
static unsigned index_of(const uint8_t *table, unsigned first, unsigned end, uint32_t value)
{
    unsigned i = first;
    while (i < end && table[i] != value) {
        i++;
    }
    return i;
}

/* Returns the pair of coordinates by which software names an endpoint on Blackhole. */
static uint32_t logical_bh(const struct chip_endpoint *e, const struct tables *t, uint32_t own)
{
    const uint32_t x = e->place & 63u;
    const uint32_t y = e->place >> 6;
    switch (e->kind) {
    case TX_CHIP_TENSIX:
        return index_of(t->x, 1, 17, x) | y << 6;
    case TX_CHIP_DRAM:
        return index_of(t->x, 17, 19, x) | index_of(t->y, 12, 24, y) << 6;
    case TX_CHIP_PCIE:
        return e->off ? own : 19u | 24u << 6;
    case TX_CHIP_ETHERNET:
        return e->off ? own : index_of(t->x, 20, 32, x) | 25u << 6;
    case TX_CHIP_L2CPU:
        return 8u | index_of(t->y, 26, 30, y) << 6;
    case TX_CHIP_SECURITY:
        return 8u | 30u << 6;
    default:
        return own;
    }
}

static uint32_t endpoint_id(const tx_chip *chip, const struct chip_endpoint *e, unsigned noc)
{
    static const uint16_t bh[TX_CHIP_KINDS] = {0x300, 0x100, 0x200, 0x800,
                                               0x300, 0x500, 0x901, 0xA00};
    static const uint8_t wh[TX_CHIP_KINDS] = {3, 1, 2, 8, 3, 5, 0, 0};
    const bool pcie = e->kind == TX_CHIP_PCIE;
    const uint32_t index = pcie ? 2u : e->number;
    if (CHIP_HAS(chip->arch, LOGICAL_BY_KIND)) {
        return index | (uint32_t)bh[e->kind] << 8 | noc << 24;
    }
    return (e->kind == TX_CHIP_DRAM ? e->port | (uint32_t)e->number << 8 : index) |
           (uint32_t)wh[e->kind] << 16 | noc << 24;
}

/* ---- what firmware leaves behind ---- */

/* Columns and rows that take no broadcasts: those without a Tensix tile that works. */
static void put_masks(tx_chip *chip, struct noc_niu *niu)
{
    uint32_t with_x = 0;
    uint32_t with_y = 0;
    uint32_t by_x = 0;
    uint32_t by_y = 0;
    for (uint32_t i = 0; i < chip->tensix_count; i++) {
        const uint32_t place = noc_mirrored(chip->arch, niu->noc, chip->at[chip->tensix[i]].place);
        with_x |= 1u << (place & 63u);
        with_y |= 1u << (place >> 6);
    }
    for (uint32_t x = 0; x < chip->width; x++) {
        by_x |= bits_has(with_x, x) ? 0 : 1u << x;
    }
    for (uint32_t y = 0; y < chip->height; y++) {
        by_y |= bits_has(with_y, y) ? 0 : 1u << y;
    }
    *noc_config(chip->arch, niu, CONFIG_COLUMNS, 0) = by_x;
    *noc_config(chip->arch, niu, CONFIG_ROWS, 0) = by_y;
}

static void set_up(tx_chip *chip, struct chip_endpoint *e, struct noc_niu *niu,
                   const struct tables *t)
{
    enum { BACKOFF = 15 << 8, ROWS_UNTRANSLATED = 3 };
    const enum tx_arch arch = chip->arch;
    const uint32_t own = noc_mirrored(arch, niu->noc, e->place);
    uint32_t logical = own;
    uint32_t config = 1u << NOC_FACT_OF(arch, NO_HEADER);
    niu->place = e->place;
    niu->kind = e->kind;
    niu->endpoint = endpoint_id(chip, e, niu->noc);
    noc_reset(niu);
    if (!chip->settings.raw) {
        config |= 1u << NOC_FACT_OF(arch, TRANSLATES);
        put_masks(chip, niu);
        put_table(chip, niu, CONFIG_X_TABLE, t->x);
        put_table(chip, niu, CONFIG_Y_TABLE, t->y);
        if (CHIP_HAS(arch, NOC_TABLES_LEAVE_OUT)) {
            *noc_config(arch, niu, CONFIG_ROW_MASK, 0) = ROWS_UNTRANSLATED;
            logical = logical_bh(e, t, own);
        } else {
            logical = index_of(t->x, 16, 26, e->place & 63u) | index_of(t->y, 16, 28, e->place >> 6)
                                                                   << 6;
        }
    }
    if (e->kind == TX_CHIP_TENSIX && e->off) {
        config |= 1u << NOC_FACT_OF(arch, CLOCK_OFF);
    }
    *noc_config(arch, niu, CONFIG_NIU, 0) = config;
    *noc_config(arch, niu, CONFIG_ROUTER, 0) = BACKOFF;
    *noc_config(arch, niu, CONFIG_LOGICAL, 0) = logical;
}

/* Words of L1 that firmware writes. */
static void put_words(const tx_chip *chip, tx_tensix *tile)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !chip->settings.raw; i++) {
        const uint32_t v = words[i].value;
        const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                                  (uint8_t)(v >> 24)};
        if (of_chip(chip, words[i].arch)) {
            (void)tx_tensix_write(tile, words[i].address, bytes, sizeof bytes);
        }
    }
}

void chip_firmware(tx_chip *chip, uint32_t index)
{
    struct tables t;
    if (chip->at[index].tensix != NULL) {
        put_words(chip, chip->at[index].tensix);
    }
    if (CHIP_HAS(chip->arch, NOC_TABLES_LEAVE_OUT)) {
        tables_bh(chip, &t);
    } else {
        tables_wh(chip, &t);
    }
    for (unsigned noc = 0; noc < 2; noc++) {
        chip->at[index].niu[noc]->noc = (uint8_t)noc;
        set_up(chip, &chip->at[index], chip->at[index].niu[noc], &t);
    }
}
