/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output files that exist only when they are whole: written without a name (or under a temporary
 * one, removed on signals, where the file system has no nameless files) and moved into place last.
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
    char *temporary; /* "" while the file has no name */
    bool direct;     /* a device or pipe: written in place */
    bool keeps_mode; /* mode is that of the file in whose place it comes */
    unsigned mode;
};

/* 0, or an errno. */
int outfile_open(struct outfile *file, const char *path);
/* So many bytes are to come: asked for at once, they cost the kernel less than page by page. */
void outfile_expect(struct outfile *file, uint64_t size);
int outfile_write_at(struct outfile *file, const void *data, size_t size, uint64_t offset);
int outfile_append(struct outfile *file, const void *data, size_t size);
/* Moves the file into place; on an error nothing is left. */
int outfile_commit(struct outfile *file);
void outfile_discard(struct outfile *file);

/* A nameless file in the folder (NULL: /tmp) that only its stream keeps. NULL: errno says why. */
FILE *outfile_scratch(const char *folder);

#endif
