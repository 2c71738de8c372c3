/* SPDX-License-Identifier: Apache-2.0 */
/* Copies option structs between versions of the header that differ in size. */
#include "base/options.h"

#include <string.h>

static const char unknown[] = "an option is set that this version of the library does not know";

int options_reserved(struct txl_error *err, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (((const char *)bytes)[i] != 0) {
            return txl_fail(err, "%s", unknown);
        }
    }
    return TXL_CONTINUE;
}

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
    if (size > own_size &&
        options_reserved(err, (const char *)given + own_size, size - own_size) != TXL_CONTINUE) {
        return TXL_INPUT;
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
