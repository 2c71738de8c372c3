/* SPDX-License-Identifier: Apache-2.0 */
/* Running out of memory: one error for all rooms, and streams that write text into memory. */
#ifndef LAB_BASE_MEMORY_H
#define LAB_BASE_MEMORY_H

#include "base/error.h"

/* "out of memory" */
extern const char no_memory_text[];
/* Sets the error "out of memory" and returns TXL_INPUT. */
int no_memory(struct txl_error *err);
/*
 * Returns the status that belongs to a message: TXL_INPUT for no_memory_text, else the other one.
 */
int memory_status(const char *message, int otherwise);

/* Like calloc, for sizes of 0 too; sets the error where it returns NULL. */
void *zeroed(struct txl_error *err, size_t count, size_t size);

/*
 * Makes room for "more" entries behind the first count of an array that grows; room, a size_t, is
 * what it has room for. Returns false without memory, and then nothing has changed.
 */
#define LIST_ROOM(array, count, room, more) \
    ((size_t)(more) <= (room) - (count) ||  \
     list_room((void *)&(array), &(room), (count), (more), sizeof *(array)))
/* Room for one, where a member tells that there was no memory. */
#define LIST_ONE(array, count, room, failed) \
    (LIST_ROOM(array, count, room, 1) || !((failed) = true))
/* What LIST_ROOM stands for: list is the address of a pointer to entries of that size. */
bool list_room(void *list, size_t *room, size_t count, size_t more, size_t size);

/* A stream that writes into memory. */
struct memory_text {
    FILE *stream;
    char *text; /* valid after memory_text_close: size bytes and a zero byte */
    size_t size;
    struct memory_grown *grown; /* what the stream writes to */
};

/* Return TXL_CONTINUE, or TXL_INPUT without memory; then nothing remains to be closed or freed. */
int memory_text_open(struct txl_error *err, struct memory_text *text);
int memory_text_close(struct txl_error *err, struct memory_text *text);
/*
 * Closes the stream. Where result is TXL_OK, *out becomes the text, which the caller frees, else
 * NULL. Returns result, or TXL_INPUT without memory.
 */
int memory_text_give(struct txl_error *err, struct memory_text *text, int result, char **out);
/*
 * Closes a stream whose text only depends on memory and returns the text, or NULL without memory.
 */
char *memory_text_take(struct memory_text *text);

#endif
