/* SPDX-License-Identifier: Apache-2.0 */
/* A tile of the chip for a debugger, whose steps and whose past are those of the whole chip. */
#include "chiprun/chiprun.h"

#include <string.h>

#include "tile/tile_world.h"

static enum tx_status step(void *user)
{
    const txl_chip *c = user;
    return tx_chip_cycle(c->chip, 1);
}

static enum tile_end over(void *user)
{
    const txl_chip *c = user;
    const enum tx_status status = tx_chip_run(c->chip, 0);
    return status == TX_OK ? TILE_RESTS : status == TX_EDEADLOCK ? TILE_DEADLOCK : TILE_GOES_ON;
}

static size_t size(void *user)
{
    const txl_chip *c = user;
    return tx_chip_snapshot_size(c->chip);
}

static bool save(void *user, void *bytes, size_t room)
{
    const txl_chip *c = user;
    return tx_chip_snapshot(c->chip, bytes, room) == TX_OK;
}

static bool load(void *user, const void *bytes, size_t room)
{
    const txl_chip *c = user;
    return tx_chip_restore(c->chip, bytes, room) == TX_OK;
}

static bool listen(void *user, const struct tx_sink *sink)
{
    const txl_chip *c = user;
    const struct tx_chip_observer seen = {
        .struct_size = sizeof seen, .sink = sink != NULL ? *sink : (struct tx_sink){NULL, NULL}};
    return tx_chip_observe(c->chip, c->lent, &seen) == TX_OK;
}

int txl_chip_attach(struct txl_error *err, txl_chip *c, unsigned column, unsigned row,
                    int (*visit)(void *user, struct txl_error *err, txl_tensix *tile), void *user)
{
    struct chiprun_tile *t = chiprun_tile_at(err, c, column, row);
    if (t == NULL) {
        return TXL_INPUT;
    }
    if (c->untimed) {
        return txl_fail(err, "a debugger needs cycles: it does not go with a chip without time");
    }
    c->attached = t;
    c->visit = visit;
    c->visitor = user;
    return TXL_OK;
}

int chiprun_visit(struct txl_error *err, txl_chip *c)
{
    const uint64_t now = tx_chip_cycles(c->chip);
    const uint64_t last = c->max_cycles > UINT64_MAX - now ? UINT64_MAX : now + c->max_cycles;
    const struct tile_world world = {.user = c,
                                     .last = last,
                                     .step = step,
                                     .over = over,
                                     .size = size,
                                     .save = save,
                                     .load = load,
                                     .listen = listen};
    struct chiprun_tile *t = c->attached;
    struct tile_program programs[TX_CORES];
    txl_tensix *run = NULL;
    unsigned count = 0;
    c->attached = NULL;
    if (t == NULL) {
        return TXL_CONTINUE;
    }
    for (unsigned core = 0; core < TX_CORES; core++) {
        if (t->ran[core] != NULL) {
            programs[count] = t->ran[core]->program;
            programs[count++].core = (enum tx_core)core;
        }
    }
    c->lent = t->index;
    (void)tx_chip_watch(c->chip, t->index, true);
    int result = tile_borrow(err, tx_chip_tensix(c->chip, t->index), programs, count, &world, &run);
    if (result == TXL_CONTINUE) {
        const int got = c->visit(c->visitor, err, run);
        result = got == TXL_OK ? TXL_CONTINUE : got;
    }
    txl_tensix_close(run);
    (void)tx_chip_watch(c->chip, t->index, false);
    return result;
}
