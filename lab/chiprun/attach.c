/* SPDX-License-Identifier: Apache-2.0 */
/* A tile of the chip for a debugger, whose steps and whose past are those of the whole chip. */
#include "chiprun/profiled.h"

#include <stdlib.h>
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

static bool attach_load(void *user, const void *bytes, size_t room)
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

/* ---- races, as places of the run that is debugged ---- */

enum { MARK_TEXT = 512 };
struct marks {
    struct tile_mark *list;
    unsigned count;
};

static void marks_free(struct marks *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        free((char *)(uintptr_t)m->list[i].text);
    }
    free(m->list);
    *m = (struct marks){.list = NULL};
}

static int by_cycle(const void *a, const void *b)
{
    const struct tile_mark *x = a;
    const struct tile_mark *y = b;
    return x->cycle != y->cycle ? (x->cycle < y->cycle ? -1 : 1) : strcmp(x->text, y->text);
}

static int marks_take(struct txl_error *err, txl_order *order, struct marks *m)
{
    const struct txl_order_found *f;
    unsigned count = 0;
    while (txl_order_found_at(order, count) != NULL) {
        count++;
    }
    m->list = zeroed(err, count + 1, sizeof *m->list);
    for (; m->list != NULL && m->count < count; m->count++) {
        char *text = zeroed(err, MARK_TEXT, 1);
        if (text == NULL) {
            return TXL_INPUT;
        }
        f = txl_order_found_at(order, m->count);
        txl_order_found_line(f, text, MARK_TEXT);
        m->list[m->count] = (struct tile_mark){f->cycle, text};
    }
    if (m->list == NULL) {
        return TXL_INPUT;
    }
    qsort(m->list, m->count, sizeof *m->list, by_cycle);
    return TXL_CONTINUE;
}

/*
 * Where races are looked for, the program is run to its end first, and then brought back to its
 * beginning, so that a debugger knows in which cycles they are.
 */
static int look_ahead(struct txl_error *err, txl_chip *c, struct marks *m)
{
    if (c->order == NULL || c->told) {
        return TXL_CONTINUE;
    }
    const size_t room = tx_chip_snapshot_size(c->chip);
    void *bytes = zeroed(err, room, 1);
    uint64_t cycles = 0;
    int result = bytes == NULL ? TXL_INPUT : TXL_CONTINUE;
    if (result == TXL_CONTINUE && !save(c, bytes, room)) {
        result = txl_fail(err, "out of memory");
    }
    if (result == TXL_CONTINUE) {
        c->ended = chiprun_to_end(c, c->chip, c->max_cycles, NULL, &cycles);
        chiprun_race_settle(c);
        result = marks_take(err, txl_chip_races(c), m);
    }
    if (result == TXL_CONTINUE && !attach_load(c, bytes, room)) {
        result = txl_fail(err, "out of memory");
    }
    free(bytes);
    return result;
}

int chiprun_visit(struct txl_error *err, txl_chip *c)
{
    const uint64_t now = tx_chip_cycles(c->chip);
    const uint64_t last = c->max_cycles > UINT64_MAX - now ? UINT64_MAX : now + c->max_cycles;
    struct marks marks = {.list = NULL};
    struct tile_world world = {.user = c,
                               .last = last,
                               .step = step,
                               .over = over,
                               .size = size,
                               .save = save,
                               .load = attach_load,
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
    int result = look_ahead(err, c, &marks);
    world.mark = marks.list;
    world.marks = marks.count;
    (void)tx_chip_watch(c->chip, t->index, true);
    result = result == TXL_CONTINUE ? tile_borrow(err, tx_chip_tensix(c->chip, t->index), programs,
                                                  count, &world, &run)
                                    : result;
    if (result == TXL_CONTINUE) {
        const int got = c->visit(c->visitor, err, run);
        result = got == TXL_OK ? TXL_CONTINUE : got;
    }
    txl_tensix_close(run);
    (void)tx_chip_watch(c->chip, t->index, false);
    marks_free(&marks);
    return result;
}
