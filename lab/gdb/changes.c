/* SPDX-License-Identifier: Apache-2.0 */
/* Records the changes that gdb makes to a tile and repeats them when the tile goes back in time. */
#include "gdb/changes.h"

#include <string.h>

static bool words_of(const struct change *c, const uint8_t *bytes, uint32_t words[64])
{
    const size_t count = c->size / 4;
    if (c->size % 4 != 0 || count > 64) {
        return false;
    }
    if (count != 0) {
        memcpy(words, bytes, c->size);
    }
    return true;
}

static bool apply(tx_tensix *tile, const struct change *c, const uint8_t *bytes)
{
    const enum tx_core core = (enum tx_core)c->core;
    uint32_t words[64] = {0};
    if (!words_of(c, bytes, words)) {
        return false;
    }
    switch ((enum change_kind)c->kind) {
    case CHANGE_MEMORY:
        break;
    case CHANGE_HOST:
        return tx_tensix_write(tile, c->where, bytes, c->size) == TX_OK;
    case CHANGE_REGISTER:
        return tx_core_write(tile, core, c->where, words[0]) == TX_OK;
    case CHANGE_CSR:
        return tx_core_csr_write(tile, core, c->where, words[0]) == TX_OK;
    case CHANGE_FILE:
        return tx_write(tx_tensix_machine(tile), (enum tx_file)c->where, c->index, words,
                        c->size / 4) == TX_OK;
    case CHANGE_WAKE:
        return tx_core_wake(tile, core) == TX_OK;
    case CHANGE_FREEZE:
        tx_tensix_freeze(tile, c->where);
        return true;
    case CHANGE_SPLIT:
        return tx_tensix_split(tile, words, c->size / 4) == TX_OK;
    }
    return false;
}

/*
 * Applies a change. If writing memory stops in the middle, the bytes before that point stay
 * written.
 */
static bool change(void *user, const struct change *c, const uint8_t *bytes, uint32_t *done)
{
    tx_tensix *tile = txl_tensix_tile(user);
    if (c->kind == CHANGE_MEMORY) {
        *done = (uint32_t)tx_core_poke(tile, (enum tx_core)c->core, c->where, bytes, c->size);
        return *done == c->size && *done != 0;
    }
    const bool good = apply(tile, c, bytes);
    *done = good ? c->size : 0;
    return good;
}

static uint64_t now(void *user)
{
    return tx_tensix_cycles(txl_tensix_tile(user));
}

static void step(void *user)
{
    (void)tile_step(user);
}

static bool save(void *user, void *bytes)
{
    return tile_point_save(user, bytes);
}

static void changes_load(void *user, const void *bytes)
{
    tile_point_load(user, bytes);
}

static void drop(void *user, void *bytes)
{
    tile_point_drop(user, bytes);
}

struct past_of changes_of_tile(txl_tensix *run)
{
    return (struct past_of){.user = run,
                            .size = tile_point_size(run),
                            .beside = tile_point_beside(run),
                            .now = now,
                            .step = step,
                            .save = save,
                            .load = changes_load,
                            .drop = drop,
                            .change = change};
}
