/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host sees of a chip behind PCIe when one of its Tensix tiles is modelled in full: a grid
 * of places, each with its own addresses. The one tile is a tx_tensix; ARC answers what drivers
 * ask; everywhere else there is memory, which is all that host tools need of DRAM and other tiles.
 *
 * It may use the public headers of libtensix and libc. A wrong access is reported on stderr, once
 * for each kind, and has no effect: a debugger that reads a wrong address must not lose its
 * process.
 */
#ifndef TENSIX_DOOR_CHIP_H
#define TENSIX_DOOR_CHIP_H

#include <tensix/tensix.h>

/* A kind of windows into the grid: "count" windows of 2^bits bytes each. */
struct door_windows {
    uint64_t base; /* of the first window, relative to its BAR */
    uint16_t count, bits;
    uint8_t bar;
};

/* The differences between the chips. Source: spec/tile.md 12.3, 12.4. */
struct door_facts {
    uint32_t id;       /* of the PCI device and its vendor */
    uint32_t revision; /* and class */
    uint64_t bar_size[3];
    struct door_windows windows[3];
    uint8_t window_words; /* number of 32-bit words that configure a window */
    uint8_t arc_x, arc_y; /* ARC's place */
    /* Addresses of ARC's memory and its reset unit on the NoC. */
    uint64_t arc_memory, arc_registers;
    uint32_t arc_seen;                    /* address at which ARC itself sees its memory */
    uint32_t bar_arc_memory, bar_arc_apb; /* where BAR0 has them; 0: nowhere */
    uint32_t firmware;                    /* version of the firmware that it claims to run */
    uint32_t board;                       /* high word of the board's number */
};

struct door_chip;

/* Returns NULL if memory runs out. */
struct door_chip *door_open(enum tx_arch arch);
void door_close(struct door_chip *chip); /* NULL is allowed */
const struct door_facts *door_facts(const struct door_chip *chip);

/* Accesses bytes at an address of place (x, y), in NoC 0's or in translated coordinates. */
void door_read(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
               size_t size);
void door_write(struct door_chip *chip, unsigned x, unsigned y, uint64_t address, const void *bytes,
                size_t size);
/* Runs the tile for so many cycles, and prints new findings. */
void door_cycle(struct door_chip *chip, uint64_t cycles);

/* Prints a line on stderr, the first time for each kind of message. */
void door_tell(struct door_chip *chip, unsigned kind, const char *format, ...);
enum door_kind {
    DOOR_UNREACHED, /* nothing is at an address of a tile */
    DOOR_MEMORY,    /* out of memory */
    DOOR_PCI,       /* no window, or no BAR */
    DOOR_MULTICAST, /* a read through a window that multicasts */
    DOOR_FAULT,     /* the tile's machine stopped */
    DOOR_ARC,       /* an unknown message to ARC */
    DOOR_CALL,      /* calls in a wrong order */
    DOOR_MANY,      /* there are more findings than are printed */
    DOOR_KINDS
};

/* arc.c: ARC's memory as after start-up, and its registers. */
struct door_arc {
    uint8_t memory[0x80000];
    uint32_t scratch[8], scratch_ram[16], control;
};
void arc_open(struct door_arc *arc, const struct door_facts *facts, bool blackhole);
/* Reads a word of the reset unit, by byte offset. */
uint32_t arc_read(const struct door_arc *arc, const struct door_facts *facts, bool blackhole,
                  uint32_t offset);
/* Writes a word of the reset unit. Returns the code of an unknown message, else -1. */
int arc_write(struct door_arc *arc, bool blackhole, uint32_t offset, uint32_t value);

#endif
