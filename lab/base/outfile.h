/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output files that appear only when they are whole. They are written without a name (or, where the
 * file system has no nameless files, under a temporary name that is removed on signals) and moved
 * into place at the end.
 */
#ifndef LAB_OUTFILE_H
#define LAB_OUTFILE_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct outfile {
    int fd;
    char *path;
    char *temporary; /* "" while the file is nameless */
    bool direct;     /* a device or pipe, which is written in place */
    bool keeps_mode; /* it replaces a file with this mode */
    unsigned mode;
};

/* Returns 0 or an errno, as the functions below do. */
int outfile_open(struct outfile *file, const char *path);
/* Announces the total size: one allocation costs the kernel less than allocating page by page. */
void outfile_expect(struct outfile *file, uint64_t size);
int outfile_write_at(struct outfile *file, const void *data, size_t size, uint64_t offset);
int outfile_append(struct outfile *file, const void *data, size_t size);
/* Moves the file into place. After an error nothing is left behind. */
int outfile_commit(struct outfile *file);
void outfile_discard(struct outfile *file);

/*
 * Opens a nameless temporary file in the folder (NULL: /tmp), which disappears with its stream.
 * NULL: errno says why.
 */
FILE *outfile_scratch(const char *folder);

#endif
