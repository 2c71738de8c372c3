/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a library at its first use and looks up its functions. */
#include "base/lazy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t filling = PTHREAD_MUTEX_INITIALIZER;

/*
 * Fills the whole table or nothing, so that its last entry tells whether it is filled. Returns an
 * error message or NULL.
 */
static const char *lazy_fill(const char *library, const char *const *names, size_t count,
                             void *table)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    const char *error = handle == NULL ? dlerror() : NULL;
    for (size_t i = 0; error == NULL && i < count; i++) {
        void *symbol = dlsym(handle, names[i]);
        if (symbol == NULL) {
            error = dlerror();
            memset(table, 0, count * sizeof symbol);
        } else { /* POSIX allows copying a function's address like this; C has no conversion */
            memcpy((char *)table + i * sizeof symbol, &symbol, sizeof symbol);
        }
    }
    return error;
}

bool lazy_open(const char *library, const char *const *names, size_t count, void *table,
               struct txl_error *err)
{
    void *last = NULL;
    pthread_mutex_lock(&filling);
    memcpy(&last, (char *)table + (count - 1) * sizeof last, sizeof last);
    const char *error = last == NULL ? lazy_fill(library, names, count, table) : NULL;
    if (error != NULL) {
        txl_fail(err, "%s", error);
    }
    pthread_mutex_unlock(&filling);
    return error == NULL;
}
