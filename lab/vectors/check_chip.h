/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of a chip: steps that a host does, and what those of them that read must give. The format
 * is in docs/cli.md under "tensix check".
 */
#ifndef LAB_CHECK_CHIP_H
#define LAB_CHECK_CHIP_H

#include <tensix/chip.h>

#include "vectors/vector.h"

/* A chip of each kind, opened when it is first needed. */
struct check_chips {
    tx_chip *chip[TX_BLACKHOLE + 1];
};

void check_chips_close(struct check_chips *chips);
/* Returns whether the line is a vector of a chip: an object with "steps". */
bool check_is_chip(const char *line, size_t length);
/* Reads and plays one. name receives its name. False: message says why, or what differs first. */
bool check_chip(struct check_chips *chips, const char *line, size_t length, char name[VEC_NAME],
                char message[VEC_MESSAGE]);

#endif
