/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include "engine/compile.h"
#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

int engine_parse(struct txl_error *err, const char *text, enum engine *engine)
{
    static const char *const names[] = {[ENGINE_AUTO] = "auto",
                                        [ENGINE_COMPILED] = "compiled",
                                        [ENGINE_FAST] = "fast",
                                        [ENGINE_REFERENCE] = "reference"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *engine = (enum engine)i;
            return 0;
        }
    }
    return txl_fail(err, "--engine: '%s' is none of auto, compiled, fast, reference", text);
}

/* Vector instructions from which compiling pays, about a second, and looking whether it was done.
 */
static const uint64_t worth_compiling = UINT64_C(4000000000);
static const uint64_t worth_looking = UINT64_C(100000000);

/* One batch of tiles in seconds. The clock's own steps are far smaller. */
static double batch_time(tx_fast *fast, tx_fast_tile *tile, tx_fast_worker *worker, uint32_t *tiles)
{
    const size_t count = tx_fast_batch();
    const uint32_t *inputs[16];
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        inputs[i] = tiles;
    }
    tx_fast_use(fast, tile);
    const double start = clock_seconds();
    (void)tx_fast_run(worker, 0, count, inputs, tiles + count * TX_TILE_ELEMENTS);
    return clock_seconds() - start;
}

/*
 * Compiled code is not the faster one always: a whole tile's plan has more values than CPUs without
 * AVX-512 have registers. So both are measured, in turns, by their best of seven batches.
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

static bool compiled(enum engine engine, uint64_t tiles, tx_fast *fast, char *message, size_t size)
{
    const uint64_t each = tx_fast_instructions(fast);
    const uint64_t work = each != 0 && tiles > UINT64_MAX / each ? UINT64_MAX : tiles * each;
    char why[300] = "";
    if (engine == ENGINE_AUTO && work >= worth_looking) {
        tx_fast_tile *tile = compile_tile(fast, work < worth_compiling, why, sizeof why);
        if (tile != NULL) {
            use_if_faster(fast, tile);
        }
    }
    if (engine != ENGINE_COMPILED || compile_kernel(fast, why, sizeof why)) {
        return true;
    }
    snprintf(message, size, "--engine compiled: %s", why);
    return false;
}

bool engine_fast(enum engine engine, const tx_kernel *kernel, uint64_t tiles,
                 const char *only_reference, tx_fast **fast, char *message, size_t size)
{
    const char *name = engine == ENGINE_COMPILED ? "compiled" : "fast";
    const char *reason = NULL;
    enum tx_status status = TX_EUNSUPPORTED;
    *fast = NULL;
    if (engine == ENGINE_REFERENCE) {
        return true;
    }
    if (only_reference == NULL) {
        status = tx_fast_open(kernel, NULL, fast, &reason);
    }
    if (status == TX_OK && !compiled(engine, tiles, *fast, message, size)) {
        tx_fast_close(*fast);
        *fast = NULL;
        return false;
    }
    /* A kernel that stops does so in the reference engine too, which tells where. */
    if (status == TX_OK || status == TX_FAULT || status == TX_EDEADLOCK || status == TX_ELIMIT ||
        (engine == ENGINE_AUTO && status == TX_EUNSUPPORTED)) {
        return true;
    }
    if (status != TX_EUNSUPPORTED) {
        snprintf(message, size, "%s", tx_status_text(status));
    } else if (only_reference != NULL) {
        snprintf(message, size, "--engine %s: %s needs the reference engine", name, only_reference);
    } else {
        snprintf(message, size, "--engine %s: %s", name, reason);
    }
    return false;
}
