/* SPDX-License-Identifier: Apache-2.0 */
/* Running a tile together with what it is part of, and going back. */
#include "tile/tile_parts.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/tile_debug.h>

#include "base/memory.h"

/* The beginning of a checkpoint; the tile's own bytes follow. */
struct point {
    void *bytes; /* of the world */
    size_t size;
};

int tile_borrow(struct txl_error *err, tx_tensix *tile, const struct tile_program *programs,
                unsigned count, const struct tile_world *world, txl_tensix **run)
{
    struct txl_tensix *t = zeroed(err, 1, sizeof *t);
    *run = t;
    if (t == NULL) {
        return TXL_INPUT;
    }
    t->how.size = sizeof t->how;
    t->how.arch = tx_machine_arch(tx_tensix_machine(tile));
    t->how.max_cycles = world->last;
    t->tile = tile;
    t->world = *world;
    t->count = count < TX_CORES ? count : (unsigned)TX_CORES;
    memcpy(t->programs, programs, t->count * sizeof t->programs[0]);
    return TXL_CONTINUE;
}

const struct tile_mark *tile_marks(const txl_tensix *run, unsigned *count)
{
    *count = run->world.marks;
    return run->world.mark;
}

bool tile_listen(txl_tensix *run, const struct tx_sink *sink)
{
    return run->world.listen != NULL && run->world.listen(run->world.user, sink);
}

enum tx_status tile_step(txl_tensix *run)
{
    return run->world.step != NULL ? run->world.step(run->world.user)
                                   : tx_tensix_cycle(run->tile, 1);
}

enum tile_end tile_ended(txl_tensix *run, struct tile_course *course)
{
    if (run->world.step == NULL) {
        return tile_over(run, course);
    }
    return tx_tensix_cycles(run->tile) % TILE_LOOK == 0 ? run->world.over(run->world.user)
                                                        : TILE_GOES_ON;
}

size_t tile_point_size(txl_tensix *run)
{
    return sizeof(struct point) + tx_tensix_checkpoint_size(run->tile);
}

size_t tile_point_beside(txl_tensix *run)
{
    return run->world.step != NULL ? run->world.size(run->world.user) : 0;
}

/* The world first: the tile's own bytes have more than its part of them. */
bool tile_point_save(txl_tensix *run, void *point)
{
    struct point *p = point;
    p->bytes = NULL;
    if (run->world.step != NULL) {
        p->size = run->world.size(run->world.user);
        p->bytes = malloc(p->size);
        if (p->bytes == NULL || !run->world.save(run->world.user, p->bytes, p->size)) {
            tile_point_drop(run, point);
            return false;
        }
    }
    return tx_tensix_checkpoint(run->tile, p + 1, tx_tensix_checkpoint_size(run->tile)) == TX_OK;
}

void tile_point_load(txl_tensix *run, const void *point)
{
    const struct point *p = point;
    if (run->world.step != NULL) {
        (void)run->world.load(run->world.user, p->bytes, p->size);
    }
    (void)tx_tensix_rollback(run->tile, p + 1, tx_tensix_checkpoint_size(run->tile));
}

void tile_point_drop(txl_tensix *run, void *point)
{
    struct point *p = point;
    (void)run;
    free(p->bytes);
    p->bytes = NULL;
}
