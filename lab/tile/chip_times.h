/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LAB_TILE_CHIP_TIMES_H
#define LAB_TILE_CHIP_TIMES_H

#include <tensix/chip.h>

#include <tensix-lab/error.h>

/* Sets the times that a text states; errors call it file. Returns TXL_CONTINUE, or TXL_INPUT. */
int chip_times(struct txl_error *err, tx_chip *chip, const char *file, const char *text);
/* Adds the delays of a file to a chip, one a line. Returns TXL_CONTINUE, or TXL_INPUT. */
int chip_delays(struct txl_error *err, tx_chip *chip, const char *path);

#endif
