/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <string.h>

int options_take(struct txl_error *err, void *own, size_t own_size, const void *given)
{
    size_t size = sizeof size;
    memset(own, 0, own_size);
    if (given != NULL) {
        memcpy(&size, given, sizeof size);
    }
    if (size < sizeof size) {
        return txl_fail(err, "the options do not say their size");
    }
    for (size_t i = own_size; i < size; i++) {
        if (((const char *)given)[i] != 0) {
            return txl_fail(err, "an option is set that this version of the library does not know");
        }
    }
    if (given != NULL) {
        memcpy(own, given, size < own_size ? size : own_size);
    }
    memcpy(own, &own_size, sizeof own_size);
    return TXL_CONTINUE;
}

void options_give(void *to, const void *own, size_t own_size)
{
    size_t size = 0;
    memcpy(&size, to, sizeof size);
    const size_t known = size < own_size ? size : own_size;
    if (known > sizeof size) {
        memcpy((char *)to + sizeof size, (const char *)own + sizeof size, known - sizeof size);
    }
}
