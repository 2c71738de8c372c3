/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an .npz archive: members are found and unpacked, and what comes out is parsed. */
#include "data/npz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 16 };

struct taken {
    uint8_t bytes[ROOM];
    size_t size;
};

/* No more than there is room for: what a few bytes unpack to may be large. */
static bool take(void *user, const void *data, size_t size)
{
    struct taken *t = user;
    if (size > ROOM - t->size) {
        return false;
    }
    memcpy(t->bytes + t->size, data, size);
    t->size += size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct taken taken;
    const char *const members[] = {NULL, "arr_0", "x"};
    const struct npz_from from = {.bytes = data, .size = size};
    const struct npz_take to = {take, &taken};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct txl_error err = {0};
        struct npy_info info;
        taken.size = 0;
        if (!npz_extract(&from, members[i], &to, &err)) {
            if (err.message[0] == '\0') {
                abort();
            }
            continue;
        }
        if (npy_parse(taken.bytes, taken.size, taken.size, &info, &err) &&
            info.data_offset + info.count * info.item_size != taken.size) {
            abort();
        }
    }
    return 0;
}
