/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grid of places on the NoC: the tile, ARC, and memory everywhere else. Source: spec/tile.md
 * 10, 12.
 */
#include "chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct door_facts facts[] = {
    {.id = 0x401E1E52,
     .revision = 0x12000001,
     .bar_size = {512ull << 20, 1ull << 20, 32ull << 20},
     .windows = {{0, 156, 20, 0}, {0x9C00000, 10, 21, 0}, {0xB000000, 20, 24, 0}},
     .window_words = 2,
     .arc_x = 0,
     .arc_y = 10,
     .arc_memory = 0x810000000,
     .arc_registers = 0x880030000,
     .arc_seen = 0x10000000,
     .bar_arc_memory = 0x1FE80000,
     .bar_arc_apb = 0x1FF00000,
     .firmware = 0x12040000,
     .board = 0x180},
    {.id = 0xB1401E52,
     .revision = 0x12000000,
     .bar_size = {512ull << 20, 1ull << 20, 32ull << 30},
     .windows = {{0, 202, 21, 0}, {0, 8, 32, 2}},
     .window_words = 3,
     .arc_x = 8,
     .arc_y = 0,
     .arc_memory = 0x10000000,
     .arc_registers = 0x80030000,
     .arc_seen = 0x10000000,
     .firmware = 0x12050000,
     .board = 0x400},
};

enum { PAGE_BITS = 14, PAGE_BYTES = 1 << PAGE_BITS, BUCKETS = 4096, RESET_UNIT_BYTES = 0x1000 };
enum { FINDINGS_SHOWN = 32 };

struct page {
    struct page *next;
    uint64_t number; /* number of the page within its place */
    unsigned x, y;
    uint8_t bytes[PAGE_BYTES];
};

struct door_chip {
    enum tx_arch arch;
    const struct door_facts *facts;
    tx_tensix *tile;
    unsigned x, y; /* the tile's place, in coordinates of NoC 0 */
    struct door_arc arc;
    struct page *bucket[BUCKETS];
    size_t findings; /* number of findings that have been printed */
    bool told[DOOR_KINDS];
};

const struct door_facts *door_facts(const struct door_chip *chip)
{
    return chip->facts;
}

void door_tell(struct door_chip *chip, unsigned kind, const char *format, ...)
{
    va_list args;
    if (chip != NULL && chip->told[kind]) {
        return;
    }
    if (chip != NULL) {
        chip->told[kind] = true;
    }
    fputs("tensix: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* Serves the tile's own NoC requests, which go to the same places. */
static bool place(void *user, const struct tx_noc_access *a);

struct door_chip *door_open(enum tx_arch arch)
{
    struct tx_tensix_settings settings;
    struct door_chip *chip = calloc(1, sizeof *chip);
    if (chip == NULL) {
        return NULL;
    }
    chip->arch = arch;
    chip->facts = &facts[arch == TX_BLACKHOLE];
    tx_tensix_settings_default(&settings, arch);
    if (tx_tensix_open(&settings, &chip->tile) != TX_OK) {
        free(chip);
        return NULL;
    }
    tx_tensix_noc_place(arch, &chip->x, &chip->y);
    tx_tensix_noc(chip->tile, place, chip);
    arc_open(&chip->arc, chip->facts, arch == TX_BLACKHOLE);
    return chip;
}

void door_close(struct door_chip *chip)
{
    if (chip == NULL) {
        return;
    }
    for (unsigned b = 0; b < BUCKETS; b++) {
        for (struct page *p = chip->bucket[b], *next; p != NULL; p = next) {
            next = p->next;
            free(p);
        }
    }
    tx_tensix_close(chip->tile);
    free(chip);
}

/* ---- places ---- */

/* Converts the translated coordinates that drivers use to those of NoC 0 (nothing is harvested). */
static void untranslate(enum tx_arch arch, unsigned *x, unsigned *y)
{
    static const uint8_t column[8] = {1, 2, 3, 4, 6, 7, 8, 9};              /* for x from 18 on */
    static const uint8_t row[12] = {0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11};  /* for y from 16 on */
    static const uint8_t dram[12] = {0, 1, 11, 2, 10, 3, 5, 7, 6, 9, 4, 8}; /* for y from 12 on */
    if (arch == TX_WORMHOLE) {
        *x = *x >= 18 && *x < 26 ? column[*x - 18] : *x;
        *y = *y >= 16 && *y < 28 ? row[*y - 16] : *y;
    } else if ((*x == 17 || *x == 18) && *y >= 12 && *y < 24) {
        *x = *x == 18 ? 0 : 9;
        *y = dram[*y - 12];
    } else if (*x >= 20 && *y == 25) {
        const unsigned port = *x - 20;
        *x = port % 2 != 0 ? 16 - port / 2 : 1 + port / 2;
        *y = 1;
    } else if (*x == 19 && *y == 24) {
        *x = 2;
        *y = 0;
    }
}

static struct page *page_at(struct door_chip *chip, unsigned x, unsigned y, uint64_t address,
                            bool make)
{
    const uint64_t number = address >> PAGE_BITS;
    struct page **b = &chip->bucket[(number * 0x9E3779B97F4A7C15u + x * 64 + y) % BUCKETS];
    for (struct page *p = *b; p != NULL; p = p->next) {
        if (p->number == number && p->x == x && p->y == y) {
            return p;
        }
    }
    struct page *p = make ? calloc(1, sizeof *p) : NULL;
    if (p != NULL) {
        p->number = number;
        p->x = x;
        p->y = y;
        p->next = *b;
        *b = p;
    } else if (make) {
        door_tell(chip, DOOR_MEMORY, "out of memory: what the host writes to (%u, %u) is lost", x,
                  y);
    }
    return p;
}

static void memory(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, uint8_t *to,
                   const uint8_t *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        const size_t in = (address + done) % PAGE_BYTES;
        const size_t n = size - done < PAGE_BYTES - in ? size - done : PAGE_BYTES - in;
        struct page *p = page_at(chip, x, y, address + done, from != NULL);
        if (to != NULL && p != NULL) {
            memcpy(to + done, p->bytes + in, n);
        } else if (to != NULL) {
            memset(to + done, 0, n);
        } else if (p != NULL) {
            memcpy(p->bytes + in, from + done, n);
        }
        done += n;
    }
}

/* ---- the tile ---- */

/*
 * Accesses registers in whole words; bytes of a word that the host does not write are read first.
 */
static void registers(struct door_chip *chip, uint32_t address, uint8_t *to, const uint8_t *from,
                      size_t size)
{
    for (size_t done = 0; done < size;) {
        const uint32_t at = address + (uint32_t)done;
        const unsigned in = at % 4;
        const size_t n = size - done < 4 - in ? size - done : 4 - in;
        uint8_t word[4] = {0xFF, 0xFF, 0xFF, 0xFF};
        const bool whole = n == 4;
        enum tx_status status = TX_OK;
        if (to != NULL || !whole) {
            status = tx_tensix_read(chip->tile, at - in, word, sizeof word);
        }
        if (from != NULL && status == TX_OK) {
            memcpy(word + in, from + done, n);
            status = tx_tensix_write(chip->tile, at - in, word, sizeof word);
        } else if (to != NULL) {
            memcpy(to + done, word + in, n);
        }
        if (status != TX_OK) {
            door_tell(chip, DOOR_UNREACHED,
                      "nothing answers the host at %08x of the tile: all ones are read, stores are "
                      "dropped",
                      (unsigned)at);
        }
        done += n;
    }
}

static void tile(struct door_chip *chip, uint64_t address, uint8_t *to, const uint8_t *from,
                 size_t size)
{
    const uint64_t end = tx_l1_size(chip->arch);
    const size_t low = address >= end ? 0 : size < end - address ? size : (size_t)(end - address);
    if (low != 0 && to != NULL) {
        (void)tx_tensix_read(chip->tile, (uint32_t)address, to, low);
    } else if (low != 0) {
        (void)tx_tensix_write(chip->tile, (uint32_t)address, from, low);
    }
    if (low == size) {
        return;
    }
    if (address + size - 1 > UINT32_MAX || address + size < address) {
        door_tell(chip, DOOR_UNREACHED, "nothing is at %llx of the tile: it has 32 address bits",
                  (unsigned long long)address);
        if (to != NULL) {
            memset(to + low, 0xFF, size - low);
        }
        return;
    }
    registers(chip, (uint32_t)address + (uint32_t)low, to != NULL ? to + low : NULL,
              from != NULL ? from + low : NULL, size - low);
}

/* ---- ARC ---- */

/* Accesses ARC. Returns false if the address is neither in its memory nor in its reset unit. */
static bool arc(struct door_chip *chip, uint64_t address, uint8_t *to, const uint8_t *from,
                size_t size)
{
    const bool bh = chip->arch == TX_BLACKHOLE;
    const uint64_t in_memory = address - chip->facts->arc_memory;
    const uint64_t in_unit = address - chip->facts->arc_registers;
    if (in_memory < sizeof chip->arc.memory && size <= sizeof chip->arc.memory - in_memory) {
        if (to != NULL) {
            memcpy(to, chip->arc.memory + in_memory, size);
        } else {
            memcpy(chip->arc.memory + in_memory, from, size);
        }
        return true;
    }
    if (in_unit >= RESET_UNIT_BYTES || size != 4 || in_unit % 4 != 0) {
        return false;
    }
    uint32_t word = 0;
    if (to != NULL) {
        word = arc_read(&chip->arc, chip->facts, bh, (uint32_t)in_unit);
        for (unsigned i = 0; i < 4; i++) {
            to[i] = (uint8_t)(word >> 8 * i);
        }
        return true;
    }
    for (unsigned i = 0; i < 4; i++) {
        word |= (uint32_t)from[i] << 8 * i;
    }
    const int unknown = arc_write(&chip->arc, bh, (uint32_t)in_unit, word);
    if (unknown >= 0) {
        door_tell(chip, DOOR_ARC, "ARC does not know message %02x; it answers 0",
                  (unsigned)unknown);
    }
    return true;
}

static void access(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, uint8_t *to,
                   const uint8_t *from, size_t size)
{
    if (size == 0) {
        return;
    }
    untranslate(chip->arch, &x, &y);
    if (x == chip->x && y == chip->y) {
        tile(chip, address, to, from, size);
    } else if (x != chip->facts->arc_x || y != chip->facts->arc_y ||
               !arc(chip, address, to, from, size)) {
        memory(chip, x, y, address, to, from, size);
    }
}

static bool place(void *user, const struct tx_noc_access *a)
{
    access(user, a->x, a->y, a->address, a->to, a->from, a->size);
    return true;
}

void door_read(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
               size_t size)
{
    access(chip, x, y, address, bytes, NULL, size);
}

void door_write(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, const void *bytes,
                size_t size)
{
    access(chip, x, y, address, NULL, bytes, size);
}

/* ---- time ---- */

void door_cycle(struct door_chip *chip, uint64_t cycles)
{
    tx_machine *machine = tx_tensix_machine(chip->tile);
    if (tx_tensix_cycle(chip->tile, cycles) == TX_FAULT && tx_fault(machine) != NULL) {
        door_tell(chip, DOOR_FAULT, "the tile has stopped: %s (%s)", tx_fault(machine)->message,
                  tx_fault(machine)->rule);
    }
    for (; chip->findings < tx_finding_count(machine); chip->findings++) {
        const struct tx_finding *f = tx_finding_at(machine, chip->findings);
        if (chip->findings < FINDINGS_SHOWN) {
            fprintf(stderr, "tensix: cycle %llu: %s: %s (%s)\n", (unsigned long long)f->cycle,
                    tx_category_name(f->category), f->message, f->rule);
        } else {
            door_tell(chip, DOOR_MANY, "further findings are not shown");
        }
    }
}
