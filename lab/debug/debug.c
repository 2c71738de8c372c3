/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes a debugger. */
#include "debug/debug.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "debug/points.h"

enum { HISTORY_BYTES = 1 << 28, SPACING = 2048 };

static txl_debug *make(struct txl_error *err, const struct txl_debug_options *options)
{
    txl_debug *d = zeroed(err, 1, sizeof *d);
    if (d == NULL) {
        return NULL;
    }
    d->err = err;
    d->thread = -1;
    d->core = TX_CORES;
    if (options != NULL && options_take(err, &d->how, sizeof d->how, options) != TXL_CONTINUE) {
        free(d);
        return NULL;
    }
    return d;
}

static int finish(struct txl_error *err, txl_debug *d, int result, txl_debug **out)
{
    if (result == TXL_CONTINUE) {
        const struct past_of of = subject_past(d);
        const uint64_t budget = d->how.history != 0 ? d->how.history : HISTORY_BYTES;
        d->scratch = zeroed(err, 1, of.size);
        result = d->scratch != NULL ? history_open(err, &d->past, &of, SPACING, budget) : TXL_INPUT;
    }
    if (result != TXL_CONTINUE) {
        txl_debug_close(d);
        return result;
    }
    facts_begin(d);
    facts_end(d);
    *out = d;
    return TXL_OK;
}

int txl_debug_open(struct txl_error *err, const struct tx_program *program, const char *path,
                   const struct txl_run_options *run, const struct txl_debug_options *options,
                   txl_debug **debug)
{
    *debug = NULL;
    txl_debug *d = make(err, options);
    if (d == NULL) {
        return TXL_INPUT;
    }
    int result = subject_open(d, program, run);
    if (result == TXL_CONTINUE && path != NULL) {
        d->path = strdup(path);
        result = d->path != NULL ? TXL_CONTINUE : no_memory(err);
    }
    return finish(err, d, result, debug);
}

/* Selects the first core that has a program; steps refer to the selected core. */
static void select_core(txl_debug *d)
{
    struct tx_core_glance now[TX_CORES];
    tx_tensix_glance(d->tile, now);
    for (unsigned c = TX_CORES; c-- > 0;) {
        d->core = now[c].phase != TX_CORE_HELD ? (enum tx_core)c : d->core;
    }
}

static int no_kernel(struct txl_error *err, const txl_debug *d)
{
    return d->how.tile != 0 || d->how.tiles != 0
               ? txl_fail_option(err, NULL, "tile",
                                 "is a kernel's, and here are programs of a tile's cores")
               : TXL_CONTINUE;
}

static int finish_tile(struct txl_error *err, txl_debug *d, int result, txl_debug **debug)
{
    if (result == TXL_CONTINUE) {
        select_core(d);
    }
    return finish(err, d, result, debug);
}

int txl_debug_open_tile(struct txl_error *err, const struct txl_tensix_options *tile,
                        const struct txl_debug_options *options, txl_debug **debug)
{
    *debug = NULL;
    txl_debug *d = make(err, options);
    if (d == NULL) {
        return TXL_INPUT;
    }
    const int result = no_kernel(err, d);
    return finish_tile(err, d, result == TXL_CONTINUE ? subject_open_tile(d, tile) : result, debug);
}

int txl_debug_open_attached(struct txl_error *err, txl_tensix *tile,
                            const struct txl_debug_options *options, txl_debug **debug)
{
    *debug = NULL;
    txl_debug *d = make(err, options);
    if (d == NULL) {
        return TXL_INPUT;
    }
    const int result = no_kernel(err, d);
    return finish_tile(err, d, result == TXL_CONTINUE ? subject_open_attached(d, tile) : result,
                       debug);
}

void txl_debug_close(txl_debug *d)
{
    if (d == NULL) {
        return;
    }
    history_free(&d->past);
    points_free(d);
    subject_close(d);
    free(d->scratch);
    free(d->path);
    free(d->source);
    free(d->source_name);
    free(d->last);
    free(d);
}
