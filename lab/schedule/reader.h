/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of reading a kernel's rows (body.c), shared with what it looks up: the run (watch.c),
 * which stores of a tile are overwritten and which loads find what the tile stored (through.c),
 * constants that rows load for themselves (constants.c), and under which flags steps run (flags.c).
 */
#ifndef LAB_SCHEDULE_READER_H
#define LAB_SCHEDULE_READER_H

#include "schedule/schedule.h"

#include "flow/graph.h"

enum { READ_KNOWN = 256, READ_CONSTANTS = 16 };

/* What is known of a step of the graph. */
struct read_step {
    unsigned row; /* that it belongs to, counted from 1; 0: none yet */
    uint32_t
        found; /* the value of the graph that a load finds in Dst since the tile has stored it */
    /*
     * Of a load that finds that in another format: what calculates the same from it, with found as
     * its operand, or with none where found is a constant. NULL: nothing does.
     */
    const struct tx_row *instead;
    uint32_t word;
    uint32_t from; /* of such a load, where it stays: the store whose datum it takes */
    bool dead;     /* a store that the tile overwrites */
    bool kept;     /* a copy or constant of which a masked step keeps a part */
    /*
     * Flags: mask is the step that set those under which this one runs, TXL_NO_VALUE in all lanes.
     * Of one that sets them, next is the one that sets them after it, unless it closes: then all
     * lanes run again. reset: it is written as SFPENCC, which does what this one does.
     */
    uint32_t mask, next;
    bool closes, reset;
    bool loose; /* under flags, but nobody looks at what it leaves in other lanes */
    int op;     /* of one that sets flags or passes a value on: its op, or SCHED_NONE */
};

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
    bool predicated;                 /* flags say which lanes run */
    enum sched_way way;              /* as of sched_read */
    struct read_step *step;
    uint32_t op_step[SCHED_OPS]; /* of the row that is being read: the step of each op */
    unsigned row;
    uint32_t known[READ_KNOWN]; /* values of the graph that the body has already */
    int known_as[READ_KNOWN];   /* their indices in body->value */
    unsigned known_count;
    /* Bits that rows load by SFPLOADI; body->value[].reg is 16 + the index until all are known. */
    uint32_t hoisted[READ_CONSTANTS];
    unsigned hoisted_count;
    const struct sched_local *local; /* as of sched_read */
};

/* watch.c: runs a tile. Returns false where it cannot be scheduled. */
bool read_run(struct reader *r, const struct tx_program *program);
/* The address of a load or store where no counter moves; bit 0 means nothing. */
uint16_t read_address(const struct reader *r, const struct txl_step *step);
/* through.c: fills in moves. */
void read_moves(struct reader *r);
/* through.c: refuses an address that names rows of lower addresses once more. */
bool read_no_alias(struct reader *r, const struct txl_step *step);
/* Whether a step copies a register, whatever lanes it runs in. */
bool read_copies(const struct reader *r, uint32_t step);
/* flags.c: fills in what steps know of flags. Returns false where they are used in another way. */
bool read_flags(struct reader *r);
/* Whether a step must run in the lanes only that flags let through. */
bool read_masked(const struct reader *r, uint32_t step);
/*
 * What the destination of a step holds before, as a value of the graph, where the step keeps a part
 * of it; TXL_NO_VALUE where it does not. A masked step may keep nothing that matters: then it
 * follows what another row has left.
 */
uint32_t read_old(const struct reader *r, uint32_t step);
/* Whether a step sets flags that others run under, or lets all lanes run again. */
bool read_sets_flags(const struct reader *r, uint32_t step);
/* The word and row of such a step. */
void read_reset(const struct reader *r, const struct tx_row **row, uint32_t *word);
/* Adds the op of a step that sets flags, where the row has none yet. False: it is refused. */
bool read_setter(struct reader *r, uint32_t step);
/* body.c: adds the step's op to the row. Returns false when it is refused. */
bool read_op(struct reader *r, uint32_t step);
/* flags.c: adds what sets flags for the ops of the row and for its store. */
bool read_regions(struct reader *r, uint32_t store);
/* Says which ops set the flags of the step's op. */
void read_under(const struct reader *r, struct sched_op *op, uint32_t step);
/* through.c: fills in found and dead. Returns false where a value does not survive Dst. */
bool read_through(struct reader *r);
/*
 * passes.c: adds the op of the store whose datum this load takes. Returns its index, or SCHED_NONE
 * where the row is refused.
 */
int read_pass(struct reader *r, uint32_t load);
/* The stores of the tile to the place of this load or store in front of it. */
uint16_t read_turn(const struct reader *r, uint32_t step);
/* body.c: the op of a store of this value, without its turn. */
struct sched_op read_store(const struct reader *r, uint32_t step, int value);
/* body.c: the body's value for what this register holds where the step reads it, as one more use.
 */
int read_operand(struct reader *r, uint32_t step, unsigned reg);
/* body.c: assigns a step to the current row. Returns false when another row has it already. */
bool read_own(struct reader *r, uint32_t step);
/*
 * constants.c: whether a value is made by SFPLOADI alone; *bits becomes what it is in all lanes.
 */
bool read_is_constant(const struct reader *r, uint32_t value, uint32_t *bits);
/* The register of L8 to L14 that has these bits where the tile begins, or SCHED_NONE. */
int read_standing(const struct reader *r, uint32_t bits);
/* The constant registers that .init sets by SFPCONFIG, bit n: Ln. */
uint32_t read_configured(const struct tx_program *program);
/* The register for such a constant: one that holds it already, or 16 and up until read_settle. */
bool read_hoist(struct reader *r, uint32_t bits, uint8_t *reg);
/* Gives registers to what was hoisted. Returns false where there are too few. */
bool read_settle(struct reader *r, uint32_t tile_writes);

#endif
