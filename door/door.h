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
enum { DOOR_TILES = 256, DOOR_KNOWN = 1024 };
struct door_findings {
    size_t chip;                /* number of the chip's own findings that have been printed */
    size_t shown;               /* of all */
    uint64_t known[DOOR_KNOWN]; /* hashes of findings of tiles that were printed, 0: none */
    size_t tiles;               /* number of Tensix tiles */
    uint64_t issued; /* instructions of all tiles when the host began to wait; UINT64_MAX: not */
    bool waited;     /* who waits for what has been told */
    struct {
        const tx_machine *machine;
        size_t index;  /* of its endpoint */
        unsigned x, y; /* as software names the tile */
        size_t printed;
        bool stopped;
    } tile[DOOR_TILES];
};
void door_findings_open(const tx_chip *chip, struct door_findings *findings);
/* Prints what has been found since the last call; what several tiles do alike, once. */
void door_findings_show(const tx_chip *chip, struct door_findings *findings);

/*
 * report.c. door_waits_show tells once who waits for what, when the host has looked at one address
 * DOOR_LOOKS times and more, and no Tensix instruction got on meanwhile. door_report writes what
 * the session did to the file that TENSIX_REPORT names, if it names one.
 */
enum { DOOR_LOOKS = 24 };
void door_waits_show(tx_chip *chip, struct door_findings *findings, unsigned looks);
void door_report(tx_chip *chip, const struct door_findings *findings);

/*
 * pace.c: how many cycles one clock of the interface is. A host that does nothing but read what it
 * read before waits for the chip, which runs further with each such look; a write ends that.
 */
struct door_pace {
    uint64_t fixed; /* from the environment; 0: as below */
    uint64_t cycles;
    uint64_t address; /* of the last read */
    unsigned looks;   /* reads of this address one after the other */
};
void door_pace_start(struct door_pace *pace);
void door_pace_read(struct door_pace *pace, uint64_t address);
void door_pace_write(struct door_pace *pace);
uint64_t door_pace_cycles(const struct door_pace *pace, uint32_t clocks);

#endif
