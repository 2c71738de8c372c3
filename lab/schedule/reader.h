/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of reading a kernel's rows (body.c), shared with what it looks up: which stores of a
 * tile are overwritten and which loads find what the tile stored (through.c), and constants that
 * rows load for themselves (constants.c).
 */
#ifndef LAB_SCHEDULE_READER_H
#define LAB_SCHEDULE_READER_H

#include "schedule/schedule.h"

#include "flow/graph.h"

enum { READ_KNOWN = 256, READ_CONSTANTS = 16 };

struct reader {
    struct sched_body *body;
    struct sched_why *why;
    struct tx_kernel_options options;
    tx_machine *machine;
    txl_graph *graph;
    bool on, begun;
    uint64_t started, cycles;
    uint32_t written; /* the LRegs that .init and the tile write, bit n: Ln */
    /* What is added to immediates where the tile begins, and whether the tile changes that. */
    uint32_t base;
    bool moves;
    /* Behind a vector instruction of the tile: SETC16, more words than there is room for. */
    bool sets, full;
    uint32_t constant[16][TX_LANES]; /* L0 to L15 where the tile begins */
    /* The row that each step of the graph belongs to, counted from 1; 0: none yet. */
    unsigned *owner;
    /*
     * By step: the value of the graph that a load finds in Dst since the tile has stored it;
     * whether a store is overwritten by the tile.
     */
    uint32_t *found;
    bool *dead;
    unsigned row;
    uint32_t known[READ_KNOWN]; /* values of the graph that the body has already */
    int known_as[READ_KNOWN];   /* their indices in body->value */
    unsigned known_count;
    /* Bits that rows load by SFPLOADI; body->value[].reg is 16 + the index until all are known. */
    uint32_t hoisted[READ_CONSTANTS];
    unsigned hoisted_count;
};

/* The address of a load or store where no counter moves; bit 0 means nothing. */
uint16_t read_address(const struct reader *r, const struct txl_step *step);
/* through.c: refuses an address that names rows of lower addresses once more. */
bool read_no_alias(struct reader *r, const struct txl_step *step);
/* through.c: fills in found and dead. Returns false where a value does not survive Dst. */
bool read_through(struct reader *r);
/*
 * constants.c: whether a value is made by SFPLOADI alone; *bits becomes what it is in all lanes.
 */
bool read_is_constant(const struct reader *r, uint32_t value, uint32_t *bits);
/* The register for such a constant: one that holds it already, or 16 and up until read_settle. */
bool read_hoist(struct reader *r, uint32_t bits, uint8_t *reg);
/* Gives registers to what was hoisted. Returns false where there are too few. */
bool read_settle(struct reader *r, uint32_t tile_writes);

#endif
