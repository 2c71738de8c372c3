/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows into the grid: an access to one becomes a request of the PCIe tile. Source: spec/chip.md
 * 8.2 to 8.4.
 */
#include "host/host.h"
#include "base/check.h"

#include <string.h>

#include "base/bits.h"
#include "isa/chip.h"

static const struct kind {
    unsigned chips, bar;
    uint64_t base;
    unsigned count, bits;
} kinds[] = {
#define HOST_WINDOWS(chips, bar, base, count, bits) {CHIPS_##chips, bar, base, count, bits},
#include "isa/host.def"
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

enum field {
#define HOST_WINDOW_FIELD(ID, wf, wb, bf, bb) FIELD_##ID,
#include "isa/host.def"
    FIELDS
};
static const struct {
    uint8_t first, bits;
} fields[FIELDS][2] = {
#define HOST_WINDOW_FIELD(ID, wf, wb, bf, bb) {{wf, wb}, {bf, bb}},
#include "isa/host.def"
};
enum { ORDER_POSTED = 2, ORDER_COUNTED = 3 };

struct window {
    unsigned index, bits; /* its number among all windows; log2 of its bytes */
    const uint32_t *words;
};

/* Returns the number of high address bits that a window of 2^bits bytes sets. */
static unsigned high_bits(const tx_pcie *h, unsigned bits)
{
    return NUMBER_OF(h->arch, WINDOW_ADDRESS_BITS) - bits;
}

/* Finds the window at an offset of a BAR. */
static bool window_find(tx_pcie *h, unsigned bar, uint64_t offset, struct window *w, uint64_t *in)
{
    unsigned first = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        if (!bits_has(kinds[k].chips, h->arch)) {
            continue;
        }
        const uint64_t at = offset - kinds[k].base;
        if (kinds[k].bar == bar && offset >= kinds[k].base &&
            at >> kinds[k].bits < kinds[k].count) {
            w->index = first + (unsigned)(at >> kinds[k].bits);
            w->bits = kinds[k].bits;
            w->words = h->s.window + w->index * HOST_OF(h, WINDOW_WORDS);
            *in = at & ((1ull << w->bits) - 1);
            return true;
        }
        first += kinds[k].count;
    }
    return false;
}

static unsigned window_count(const tx_pcie *h)
{
    unsigned count = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        count += bits_has(kinds[k].chips, h->arch) ? kinds[k].count : 0;
    }
    return count;
}

static unsigned bits_of(const tx_pcie *h, unsigned index)
{
    for (unsigned k = 0; k < KINDS; k++) {
        if (bits_has(kinds[k].chips, h->arch)) {
            if (index < kinds[k].count) {
                return kinds[k].bits;
            }
            index -= kinds[k].count;
        }
    }
    return 0;
}

static uint64_t window_take(const uint32_t *words, unsigned from, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) {
        value |= (uint64_t)(words[(from + i) / 32] >> (from + i) % 32 & 1u) << i;
    }
    return value;
}

static uint32_t field(const tx_pcie *h, const struct window *w, enum field which)
{
    return (uint32_t)window_take(w->words,
                                 high_bits(h, w->bits) + fields[which][chip_column(h->arch)].first,
                                 fields[which][chip_column(h->arch)].bits);
}

static void check(tx_pcie *h, const struct window *w, bool reads)
{
    const uint32_t order = field(h, w, FIELD_ORDER);
    if (reads && field(h, w, FIELD_MANY) != 0) {
        host_finding(h, HOST_FINDING_MANY_READ, w->index);
    }
    if (field(h, w, FIELD_LINKED) != 0) {
        host_finding(h, HOST_FINDING_LINKED, w->index);
    }
    if (order == ORDER_COUNTED) {
        host_finding(
            h, CHIP_HAS(h->arch, WINDOW_ORDER_NONE) ? HOST_FINDING_ORDER_BH : HOST_FINDING_ORDER_WH,
            w->index);
    }
}

bool host_window(tx_pcie *h, unsigned bar, uint64_t offset, const struct host_bytes *b,
                 size_t *part, enum tx_status *status)
{
    struct window w;
    uint64_t in;
    if (!window_find(h, bar, offset, &w, &in)) {
        return false;
    }
    const uint64_t room = (1ull << w.bits) - in;
    *part = b->size < room ? b->size : (size_t)room;
    check(h, &w, b->to != NULL);
    if (b->size > room) {
        host_finding(h, HOST_FINDING_CROSS, w.index);
    }
    const uint32_t start_x = field(h, &w, FIELD_X_START);
    const bool many = field(h, &w, FIELD_MANY) != 0;
    struct tx_chip_request r = {
        .struct_size = sizeof r,
        .noc = field(h, &w, FIELD_NOC),
        .x = field(h, &w, FIELD_X_END),
        .y = field(h, &w, FIELD_Y_END),
        .start_x = start_x,
        .start_y = field(h, &w, FIELD_Y_START),
        .address = (window_take(w.words, 0, high_bits(h, w.bits)) << w.bits) + in,
        .to = b->to,
        .from = b->from,
        .broadcast = many,
        .posted = field(h, &w, FIELD_ORDER) == ORDER_POSTED,
        .exclude = many && w.index < HOST_OF(h, STRIDES) && h->s.stride[w.index] != 0,
    };
    r.stride = r.exclude ? h->s.stride[w.index] : 0;
    const struct host_bytes now = host_part(b, 0, *part);
    if (b->to != NULL && many) {
        host_nothing(&now);
        return true;
    }
    /* A request has at most 32 bits of length. */
    for (size_t done = 0; done < *part;) {
        const size_t most = 1u << 30;
        r.bytes = (uint32_t)(*part - done < most ? *part - done : most);
        const enum tx_status one = tx_chip_ask(h->chip, &r);
        *status = one != TX_OK ? one : *status;
        if (one != TX_OK && r.to != NULL) {
            memset(r.to, 0xFF, r.bytes); /* what a host sees when nothing answers */
        }
        done += r.bytes;
        r.address += r.bytes;
        r.to = r.to != NULL ? r.to + r.bytes : NULL;
        r.from = r.from != NULL ? r.from + r.bytes : NULL;
    }
    return true;
}

/* ---- registers ---- */

/* Returns those of so many bits from "first" on that are in a word. */
static uint32_t bits_of_word(unsigned word, unsigned first, unsigned count)
{
    const unsigned from = first > 32 * word ? first - 32 * word : 0;
    const unsigned end = first + count > 32 * word ? first + count - 32 * word : 0;
    return end <= from || from >= 32 ? 0 : bits_mask(end) & ~bits_mask(from);
}

/* Clears the bits of Blackhole's configuration that no field has. */
static void keep_fields(tx_pcie *h, unsigned index)
{
    const unsigned per = (unsigned)HOST_OF(h, WINDOW_WORDS);
    const unsigned high = high_bits(h, bits_of(h, index));
    for (unsigned word = 0; word < per; word++) {
        uint32_t kept = bits_of_word(word, 0, high);
        for (unsigned f = 0; f < FIELDS; f++) {
            kept |= bits_of_word(word, high + fields[f][1].first, fields[f][1].bits);
        }
        h->s.window[index * per + word] &= kept;
    }
}

bool host_window_registers(tx_pcie *h, uint64_t offset, const struct host_bytes *b, size_t *part)
{
    const unsigned per = (unsigned)HOST_OF(h, WINDOW_WORDS);
    const uint64_t in = offset - HOST_OF(h, WINDOW_REGISTERS);
    const uint64_t size = 4ull * per * window_count(h);
    const uint64_t in_stride = offset - HOST_OF(h, STRIDE_REGISTERS);
    const uint64_t stride_size = 4 * HOST_OF(h, STRIDES);
    if (offset >= HOST_OF(h, WINDOW_REGISTERS) && in < size) {
        *part = b->size < size - in ? b->size : (size_t)(size - in);
        host_move_words(b, h->s.window, in, *part);
        for (uint64_t i = in / (4 * per); CHIP_HAS(h->arch, WINDOW_KEEPS_FIELDS) &&
                                          b->from != NULL && i <= (in + *part - 1) / (4 * per);
             i++) {
            keep_fields(h, (unsigned)i);
        }
        return true;
    }
    if (stride_size != 0 && offset >= HOST_OF(h, STRIDE_REGISTERS) && in_stride < stride_size) {
        *part = b->size < stride_size - in_stride ? b->size : (size_t)(stride_size - in_stride);
        host_move_words(b, h->s.stride, in_stride, *part);
        return true;
    }
    return false;
}

/* Returns how many bytes of the target's memory there are from an address on. */
static uint64_t memory_from(const tx_chip *chip, const struct tx_chip_tile *tile, uint64_t address)
{
    const uint64_t l1 = NUMBER_OF(tx_chip_arch(chip), L1_BYTES);
    /* A port of a bank reaches its lowest GiB on both chips; what is beyond is asked piecewise. */
    const uint64_t dram = 1ull << 30;
    const uint64_t size = tile->off                      ? 0
                          : tile->kind == TX_CHIP_TENSIX ? l1
                          : tile->kind == TX_CHIP_DRAM   ? dram
                                                         : 0;
    return address < size ? size - address : 0;
}

enum tx_status tx_pcie_memory_at(tx_pcie *host, unsigned bar, uint64_t offset, uint64_t *bytes)
{
    struct window w;
    uint64_t in;
    size_t index;
    struct tx_chip_tile tile;
    if (bar == 4 && HOST_OF(host, BAR4_SHOWS) != 0) {
        bar = 0;
        offset += HOST_OF(host, BAR4_SHOWS);
    }
    if (!window_find(host, bar, offset, &w, &in) || field(host, &w, FIELD_MANY) != 0) {
        return TX_ENOENT;
    }
    const struct tx_chip_place place = {.noc = field(host, &w, FIELD_NOC),
                                        .x = field(host, &w, FIELD_X_END),
                                        .y = field(host, &w, FIELD_Y_END)};
    if (tx_chip_find(host->chip, place, &index) != TX_OK ||
        tx_chip_tile_at(host->chip, index, &tile) != TX_OK) {
        return TX_ENOENT;
    }
    const uint64_t address = (window_take(w.words, 0, high_bits(host, w.bits)) << w.bits) + in;
    const uint64_t memory = memory_from(host->chip, &tile, address);
    const uint64_t room = (1ull << w.bits) - in;
    *bytes = memory < room ? memory : room;
    return *bytes != 0 ? TX_OK : TX_ENOENT;
}
