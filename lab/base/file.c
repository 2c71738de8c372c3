/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads whole files, up to a limit, and writes them so that they appear only when they are
 * complete.
 */
#include <tensix-lab/base.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"

/* More than any program; the limit keeps an endless device from filling the memory. */
static const size_t most_bytes = (size_t)256 << 20;

char *txl_read_file(struct txl_error *err, const char *path, size_t *length)
{
    struct txl_where where = {.file = path};
    const bool standard = strcmp(path, "-") == 0;
    const int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        txl_fail_at(err, &where, "%s", strerror(errno));
        return NULL;
    }
    size_t size = 0;
    size_t room = 1 << 12;
    char *text = malloc(room + 1);
    int error = 0;
    while (text != NULL) {
        const ssize_t got = read(file, text + size, room - size);
        if (got <= 0) {
            error = got < 0 ? errno : 0; /* an interrupted read ends it too */
            break;
        }
        size += (size_t)got;
        if (size < room) {
            continue;
        }
        if (room > most_bytes) {
            break;
        }
        room *= 2;
        char *larger = realloc(text, room + 1);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    if (!standard) {
        close(file);
    }
    if (text == NULL || error != 0 || size > most_bytes) {
        txl_fail_at(err, &where, "%s",
                    text == NULL ? "out of memory"
                    : error != 0 ? strerror(error)
                                 : "longer than 256 MiB");
        free(text);
        return NULL;
    }
    text[size] = '\0';
    *length = size;
    return text;
}

int txl_write_file(struct txl_error *err, const char *path, const void *data, size_t size)
{
    struct outfile file;
    struct txl_where where = {.file = path};
    int error = outfile_open(&file, path);
    if (error == 0) {
        error = outfile_append(&file, data, size);
        if (error == 0) {
            error = outfile_commit(&file);
        } else {
            outfile_discard(&file);
        }
    }
    return error == 0 ? TXL_OK : txl_fail_at(err, &where, "%s", strerror(error));
}
