/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the door share: the one chip of the process, and messages on stderr. */
#ifndef TENSIX_DOOR_DOOR_H
#define TENSIX_DOOR_DOOR_H

#include <tensix/pcie.h>

enum door_kind {
    DOOR_CALL,      /* calls in a wrong order, a wrong setting in the environment */
    DOOR_MEMORY,    /* out of memory */
    DOOR_PCI,       /* no device, or nothing at an address */
    DOOR_UNREACHED, /* nothing answers at an address of a tile */
    DOOR_MANY,      /* there are more findings than are printed */
    DOOR_KINDS
};

/* Prints a line on stderr: DOOR_CALL each time, the other kinds once. */
void door_tell(enum door_kind kind, const char *format, ...);

/* findings.c: what the chip and its Tensix tiles have found, as far as it has been printed. */
enum { DOOR_TILES = 256 };
struct door_findings {
    size_t chip;  /* number of the chip's own findings that have been printed */
    size_t shown; /* of all */
    size_t tiles; /* number of Tensix tiles */
    struct {
        const tx_machine *machine;
        unsigned x, y; /* as software names the tile */
        size_t printed;
        bool stopped;
    } tile[DOOR_TILES];
};
void door_findings_open(const tx_chip *chip, struct door_findings *findings);
/* Prints what has been found since the last call. */
void door_findings_show(const tx_chip *chip, struct door_findings *findings);

/*
 * pace.c: how many cycles one clock of the interface is. A host that does nothing but read what it
 * read before waits for the chip, which runs further with each such look; a write ends that.
 */
struct door_pace {
    uint64_t fixed; /* from the environment; 0: as below */
    uint64_t cycles;
    uint64_t address; /* of the last read */
};
void door_pace_start(struct door_pace *pace);
void door_pace_read(struct door_pace *pace, uint64_t address);
void door_pace_write(struct door_pace *pace);
uint64_t door_pace_cycles(const struct door_pace *pace, uint32_t clocks);

#endif
