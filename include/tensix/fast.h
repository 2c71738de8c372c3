/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast engine: the .tile section of a kernel is scheduled once by the reference engine and then
 * run over many tiles at a time with the vector instructions of this CPU. Results equal those of
 * tx_kernel_tile bit for bit; timing is that of the schedule, the same for every tile.
 *
 *     tx_fast *fast;
 *     tx_fast_worker *worker;
 *     tx_fast_open(kernel, NULL, &fast, &reason);      // after tx_kernel_start
 *     tx_fast_worker_open(fast, &worker);              // one for each thread
 *     tx_fast_run(worker, first, count, inputs, output);
 *
 * Threads may share a tx_fast; a worker belongs to one thread. The kernel must outlive both.
 */
#ifndef TENSIX_FAST_H
#define TENSIX_FAST_H

#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_fast tx_fast;
typedef struct tx_fast_worker tx_fast_worker;

/*
 * Returns the names of the vector levels that this library and this CPU support, best first:
 * "avx512", "avx2", "neon", "base". NULL past the end.
 */
TX_API const char *tx_fast_level(size_t index);

/*
 * Schedules a kernel by running one tile of random data on a separate machine. level NULL: the
 * best. The kernel must be started and must not carry state between tiles. TX_ENOENT: no such
 * level. TX_EUNSUPPORTED: this kernel needs the reference engine; *reason (if not NULL) says why,
 * in static text. TX_FAULT: the kernel stops on the first tile.
 */
TX_API enum tx_status tx_fast_open(const tx_kernel *kernel, const char *level, tx_fast **out,
                                   const char **reason);
TX_API void tx_fast_close(tx_fast *fast); /* NULL is allowed */
TX_API enum tx_status tx_fast_worker_open(const tx_fast *fast, tx_fast_worker **out);
TX_API void tx_fast_worker_close(tx_fast_worker *worker); /* NULL is allowed */

/*
 * Runs tiles first .. first + count - 1. inputs[i] holds the i-th input of all of them, tile after
 * tile, each 32x32 row major as for tx_kernel_tile; output likewise. count may be anything;
 * multiples of tx_fast_batch() are fastest.
 */
TX_API enum tx_status tx_fast_run(tx_fast_worker *worker, uint64_t first, size_t count,
                                  const uint32_t *const *inputs, uint32_t *output);
TX_API size_t tx_fast_batch(void);
/*
 * Runs count single vectors of 32 lanes, for callers that have only a few at a time: the cost of a
 * call is proportional to its vectors. inputs[i] holds the i-th input of all of them, vector after
 * vector, a word per lane in the order of a tile: lane 8 * r + c is row r, column 2 * c or 2 * c +
 * 1, of the four rows of its tile. output likewise. Two vectors take no longer than one.
 * TX_EUNSUPPORTED: the kernel does not compute the same function of the inputs, at their own
 * places, for all 32 vectors of a tile.
 */
TX_API enum tx_status tx_fast_run_vectors(tx_fast_worker *worker, size_t count,
                                          const uint32_t *const *inputs, uint32_t *output);
/*
 * Tells whether each result is proven to be one function of the inputs at its own place, the same
 * for all places: no other element of the tile, no random bits and no lane number come in. Then the
 * order in which inputs are laid out in tiles makes no difference.
 */
TX_API bool tx_fast_elementwise(const tx_fast *fast);
/*
 * Writes C source of the kernel for the system's compiler, which must target this CPU's level, with
 *     -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
 * The source defines one function, tensix_tile, of the type below; tx_fast_use makes workers call
 * it instead of interpreting the schedule. Results are the same. put receives the text in pieces.
 */
typedef void tx_fast_put(void *user, const char *text, size_t length);
typedef void tx_fast_tile(const uint32_t *const *inputs, uint32_t *output, const uint32_t *seeds,
                          uint8_t *tiers);
TX_API enum tx_status tx_fast_source(const tx_fast *fast, tx_fast_put *put, void *user);
/* Sets the compiled function, before workers run. NULL: interpret the schedule again. */
TX_API void tx_fast_use(tx_fast *fast, tx_fast_tile *tile);
/* The level that the source must be compiled for, and the options of gcc and clang for it. */
TX_API const char *tx_fast_level_of(const tx_fast *fast);
TX_API const char *tx_fast_options_of(const tx_fast *fast);

/* Number of vector instructions per tile, scheduled ones included. */
TX_API uint64_t tx_fast_instructions(const tx_fast *fast);

#ifdef __cplusplus
}
#endif

#endif
