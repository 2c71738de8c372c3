/* SPDX-License-Identifier: Apache-2.0 */
/* The run of a profiled tile repeated, from its state before the first cycle, with other paces. */
#include "profile/profile.h"
#include "tile/tile_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int tile_run_again(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    struct txl_tensix *t = user;
    struct tx_tensix_settings settings;
    tx_tensix *copy = NULL;
    tx_tensix_settings_default(&settings, t->how.arch);
    for (unsigned i = 0; i < TX_PACED_COUNT; i++) {
        settings.machine.pace[i] = rerun->pace[i] != TX_PACE_REAL ? rerun->pace[i] : t->how.pace[i];
    }
    enum tx_status status = tx_tensix_open(&settings, &copy);
    if (status == TX_OK) {
        status = tx_tensix_restore(copy, t->before, tx_tensix_snapshot_size(copy));
    }
    if (status == TX_OK) {
        rerun->ended = tile_run_copy(t, copy) == TX_OK;
        rerun->cycles = tx_tensix_cycles(copy);
        rerun->same = profile_memory(tx_tensix_machine(copy), 0) ==
                      profile_memory(tx_tensix_machine(t->tile), 0);
    }
    tx_tensix_close(copy);
    return status == TX_OK ? TXL_CONTINUE
                           : txl_fail(err, "the run with another pace: %s", tx_status_text(status));
}

int tile_keep_before(struct txl_error *err, struct txl_tensix *t)
{
    const size_t size = tx_tensix_snapshot_size(t->tile);
    free(t->before);
    t->before = malloc(size);
    return t->before == NULL ? no_memory(err)
           : tx_tensix_snapshot(t->tile, t->before, size) == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "the tile cannot be copied");
}

int tile_finish_profile(struct txl_error *err, struct txl_tensix *t)
{
    int result = profile_finish(err, t->profile, t->result.cycles, t->result.bounds);
    if (result == TXL_CONTINUE) {
        result = profile_try(err, t->profile, &(struct profile_again){tile_run_again, t, 1});
    }
    t->profiled = result == TXL_CONTINUE;
    return result;
}
