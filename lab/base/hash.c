/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from keys to numbers, which is uthash's. */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Without memory an entry is not there; the library would otherwise end the process. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct hash_entry {
    UT_hash_handle hh;
    uint32_t number;
    unsigned char key[];
};

static struct hash_entry *entry_of(struct hash_entry *entries, const void *key, size_t size)
{
    struct hash_entry *entry = NULL;
    HASH_FIND(hh, entries, key, size, entry);
    return entry;
}

uint32_t *hash_at(struct hash *t, const void *key, size_t size)
{
    struct hash_entry *entry = entry_of(t->entries, key, size);
    if (entry != NULL) {
        return &entry->number;
    }
    entry = calloc(1, sizeof *entry + size);
    if (entry == NULL) {
        return NULL;
    }
    memcpy(entry->key, key, size);
    HASH_ADD_KEYPTR(hh, t->entries, entry->key, size, entry);
    if (entry->hh.tbl == NULL) { /* no memory for the table */
        free(entry);
        return NULL;
    }
    return &entry->number;
}

uint32_t hash_find(const struct hash *t, const void *key, size_t size)
{
    const struct hash_entry *entry = entry_of(t->entries, key, size);
    return entry != NULL ? entry->number : 0;
}

void hash_free(struct hash *t)
{
    struct hash_entry *entry, *next;
    HASH_ITER(hh, t->entries, entry, next)
    {
        HASH_DEL(t->entries, entry);
        free(entry);
    }
}
