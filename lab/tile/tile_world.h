/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile that is part of something larger, and how those that run a tile cycle by cycle run all of
 * it, end where it ends, and go back in its time. Of a tile that is alone the functions below do
 * the same with the tile itself.
 */
#ifndef LAB_TILE_WORLD_H
#define LAB_TILE_WORLD_H

#include "tile/tile_program.h"

/* A cycle of the tile in which something is known to happen, and what. */
struct tile_mark {
    uint64_t cycle;
    const char *text;
};

struct tile_world {
    void *user;
    const struct tile_mark *mark; /* in the order of their cycles; numbers begin with 1 */
    unsigned marks;
    uint64_t last; /* the cycle of the tile in which whoever runs it gives up */
    enum tx_status (*step)(void *user); /* runs one cycle */
    enum tile_end (*over)(void *user);
    /* The whole state as bytes, whose number changes; save returns false without memory. */
    size_t (*size)(void *user);
    bool (*save)(void *user, void *bytes, size_t size);
    bool (*load)(void *user, const void *bytes, size_t size);
    /* Sets who is told of the coprocessor's events; NULL: nobody. Returns false where it cannot. */
    bool (*listen)(void *user, const struct tx_sink *sink);
};

/*
 * Makes a txl_tensix of a tile that somebody else runs and closes, with the programs of its cores,
 * which stay theirs. It can be stepped and debugged, not run by txl_tensix_run.
 */
int tile_borrow(struct txl_error *err, tx_tensix *tile, const struct tile_program *programs,
                unsigned count, const struct tile_world *world, txl_tensix **run);

/* What is known to happen in the run of a borrowed tile; *count is 0 where nothing is. */
const struct tile_mark *tile_marks(const txl_tensix *run, unsigned *count);
/* Sets who is told of a borrowed tile's events; NULL: nobody. False: it is not borrowed, or cannot.
 */
bool tile_listen(txl_tensix *run, const struct tx_sink *sink);
/* Runs one cycle of the tile, with everything that it is part of. */
enum tx_status tile_step(txl_tensix *run);
/* As tile_over; of a world, whether that is over. */
enum tile_end tile_ended(txl_tensix *run, struct tile_course *course);

/*
 * A checkpoint has a fixed number of bytes, and other memory beside: about tile_point_beside, freed
 * by tile_point_drop. tile_point_save returns false without memory.
 */
size_t tile_point_size(txl_tensix *run);
size_t tile_point_beside(txl_tensix *run);
bool tile_point_save(txl_tensix *run, void *point);
void tile_point_load(txl_tensix *run, const void *point);
void tile_point_drop(txl_tensix *run, void *point);

#endif
