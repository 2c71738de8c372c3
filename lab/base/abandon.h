/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of what must be cleaned up when a signal ends the process, see txl_abandon in
 * tensix-lab/base.h. A signal handler cannot be given a pointer, so this list is the only thing in
 * the lab library that belongs to the process and not to a handle.
 */
#ifndef LAB_BASE_ABANDON_H
#define LAB_BASE_ABANDON_H

#include <stdbool.h>

/*
 * Registers clean(what) to be called by txl_abandon until abandon_remove; clean must be
 * async-signal-safe. Returns false where the list is full: nothing was added, and after a signal
 * what remains, which is harmless.
 */
bool abandon_add(void (*clean)(void *what), void *what);
void abandon_remove(void (*clean)(void *what), const void *what);

#endif
