/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lazy.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool lazy_open(const char *library, const char *const *names, size_t count, void *table,
               char *message, size_t size)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    const char *error = handle == NULL ? dlerror() : NULL;
    for (size_t i = 0; error == NULL && i < count; i++) {
        void *symbol = dlsym(handle, names[i]);
        if (symbol == NULL) {
            error = dlerror();
        } else { /* POSIX lets a function's address be copied so; C has no conversion */
            memcpy((char *)table + i * sizeof(void (*)(void)), &symbol, sizeof symbol);
        }
    }
    if (error != NULL) {
        snprintf(message, size, "%s", error);
    }
    return error == NULL;
}
