/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internal interface to a schedule whose constants change from run to run, for searches that try
 * many values of a kernel's constants. Only libtensix-lab and the tests of the same version include
 * this; it is not installed and may change at any time.
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
 * Opens a schedule like tx_fast_open, in which each constant (a value that is the same in all
 * lanes) that equals one of words can be changed. Such values count as unknown, so that no
 * optimisation depends on them. words, at most TX_FAST_VARY, must differ from each other and from
 * all other constants of the kernel. Compiled code cannot vary.
 */
TX_API enum tx_status tx_fast_vary_open(const tx_kernel *kernel, const char *level,
                                        const uint32_t *words, unsigned count, tx_fast **out,
                                        const char **reason);
/* Replaces the constant words[index] by word, for all further runs of this worker. */
TX_API void tx_fast_vary(tx_fast_worker *worker, unsigned index, uint32_t word);
/*
 * The constants of the schedule in the order in which it first uses them, each as its value in lane
 * 0. Schedules of two kernels that differ only in constants have the same number of them, and the
 * same steps.
 */
TX_API size_t tx_fast_constant_count(const tx_fast *fast);
TX_API uint32_t tx_fast_constant(const tx_fast *fast, size_t index);

#ifdef __cplusplus
}
#endif

#endif
