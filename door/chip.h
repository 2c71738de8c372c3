/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host sees of a chip behind PCIe when one of its Tensix tiles is modelled in full: a grid
 * of places, each with its own addresses. The one tile is a tx_tensix; ARC answers what drivers ask
 * it for; everywhere else there is memory, which is all that host tools need of DRAM and other
 * tiles.
 *
 * It may use the public headers of libtensix and libc. What is wrong with an access is told on
 * stderr, once for each kind, and the access does nothing: a debugger that reads a wrong address
 * must not take its process down.
 */
#ifndef TENSIX_DOOR_CHIP_H
#define TENSIX_DOOR_CHIP_H

#include <tensix/tensix.h>

/* A kind of window into the grid: count windows of 2^bits bytes each. */
struct door_windows {
    uint64_t base; /* of the first, from the beginning of its BAR */
    uint16_t count, bits;
    uint8_t bar;
};

/* What differs between the chips; source: spec/tile.md 12.3, 12.4. */
struct door_facts {
    uint32_t id;       /* of the PCI device and its vendor */
    uint32_t revision; /* and class */
    uint64_t bar_size[3];
    struct door_windows windows[3];
    uint8_t window_words;                 /* 32-bit words that set one window up */
    uint8_t arc_x, arc_y;                 /* of ARC */
    uint64_t arc_memory, arc_registers;   /* where the NoC sees ARC's memory, its reset unit */
    uint32_t arc_seen;                    /* what ARC itself calls the beginning of its memory */
    uint32_t bar_arc_memory, bar_arc_apb; /* and where BAR0 has them; 0: nowhere */
    uint32_t firmware;                    /* version of the firmware that it claims to run */
    uint32_t board;                       /* high word of the board's number */
};

struct door_chip;

/* NULL without memory. */
struct door_chip *door_open(enum tx_arch arch);
void door_close(struct door_chip *chip); /* NULL is allowed */
const struct door_facts *door_facts(const struct door_chip *chip);

/* Bytes at an address of place (x, y), by NoC 0's or by translated coordinates. */
void door_read(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
               size_t size);
void door_write(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, const void *bytes,
                size_t size);
/* The tile's time goes on; new findings are told. */
void door_cycle(struct door_chip *chip, uint64_t cycles);

/* One line on stderr, the first time that this kind of message comes. */
void door_tell(struct door_chip *chip, unsigned kind, const char *format, ...);
enum door_kind {
    DOOR_UNREACHED, /* nothing is at a tile's address */
    DOOR_MEMORY,    /* out of memory */
    DOOR_PCI,       /* no window, no BAR */
    DOOR_MULTICAST, /* a read through a window that writes to many */
    DOOR_FAULT,     /* the tile's machine stopped */
    DOOR_ARC,       /* a message that is not known */
    DOOR_CALL,      /* a call out of order */
    DOOR_MANY,      /* findings that are not shown */
    DOOR_KINDS
};

/* arc.c: ARC's memory as it is after start-up, and what a store to one of its registers does. */
struct door_arc {
    uint8_t memory[0x80000];
    uint32_t scratch[8], scratch_ram[16], control;
};
void arc_open(struct door_arc *arc, const struct door_facts *facts, bool blackhole);
/* A word of the reset unit, by byte offset. */
uint32_t arc_read(const struct door_arc *arc, const struct door_facts *facts, bool blackhole,
                  uint32_t offset);
/* The code of a message that nobody knows, else -1. */
int arc_write(struct door_arc *arc, bool blackhole, uint32_t offset, uint32_t value);

#endif
