/* SPDX-License-Identifier: Apache-2.0 */
/* The chip behind the card: the library's, or one behind the libttsim ABI. */
#include "card.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix/pcie.h>

#include "../door/order.h"
#include "report.h"

/* ---- ours ---- */

struct ours {
    unsigned number;
    bool told;    /* about the host's memory */
    bool written; /* by the host, since the chip last ran */
    bool profile; /* launches are looked for often */
    tx_chip *chip;
    tx_pcie *pcie;
    struct tx_chip_settings settings; /* of the chip */
    struct tx_tensix_settings tile;
    struct tx_pcie_memory memory;
    struct card_findings findings;
    struct door_order order;
};

static bool ours_read(void *state, unsigned bar, uint64_t offset, void *bytes, size_t size)
{
    const struct ours *o = state;
    return tx_pcie_read(o->pcie, bar, offset, bytes, size) == TX_OK;
}

static bool ours_write(void *state, unsigned bar, uint64_t offset, const void *bytes, size_t size)
{
    struct ours *o = state;
    o->written = true;
    used_write(o->findings.used, bar, offset, bytes, size);
    return tx_pcie_write(o->pcie, bar, offset, bytes, size) == TX_OK;
}

static uint32_t ours_config(void *state, uint32_t offset)
{
    const struct ours *o = state;
    return tx_pcie_config_read(o->pcie, offset);
}

static uint64_t ours_plain(void *state, unsigned bar, uint64_t offset)
{
    const struct ours *o = state;
    uint64_t bytes = 0;
    if (o->order.order != NULL) {
        return 0; /* each access of the host is to be seen */
    }
    return tx_pcie_memory_at(o->pcie, bar, offset, &bytes) == TX_OK ? bytes : 0;
}

enum { PROFILE_PIECE = 256 };

static bool ours_run(void *state, uint64_t cycles)
{
    struct ours *o = state;
    if (o->written) { /* what the host launches is seen before it runs */
        findings_launches(o->chip, &o->findings);
        o->written = false;
    }
    enum tx_status status = TX_ELIMIT;
    do {
        const uint64_t piece = o->profile && cycles > PROFILE_PIECE ? PROFILE_PIECE : cycles;
        status = tx_chip_run(o->chip, piece);
        findings_launches(o->chip, &o->findings);
        cycles -= piece;
    } while (status == TX_ELIMIT && cycles != 0);
    const bool rests = status == TX_OK || status == TX_EDEADLOCK;
    if (rests) { /* clocks of the chip go on */
        (void)tx_chip_cycle(o->chip, 1000);
    }
    if (door_order_still(&o->order)) {
        card_tell("cores wait for each other for ever: the report of races has them");
    }
    return rests || status == TX_FAULT;
}

static bool ours_rests(void *state)
{
    const struct ours *o = state;
    return tx_chip_sleeps(o->chip);
}

static bool ours_noc_write(void *state, unsigned noc, unsigned x, unsigned y, uint64_t address,
                           uint32_t value)
{
    const struct ours *o = state;
    const struct tx_chip_place place = {.noc = noc, .x = x, .y = y};
    return tx_chip_write(o->chip, place, address, &value, sizeof value) == TX_OK;
}

static void ours_look(void *state, struct card_counts *counts, bool *found)
{
    struct ours *o = state;
    findings_look(o->chip, &o->findings, counts, found);
}

static void ours_close(void *state, const char *report)
{
    struct ours *o = state;
    if (report != NULL) {
        report_write(o->chip, &o->findings, report);
    }
    findings_close(&o->findings);
    const char *wrong = door_order_close(&o->order);
    if (wrong != NULL) {
        card_tell("%s", wrong);
    }
    tx_pcie_close(o->pcie);
    tx_chip_close(o->chip);
    free(o);
}

static const struct card_backend_calls ours_calls = {ours_read,      ours_write, ours_config,
                                                     ours_plain,     ours_run,   ours_rests,
                                                     ours_noc_write, ours_look,  ours_close};

static void memory(struct ours *o, uint64_t address, void *to, const void *from, size_t size)
{
    if (!card_dma(o->number, address, to, from, size)) {
        if (to != NULL) {
            memset(to, 0xFF, size);
        }
        if (!o->told) {
            o->told = true;
            card_tell(
                "the device %s %zu bytes at %#llx of the host, which are not pinned for that: "
                "%s",
                to != NULL ? "loads" : "stores", size, (unsigned long long)address,
                to != NULL ? "it reads all ones" : "they are dropped");
        }
    }
}

static void memory_read(void *user, uint64_t address, void *bytes, size_t size)
{
    memory(user, address, bytes, NULL, size);
}

static void memory_write(void *user, uint64_t address, const void *bytes, size_t size)
{
    memory(user, address, NULL, bytes, size);
}

/*
 * Readings that are not the defaults, for tests of programs that find out which one a card has:
 * TENSIX_CARD_RULES=NAME=VALUE,... as in --rule of other commands. Returns NULL, or what is wrong.
 */
static const char *read_rules(struct tx_settings *settings)
{
    static char text[2 * CARD_TEXT];
    const char *given = getenv("TENSIX_CARD_RULES");
    while (given != NULL && *given != '\0') {
        char one[CARD_TEXT];
        const size_t length = strcspn(given, ",");
        (void)snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one),
                       given);
        if (tx_settings_rule(settings, one) != TX_OK) {
            (void)snprintf(text, sizeof text, "TENSIX_CARD_RULES: %s is no rule with that value",
                           one);
            return text;
        }
        given += length + (given[length] == ',' ? 1 : 0);
    }
    return NULL;
}

static const char *ours_open(struct card_backend *b, unsigned chip,
                             const struct card_options *options)
{
    struct ours *o = calloc(1, sizeof *o);
    struct tx_chip_settings *settings = o != NULL ? &o->settings : NULL;
    if (o == NULL || tx_chip_settings_default(settings, card_settings_name(options)) != TX_OK) {
        free(o);
        return "out of memory, or there is no such product: there is no chip";
    }
    tx_tensix_settings_default(&o->tile, settings->arch);
    o->tile.untimed = !options->timed;
    o->tile.machine.mode = options->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    const char *rules = read_rules(&o->tile.machine);
    if (rules != NULL) {
        free(o);
        return rules;
    }
    settings->tile = &o->tile;
    settings->policy = options->timed ? TX_CHIP_TIMED : TX_CHIP_PROMPT;
    settings->chip_id = chip;
    settings->board_id = (settings->board_id & ~0xFFull) + 1 + chip;
    o->number = chip;
    o->profile = options->profile;
    if (tx_chip_open(settings, &o->chip) != TX_OK || tx_pcie_open(o->chip, &o->pcie) != TX_OK) {
        tx_chip_close(o->chip);
        free(o);
        return "out of memory: there is no chip";
    }
    const char *wrong = door_order_open(&o->order, o->chip);
    if (wrong != NULL) {
        card_tell("%s", wrong);
    }
    o->memory = (struct tx_pcie_memory){
        .struct_size = sizeof o->memory, .read = memory_read, .write = memory_write, .user = o};
    (void)tx_pcie_memory(o->pcie, &o->memory);
    tx_pcie_firmware(o->pcie, true);
    for (unsigned bar = 0; bar <= 4; bar += 2) {
        uint64_t base;
        (void)tx_pcie_bar(o->pcie, bar, &base, &b->bar[bar]);
    }
    const struct card_driven driven = {o->chip, settings, o->pcie, &o->memory};
    findings_open(&driven, &o->findings, options);
    b->wormhole = settings->arch == TX_WORMHOLE;
    b->state = o;
    b->calls = &ours_calls;
    return NULL;
}

/* ---- a libttsim ABI: one chip a process ---- */

enum { DOOR_WORDS = 640 }; /* of all windows: 210 of three, 186 of two */

static struct door {
    void *library;
    void (*init)(void);
    void (*exit)(void);
    void (*clock)(uint32_t clocks);
    void (*read)(uint64_t address, void *bytes, uint32_t size);
    void (*write)(uint64_t address, const void *bytes, uint32_t size);
    uint32_t (*config)(uint32_t function, uint32_t offset);
    void (*tile_write)(uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size);
    void (*memory)(void (*read)(uint64_t, void *, uint32_t),
                   void (*write)(uint64_t, const void *, uint32_t));
    uint64_t base[5];
    bool wormhole;
    uint32_t window[DOOR_WORDS];
} door;

/* One clock of the vendor's interface is one cycle there, some in others. */
enum { DOOR_CLOCKS = 256, DOOR_PIECE = 1 << 20 };

static bool door_read(void *state, unsigned bar, uint64_t offset, void *bytes, size_t size)
{
    (void)state;
    for (size_t done = 0; done < size; done += DOOR_PIECE) {
        const size_t part = size - done < DOOR_PIECE ? size - done : DOOR_PIECE;
        door.read(door.base[bar] + offset + done, (uint8_t *)bytes + done, (uint32_t)part);
    }
    door.clock(1);
    return true;
}

/*
 * The vendor's simulator ends the process where a window names a static virtual channel. That has
 * no effect on results: the bits are left out. Third word of Blackhole's windows, spec/chip.md 8.3.
 * It has no words for strides either; the driver clears one with each window: nothing changes.
 */
enum { DOOR_WINDOWS = 0x1FC00000, DOOR_WINDOW_BYTES = 12, DOOR_WINDOWS_2M = 202, DOOR_KEPT = 0xE7 };
enum { DOOR_STRIDES = 0x1FC009D8, DOOR_STRIDE_BYTES = 128 };

static bool door_stride(uint64_t offset, uint32_t value)
{
    return !door.wormhole && value == 0 && offset >= DOOR_STRIDES &&
           offset < DOOR_STRIDES + DOOR_STRIDE_BYTES;
}

static uint32_t door_window(uint64_t offset, uint32_t value)
{
    const uint64_t in = offset - DOOR_WINDOWS;
    if (offset < DOOR_WINDOWS || in / 4 >= DOOR_WORDS) {
        return value;
    }
    door.window[in / 4] = value;
    const bool is = !door.wormhole && in < (uint64_t)DOOR_WINDOW_BYTES * DOOR_WINDOWS_2M &&
                    in % DOOR_WINDOW_BYTES == 8;
    return is ? value & DOOR_KEPT : value;
}

/* The tile's address that a place in BAR 0 leads to, by the window's words: spec/chip.md 8.3. */
static uint64_t door_address(uint64_t offset)
{
    enum { ONES = 156 << 20, SIXTEENS = 0xB000000 };
    unsigned bits = 21;
    uint64_t id = offset >> bits;
    if (door.wormhole && offset < ONES) {
        bits = 20;
        id = offset >> bits;
    } else if (door.wormhole && offset < SIXTEENS) {
        id = 156 + ((offset - ONES) >> bits);
    } else if (door.wormhole) {
        bits = 24;
        id = 166 + ((offset - SIXTEENS) >> bits);
    }
    const uint32_t *w = &door.window[id * (door.wormhole ? 2 : 3)];
    const uint64_t high =
        door.wormhole ? w[0] & ((1u << (36 - bits)) - 1) : w[0] | (uint64_t)(w[1] & 0x7FF) << 32;
    return high << bits | (offset & ((1ull << bits) - 1));
}

/*
 * SOFT_RESET_0 resets cores alone in the vendor's simulator, and other bits end the process: they
 * are left out, which is told. What units held before stays there.
 */
static uint32_t door_reset(uint64_t offset, uint32_t value)
{
    enum { SOFT_RESET_0 = 0xFFB121B0u, CORES = 0x47800 };
    static bool told;
    const uint64_t end = door.wormhole ? 0x1F000000 : (uint64_t)DOOR_WINDOWS_2M << 21;
    if (offset >= end || (value & ~(uint32_t)CORES) == 0 || door_address(offset) != SOFT_RESET_0) {
        return value;
    }
    if (!told) {
        card_tell("--door: resets of a tile's units are left out, cores alone are reset");
    }
    told = true;
    return value & CORES;
}

static bool door_write(void *state, unsigned bar, uint64_t offset, const void *bytes, size_t size)
{
    (void)state;
    uint32_t word;
    if (size == sizeof word && bar == 0) {
        memcpy(&word, bytes, sizeof word);
        if (door_stride(offset, word)) {
            return true;
        }
        word = door_reset(offset, door_window(offset, word));
        bytes = &word;
    }
    for (size_t done = 0; done < size; done += DOOR_PIECE) {
        const size_t part = size - done < DOOR_PIECE ? size - done : DOOR_PIECE;
        door.write(door.base[bar] + offset + done, (const uint8_t *)bytes + done, (uint32_t)part);
    }
    return true;
}

static uint32_t door_config(void *state, uint32_t offset)
{
    (void)state;
    return door.config(0, offset);
}

static uint64_t door_plain(void *state, unsigned bar, uint64_t offset)
{
    (void)state;
    (void)bar;
    (void)offset;
    return 0; /* the interface does not tell */
}

static bool door_run(void *state, uint64_t cycles)
{
    (void)state;
    (void)cycles;
    door.clock(DOOR_CLOCKS);
    return false;
}

static bool door_rests(void *state)
{
    (void)state;
    return false; /* the interface does not tell */
}

static bool door_noc_write(void *state, unsigned noc, unsigned x, unsigned y, uint64_t address,
                           uint32_t value)
{
    (void)state;
    if (noc != 0 || door.tile_write == NULL) {
        return false;
    }
    door.tile_write(x, y, address, &value, sizeof value);
    return true;
}

static void door_look(void *state, struct card_counts *counts, bool *found)
{
    (void)state;
    (void)counts;
    (void)found;
}

static void door_close(void *state, const char *report)
{
    (void)state;
    (void)report;
    door.exit();
}

static const struct card_backend_calls door_calls = {door_read,      door_write, door_config,
                                                     door_plain,     door_run,   door_rests,
                                                     door_noc_write, door_look,  door_close};

static void door_memory_read(uint64_t address, void *bytes, uint32_t size)
{
    if (!card_dma(0, address, bytes, NULL, size)) {
        memset(bytes, 0xFF, size);
    }
}

static void door_memory_write(uint64_t address, const void *bytes, uint32_t size)
{
    (void)card_dma(0, address, NULL, bytes, size);
}

static bool door_find(const char *name, void *function)
{
    void *at = dlsym(door.library, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

static const char *door_load(const char *path)
{
    static char text[CARD_TEXT + 64];
    if (door.library != NULL) {
        return NULL;
    }
    door.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (door.library == NULL) {
        snprintf(text, sizeof text, "--door: %s", dlerror());
        return text;
    }
    (void)door_find("libttsim_tile_wr_bytes", &door.tile_write);
    if (!door_find("libttsim_init", &door.init) || !door_find("libttsim_exit", &door.exit) ||
        !door_find("libttsim_clock", &door.clock) ||
        !door_find("libttsim_pci_mem_rd_bytes", &door.read) ||
        !door_find("libttsim_pci_mem_wr_bytes", &door.write) ||
        !door_find("libttsim_pci_config_rd32", &door.config) ||
        !door_find("libttsim_set_pci_dma_mem_callbacks", &door.memory)) {
        snprintf(text, sizeof text, "--door: %s has not all functions of libttsim", path);
        return text;
    }
    return NULL;
}

static const char *door_open(struct card_backend *b, unsigned chip, const char *path)
{
    if (chip != 0) {
        return "--door: that interface has one chip";
    }
    const char *wrong = door_load(path);
    if (wrong != NULL) {
        return wrong;
    }
    door.memory(door_memory_read, door_memory_write);
    door.init();
    b->wormhole = door.config(0, 0) >> 16 == 0x401E;
    door.wormhole = b->wormhole;
    for (unsigned bar = 0; bar <= 4; bar += 2) {
        const uint32_t at = 0x10 + 4 * bar;
        door.base[bar] = ((uint64_t)door.config(0, at + 4) << 32 | door.config(0, at)) & ~15ull;
    }
    b->bar[0] = 512ull << 20;
    b->bar[2] = 1ull << 20;
    b->bar[4] = b->wormhole ? 32ull << 20 : 32ull << 30;
    b->state = &door;
    b->calls = &door_calls;
    return NULL;
}

const char *backend_open(struct card_backend *b, unsigned chip, const struct card_options *options)
{
    return options->door[0] != '\0' ? door_open(b, chip, options->door)
                                    : ours_open(b, chip, options);
}
