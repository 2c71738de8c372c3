/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the list of what must be cleaned up, which threads change without locks. */
#include "base/abandon.h"

#include <stdatomic.h>
#include <stddef.h>

#include <tensix-lab/base.h>

enum { MOST = 64 };

enum { FREE, TAKEN, READY };

/*
 * Any thread writes this list, and a signal handler reads it: the other fields are valid only in
 * state READY.
 */
static struct {
    atomic_int state;
    void (*_Atomic clean)(void *what);
    void *_Atomic what;
} list[MOST];

bool abandon_add(void (*clean)(void *what), void *what)
{
    for (size_t i = 0; i < MOST; i++) {
        int expected = FREE;
        if (atomic_compare_exchange_strong(&list[i].state, &expected, TAKEN)) {
            list[i].clean = clean;
            list[i].what = what;
            atomic_store(&list[i].state, READY);
            return true;
        }
    }
    return false;
}

void abandon_remove(void (*clean)(void *what), const void *what)
{
    for (size_t i = 0; i < MOST; i++) {
        if (atomic_load(&list[i].state) == READY && list[i].what == what &&
            list[i].clean == clean) {
            atomic_store(&list[i].state, FREE);
            return;
        }
    }
}

void txl_abandon(void)
{
    for (size_t i = 0; i < MOST; i++) {
        int expected = READY;
        if (atomic_compare_exchange_strong(&list[i].state, &expected, TAKEN)) {
            list[i].clean(list[i].what);
        }
    }
}
