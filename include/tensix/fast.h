/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast engine: the .tile section of a kernel, scheduled once by the reference engine, then run
 * over many tiles at a time with the vector instructions of this CPU. Results equal those of
 * tx_kernel_tile bit for bit; timing is that of the schedule, the same for every tile.
 *
 *     tx_fast *fast;
 *     tx_fast_worker *worker;
 *     tx_fast_open(kernel, NULL, &fast, &reason);      // after tx_kernel_start
 *     tx_fast_worker_open(fast, &worker);              // one for each thread
 *     tx_fast_run(worker, first, count, inputs, output);
 *
 * One tx_fast may be shared by threads, a worker may not. The kernel must outlive both.
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
 * Levels that this library and this CPU have, best first: "avx512", "avx2", "neon", "base". NULL:
 * end.
 */
TX_API const char *tx_fast_level(size_t index);

/*
 * level NULL: the best. The kernel must be started and not carry state between tiles. TX_ENOENT: no
 * such level. TX_EUNSUPPORTED: this kernel needs the reference engine; *reason (if not NULL) says
 * why, in static text. TX_FAULT: the kernel stops on the first tile. One tile of random data is run
 * for the schedule on a machine of its own.
 */
TX_API enum tx_status tx_fast_open(const tx_kernel *kernel, const char *level, tx_fast **out,
                                   const char **reason);
TX_API void tx_fast_close(tx_fast *fast); /* NULL is allowed */
TX_API enum tx_status tx_fast_worker_open(const tx_fast *fast, tx_fast_worker **out);
TX_API void tx_fast_worker_close(tx_fast_worker *worker); /* NULL is allowed */

/*
 * Tiles first .. first + count - 1. inputs[i] holds the i-th input of all of them, tile after tile,
 * each 32x32 row major as for tx_kernel_tile; output the same. count may be anything; multiples of
 * tx_fast_batch() are fastest.
 */
TX_API enum tx_status tx_fast_run(tx_fast_worker *worker, uint64_t first, size_t count,
                                  const uint32_t *const *inputs, uint32_t *output);
TX_API size_t tx_fast_batch(void);
/*
 * The same of count single vectors of 32 lanes, for callers that have few at a time: a call costs
 * what its vectors do. inputs[i] holds the i-th input of all of them, vector after vector, a word a
 * lane as tiles have them: lane 8 * r + c is row r, column 2 * c or 2 * c + 1, of the four rows of
 * its tile. output the same. Two vectors are as fast as one. TX_EUNSUPPORTED: a tile of this kernel
 * is not 32 times the same vector function of inputs at its own place.
 */
TX_API enum tx_status tx_fast_run_vectors(tx_fast_worker *worker, size_t count,
                                          const uint32_t *const *inputs, uint32_t *output);
/*
 * C source of the kernel for the system's compiler, which must use this CPU's level and
 *     -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
 * It defines one function, tensix_tile, of the type below; tx_fast_use has workers call it in place
 * of their own steps. Results are the same. put gets the text in pieces.
 */
typedef void tx_fast_put(void *user, const char *text, size_t length);
typedef void tx_fast_tile(const uint32_t *const *inputs, uint32_t *output, const uint32_t *seeds,
                          uint8_t *tiers);
TX_API enum tx_status tx_fast_source(const tx_fast *fast, tx_fast_put *put, void *user);
/* Before workers run. NULL: their own steps again. */
TX_API void tx_fast_use(tx_fast *fast, tx_fast_tile *tile);
/* What the source is compiled for: the level's name, and options of gcc and clang for it. */
TX_API const char *tx_fast_level_of(const tx_fast *fast);
TX_API const char *tx_fast_options_of(const tx_fast *fast);

/* Vector instructions of one tile, scheduled ones among them. */
TX_API uint64_t tx_fast_instructions(const tx_fast *fast);

#ifdef __cplusplus
}
#endif

#endif
