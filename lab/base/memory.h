/* SPDX-License-Identifier: Apache-2.0 */
/* Where memory ends: one error for all rooms, and texts that are written into memory. */
#ifndef LAB_BASE_MEMORY_H
#define LAB_BASE_MEMORY_H

#include "base/error.h"

/* "out of memory" */
extern const char no_memory_text[];
/* Says so; returns TXL_INPUT. */
int no_memory(struct txl_error *err);
/* The status that goes with a message: TXL_INPUT where it is no_memory_text, else the other one. */
int memory_status(const char *message, int otherwise);

/* calloc; NULL: err says so. */
void *zeroed(struct txl_error *err, size_t count, size_t size);

/* A stream into memory. */
struct memory_text {
    FILE *stream;
    char *text; /* whole after memory_text_close: size bytes and a zero byte */
    size_t size;
};

/* Both TXL_CONTINUE, or TXL_INPUT without memory: then nothing is to be closed or freed. */
int memory_text_open(struct txl_error *err, struct memory_text *text);
int memory_text_close(struct txl_error *err, struct memory_text *text);
/*
 * Closes it, and *out is the text, for free(), where result is TXL_OK; else NULL. Returns result,
 * or TXL_INPUT without memory.
 */
int memory_text_give(struct txl_error *err, struct memory_text *text, int result, char **out);
/* The same for a text that needs nothing but memory: NULL without. */
char *memory_text_take(struct memory_text *text);

#endif
