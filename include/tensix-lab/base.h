/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all headers of the lab library share: errors as values (error.h), progress and cancel, and
 * what a program does before it ends without ceremony.
 *
 * Options are structs whose first field is size; the caller writes
 * struct txl_x_options o = {.size = sizeof o, ...}, and every field that is left out is zero, its
 * default. A program that was built against an older header passes a smaller struct: what it lacks
 * has its default. A larger one is refused unless what this library does not know is zero.
 */
#ifndef TENSIX_LAB_BASE_H
#define TENSIX_LAB_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called in the thread that called the library: once before the work begins (done 0), about twenty
 * times a second while it lasts, and once when it ends. done and total count what the function says
 * that it counts: tiles, inputs, vectors. False cancels: the function ends soon, leaves no file
 * that is not whole and returns TXL_CANCELLED.
 */
typedef bool (*txl_progress)(void *user, uint64_t done, uint64_t total);

/*
 * Removes what functions that are running now have not made whole: temporary files and folders, and
 * the compilers that they started. For a signal handler that ends the process, and only for that:
 * it is async-signal-safe, and the functions it interrupts must not go on. Without it they leave
 * nothing behind either, whichever way they return.
 */
TXL_API void txl_abandon(void);

#ifdef __cplusplus
}
#endif

#endif
