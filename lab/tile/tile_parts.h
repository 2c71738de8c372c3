/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of txl_tensix, for tile_run.c and tile_world.c. */
#ifndef LAB_TILE_PARTS_H
#define LAB_TILE_PARTS_H

#include "run/l1.h"
#include "run/run.h"
#include "tile/tile_program.h"
#include "tile/tile_world.h"

struct txl_tensix {
    struct txl_tensix_options how;
    struct tile_watch watch;
    struct tile_program programs[TX_CORES];
    unsigned count;
    struct l1_job l1;
    tx_tensix *tile;
    struct tile_world world; /* step is NULL: the tile and the programs are its own */
    txl_profile *profile;    /* NULL: not requested */
    bool profiled;           /* the profile is complete */
    uint8_t *before;         /* the tile before the first cycle of a profiled run */
    struct ticker *ticker;   /* NULL: no run of txl_tensix_run is under way */
    bool cancelled;
    struct run_findings findings;
    struct run_shown shown;
    struct txl_tensix_result result;
    struct txl_tensix_core core[TX_CORES];
    uint64_t waited[TX_CORES][TX_CORE_WAITS];
    char functions[TX_CORES][96], sources[TX_CORES][256];
    struct txl_l1_file in[L1_FILES], out[L1_FILES];
};

/* tile_run.c: runs a copy of the tile as the tile has been run. */
enum tx_status tile_run_copy(struct txl_tensix *t, tx_tensix *copy);
/*
 * tile_stuck.c: writes how far the run came and where each core and thread is; of a deadlock as a
 * table.
 */
void tile_stuck_text(const struct txl_tensix *t, enum tx_status status, char *line, size_t size);
/*
 * tile_again.c. tile_keep_before is called before the first cycle of a profiled run;
 * tile_finish_profile completes the profile and repeats the run. They return TXL_CONTINUE, or an
 * error.
 */
int tile_keep_before(struct txl_error *err, struct txl_tensix *t);
int tile_finish_profile(struct txl_error *err, struct txl_tensix *t);

#endif
