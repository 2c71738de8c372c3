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

enum {
    CHIPRUN_PLACES = 256,
    CHIPRUN_MAILBOXES = 2048, /* of tt-metal's firmware: L1 below */
    CHIPRUN_NONE = UINT32_MAX
};

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
    size_t index;         /* of its endpoint */
    unsigned column, row; /* as people name it */
    txl_profile *p;
    struct chiprun_stored *stored;
    size_t stored_count, stored_room;
};

struct chiprun_profile {
    tx_chip *on;
    enum tx_arch arch;
    unsigned cores; /* Tensix tiles that software sees */
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
    uint64_t memory; /* of its tiles at its end */
    bool firmware;   /* the cores run it before and behind their programs */
    bool failed;     /* memory ran out */
    struct profile_beyond beyond;
    txl_profile *whole;
};

/*
 * profile_record.c: what some tiles of a chip do from now on. NULL: err says why. Whoever has
 * opened it passes on what the chip says in its order (chiprun_record_heard). It closes with
 * chiprun_record_close, which NULL does nothing.
 */
struct chiprun_profile *chiprun_record_open(struct txl_error *err, tx_chip *on);
/* A tile whose programs begin now. TXL_CONTINUE, or an error. */
int chiprun_record_tile(struct txl_error *err, struct chiprun_profile *c, size_t index,
                        unsigned column, unsigned row);
void chiprun_record_heard(void *user, const struct tx_chip_order *o);
void chiprun_record_deaf(struct chiprun_part *part);
/*
 * The run of all parts ends, which have come to the same cycle or later: makes one profile of them.
 * TXL_CONTINUE, or an error.
 */
int chiprun_record_join(struct txl_error *err, struct chiprun_profile *c, uint64_t cycles,
                        uint32_t bounds);
void chiprun_record_close(struct chiprun_profile *c);

/* profiled.c; they return TXL_CONTINUE or an error. */
int chiprun_profile_begin(struct txl_error *err, txl_chip *chip);
int chiprun_profile_end(struct txl_error *err, txl_chip *chip);
void chiprun_profile_close(txl_chip *chip);
/* A copy of a chip as it was, with other paces; NULL: err says why. */
tx_chip *chiprun_copy(struct txl_error *err, const struct tx_chip_settings *settings,
                      const uint8_t pace[PROFILE_PACED], const void *before, size_t size);
/* How many repetitions go on at a time: each is a whole chip in memory. */
unsigned chiprun_copies(void);
enum { CHIPRUN_LONGER = 4 /* a repetition is given up after so many times the run's cycles */ };
/* profile_report.c: utilisation of tiles, links and DRAM, for people and as JSON */
void chiprun_profile_print(FILE *out, const struct chiprun_profile *c);
/* Sets roofline, dram_bytes, requests, tiles and links. */
void chiprun_profile_loads(txl_json *root, const struct chiprun_profile *c);
txl_json *chiprun_profile_json(const struct chiprun_profile *c);
/* profile_forms.c: the vendor's forms; true: path names one of them */
bool chiprun_profile_form(FILE *out, const struct chiprun_profile *c, const char *path);
/* Requests as an array of tt-metal's events, with a program's name or NULL; times from first on. */
void chiprun_profile_events(FILE *out, const struct chiprun_profile *c, const char *program,
                            uint64_t first);
/* The longest that a core of that kind runs on any tile. */
uint64_t chiprun_profile_longest(const struct chiprun_profile *c, unsigned core);

/* profile_makers.c: a struct profile_beyond's */
bool chiprun_made(void *user, const txl_profile *p, unsigned core, uint32_t address, uint64_t from,
                  uint64_t to, struct profile_made *made);
/*
 * chiprun.c: runs until all cores of the program rest and what has been sent has arrived, for at
 * most so many cycles; gives those until the cores rest, to within 16. over: stops when it is set;
 * NULL: never.
 */
enum tx_status chiprun_to_end(txl_chip *chip, tx_chip *on, uint64_t most, const atomic_bool *over,
                              uint64_t *cycles);

#endif
