/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files whose names come from other files: kernels, ELFs, texts in an editor. Their authors
 * must not choose what is read: only regular files, beneath one folder, whatever links there are.
 */
#ifndef LAB_BASE_BENEATH_H
#define LAB_BASE_BENEATH_H

#include "base/error.h"

/*
 * Reads a file beneath a folder ("" is the working directory). Returns its text, zero-terminated,
 * which the caller frees. NULL: err says why; for what lies outside as well.
 */
char *read_beneath(struct txl_error *err, const char *folder, const char *name, size_t *length);

/* Opens it, without waiting for anything. Returns a descriptor or -errno. */
int open_beneath(const char *folder, const char *name);

/* The same as open_beneath for systems without openat2: no link at all is followed. */
int open_beneath_plain(const char *folder, const char *name);

#endif
