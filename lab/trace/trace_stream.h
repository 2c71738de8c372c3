/* SPDX-License-Identifier: Apache-2.0 */
/* Where a trace is written: counted, and compressed where the file's name ends in .gz. */
#ifndef LAB_TRACE_STREAM_H
#define LAB_TRACE_STREAM_H

#include "base/error.h"

/* Of one trace, over all its forms that are not compressed. */
struct trace_size {
    uint64_t bytes, most;
    void (*large)(void *user, uint64_t bytes); /* once, when it is more than most; or NULL */
    void *user;
};

/* Whether a file of this name is compressed. */
bool trace_stream_packs(const char *path);
/* Takes over fd, or writes on to a stream, where that is not NULL. NULL: no memory. */
FILE *trace_stream_open(int fd, bool pack, FILE *to, struct trace_size *size);

#endif
