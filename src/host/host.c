/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing the host's side, PCI configuration space, and its state as bytes. */
#include "host/host.h"
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "chip/chip.h"
#include "isa/chip.h"
#include "isa/evidence.h"

static const struct host_bar {
    unsigned bar;
    uint64_t base, bytes[2];
} bars[] = {
#define HOST_BAR(BAR, base, wh, bh) {BAR, base, {wh, bh}},
#include "isa/host.def"
};
enum { BARS = sizeof bars / sizeof bars[0], BAR_64_BITS = 4, CONFIG_BAR = 4 };

static const struct {
    uint32_t offset, value[2], writable;
} config_words[] = {
#define HOST_CONFIG(offset, wh, bh, writable) {offset, {wh, bh}, writable},
#include "isa/host.def"
};

void host_move(const struct host_bytes *b, size_t at, void *memory, size_t size)
{
    CHECK(at + size <= b->size, "what is moved is part of the access");
    CHECK((b->to == NULL) != (b->from == NULL), "an access of the host reads or writes");
    if (b->to != NULL) {
        memcpy(b->to + at, memory, size);
    } else {
        memcpy(memory, b->from + at, size);
    }
}

void host_move_words(const struct host_bytes *b, uint32_t *words, size_t in, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t *word = &words[(in + i) / 4];
        const unsigned at = 8 * ((in + i) % 4);
        if (b->to != NULL) {
            b->to[i] = (uint8_t)(*word >> at);
        } else {
            *word = (*word & ~(0xFFu << at)) | (uint32_t)b->from[i] << at;
        }
    }
}

void host_nothing(const struct host_bytes *b)
{
    if (b->to != NULL) {
        memset(b->to, 0xFF, b->size);
    }
}

void host_finding(tx_pcie *h, enum finding_kind which, uint64_t value)
{
    const struct finding_info *info = finding_info(which);
    char text[TX_MESSAGE];
    (void)snprintf(text, sizeof text, "host: %s (%llx; %s)", info->text, (unsigned long long)value,
                   info->name);
    chip_finding(h->chip, evidence_get((enum evidence_id)info->evidence)->id,
                 (enum tx_category)info->category, text);
}

/* ---- opening ---- */

static void host_start(tx_pcie *h)
{
    memset(&h->s, 0, sizeof h->s);
    for (size_t i = 0; i < sizeof config_words / sizeof config_words[0]; i++) {
        h->s.config[config_words[i].offset / 4] = config_words[i].value[chip_column(h->arch)];
    }
    for (unsigned i = 0; i < BARS; i++) {
        h->s.config[CONFIG_BAR + bars[i].bar] = (uint32_t)bars[i].base | BAR_64_BITS;
        h->s.config[CONFIG_BAR + bars[i].bar + 1] = (uint32_t)(bars[i].base >> 32);
    }
    h->s.clock = (uint32_t)NUMBER_OF(h->arch, CLOCK_MHZ);
    arc_start(h);
}

/* Finds the ARC tile and the PCIe tile that is wired to the host. */
static bool find_tiles(tx_pcie *h)
{
    struct tx_chip_tile tile;
    bool arc = false;
    bool pcie = false;
    for (size_t i = 0; tx_chip_tile_at(h->chip, i, &tile) == TX_OK; i++) {
        if (tile.kind == TX_CHIP_ARC) {
            h->arc = i;
            arc = true;
        } else if (tile.kind == TX_CHIP_PCIE &&
                   (!CHIP_HAS(h->arch, PCIE_CHOSEN) || tile.number == h->product.pcie)) {
            h->pcie = i;
            pcie = true;
        }
    }
    return arc && pcie;
}

static struct host_bytes bytes_of(const struct tx_chip_access *a)
{
    const struct host_bytes b = {a->to, a->from, a->bytes};
    return b;
}

static bool answer_arc(void *user, const struct tx_chip_access *a)
{
    tx_pcie *h = user;
    const struct host_bytes b = bytes_of(a);
    const uint64_t again = HOST_OF(h, MEMORY_AGAIN);
    uint64_t address = a->address - HOST_OF(h, ARC_OFFSET);
    if (again != 0 && address >= again && address - again < HOST_OF(h, MEMORY_BYTES)) {
        address = HOST_OF(h, MEMORY) + (address - again);
    }
    return a->address >= HOST_OF(h, ARC_OFFSET) && arc_access(h, address, &b);
}

static bool answer_pcie(void *user, const struct tx_chip_access *a)
{
    tx_pcie *h = user;
    const struct host_bytes b = bytes_of(a);
    return a->index == h->pcie && outside_access(h, a->address, &b);
}

void tx_pcie_firmware(tx_pcie *host, bool cards)
{
    memset(host->s.memory + TELEMETRY_OLD, 0, TELEMETRY_TABLE - TELEMETRY_OLD);
    host->cards = cards;
    telemetry_fill(host);
}

enum tx_status tx_pcie_open(tx_chip *chip, tx_pcie **out)
{
    tx_pcie *h = chip != NULL && out != NULL ? calloc(1, sizeof *h) : NULL;
    if (h == NULL) {
        return chip == NULL || out == NULL ? TX_EINVAL : TX_ENOMEM;
    }
    h->chip = chip;
    h->arch = tx_chip_arch(chip);
    tx_chip_settings_of(chip, &h->product);
    if (!find_tiles(h)) {
        free(h);
        return TX_EUNSUPPORTED;
    }
    host_start(h);
    (void)tx_chip_device(chip, TX_CHIP_ARC, answer_arc, h);
    (void)tx_chip_device(chip, TX_CHIP_PCIE, answer_pcie, h);
    *out = h;
    return TX_OK;
}

void tx_pcie_close(tx_pcie *host)
{
    if (host != NULL) {
        (void)tx_chip_device(host->chip, TX_CHIP_ARC, NULL, NULL);
        (void)tx_chip_device(host->chip, TX_CHIP_PCIE, NULL, NULL);
        free(host);
    }
}

enum tx_status tx_pcie_memory(tx_pcie *host, const struct tx_pcie_memory *memory)
{
    if (memory != NULL &&
        (memory->struct_size < sizeof *memory || memory->read == NULL || memory->write == NULL)) {
        return TX_EINVAL;
    }
    memset(&host->outside, 0, sizeof host->outside);
    if (memory != NULL) {
        host->outside = *memory;
    }
    return TX_OK;
}

/* ---- configuration space ---- */

uint32_t tx_pcie_config_read(const tx_pcie *host, uint32_t offset)
{
    if (offset % 4 != 0 || offset >= 4096) {
        return UINT32_MAX;
    }
    return offset / 4 < HOST_CONFIG_WORDS ? host->s.config[offset / 4] : 0;
}

void tx_pcie_config_write(tx_pcie *host, uint32_t offset, uint32_t value)
{
    uint32_t writable = 0;
    for (size_t i = 0; i < sizeof config_words / sizeof config_words[0]; i++) {
        writable = config_words[i].offset == offset ? config_words[i].writable : writable;
    }
    /* All ones are written to a BAR to learn its size: the bits below it stay as they are. */
    for (unsigned i = 0; i < BARS; i++) {
        const uint32_t low = 4 * (CONFIG_BAR + bars[i].bar);
        const uint64_t mask = ~(bars[i].bytes[chip_column(host->arch)] - 1);
        if (offset == low || offset == low + 4) {
            writable = offset == low ? (uint32_t)mask : (uint32_t)(mask >> 32);
        }
    }
    if (writable != 0) {
        uint32_t *word = &host->s.config[offset / 4];
        *word = (*word & ~writable) | (value & writable);
    }
}

/* ---- BARs ---- */

enum tx_status tx_pcie_bar(const tx_pcie *host, unsigned bar, uint64_t *base, uint64_t *size)
{
    for (unsigned i = 0; i < BARS; i++) {
        if (bars[i].bar == bar) {
            *base = bars[i].base;
            *size = bars[i].bytes[chip_column(host->arch)];
            return TX_OK;
        }
    }
    return TX_EINVAL;
}

/* A reset that a message asked for waits until the access that carried the message is over. */
static void reset_if_wanted(tx_pcie *h)
{
    if (h->s.reset_wanted != 0) {
        tx_chip_reset(h->chip);
        host_start(h);
    }
}

static enum tx_status access(tx_pcie *h, unsigned bar, uint64_t offset, const struct host_bytes *b)
{
    uint64_t base;
    uint64_t size;
    if (tx_pcie_bar(h, bar, &base, &size) != TX_OK || offset >= size || b->size > size - offset) {
        host_nothing(b);
        return TX_EINVAL;
    }
    reset_if_wanted(h);
    const enum tx_status status = host_bar_access(h, bar, offset, b);
    reset_if_wanted(h);
    return status;
}

enum tx_status tx_pcie_read(tx_pcie *host, unsigned bar, uint64_t offset, void *bytes, size_t size)
{
    const struct host_bytes b = {.to = bytes, .size = size};
    return access(host, bar, offset, &b);
}

enum tx_status tx_pcie_write(tx_pcie *host, unsigned bar, uint64_t offset, const void *bytes,
                             size_t size)
{
    const struct host_bytes b = {.from = bytes, .size = size};
    return access(host, bar, offset, &b);
}

/* ---- snapshots ---- */

struct header {
    uint32_t magic, arch, size, zero;
};

static struct header header_of(const tx_pcie *h)
{
    const struct header head = {0x54534F48u, (uint32_t)h->arch, (uint32_t)sizeof h->s, 0};
    return head;
}

size_t tx_pcie_snapshot_size(const tx_pcie *host)
{
    return sizeof(struct header) + sizeof host->s;
}

enum tx_status tx_pcie_snapshot(const tx_pcie *host, void *buffer, size_t size)
{
    const struct header head = header_of(host);
    if (buffer == NULL || size != tx_pcie_snapshot_size(host)) {
        return TX_EINVAL;
    }
    memcpy(buffer, &head, sizeof head);
    memcpy((uint8_t *)buffer + sizeof head, &host->s, sizeof host->s);
    return TX_OK;
}

enum tx_status tx_pcie_restore(tx_pcie *host, const void *buffer, size_t size)
{
    const struct header head = header_of(host);
    if (buffer == NULL || size != tx_pcie_snapshot_size(host) ||
        memcmp(buffer, &head, sizeof head) != 0) {
        return TX_EINVAL;
    }
    memcpy(&host->s, (const uint8_t *)buffer + sizeof head, sizeof host->s);
    host->s.clock = host->s.clock != 0 ? host->s.clock : (uint32_t)NUMBER_OF(host->arch, CLOCK_MHZ);
    return TX_OK;
}
