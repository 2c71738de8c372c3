/* SPDX-License-Identifier: Apache-2.0 */
/* The directory that keeps compiled kernels, so that each is compiled once. */
#ifndef LAB_CACHE_H
#define LAB_CACHE_H

#include "base/error.h"

enum { CACHE_PATH_ROOM = 1024 };

/*
 * FNV-1a with 128 bits, which names what is compiled and how. The end of the text is part of it, so
 * that two texts differ from their concatenation.
 */
extern const unsigned __int128 cache_hash_start;
unsigned __int128 cache_hash(unsigned __int128 hash, const char *text);

/*
 * Sets path to the directory `name` without symbolic links. make: create it when it is missing,
 * with make_parent also the one above it. False, and err says why, also when somebody else may
 * write there, because what it holds is executed.
 */
bool cache_directory(const char *name, bool make_parent, char path[CACHE_PATH_ROOM], bool make,
                     struct txl_error *err);
/* Appends the file name of the kernel with this key to the directory in path. */
void cache_name(char path[CACHE_PATH_ROOM], unsigned __int128 key);
/* Marks a finished file as complete. */
bool cache_seal(const char *path);
/* Returns whether the file belongs to the user and is complete. Then it counts as used now. */
bool cache_is_whole(const char *path);
/*
 * Removes what killed processes have left and, when all kernels together are too large, those
 * unused for the longest time, but never `keep`.
 */
void cache_tidy(const char *keep);

#endif
