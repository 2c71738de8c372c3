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
    tx_tensix *tile = user;
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
    return tx_tensix_cycles(user);
}

static void step(void *user)
{
    (void)tx_tensix_cycle(user, 1);
}

static bool save(void *user, void *bytes)
{
    return tx_tensix_checkpoint(user, bytes, tx_tensix_checkpoint_size(user)) == TX_OK;
}

static void load(void *user, const void *bytes)
{
    (void)tx_tensix_rollback(user, bytes, tx_tensix_checkpoint_size(user));
}

struct past_of changes_of_tile(tx_tensix *tile)
{
    return (struct past_of){.user = tile,
                            .size = tx_tensix_checkpoint_size(tile),
                            .now = now,
                            .step = step,
                            .save = save,
                            .load = load,
                            .change = change};
}
