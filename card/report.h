/* SPDX-License-Identifier: Apache-2.0 */
/* report.c: what the chip and its Tensix tiles have found and done. */
#ifndef TENSIX_CARD_REPORT_H
#define TENSIX_CARD_REPORT_H

#include <tensix/pcie.h>

#include "card.h"

enum { CARD_TILES = 256 };
struct card_findings {
    size_t chip; /* number of the chip's own findings that are in the log */
    uint64_t count;
    size_t tiles; /* number of Tensix tiles */
    struct {
        const tx_machine *machine;
        size_t index;
        unsigned x, y;
        size_t logged;
        bool stopped;
        uint64_t issued;
    } tile[CARD_TILES];
};
void findings_open(const tx_chip *chip, struct card_findings *findings);
/* Appends to the log what is new, and counts. */
void findings_look(const tx_chip *chip, struct card_findings *findings, struct card_counts *counts,
                   bool *found);
/* Writes what the session did to a file, as JSON. */
void report_write(tx_chip *chip, const struct card_findings *findings, const char *path);

#endif
