/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as a file in memory, for readers that take a path. One file with as many names as
 * wanted, in a folder of its own that is removed when the program ends.
 */
#ifndef FUZZ_INPUT_FILE_H
#define FUZZ_INPUT_FILE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_NAMES = 4 };

struct input_file {
    char folder[40];
    char names[INPUT_NAMES][64]; /* whole paths; "": none */
    int fd;
    size_t size;
};

/* name: without the folder. The first call makes the file. */
static inline void input_file_name(struct input_file *file, unsigned index, const char *name)
{
    if (file->folder[0] == '\0') {
        snprintf(file->folder, sizeof file->folder, "%s/fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        if (mkdtemp(file->folder) == NULL) {
            abort();
        }
        file->fd = -1;
    }
    snprintf(file->names[index], sizeof file->names[index], "%s/%s", file->folder, name);
    if (file->fd < 0) {
        file->fd = open(file->names[index], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    } else if (link(file->names[0], file->names[index]) != 0) {
        abort();
    }
    if (file->fd < 0) {
        abort();
    }
}

/* What the file holds from now on. Its pages stay: to give them back and get new ones would take
 * longer than to read them. */
static inline void input_file_put(struct input_file *file, const void *data, size_t size)
{
    if ((size > 0 && pwrite(file->fd, data, size, 0) != (ssize_t)size) ||
        (size < file->size && ftruncate(file->fd, (off_t)size) != 0)) {
        abort();
    }
    file->size = size;
}

static inline void input_file_remove(struct input_file *file)
{
    for (unsigned i = 0; i < INPUT_NAMES; i++) {
        if (file->names[i][0] != '\0') {
            unlink(file->names[i]);
        }
    }
    rmdir(file->folder);
}

#endif
