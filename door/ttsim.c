/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface through which tt-umd opens a simulator, for one chip: PCI configuration space,
 * BARs with their windows into the grid, and time. Source: spec/tile.md 12.3 from tenstorrent/ttsim
 * 56694c8, docs/libttsim_api.md there.
 *
 * The interface has one chip per process and no handles, hence the one variable. It never ends the
 * process: misuse is reported on stderr, and reads then return all ones.
 */
#include "chip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DOOR_API __attribute__((visibility("default")))

DOOR_API void libttsim_init(void);
DOOR_API void libttsim_exit(void);
DOOR_API void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t address, void *bytes,
                                                              uint32_t size),
                                                 void (*write)(uint64_t address, const void *bytes,
                                                               uint32_t size));
DOOR_API uint32_t libttsim_pci_config_rd32(uint32_t function, uint32_t offset);
DOOR_API void libttsim_pci_config_wr32(uint32_t function, uint32_t offset, uint32_t value);
DOOR_API void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size);
DOOR_API void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size);
DOOR_API void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes,
                                     uint32_t size);
DOOR_API void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes,
                                     uint32_t size);
DOOR_API void libttsim_clock(uint32_t clocks);

enum { BARS = 3, CONFIG_WORDS = 16, WINDOW_KINDS = 3, WINDOWS_MOST = 210, WORDS_MOST = 3 };
enum { CLOCK_CYCLES = 1000, CLOCK_CYCLES_MOST = 1000000000 };
enum { CONFIG_COMMAND = 1, CONFIG_BAR0 = 4, CONFIG_LINE = 15, BAR_64_BITS = 4 };

static const uint64_t bar_base[BARS] = {0x100000000, 0x120000000, 0x800000000};
/* Registers of the windows, relative to BAR0. */
static const uint64_t window_registers = 0x1FC00000;

static struct door {
    struct door_chip *chip;
    uint64_t cycles; /* cycles of the tile for one clock of the interface */
    uint32_t config[CONFIG_WORDS];
    uint32_t window[WINDOWS_MOST * WORDS_MOST];
} door;

static bool ready(const char *call)
{
    if (door.chip == NULL) {
        door_tell(NULL, DOOR_CALL,
                  "%s before libttsim_init, or after libttsim_exit: nothing is done", call);
    }
    return door.chip != NULL;
}

/*
 * Returns the number of cycles per clock from TENSIX_CYCLES_PER_CLOCK, for people who know how long
 * their kernel runs, or the default.
 */
static uint64_t cycles_per_clock(void)
{
    const char *text = getenv("TENSIX_CYCLES_PER_CLOCK");
    char *end = NULL;
    errno = 0;
    const unsigned long long n = text != NULL ? strtoull(text, &end, 10) : 0;
    if (text == NULL) {
        return CLOCK_CYCLES;
    }
    if (errno != 0 || end == text || *end != '\0' || n == 0 || n > CLOCK_CYCLES_MOST) {
        door_tell(NULL, DOOR_CALL, "TENSIX_CYCLES_PER_CLOCK is no number from 1 to %d: it is %d",
                  CLOCK_CYCLES_MOST, CLOCK_CYCLES);
        return CLOCK_CYCLES;
    }
    return n;
}

void libttsim_init(void)
{
    if (door.chip != NULL) {
        door_tell(NULL, DOOR_CALL, "libttsim_init a second time: nothing is done");
        return;
    }
    memset(&door, 0, sizeof door);
    door.cycles = cycles_per_clock();
    door.chip = door_open(DOOR_CHIP);
    if (door.chip == NULL) {
        door_tell(NULL, DOOR_MEMORY, "out of memory: there is no chip");
        return;
    }
    const struct door_facts *facts = door_facts(door.chip);
    door.config[0] = facts->id;
    door.config[2] = facts->revision;
    for (unsigned bar = 0; bar < BARS; bar++) {
        door.config[CONFIG_BAR0 + 2 * bar] = (uint32_t)bar_base[bar] | BAR_64_BITS;
        door.config[CONFIG_BAR0 + 2 * bar + 1] = (uint32_t)(bar_base[bar] >> 32);
    }
    door.config[CONFIG_LINE] = 0xFF; /* no interrupts */
}

void libttsim_exit(void)
{
    if (ready("libttsim_exit")) {
        door_close(door.chip);
        door.chip = NULL;
    }
}

/* The tile never transfers to the host, so that the callbacks are not needed. */
void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t address, void *bytes, uint32_t size),
                                        void (*write)(uint64_t address, const void *bytes,
                                                      uint32_t size))
{
    (void)read;
    (void)write;
}

/* ---- configuration space: one device, one function ---- */

uint32_t libttsim_pci_config_rd32(uint32_t function, uint32_t offset)
{
    if (!ready("libttsim_pci_config_rd32") || function != 0) {
        return UINT32_MAX; /* as if there is no device */
    }
    if (offset % 4 != 0 || offset / 4 >= CONFIG_WORDS) {
        door_tell(door.chip, DOOR_PCI, "PCI configuration has nothing at %x", (unsigned)offset);
        return UINT32_MAX;
    }
    return door.config[offset / 4];
}

void libttsim_pci_config_wr32(uint32_t function, uint32_t offset, uint32_t value)
{
    if (!ready("libttsim_pci_config_wr32")) {
        return;
    }
    if (function == 0 && offset == 4 * CONFIG_COMMAND) {
        door.config[CONFIG_COMMAND] = value & 0xFFFF;
    } else {
        door_tell(door.chip, DOOR_PCI, "PCI configuration at %x stays as it is", (unsigned)offset);
    }
}

/* ---- windows ---- */

struct target {
    uint64_t address;
    unsigned x, y, first_x, first_y;
    bool many;
};

static uint64_t bits(const uint32_t *words, unsigned from, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) {
        value |= (uint64_t)(words[(from + i) / 32] >> (from + i) % 32 & 1u) << i;
    }
    return value;
}

/*
 * Determines the target behind an offset of a BAR; *room: bytes up to the end of the window.
 * Returns false if no window is there.
 */
static bool window_at(unsigned bar, uint64_t offset, struct target *t, uint64_t *room)
{
    const struct door_facts *facts = door_facts(door.chip);
    const unsigned words = facts->window_words;
    unsigned first = 0;
    for (unsigned kind = 0; kind < WINDOW_KINDS; kind++) {
        const struct door_windows *w = &facts->windows[kind];
        const uint64_t in = offset - w->base;
        if (w->bar == bar && w->count != 0 && offset >= w->base && in >> w->bits < w->count) {
            const uint32_t *set = door.window + (first + (unsigned)(in >> w->bits)) * words;
            /* Bits of the NoC address that the window sets. */
            const unsigned n = (words == 2 ? 36u : 64u) - w->bits;
            const unsigned noc = words == 2 ? 1 : 2;
            const uint64_t low = in & ((1ull << w->bits) - 1);
            t->address = (bits(set, 0, n) << w->bits) + low;
            t->x = (unsigned)bits(set, n, 6);
            t->y = (unsigned)bits(set, n + 6, 6);
            t->first_x = (unsigned)bits(set, n + 12, 6);
            t->first_y = (unsigned)bits(set, n + 18, 6);
            t->many = bits(set, n + 24 + noc, 1) != 0;
            *room = (1ull << w->bits) - low;
            return true;
        }
        first += w->count;
    }
    return false;
}

static void through_window(const struct target *t, uint8_t *to, const uint8_t *from, size_t size)
{
    if (to != NULL) {
        if (t->many) {
            door_tell(door.chip, DOOR_MULTICAST,
                      "a read through a window that multicasts: (%u, %u) "
                      "answers",
                      t->x, t->y);
        }
        door_read(door.chip, t->x, t->y, t->address, to, size);
        return;
    }
    const unsigned x = t->many ? t->first_x : t->x;
    const unsigned y = t->many ? t->first_y : t->y;
    for (unsigned i = y; i <= t->y; i++) {
        for (unsigned k = x; k <= t->x; k++) {
            door_write(door.chip, k, i, t->address, from, size);
        }
    }
}

/* ---- BARs ---- */

static void window_register(uint64_t in, uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t *word = &door.window[(in + i) / 4];
        const unsigned at = 8 * ((in + i) % 4);
        if (to != NULL) {
            to[i] = (uint8_t)(*word >> at);
        } else {
            *word = (*word & ~(0xFFu << at)) | (uint32_t)from[i] << at;
        }
    }
}

/*
 * Reads Blackhole's own NoC interfaces of the PCIe tile: coordinates are translated, as drivers
 * expect. Returns false for other registers.
 */
static bool niu(uint64_t offset, uint8_t *to)
{
    enum {
        NIU = 0x1FD04000,
        NIU_STEP = 0x10000,
        NODE = 0x44,
        CONFIG = 0x100,
        TRANSLATES = 1 << 14
    };
    static const uint32_t node[2] = {2 | 17 << 12 | 12 << 19 | 1 << 28,
                                     14 | 11 << 6 | 17 << 12 | 12 << 19};
    for (unsigned i = 0; door_facts(door.chip)->bar_arc_memory == 0 && i < 2; i++) {
        const uint64_t in = offset - NIU - i * NIU_STEP;
        if (in == NODE || in == CONFIG) {
            const uint32_t word = in == NODE ? node[i] : TRANSLATES;
            for (unsigned k = 0; k < 4; k++) {
                to[k] = (uint8_t)(word >> 8 * k);
            }
            return true;
        }
    }
    return false;
}

/*
 * Accesses BAR0 behind the windows: their registers and, on Wormhole, ARC. Returns false if nothing
 * is there.
 */
static bool control(uint64_t offset, uint8_t *to, const uint8_t *from, size_t size)
{
    enum { ARC_APB_UNIT = 0x30000, ARC_MEMORY_BYTES = 0x80000, ARC_APB_BYTES = 0x100000 };
    const struct door_facts *f = door_facts(door.chip);
    const uint64_t in = offset - window_registers;
    if (in < sizeof door.window && size <= sizeof door.window - in) {
        window_register(in, to, from, size);
        return true;
    }
    if (to != NULL && size == 4 && niu(offset, to)) {
        return true;
    }
    uint64_t address;
    if (f->bar_arc_memory != 0 && offset - f->bar_arc_memory < ARC_MEMORY_BYTES) {
        address = f->arc_memory + (offset - f->bar_arc_memory);
    } else if (f->bar_arc_apb != 0 && offset - f->bar_arc_apb < ARC_APB_BYTES) {
        address = f->arc_registers - ARC_APB_UNIT + (offset - f->bar_arc_apb);
    } else {
        return false;
    }
    if (to != NULL) {
        door_read(door.chip, f->arc_x, f->arc_y, address, to, size);
    } else {
        door_write(door.chip, f->arc_x, f->arc_y, address, from, size);
    }
    return true;
}

static bool bar_access(unsigned bar, uint64_t offset, uint8_t *to, const uint8_t *from, size_t size)
{
    const struct door_facts *facts = door_facts(door.chip);
    struct target t;
    uint64_t room;
    if (bar == 2 && facts->windows[1].bar != 2) { /* Wormhole: BAR4 shows the end of BAR0 */
        bar = 0;
        offset += facts->bar_size[0] - facts->bar_size[2];
    }
    for (size_t done = 0; done < size;) {
        if (!window_at(bar, offset + done, &t, &room)) {
            return bar == 0 && control(offset + done, to != NULL ? to + done : NULL,
                                       from != NULL ? from + done : NULL, size - done);
        }
        const size_t n = size - done < room ? size - done : (size_t)room;
        through_window(&t, to != NULL ? to + done : NULL, from != NULL ? from + done : NULL, n);
        done += n;
    }
    return true;
}

/*
 * Accesses PCI memory. BAR2, which translates addresses of transfers to the host, accepts all
 * writes.
 */
static void bytes_at(uint64_t address, uint8_t *to, const uint8_t *from, size_t size)
{
    const struct door_facts *facts = door_facts(door.chip);
    if (to != NULL) {
        memset(to, 0, size);
    }
    for (unsigned bar = 0; bar < BARS; bar++) {
        const uint64_t offset = address - bar_base[bar];
        if (offset < facts->bar_size[bar] && size <= facts->bar_size[bar] - offset &&
            (bar == 1 || bar_access(bar, offset, to, from, size))) {
            return;
        }
    }
    door_tell(door.chip, DOOR_PCI,
              "nothing is at PCI address %llx: all ones are read, stores are "
              "dropped",
              (unsigned long long)address);
    if (to != NULL) {
        memset(to, 0xFF, size);
    }
}

void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size)
{
    if (ready("libttsim_pci_mem_rd_bytes")) {
        bytes_at(address, bytes, NULL, size);
    } else {
        memset(bytes, 0xFF, size);
    }
}

void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size)
{
    if (ready("libttsim_pci_mem_wr_bytes")) {
        bytes_at(address, NULL, bytes, size);
    }
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size)
{
    if (ready("libttsim_tile_rd_bytes")) {
        door_read(door.chip, x, y, address, bytes, size);
    } else {
        memset(bytes, 0xFF, size);
    }
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes,
                            uint32_t size)
{
    if (ready("libttsim_tile_wr_bytes")) {
        door_write(door.chip, x, y, address, bytes, size);
    }
}

void libttsim_clock(uint32_t clocks)
{
    if (ready("libttsim_clock")) {
        door_cycle(door.chip, clocks * door.cycles);
    }
}
