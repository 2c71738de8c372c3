/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cards behind the rows of tt-metal's noc_latencies.yaml: which columns and rows of workers
 * they have, and which DRAM endpoints workers use. Source: spec/chip-time.md 1.1 (multicast depths
 * of the rows; soc descriptors of tt-metal).
 */
#include "silicon/silicon.h"

#include <string.h>

static const struct card {
    const char *product;
    uint32_t off; /* columns (Blackhole) or rows (Wormhole) that are missing inside the grid */
    uint8_t columns, rows, column[14], row[12];
    uint8_t banks, place[12][2][2]; /* by bank and NoC: x, y */
} cards[2] = {
    {"n150",
     1u << 4,
     8,
     7,
     {1, 2, 3, 4, 6, 7, 8, 9},
     {1, 2, 3, 5, 7, 8, 9},
     12,
     {{{0, 11}, {0, 11}},
      {{0, 1}, {0, 1}},
      {{0, 5}, {0, 5}},
      {{0, 7}, {0, 7}},
      {{5, 1}, {5, 1}},
      {{5, 11}, {5, 11}},
      {{5, 2}, {5, 2}},
      {{5, 9}, {5, 9}},
      {{5, 8}, {5, 8}},
      {{5, 3}, {5, 3}},
      {{5, 5}, {5, 5}},
      {{5, 7}, {5, 7}}}},
    {"p150",
     1u << 11 | 1u << 13, /* x 11 and 10 */
     11,
     10,
     {1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15},
     {2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
     8,
     {{{0, 11}, {0, 1}},
      {{0, 2}, {0, 10}},
      {{0, 9}, {0, 4}},
      {{0, 5}, {0, 7}},
      {{9, 11}, {9, 1}},
      {{9, 3}, {9, 10}},
      {{9, 8}, {9, 4}},
      {{9, 6}, {9, 7}}}},
};

static const struct card *card_of(enum tx_arch arch)
{
    return &cards[silicon_card(arch)];
}

int silicon_chip_open(struct txl_error *err, enum tx_arch arch, struct silicon_chip *c)
{
    struct tx_chip_settings s;
    uint32_t height;
    *c = (struct silicon_chip){.arch = arch};
    if (tx_chip_settings_default(&s, card_of(arch)->product) != TX_OK) {
        return txl_fail(err, "no chip %s", card_of(arch)->product);
    }
    s.bad_tensix = card_of(arch)->off;
    if (tx_chip_open(&s, &c->chip) != TX_OK) {
        return txl_fail(err, "no memory for a chip");
    }
    tx_chip_grid(c->chip, &c->width, &height);
    return TXL_OK;
}

uint32_t silicon_worker(const struct silicon_chip *c, unsigned x, unsigned y)
{
    const struct card *card = card_of(c->arch);
    struct tx_chip_tile t;
    if (x >= card->columns || y >= card->rows) {
        return UINT32_MAX;
    }
    const uint32_t index = card->column[x] + card->row[y] * c->width;
    const bool there = tx_chip_tile_at(c->chip, index, &t) == TX_OK && t.kind == TX_CHIP_TENSIX;
    return there && !t.off ? index : UINT32_MAX;
}

unsigned silicon_banks(enum tx_arch arch)
{
    return card_of(arch)->banks;
}

uint32_t silicon_bank(const struct silicon_chip *c, unsigned noc, unsigned bank, uint32_t *address)
{
    enum { CHANNEL = 1 << 30 }; /* bytes of a channel of Wormhole, of which a tile has two */
    const uint8_t *at = card_of(c->arch)->place[bank][noc];
    *address =
        tx_arch_fact(c->arch, TX_FACT_DRAM_CHANNELS) > 1 && bank % 2 != 0 ? (uint32_t)CHANNEL : 0;
    return at[0] + at[1] * c->width;
}

uint32_t silicon_name(const struct silicon_chip *c, unsigned noc, uint32_t index)
{
    struct tx_chip_tile t;
    size_t found = 0;
    if (tx_chip_tile_at(c->chip, index, &t) != TX_OK) {
        return 0;
    }
    const struct tx_chip_place by_name = {.noc = noc, .x = t.translated_x, .y = t.translated_y};
    if (tx_chip_find(c->chip, by_name, &found) == TX_OK && found == index) {
        return t.translated_x | t.translated_y << 6;
    }
    return t.x[noc] | t.y[noc] << 6;
}
