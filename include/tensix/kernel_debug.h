/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger needs of a kernel beyond kernel.h: its sections cycle by cycle, and the way back
 * to a moment of the past.
 *
 *     bool over = false;
 *     tx_kernel_enter(kernel, TX_SECTION_INIT);
 *     while (!over && tx_kernel_cycle(kernel, &over) == TX_OK) { ... }
 *     tx_kernel_tile_begin(kernel, 0); ... inputs into Dst ...
 *     tx_kernel_enter(kernel, TX_SECTION_TILE); ... and so on
 *
 * It takes the cycles, and leaves the state, of tx_kernel_start and tx_kernel_tile_run.
 */
#ifndef TENSIX_KERNEL_DEBUG_H
#define TENSIX_KERNEL_DEBUG_H

#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A section begins. .init: instead of tx_kernel_start; .tile: after tx_kernel_tile_begin and what
 * the caller puts into Dst. TX_EINVAL: another section is under way, or .tile before .init is over.
 */
TX_API enum tx_status tx_kernel_enter(tx_kernel *kernel, unsigned section);
/*
 * One cycle of it. *over: the section has ended with this cycle, or before it where nothing was
 * left to do; then no cycle was run. What tx_kernel_start and tx_kernel_tile_run return.
 */
TX_API enum tx_status tx_kernel_cycle(tx_kernel *kernel, bool *over);
/* The cycle that comes next, counted from the kernel's opening over all sections. */
TX_API uint64_t tx_kernel_now(const tx_kernel *kernel);
/*
 * The place in the section of the word that a thread presents to its front next. False: it has no
 * more, or no section is under way.
 */
TX_API bool tx_kernel_next(const tx_kernel *kernel, unsigned thread, size_t *index);

/*
 * Everything, L1 of the machine's own, findings, faults and the place in the section included. For
 * the same kernel in the same process; from there on everything is as it was, to the cycle.
 * TX_EINVAL: another size, or not a checkpoint of this kernel.
 */
TX_API size_t tx_kernel_checkpoint_size(const tx_kernel *kernel);
TX_API enum tx_status tx_kernel_checkpoint(const tx_kernel *kernel, void *buffer, size_t size);
TX_API enum tx_status tx_kernel_rollback(tx_kernel *kernel, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
