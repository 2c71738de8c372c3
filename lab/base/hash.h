/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from keys, which are some bytes, to numbers. Keys are compared byte by byte: a
 * struct that is one must have no padding, or be zero before its members are set.
 */
#ifndef LAB_HASH_H
#define LAB_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Zero is an empty table. */
struct hash {
    struct hash_entry *entries;
};

/* Returns the number of a key, which is 0 if the key was not there; NULL without memory. */
uint32_t *hash_at(struct hash *t, const void *key, size_t size);
/* Returns the number of a key, or 0. */
uint32_t hash_find(const struct hash *t, const void *key, size_t size);
void hash_free(struct hash *t);

#endif
