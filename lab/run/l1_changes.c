/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what a program has written to L1, compared with what the files put there. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/l1.h"

enum { LINE = 16 };

static void hex(const uint8_t *bytes, char text[2 * LINE + 1])
{
    for (unsigned i = 0; i < LINE; i++) {
        snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
    }
}

/* Finds the first changed line from *address on, and moves *address behind it. */
static bool next(const uint8_t *before, const uint8_t *after, uint32_t size, uint32_t *address,
                 struct txl_l1_change *change)
{
    for (; *address + LINE <= size; *address += LINE) {
        if (memcmp(before + *address, after + *address, LINE) != 0) {
            change->address = *address;
            hex(before + *address, change->before);
            hex(after + *address, change->after);
            *address += LINE;
            return true;
        }
    }
    return false;
}

/* Returns L1 as the files filled it, followed by L1 as it is now; NULL: no memory. */
static uint8_t *pictures(const struct l1_job *job, const tx_machine *m, uint32_t size)
{
    uint8_t *before = calloc(2, size);
    if (before != NULL) {
        for (unsigned i = 0; i < job->in_count; i++) {
            memcpy(before + job->in[i].address, job->in[i].bytes, job->in[i].size);
        }
        (void)tx_l1_read(m, 0, before + size, size);
    }
    return before;
}

int l1_changes(const struct l1_job *job, const tx_machine *m, struct txl_l1_change **list,
               size_t *count)
{
    const uint32_t size = tx_l1_size(tx_machine_arch(m));
    uint8_t *before = pictures(job, m, size);
    struct txl_l1_change change;
    *list = NULL;
    *count = 0;
    if (before == NULL) {
        return no_memory(job->err);
    }
    for (uint32_t at = 0; next(before, before + size, size, &at, &change);) {
        ++*count;
    }
    *list = zeroed(job->err, *count + 1, sizeof **list);
    *count = 0;
    for (uint32_t at = 0; *list != NULL && next(before, before + size, size, &at, &change);) {
        (*list)[(*count)++] = change;
    }
    free(before);
    return *list != NULL ? TXL_CONTINUE : TXL_INPUT;
}
