/* SPDX-License-Identifier: Apache-2.0 */
/* Where a trace is written: counted, and compressed where the file's name ends in .gz. */
#ifndef LAB_TRACE_STREAM_H
#define LAB_TRACE_STREAM_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TRACE_STREAM_WARNS = 256 << 20 };

/* Of one trace; the warning is told once. */
struct trace_size {
    uint64_t bytes; /* as they leave, over all plain forms */
    bool told;
};

/* Whether a file of this name is compressed. */
bool trace_stream_packs(const char *path);
/* Takes over fd; NULL: no memory. Closing tells whether all went well. */
FILE *trace_stream_open(int fd, bool pack, struct trace_size *size);

#endif
