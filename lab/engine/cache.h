/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of compiled kernels. */
#ifndef LAB_CACHE_H
#define LAB_CACHE_H

#include "base/error.h"

enum { CACHE_PATH_ROOM = 1024 };

/* FNV-1a with 128 bits: a name for what is compiled, and how. The text's end is part of it. */
extern const unsigned __int128 cache_hash_start;
unsigned __int128 cache_hash(unsigned __int128 hash, const char *text);

/*
 * The directory of that name, without links, in path. make: it is made where it is missing, with
 * make_parent the one above it too. False: message says why; what stands there is executed, so that
 * nobody else may write there.
 */
bool cache_directory(const char *name, bool make_parent, char path[CACHE_PATH_ROOM], bool make,
                     char *message, size_t size);
/* The name of the kernel with that key, in the directory that path holds. */
void cache_name(char path[CACHE_PATH_ROOM], unsigned __int128 key);
/* Marks a finished file as whole. */
bool cache_seal(const char *path);
/* Whether it is the user's, and whole; then it counts as used now. */
bool cache_is_whole(const char *path);
/*
 * Removes what killed processes left, and the kernels unused for longest where all together are
 * too large; not keep.
 */
void cache_tidy(const char *keep);

#endif
