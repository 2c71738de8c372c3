/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the engine for a run, and for auto decides whether compiling pays. */
#include "engine/engine.h"

#include "engine/compile.h"
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {[TXL_ENGINE_AUTO] = "auto",
                                    [TXL_ENGINE_COMPILED] = "compiled",
                                    [TXL_ENGINE_FAST] = "fast",
                                    [TXL_ENGINE_REFERENCE] = "reference"};

enum { ENGINES = sizeof names / sizeof names[0] };

const char *txl_engine_name(size_t index)
{
    return index < ENGINES ? names[index] : NULL;
}

int txl_engine_parse(struct txl_error *err, const char *text, enum txl_engine *engine)
{
    for (unsigned i = 0; i < ENGINES; i++) {
        if (strcmp(text, names[i]) == 0) {
            *engine = (enum txl_engine)i;
            return TXL_OK;
        }
    }
    return txl_fail_option(err, NULL, "engine", "'%s' is none of auto, compiled, fast, reference",
                           text);
}

/*
 * Vector instructions from which it pays to compile, which takes about a second, and to look for
 * code that was compiled before.
 */
static const uint64_t worth_compiling = UINT64_C(4000000000);
static const uint64_t worth_looking = UINT64_C(100000000);

/*
 * Returns the time of one batch of tiles in seconds, which is far above the clock's resolution. It
 * is this thread's own: on a busy machine the other kind's batches would be the lucky ones.
 */
static double batch_time(tx_fast *fast, tx_fast_tile *tile, tx_fast_worker *worker, uint32_t *tiles)
{
    const size_t count = tx_fast_batch();
    const uint32_t *inputs[16];
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        inputs[i] = tiles;
    }
    tx_fast_use(fast, tile);
    const double start = thread_seconds();
    (void)tx_fast_run(worker, 0, count, inputs, tiles + count * TX_TILE_ELEMENTS);
    return thread_seconds() - start;
}

/*
 * Chooses the faster of compiled code and steps. Compiled code is not always faster: a whole tile's
 * plan has more values than CPUs without AVX-512 have registers. So both are timed alternately, and
 * the best of seven batches counts.
 */
static void use_if_faster(tx_fast *fast, tx_fast_tile *tile)
{
    const size_t words = tx_fast_batch() * TX_TILE_ELEMENTS;
    uint32_t *tiles = malloc(2 * words * sizeof *tiles);
    tx_fast_worker *worker = NULL;
    double best[2] = {1e9, 1e9}; /* steps, compiled */
    if (tiles != NULL && tx_fast_worker_open(fast, &worker) == TX_OK) {
        for (size_t i = 0; i < words; i++) { /* of any sign, between 2^-4 and 2^4 */
            const uint32_t x = (uint32_t)i * 0x9E3779B1u;
            tiles[i] = (x & 0x807FFFFFu) | (123u + (x >> 23 & 7u)) << 23;
        }
        for (unsigned i = 0; i < 14; i++) {
            const double took = batch_time(fast, i % 2 == 1 ? tile : NULL, worker, tiles);
            best[i % 2] = took < best[i % 2] ? took : best[i % 2];
        }
    }
    tx_fast_worker_close(worker);
    free(tiles);
    tx_fast_use(fast, best[1] < best[0] ? tile : NULL);
}

static bool compiled(const struct engine_choice *c, tx_fast *fast, struct txl_error *err)
{
    const uint64_t each = tx_fast_instructions(fast);
    const uint64_t work = each != 0 && c->tiles > UINT64_MAX / each ? UINT64_MAX : c->tiles * each;
    if (c->engine == TXL_ENGINE_AUTO && work >= worth_looking && c->compiler != NULL) {
        tx_fast_tile *tile = compile_tile(c->compiler, fast, work < worth_compiling, NULL);
        if (tile != NULL) {
            use_if_faster(fast, tile);
        }
    }
    if (c->engine != TXL_ENGINE_COMPILED) {
        return true;
    }
    struct txl_error why = {.message = "no compiler was given"};
    tx_fast_tile *tile = c->compiler == NULL ? NULL : compile_tile(c->compiler, fast, false, &why);
    if (tile == NULL) {
        return fail_false(err, "the engine compiled: %s", why.message);
    }
    tx_fast_use(fast, tile);
    return true;
}

bool engine_fast(const struct engine_choice *c, const tx_kernel *kernel, tx_fast **fast,
                 struct txl_error *err)
{
    const char *name = names[c->engine == TXL_ENGINE_COMPILED ? c->engine : TXL_ENGINE_FAST];
    const char *reason = NULL;
    enum tx_status status = TX_EUNSUPPORTED;
    *fast = NULL;
    if (c->engine == TXL_ENGINE_REFERENCE) {
        return true;
    }
    if (c->only_reference == NULL) {
        status = tx_fast_open(kernel, NULL, fast, &reason);
    }
    if (status == TX_OK && !compiled(c, *fast, err)) {
        tx_fast_close(*fast);
        *fast = NULL;
        return false;
    }
    /* A kernel that stops also stops in the reference engine, which tells where. */
    if (status == TX_OK || status == TX_FAULT || status == TX_EDEADLOCK || status == TX_ELIMIT ||
        (c->engine == TXL_ENGINE_AUTO && status == TX_EUNSUPPORTED)) {
        return true;
    }
    return status != TX_EUNSUPPORTED ? fail_false(err, "%s", tx_status_text(status))
           : c->only_reference != NULL
               ? fail_false(err, "the engine %s: %s needs the reference engine", name,
                            c->only_reference)
               : fail_false(err, "the engine %s: %s", name, reason);
}
