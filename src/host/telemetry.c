/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ARC tells of the chip, as a table in its memory: a version, the number of tags, a word for
 * each tag with the index of its value, and the values. Source: spec/chip.md 7.2.
 */
#include "host/host.h"
#include "base/check.h"

#include "base/bits.h"
#include "isa/chip.h"

enum from {
    FROM_FIXED,
    FROM_BOARD_HIGH,
    FROM_BOARD_LOW,
    FROM_CHIP,
    FROM_HARVESTED,
    FROM_CLOCK,
    FROM_ETHERNET,
    FROM_BANKS,
    FROM_L2CPU,
    FROM_TRAINED,
    FROM_COLUMNS,
    FROM_PCIE,
    FROM_HEARTBEAT,
    FROM_COUNT,
    FROM_LOCATION,
    FROM_TRANSLATES
};
static const struct row {
    uint8_t tag, chips, from;
    uint32_t value[2];
} rows[] = {
#define TELEMETRY(tag, NAME, chips, from, wh, bh) {tag, CHIPS_##chips, FROM_##from, {wh, bh}},
#include "isa/telemetry.def"
};
enum { ROWS = sizeof rows / sizeof rows[0], TAG_HEARTBEAT = 32, TAG_BUNDLE = 28 };
enum { COLUMNS = 14, HEARTBEATS_PER_SECOND = 10 };

/*
 * Wormhole names its rows by the order in which they lie on the die: bit i is this row of NoC 0.
 * Source: UMD wormhole_implementation, HARVESTING_NOC_LOCATIONS.
 */
uint32_t telemetry_harvested(const tx_pcie *h)
{
    static const uint8_t row[] = {11, 1, 10, 2, 9, 3, 8, 4, 7, 5};
    uint32_t mask = 0;
    for (unsigned i = 0; i < sizeof row && CHIP_HAS(h->arch, HARVEST_BY_DIE); i++) {
        mask |= bits_has(h->product.bad_tensix, row[i]) ? 1u << i : 0;
    }
    return mask;
}

static uint32_t trained(const tx_pcie *h)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < NUMBER_OF(h->arch, DRAM_BANKS); i++) {
        word |= bits_has(h->product.bad_dram, i) ? 0 : 1u << 2 * i;
    }
    return word;
}

static uint32_t count_of(const tx_pcie *h)
{
    uint32_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        count += bits_has(rows[i].chips, h->arch);
    }
    return count;
}

static uint32_t heartbeat(const tx_pcie *h)
{
    const uint64_t cycles = NUMBER_OF(h->arch, CLOCK_MHZ) * (1000000 / HEARTBEATS_PER_SECOND);
    return 1 + h->s.beats + (uint32_t)(tx_chip_cycles(h->chip) / cycles);
}

static uint32_t fact(const tx_pcie *h, enum from from)
{
    switch (from) {
    case FROM_FIXED:
        return 0;
    case FROM_BOARD_HIGH:
        return (uint32_t)(h->product.board_id >> 32);
    case FROM_BOARD_LOW:
        return (uint32_t)h->product.board_id;
    case FROM_CHIP:
        return h->product.chip_id;
    case FROM_HARVESTED:
        return telemetry_harvested(h);
    case FROM_CLOCK:
        return h->s.clock;
    case FROM_ETHERNET:
        return h->product.ethernet;
    case FROM_BANKS:
        return ~h->product.bad_dram & bits_mask(NUMBER_OF(h->arch, DRAM_BANKS));
    case FROM_L2CPU:
        return h->product.l2cpu;
    case FROM_TRAINED:
        return trained(h);
    case FROM_COLUMNS:
        return ~h->product.bad_tensix & bits_mask(COLUMNS);
    case FROM_PCIE:
        return 1u << 2 * h->product.pcie;
    case FROM_HEARTBEAT:
        return heartbeat(h);
    case FROM_COUNT:
        return count_of(h);
    case FROM_LOCATION:
        return h->product.asic_location;
    case FROM_TRANSLATES:
        return !h->product.raw;
    }
    return 0;
}

static uint32_t value_of(const tx_pcie *h, const struct row *row)
{
    return row->value[chip_column(h->arch)] + fact(h, (enum from)row->from);
}

enum tx_status tx_pcie_telemetry(const tx_pcie *host, unsigned tag, uint32_t *value)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].tag == tag && bits_has(rows[i].chips, host->arch)) {
            *value = value_of(host, &rows[i]);
            return TX_OK;
        }
    }
    return TX_ENOENT;
}

/*
 * Wormhole's older table, whose place a message gives: words by number. Source: isa Telemetry
 * 5bd1d60.
 */
static void fill_old(tx_pcie *h)
{
    const struct {
        unsigned word;
        uint32_t value;
    } old[] = {{0, 0xBA5E0001},
               {4, fact(h, FROM_BOARD_HIGH)},
               {5, fact(h, FROM_BOARD_LOW)},
               {6, 0x02210100},
               {11, 0x0006E000},
               {14, 0x02222222},
               {24, (uint32_t)NUMBER_OF(h->arch, CLOCK_MHZ) << 16 | h->s.clock},
               {25, 900},
               {26, 540},
               {46, 0x00030303},
               {49, 0x12040000}};
    uint8_t *table =
        h->s.memory + (h->cards ? (size_t)HOST_OF(h, TELEMETRY_ON_CARDS) : TELEMETRY_OLD);
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        word_put(table + 4 * (size_t)old[i].word, old[i].value);
    }
}

void telemetry_fill(tx_pcie *h)
{
    uint8_t *table = h->s.memory + TELEMETRY_TABLE;
    uint8_t *values = h->s.memory + TELEMETRY_VALUES;
    uint32_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (bits_has(rows[i].chips, h->arch)) {
            word_put(table + 8 + 4 * (size_t)count, rows[i].tag | count << 16);
            word_put(values + 4 * (size_t)count, value_of(h, &rows[i]));
            count++;
        }
    }
    word_put(table, 1);
    word_put(table + 4, count);
    if (CHIP_HAS(h->arch, TELEMETRY_OLD)) {
        fill_old(h);
    }
}

void telemetry_read(tx_pcie *h, uint64_t at, size_t size)
{
    CHECK(size != 0, "telemetry that is read has a byte at least");
    uint32_t index = 0;
    for (size_t i = 0; i < ROWS && rows[i].tag != TAG_HEARTBEAT; i++) {
        index += bits_has(rows[i].chips, h->arch);
    }
    const uint64_t word = TELEMETRY_VALUES + 4ull * index;
    if (at < word + 4 && word < at + size) {
        h->s.beats++;
        word_put(h->s.memory + word, heartbeat(h));
    }
}
