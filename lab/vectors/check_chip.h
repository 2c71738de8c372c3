/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of a chip: steps that a host does, and what those of them that read must give. The format
 * is in docs/cli.md under "tensix check".
 */
#ifndef LAB_CHECK_CHIP_H
#define LAB_CHECK_CHIP_H

#include <jansson.h>

#include <tensix/chip.h>
#include <tensix/pcie.h>

#include "vectors/vector.h"

/* A chip of each kind, opened when it is first needed. */
struct check_chips {
    tx_chip *chip[TX_BLACKHOLE + 1];
    tx_pcie *pcie[TX_BLACKHOLE + 1];
};

void check_chips_close(struct check_chips *chips);
/* Returns whether the line is a vector of a chip: an object with "steps". */
bool check_is_chip(const char *line, size_t length);
/* Reads and plays one. name receives its name. False: err says why, or what differs first. */
bool check_chip(struct check_chips *chips, const char *line, size_t length, char name[VEC_NAME],
                struct txl_error *err);

/* ---- between the files that play steps ---- */

/* The host's memory: pages that have been set or written. */
struct check_memory {
    struct check_page *pages;
    size_t count, room;
    bool full; /* memory ran out: what was written is lost */
};

/* What plays a vector. */
struct check_player {
    tx_chip *chip;
    tx_pcie *pcie;
    struct check_memory memory;
    json_t *expect;
    size_t results; /* so far */
    size_t step;    /* counted from 1 */
    struct txl_error *err;
};

struct check_step {
    char letter;
    bool (*play)(struct check_player *p, json_t *step);
};
/* check_pcie.c: the steps of the host's side. */
enum { CHECK_PCIE_STEPS = 8 };
extern const struct check_step check_pcie_steps[CHECK_PCIE_STEPS];
/* Gives the chip a host's memory in which nothing has been set; frees it. */
bool check_memory_attach(struct check_player *p);
void check_memory_free(struct check_player *p);

/* Refuses the vector with a reason; returns false. */
bool check_wrong(const struct check_player *p, const char *what);
/* Reads element "index" of a step as a number up to "most". */
bool check_number(const struct check_player *p, json_t *step, size_t index, uint64_t most,
                  uint64_t *out);
/*
 * Turns what a read or write gave into whether the vector goes on: what nobody answers reads as
 * ones. bytes may be NULL.
 */
bool check_answer(const struct check_player *p, enum tx_status status, uint8_t *bytes, size_t size);
/* Reads element "index" as bytes, which the caller frees; NULL: wrong. */
uint8_t *check_bytes(const struct check_player *p, json_t *step, size_t index, size_t *size);
/* Compare one result with the one that is expected next. */
bool check_result(struct check_player *p, const char *got);
bool check_result_bytes(struct check_player *p, const uint8_t *bytes, size_t size);

#endif
