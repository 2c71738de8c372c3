/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes a session of gdb with a tile. */
#include "gdb/gdb.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"

enum { HISTORY_BYTES = 1 << 28 };

/*
 * Returns false to interrupt a run: on the caller's wish, or for an interrupt byte after the
 * packet.
 */
static bool wanted(void *user, uint64_t done, uint64_t total)
{
    const txl_gdb *g = user;
    return !packet_interrupted(g) && g->state == TXL_GDB_CONNECTED &&
           (g->how.progress == NULL || g->how.progress(g->how.progress_user, done, total));
}

int txl_gdb_open(struct txl_error *err, txl_tensix *tile, const struct txl_gdb_options *options,
                 txl_gdb **gdb)
{
    *gdb = NULL;
    txl_gdb *g = zeroed(err, 1, sizeof *g);
    if (g == NULL) {
        return TXL_INPUT;
    }
    int result = options_take(err, &g->how, sizeof g->how, options);
    g->run = tile;
    g->tile = txl_tensix_tile(tile);
    g->arch = tx_machine_arch(tx_tensix_machine(g->tile));
    const uint64_t history = g->how.history != 0 ? g->how.history : HISTORY_BYTES;
    if (result == TXL_CONTINUE && g->how.send == NULL) {
        result = txl_fail_option(err, NULL, "send", "nobody takes the answers");
    }
    result = result == TXL_CONTINUE ? stops_open(err, &g->stops, tile, history) : result;
    if (result != TXL_CONTINUE) {
        free(g);
        return result;
    }
    g->stops.ticker =
        (struct ticker){.progress = wanted, .user = g, .total = tile_options(tile)->max_cycles};
    resume_first(g);
    *gdb = g;
    return TXL_OK;
}

void txl_gdb_close(txl_gdb *g)
{
    if (g == NULL) {
        return;
    }
    /* The run must continue as if no debugger had been attached. */
    tx_tensix_freeze(g->tile, 0);
    (void)tx_tensix_split(g->tile, NULL, 0);
    stops_free(&g->stops);
    free(g->document);
    free(g->sent);
    free(g);
}

void txl_gdb_connect(txl_gdb *g)
{
    g->input = INPUT_IDLE;
    g->no_ack = g->swbreak = false;
    g->sent_length = 0;
    g->state = TXL_GDB_CONNECTED;
    g->general = g->current;
    g->resumed = TX_CORES;
    stops_clear(&g->stops);
}
