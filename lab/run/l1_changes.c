/* SPDX-License-Identifier: Apache-2.0 */
/* What a program has written to L1, beside what the files put there. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "run/l1.h"

enum { LINE = 16, MOST_LINES = 16 };

struct change {
    uint32_t address;
    char before[2 * LINE + 1], after[2 * LINE + 1];
};

static void hex(const uint8_t *bytes, char text[2 * LINE + 1])
{
    for (unsigned i = 0; i < LINE; i++) {
        snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
    }
}

/* The first change from *address on, which moves behind it. */
static bool next(const uint8_t *before, const uint8_t *after, uint32_t size, uint32_t *address,
                 struct change *change)
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

/* L1 as it was, and behind it as it is; NULL: no memory. */
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

void l1_print_changes(const struct l1_job *job, const tx_machine *m)
{
    const uint32_t size = tx_l1_size(tx_machine_arch(m));
    uint8_t *before = pictures(job, m, size);
    struct change change;
    unsigned lines = 0;
    for (uint32_t at = 0; before != NULL && next(before, before + size, size, &at, &change);) {
        if (lines++ < MOST_LINES) {
            printf("L1 %06x       %s -> %s\n", (unsigned)change.address, change.before,
                   change.after);
        }
    }
    if (lines > MOST_LINES) {
        printf("L1              %u more lines of 16 bytes\n", lines - MOST_LINES);
    }
    free(before);
}

json_t *l1_changes_json(const struct l1_job *job, const tx_machine *m)
{
    const uint32_t size = tx_l1_size(tx_machine_arch(m));
    uint8_t *before = pictures(job, m, size);
    struct change change;
    json_t *list = json_array();
    for (uint32_t at = 0; before != NULL && next(before, before + size, size, &at, &change);) {
        json_t *object = json_object();
        jx_set_int(object, "address", change.address);
        jx_set_text(object, "before", change.before);
        jx_set_text(object, "after", change.after);
        json_array_append_new(list, object);
    }
    free(before);
    return list;
}
