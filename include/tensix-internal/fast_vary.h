/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internal: a schedule whose constants change from run to run, for a search that tries many values
 * of a kernel's constants. libtensix-lab and the tests of the same version include this; it is not
 * installed, and promises nothing to anybody else.
 *
 *     tx_fast_vary_open(kernel, NULL, words, count, &fast, &reason);
 *     tx_fast_worker_open(fast, &worker);
 *     tx_fast_vary(worker, 0, 0x3f800000);   // in place of words[0]
 *     tx_fast_run(worker, ...);
 */
#ifndef TENSIX_INTERNAL_FAST_VARY_H
#define TENSIX_INTERNAL_FAST_VARY_H

#include <tensix/fast.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TX_FAST_VARY = 128 };

/*
 * As tx_fast_open. A value that is the same in all lanes, constant, and one of words counts as
 * unknown: nothing is concluded from it. words are different from each other, and from what else
 * the kernel has; at most TX_FAST_VARY. Compiled code does not vary.
 */
TX_API enum tx_status tx_fast_vary_open(const tx_kernel *kernel, const char *level,
                                        const uint32_t *words, unsigned count, tx_fast **out,
                                        const char **reason);
/* From now on this worker has another value in place of words[index]. */
TX_API void tx_fast_vary(tx_fast_worker *worker, unsigned index, uint32_t word);
/*
 * The constants of the schedule in the order in which they were met, each by its value in lane 0:
 * schedules of two kernels that differ in constants only have the same number of them, and steps.
 */
TX_API size_t tx_fast_constant_count(const tx_fast *fast);
TX_API uint32_t tx_fast_constant(const tx_fast *fast, size_t index);

#ifdef __cplusplus
}
#endif

#endif
