/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the door share: the one chip of the process, and messages on stderr. */
#ifndef TENSIX_DOOR_DOOR_H
#define TENSIX_DOOR_DOOR_H

#include <stdio.h>

#include <tensix/finding.h>
#include <tensix/pcie.h>
#include <tensix/tile.h>

enum door_kind {
    DOOR_CALL,      /* calls in a wrong order, a wrong setting in the environment */
    DOOR_MEMORY,    /* out of memory */
    DOOR_PCI,       /* no device, or nothing at an address */
    DOOR_UNREACHED, /* nothing answers at an address of a tile */
    DOOR_MANY,      /* there are more findings than are printed */
    DOOR_STILL,     /* cores wait for each other for ever */
    DOOR_KINDS
};

/* Prints a line on stderr: DOOR_CALL each time, the other kinds once. */
void door_tell(enum door_kind kind, const char *format, ...);

/* findings.c: what the chip and its Tensix tiles have found, as far as it has been printed. */
enum { DOOR_TILES = 256, DOOR_KNOWN = 1024 };
struct door_findings {
    size_t chip;                /* number of the chip's own findings that have been printed */
    size_t shown;               /* of all */
    const char *advised;        /* what was last said of findings on a card */
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
 * replay.c: what a host did to the tile whose cores it started, for the command in the report.
 * The functions are called before each store and after each read of the host, and before and after
 * time goes on.
 */
enum { DOOR_WORDS = 48, DOOR_STARTS = 6 };
struct door_word {
    uint32_t address, first, value;
    uint64_t cycle; /* since the cores started */
};
struct door_replay {
    tx_chip *chip;
    const struct door_findings *findings;
    bool on;
    bool pending;                    /* "before" holds L1 from before stores of the host */
    uint8_t *first, *before, *after; /* L1: when the cores started, around stores of the host */
    uint32_t size;                   /* of L1 */
    uint32_t tile;                   /* number in findings; UINT32_MAX: none has run */
    unsigned cores;                  /* set of those that the host started */
    uint32_t pc[TX_CORES];
    uint64_t since, until; /* cycles of the chip */
    unsigned looks, pokes, active;
    const char *why; /* there is no command; NULL: there is */
    struct door_word look[DOOR_WORDS], poke[DOOR_WORDS], start[DOOR_STARTS];
    uint8_t was[DOOR_TILES]; /* sets of cores of each tile that ran when time stood still */
};
void door_replay_open(struct door_replay *replay, tx_chip *chip,
                      const struct door_findings *findings);
void door_replay_close(struct door_replay *replay);
void door_replay_write(struct door_replay *replay);
void door_replay_read(struct door_replay *replay, uint32_t x, uint32_t y, uint64_t address,
                      const void *bytes, uint32_t size);
void door_replay_before(struct door_replay *replay);
void door_replay_after(struct door_replay *replay);
/*
 * Writes the files beside the report and the arguments of the command. False: there is none, and
 * replay->why says why, or is NULL where no core has run.
 */
bool door_replay_command(struct door_replay *replay, const char *report, FILE *out);

/*
 * report.c. door_waits_show tells once who waits for what, when the host has looked at one address
 * DOOR_LOOKS times and more, and no Tensix instruction got on meanwhile. door_report writes what
 * the session did to the file that TENSIX_REPORT names, if it names one.
 */
enum { DOOR_LOOKS = 24 };
void door_waits_show(tx_chip *chip, struct door_findings *findings, unsigned looks);
void door_report(tx_chip *chip, const struct door_findings *findings, struct door_replay *replay);

/*
 * pace.c: how many cycles one clock of the interface is. A host that does nothing but read what it
 * read before, a word or a few in turn, waits for the chip, which runs further with each such look;
 * a write ends that.
 */
enum { DOOR_POLLED = 4 };
struct door_pace {
    uint64_t fixed; /* from the environment; 0: as below */
    uint64_t cycles;
    uint64_t address[DOOR_POLLED]; /* those read last, each once */
    unsigned next;                 /* the oldest of them */
    unsigned looks;                /* reads one after the other of what was read before */
};
void door_pace_start(struct door_pace *pace);
void door_pace_read(struct door_pace *pace, uint64_t address);
void door_pace_write(struct door_pace *pace);
uint64_t door_pace_cycles(const struct door_pace *pace, uint32_t clocks);

#endif
