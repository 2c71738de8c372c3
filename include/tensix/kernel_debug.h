/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions for debuggers that extend kernel.h: running a kernel's sections cycle by cycle, and
 * returning to an earlier moment.
 *
 *     bool over = false;
 *     tx_kernel_enter(kernel, TX_SECTION_INIT);
 *     while (!over && tx_kernel_cycle(kernel, &over) == TX_OK) { ... }
 *     tx_kernel_tile_begin(kernel, 0); ... inputs into Dst ...
 *     tx_kernel_enter(kernel, TX_SECTION_TILE); ... and so on
 *
 * Cycles and final state are those of tx_kernel_start and tx_kernel_tile_run.
 */
#ifndef TENSIX_KERNEL_DEBUG_H
#define TENSIX_KERNEL_DEBUG_H

#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Begins a section: .init in place of tx_kernel_start; .tile after tx_kernel_tile_begin and the
 * caller's writes to Dst. TX_EINVAL: another section is running, or .init has not ended before
 * .tile.
 */
TX_API enum tx_status tx_kernel_enter(tx_kernel *kernel, unsigned section);
/*
 * Runs one cycle of the section. *over becomes true when the section has ended with this cycle, or
 * when nothing was left to do and no cycle was run. Returns what tx_kernel_start and
 * tx_kernel_tile_run return.
 */
TX_API enum tx_status tx_kernel_cycle(tx_kernel *kernel, bool *over);
/*
 * Returns the number of the next cycle, counted from the opening of the kernel over all sections.
 */
TX_API uint64_t tx_kernel_now(const tx_kernel *kernel);
/*
 * Finds the word that a thread will present to its front end next, as an index into the section.
 * Returns false where it has none left, or no section is running.
 */
TX_API bool tx_kernel_next(const tx_kernel *kernel, unsigned thread, size_t *index);

/*
 * Save and restore the complete state, including the machine's own L1, findings, faults and the
 * position in the section. A checkpoint is for the same kernel in the same process; after a
 * rollback everything repeats exactly, to the cycle. TX_EINVAL: another size, or not a checkpoint
 * of this kernel.
 */
TX_API size_t tx_kernel_checkpoint_size(const tx_kernel *kernel);
TX_API enum tx_status tx_kernel_checkpoint(const tx_kernel *kernel, void *buffer, size_t size);
TX_API enum tx_status tx_kernel_rollback(tx_kernel *kernel, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
