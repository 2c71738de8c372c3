/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the straight-line form: runs both forms over tiles of random and special data. */
#include "expand/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"

struct side {
    tx_kernel *kernel;
    uint32_t out[TX_TILE_ELEMENTS];
    /* Cycle of the tile's first event, from which cycles are counted. */
    uint64_t first;
    uint64_t stored[TX_DST_ROWS]; /* cycle of the last write to each row, plus 1 */
    bool begun;
};

static void on_store(void *user, const struct tx_event *event)
{
    struct side *side = user;
    if (!side->begun && event->kind == TX_EVENT_ISSUE) {
        side->begun = true;
        side->first = event->cycle;
    }
    if (side->begun && event->kind == TX_EVENT_WRITE_DST) {
        side->stored[event->index] = event->cycle - side->first + 1;
    }
}

static enum tx_status open_side(const struct expand *x, const struct tx_program *program,
                                struct side *side)
{
    struct tx_settings settings;
    tx_settings_default(&settings, tx_program_arch(program));
    settings.sink = (struct tx_sink){on_store, side};
    enum tx_status status = tx_kernel_open(&settings, program, &x->options, &side->kernel);
    return status == TX_OK ? tx_kernel_start(side->kernel) : status;
}

/* Reports the first store of the kernel whose row differs in the straight-line form. */
static void tell_difference(struct expand *x, const struct side side[2], uint64_t tile)
{
    unsigned row = TX_DST_ROWS;
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        uint32_t cells[2][TX_DST_WIDTH] = {{0}};
        for (unsigned s = 0; s < 2; s++) {
            (void)tx_read(tx_kernel_machine(side[s].kernel), TX_FILE_DST, i, cells[s],
                          TX_DST_WIDTH);
        }
        if (memcmp(cells[0], cells[1], sizeof cells[0]) != 0 &&
            (row == TX_DST_ROWS || side[0].stored[i] < side[0].stored[row])) {
            row = i;
        }
    }
    if (row == TX_DST_ROWS || side[0].stored[row] == 0) {
        (void)expand_fail(x, "the attempt does not end as the kernel does, in tile %llu",
                          (unsigned long long)tile);
        return;
    }
    (void)expand_fail(x,
                      "the attempt differs in tile %llu, from the store of cycle %llu to Dst row "
                      "%u on",
                      (unsigned long long)tile, (unsigned long long)(side[0].stored[row] - 1), row);
}

/* The two forms and the data that both get. */
struct proof {
    struct side side[2];
    uint32_t data[EXPAND_INPUTS][TX_TILE_ELEMENTS];
};

static bool one_tile(struct proof *p, uint64_t tile, uint64_t *random)
{
    const uint32_t *inputs[EXPAND_INPUTS];
    const enum tx_dst_format dst = tx_kernel_dst(p->side[0].kernel);
    bool good = true;
    for (unsigned i = 0; i < EXPAND_INPUTS; i++) {
        feed_data(dst, random, p->data[i]);
        inputs[i] = p->data[i];
    }
    for (unsigned s = 0; s < 2 && good; s++) {
        p->side[s].begun = false;
        good = tx_kernel_tile(p->side[s].kernel, tile, inputs, p->side[s].out) == TX_OK;
    }
    return good && memcmp(p->side[0].out, p->side[1].out, sizeof p->side[0].out) == 0;
}

int expand_prove(struct txl_error *err, struct expand *x, const struct tx_program *straight,
                 const struct txl_expand_options *how)
{
    struct proof *p = zeroed(err, 1, sizeof *p);
    uint64_t random = 0x5EED;
    int result = TXL_OK;
    if (p == NULL) {
        return TXL_INPUT;
    }
    enum tx_status status = open_side(x, x->program, &p->side[0]);
    status = status == TX_OK ? open_side(x, straight, &p->side[1]) : status;
    if (status == TX_ENOMEM) {
        result = no_memory(err);
    } else if (status != TX_OK) {
        (void)expand_fail(x, "the attempt does not run");
        result = TXL_NEGATIVE;
    }
    for (uint64_t tile = 0; tile < how->tiles && result == TXL_OK; tile++) {
        if (how->progress != NULL && !how->progress(how->user, tile, how->tiles)) {
            result = txl_refuse(err, TXL_CANCELLED, "cancelled");
        } else if (!one_tile(p, tile, &random)) {
            tell_difference(x, p->side, tile);
            result = TXL_NEGATIVE;
        }
    }
    if (result == TXL_OK && how->progress != NULL &&
        !how->progress(how->user, how->tiles, how->tiles)) {
        result = txl_refuse(err, TXL_CANCELLED, "cancelled");
    }
    for (unsigned s = 0; s < 2; s++) {
        tx_kernel_close(p->side[s].kernel);
    }
    free(p);
    return result;
}
