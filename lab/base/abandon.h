/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must not stay behind when a signal ends the process, see txl_abandon in tensix-lab/base.h.
 * A signal handler cannot be handed a pointer, so this list is the one thing in the lab library
 * that is the process's and not a handle's.
 */
#ifndef LAB_BASE_ABANDON_H
#define LAB_BASE_ABANDON_H

#include <stdbool.h>

/*
 * clean(what) is called by txl_abandon until abandon_remove. It is async-signal-safe. False: there
 * are too many already, and nothing was added; what then stays behind is harmless.
 */
bool abandon_add(void (*clean)(void *what), void *what);
void abandon_remove(void (*clean)(void *what), const void *what);

#endif
