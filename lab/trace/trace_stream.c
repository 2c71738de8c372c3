/* SPDX-License-Identifier: Apache-2.0 */
/* A stream that counts its bytes and can compress them. */
#include "trace/trace_stream.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct sink {
    int fd;
    FILE *to;      /* if not NULL, used instead of fd */
    gzFile packed; /* NULL: not compressed */
    struct trace_size *size;
};

bool trace_stream_packs(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/*
 * Counts bytes and calls large once, as a warning before the disk is full: a million instructions
 * make a gigabyte of JSON.
 */
static void count(struct trace_size *size, size_t more)
{
    const bool before = size->bytes <= size->most;
    size->bytes += more;
    if (before && size->bytes > size->most && size->large != NULL) {
        size->large(size->user, size->bytes);
    }
}

static ssize_t sink_write(void *cookie, const char *data, size_t size)
{
    struct sink *s = cookie;
    if (s->packed != NULL) {
        return gzwrite(s->packed, data, (unsigned)size);
    }
    count(s->size, size);
    if (s->to != NULL) {
        return fwrite(data, 1, size, s->to) == size ? (ssize_t)size : 0;
    }
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(s->fd, data + done, size - done);
        if (n < 0 && errno != EINTR) {
            return 0; /* stdio treats this as an error */
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return (ssize_t)size;
}

static int sink_close(void *cookie)
{
    struct sink *s = cookie;
    const int result = s->packed != NULL ? (gzclose(s->packed) == Z_OK ? 0 : EOF)
                       : s->to != NULL   ? fflush(s->to)
                                         : close(s->fd);
    free(s);
    return result;
}

FILE *trace_stream_open(int fd, bool pack, FILE *to, struct trace_size *size)
{
    const cookie_io_functions_t calls = {.write = sink_write, .close = sink_close};
    struct sink *s = fd < 0 && to == NULL ? NULL : calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    *s = (struct sink){.fd = fd, .to = to, .size = size};
    if (pack) {
        s->packed = gzdopen(fd, "wb");
    }
    FILE *stream = pack && s->packed == NULL ? NULL : fopencookie(s, "w", calls);
    if (stream == NULL) {
        free(s);
        return NULL;
    }
    (void)setvbuf(stream, NULL, _IOFBF, 1 << 16);
    (void)__fsetlocking(stream, FSETLOCKING_BYCALLER); /* one thread writes, letter by letter */
    return stream;
}
