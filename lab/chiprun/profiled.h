/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile of a chip: one of each tile that has programs, and what their requests and stores
 * did, by which the path goes from tile to tile.
 */
#ifndef LAB_CHIPRUN_PROFILED_H
#define LAB_CHIPRUN_PROFILED_H

#include <tensix/chip_order.h>

#include "chiprun/chiprun.h"
#include "profile/profile.h"

enum { CHIPRUN_PLACES = 256, CHIPRUN_NONE = UINT32_MAX };

/* A request. Cycles are those of the profile; 0: not yet. */
struct chiprun_moved {
    uint64_t go, leave, act, answer;
    uint64_t address; /* where it writes, or what it reads */
    uint64_t source;  /* the other end */
    uint32_t length, from, to, sequence, receivers;
    uint32_t before;                  /* the one before it of the same interface, CHIPRUN_NONE */
    uint8_t noc, core, kind, channel; /* kind: 0 read, 1 atomic, 2 write */
    uint8_t box[4]; /* many: the first and the last column and row of NoC 0 that receive it */
    bool dram, many, linked, posted;
};

/* A word of a tile has been written: by a core or a thread of it, or by a request. */
struct chiprun_stored {
    uint64_t cycle;
    uint32_t address, bytes;
    uint32_t moved; /* CHIPRUN_NONE: by "lane" of the tile */
    uint32_t lane;
};

struct chiprun_part {
    struct chiprun_profile *in;
    struct chiprun_tile *tile;
    txl_profile *p;
    struct chiprun_stored *stored;
    size_t stored_count, stored_room;
};

struct chiprun_profile {
    txl_chip *chip;
    uint64_t first; /* the chip's cycle that counts as 0 */
    uint32_t width, height;
    struct chiprun_part part[CHIPRUN_TILES];
    unsigned parts;
    uint16_t part_of[CHIPRUN_PLACES]; /* by endpoint, + 1 */
    struct tx_chip_tile place[CHIPRUN_PLACES];
    struct chiprun_moved *moved;
    size_t moved_count, moved_room;
    uint32_t last[CHIPRUN_PLACES][2];
    uint64_t flits[CHIPRUN_PLACES][2][4]; /* before, then of the run */
    uint8_t *before;                      /* the chip before its first cycle */
    size_t before_size;
    bool failed; /* memory ran out */
    struct profile_beyond beyond;
    txl_profile *whole;
};

/* profiled.c; they return TXL_CONTINUE or an error. */
int chiprun_profile_begin(struct txl_error *err, txl_chip *chip);
int chiprun_profile_end(struct txl_error *err, txl_chip *chip);
void chiprun_profile_close(txl_chip *chip);
/* profile_report.c: utilisation of tiles, links and DRAM, for people and as JSON */
void chiprun_profile_print(FILE *out, const txl_chip *chip);
txl_json *chiprun_profile_json(const txl_chip *chip);
/* profile_forms.c: the vendor's forms; true: path names one of them */
bool chiprun_profile_form(FILE *out, const txl_chip *chip, const char *path);

/* profile_makers.c: a struct profile_beyond's */
bool chiprun_made(void *user, const txl_profile *p, unsigned core, uint32_t address, uint64_t from,
                  uint64_t to, struct profile_made *made);
/*
 * chiprun.c: runs until all cores of the program rest, for at most so many cycles; gives them, to
 * within 16.
 */
enum tx_status chiprun_to_end(txl_chip *chip, tx_chip *on, uint64_t most, uint64_t *cycles);

#endif
