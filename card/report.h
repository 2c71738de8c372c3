/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip has done and found, for the live line, the log and the report (--report). */
#ifndef TENSIX_CARD_REPORT_H
#define TENSIX_CARD_REPORT_H

#include <stdio.h>

#include <tensix/finding.h>
#include <tensix/pcie.h>

#include "card.h"

enum { CARD_TILES = 256, CARD_SAMPLES = 512 };

/* ---- used.c: what tiles do in a launch (--profile); NULL: nobody wants to know ---- */

struct card_used;
/* A chip, with what it was opened with, and its host. */
struct card_driven {
    tx_chip *chip;
    const struct tx_chip_settings *settings;
    const tx_pcie *pcie;
    const struct tx_pcie_memory *memory;
};
/* A launch on a tile: its number, the tile's name for software, and where core B says its end. */
struct card_begun {
    unsigned launch, x, y;
    uint64_t kernels; /* equal where they are */
    uint32_t go;
};
/* NULL: it cannot be told, which is said. What "driven" points to must stay. */
struct card_used *used_open(const struct card_driven *driven, bool events);
void used_close(struct card_used *used);
/* A launch begins or has ended on a tile. */
void used_begin(struct card_used *used, size_t index, const struct card_begun *begun);
void used_end(struct card_used *used, size_t index, unsigned launch);
/* The host has written. */
void used_write(struct card_used *used, unsigned bar, uint64_t offset, const void *bytes,
                size_t size);
/* Between pieces of the chip's time. */
void used_look(struct card_used *used);
/* Puts it as a member of an object, if there is anything. */
void used_put(struct card_used *used, unsigned launch, FILE *out);

/* ---- launch.c: programs that tt-metal starts, with the names of their kernels ---- */

struct card_launches;
/* NULL without memory. "used" is left to the caller. */
struct card_launches *launches_open(struct card_used *used);
void launches_close(struct card_launches *launches);
/*
 * Looks at the Tensix tile with that index, which software calls x, y, for what has been launched
 * there since the last look. "number" counts these tiles.
 */
void launches_look(struct card_launches *launches, tx_chip *chip, size_t index, unsigned number,
                   unsigned x, unsigned y);
/* What still runs on that tile has ended as far as the report goes. */
void launches_cut(struct card_launches *launches, size_t index, unsigned number);
/* Puts the launches as a JSON array. */
void launches_put(const struct card_launches *launches, FILE *out);

/*
 * Finds the ELF file that the code around an instruction came from, the middle word of the window,
 * among those that the host has opened, and the instruction's address there. NULL: in none. The
 * host changes some words, those that form addresses. The path stays.
 */
enum { CARD_WINDOW = 16 };
const char *kernel_line(const uint32_t window[CARD_WINDOW], uint32_t *address);

/* ---- place.c: the instructions of kernels that findings are about ---- */

struct card_places;
struct card_places *places_open(void); /* NULL without memory */
void places_close(struct card_places *places);
/* Looks up the new findings of a Tensix tile, while its code is still there. */
void places_look(struct card_places *places, tx_chip *chip, size_t index, unsigned number);
/* Puts the place of a finding as members of an object, if it is known. */
void places_put(const struct card_places *places, unsigned number, size_t finding, FILE *out);

/* ---- traffic.c: what has moved, by the counters of the network interfaces ---- */

struct card_traffic {
    size_t endpoints;
    struct {
        uint32_t last[12]; /* of the counters, which have 32 bits */
        uint64_t noc, memory;
    } at[CARD_TILES];
    uint64_t noc, dram; /* bytes */
};
void traffic_look(struct card_traffic *traffic, tx_chip *chip);

/* ---- report.c ---- */

struct card_findings {
    size_t chip; /* number of the chip's own findings that are in the log */
    uint64_t count;
    size_t tiles; /* number of Tensix tiles */
    struct card_tile {
        const tx_machine *machine;
        size_t index;
        unsigned x, y;
        size_t logged;
        bool stopped;
        uint64_t issued;
    } tile[CARD_TILES];
    struct card_traffic traffic;
    struct card_launches *launches; /* NULL: nobody wants a report */
    struct card_used *used;         /* NULL: nobody wants a profile */
    struct card_places *places;     /* NULL: nobody wants a report */
    /* How it went: where there is no room any more, every second one goes. */
    unsigned samples, halved;
    uint64_t start; /* ns */
    struct card_sample {
        double seconds;
        uint64_t cycles, active, noc, dram, findings;
    } sample[CARD_SAMPLES];
};
/* What "driven" points to must stay until findings_close. */
void findings_open(const struct card_driven *driven, struct card_findings *findings,
                   const struct card_options *options);
void findings_close(struct card_findings *findings);
/* Appends to the log what is new, and counts. */
void findings_look(tx_chip *chip, struct card_findings *findings, struct card_counts *counts,
                   bool *found);
/* Looks for launches at all tiles, and where findings are; costs nothing without a report. */
void findings_launches(tx_chip *chip, struct card_findings *findings);
/* Writes what the session did to a file, as JSON. */
void report_write(tx_chip *chip, const struct card_findings *findings, const char *path);
/* Puts a JSON string; what is no printable character becomes a space. */
void report_text(FILE *out, const char *text);

#endif
