/* SPDX-License-Identifier: Apache-2.0 */
/* The output stream of a trace: counts bytes, and compresses where the file's name ends in .gz. */
#ifndef LAB_TRACE_STREAM_H
#define LAB_TRACE_STREAM_H

#include "base/error.h"

/* Total size of the uncompressed forms of one trace. */
struct trace_size {
    uint64_t bytes, most;
    void (*large)(void *user, uint64_t bytes); /* called once when bytes exceeds most; or NULL */
    void *user;
};

/* Tells whether a file of this name is to be compressed. */
bool trace_stream_packs(const char *path);
/*
 * Opens a stream that takes over fd or, if to is not NULL, writes to that stream. NULL: no memory.
 */
FILE *trace_stream_open(int fd, bool pack, FILE *to, struct trace_size *size);

#endif
