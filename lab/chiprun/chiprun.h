/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "chiprun": programs on the tiles of a chip. It may use base, data, kernel,
 * tile and order.
 *
 * chiprun.c opens the chip, places programs and runs them; map.c draws the grid; told.c tells the
 * options; crew.c has the threads; attach.c lends a tile to a debugger; report.c says what a run
 * did, stall.c and waits.c who waits for what; profiled.c and profile_*.c the profile;
 * raced.c lets room order watch.
 */
#ifndef LAB_CHIPRUN_H
#define LAB_CHIPRUN_H

#include <tensix/facts.h>

#include "base/bound.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/waits.h"
#include "tile/tile_program.h"

#include <tensix-lab/chip.h>
#include <tensix/kernel/launch.h>

enum {
    CHIPRUN_TILES = 256, /* at most so many Tensix tiles */
    CHIPRUN_FINDINGS = 256,
    CHIPRUN_WAITS = 64 /* lines about cores that wait */
};

/* A program that is used on one or more cores. */
struct chiprun_image {
    struct chiprun_image *next;
    char *path;
    struct tile_program program;
};

/* One Tensix tile. */
struct chiprun_tile {
    size_t index; /* of its endpoint */
    unsigned column, row;
    uint32_t x, y;                       /* translated coordinates */
    struct chiprun_image *on[TX_CORES];  /* programs of the next run */
    struct chiprun_image *ran[TX_CORES]; /* programs of the last run */
};

struct chiprun_finding {
    struct tx_finding finding;       /* count: over all tiles */
    const struct chiprun_tile *tile; /* the first; NULL: outside Tensix tiles */
    unsigned tiles;
    char source[256];
};

struct crew;
struct plan; /* plan.h */
struct chiprun_buffer;

struct txl_chip {
    tx_chip *chip;
    enum tx_arch arch;
    bool untimed;
    bool profile, paced;
    uint8_t pace[TX_PACED_COUNT + TX_CHIP_PACED_COUNT];
    struct tx_chip_settings settings; /* as it was opened */
    struct tx_tensix_settings tile_settings;
    struct chiprun_profile *profiled; /* profiled.h; of the last run, NULL: none */
    uint64_t max_cycles;
    txl_progress progress;
    void *user;
    txl_order *order; /* of those who race; NULL: nobody watches */
    bool told;        /* the watch has ended */
    bool witness;     /* raced.c keeps what a run begins with */
    uint32_t budget;
    void *before;
    size_t before_size;
    struct crew *crew; /* NULL: the calling thread alone */
    unsigned columns, rows;
    struct chiprun_tile tile[CHIPRUN_TILES]; /* row by row */
    struct chiprun_image *images;
    struct chiprun_buffer *buffers;
    unsigned buffer_count, saved_from; /* buffers of the last program begin at saved_from */
    uint64_t dram_next;                /* the first free address of every bank */
    uint32_t l1_low, l1_end;           /* free L1: above circular buffers, below buffers */
    char folder[256];                  /* of compiled kernels; "": none */
    char semaphores[TX_LAUNCH_SEMAPHORE_COUNT][64]; /* names, of the last program */
    unsigned files;                                 /* in it */
    uint64_t work;                                  /* stall.c: at the end of the last turn */
    struct chiprun_tile *attached;                  /* of the next run; NULL: none */
    size_t lent;                                    /* its endpoint, while visit looks at it */
    int (*visit)(void *user, struct txl_error *err, txl_tensix *tile);
    void *visitor;
    bool ran;
    enum tx_status ended; /* the last run */
    struct txl_chip_result result;
    struct chiprun_finding *findings;
    char (*waits)[960];
    struct waits stuck;           /* in a table */
    unsigned wait_count, waiting; /* lines, and cores that wait */
};

/* crew.c: threads that run the tiles of a chip. NULL: none could be started. */
struct crew *crew_open(unsigned threads);
void crew_close(struct crew *crew);
/* The function and the user of a struct tx_chip_executor. */
void crew_run(void *crew, void (*task)(void *context, uint32_t part), void *context,
              uint32_t parts);

/* plan_place.c: removes what was compiled */
void chiprun_clean(txl_chip *chip);

/* chiprun.c */
struct chiprun_tile *chiprun_tile_at(struct txl_error *err, const txl_chip *chip, unsigned column,
                                     unsigned row);
/* Reads a program for cores of that kind, once for each path. NULL: err says why. */
enum tx_status chiprun_move(txl_chip *chip, const struct chiprun_tile *tile, uint32_t address,
                            void *bytes, size_t size, bool write);
struct chiprun_image *chiprun_image(struct txl_error *err, txl_chip *chip, enum tx_core core,
                                    const char *path);

/*
 * stall.c: tells, after a turn of the run, whether nothing has happened in it and nothing can
 * happen any more. It runs the chip for a few cycles.
 */
bool chiprun_stalled(txl_chip *chip);

/* waits.c: writes what a core polls, ", semaphore ready is 0", and who ends that; "": not known. */
/*
 * Returns where the stream begins whose words count the pages of a circular buffer: for tt-metal
 * DEST_SIZE counts those pushed, DEST_START those popped.
 */
static inline uint32_t circular_counters(enum tx_arch arch, unsigned index)
{
    return tx_arch_fact(arch, TX_FACT_AT_OVERLAY) +
           index * tx_arch_fact(arch, TX_FACT_STREAM_BYTES);
}

void chiprun_polls(txl_chip *c, const struct chiprun_tile *t, enum tx_core core, char text[160],
                   char end[96]);

/* raced.c: TXL_CONTINUE, or an error */
int chiprun_race_open(struct txl_error *err, txl_chip *chip, const struct txl_chip_options *how);
int chiprun_race_program(struct txl_error *err, txl_chip *chip, const struct chiprun_tile *tile,
                         enum tx_core core);
int chiprun_race_plan(struct txl_error *err, const struct plan *plan);
/* To be called when a run has ended. */
void chiprun_race_settle(txl_chip *chip);
/* Keeps the chip as a run begins, for witnesses. */
int chiprun_race_begin(struct txl_error *err, txl_chip *chip);

/* attach.c: lets the debugger look at its tile, if there is one. TXL_CONTINUE: run on. */
int chiprun_visit(struct txl_error *err, txl_chip *chip);
/* report.c: keeps what the run that has ended has found. Returns TXL_CONTINUE or TXL_INPUT. */
int chiprun_keep(struct txl_error *err, txl_chip *chip);
/* The error of a run that did not end as it should. */
int chiprun_failed(struct txl_error *err, txl_chip *chip);

#endif
