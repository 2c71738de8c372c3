/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation with the error "out of memory", and streams that write text into memory. */
#include "base/memory.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

const char no_memory_text[] = "out of memory";

int no_memory(struct txl_error *err)
{
    return txl_fail(err, "%s", no_memory_text);
}

int memory_status(const char *message, int otherwise)
{
    return strcmp(message, no_memory_text) == 0 ? TXL_INPUT : otherwise;
}

void *zeroed(struct txl_error *err, size_t count, size_t size)
{
    void *memory = calloc(count != 0 ? count : 1, size != 0 ? size : 1);
    if (memory == NULL) {
        no_memory(err);
    }
    return memory;
}

bool list_room(void *list, size_t *room, size_t count, size_t more, size_t size)
{
    enum { FEW = 8 };
    void *at;
    const size_t twice = *room < FEW ? FEW : 2 * *room;
    const size_t wanted = twice - count < more ? count + more : twice;
    memcpy(&at, list, sizeof at);
    at = wanted > SIZE_MAX / size ? NULL : realloc(at, wanted * size);
    if (at == NULL) {
        return false;
    }
    memcpy(list, &at, sizeof at);
    *room = wanted;
    return true;
}

struct memory_grown {
    char *text;
    size_t size, room; /* size < room */
};

/* Returns 0 without memory, which leaves the error in the stream. */
static ssize_t grow(void *cookie, const char *data, size_t size)
{
    struct memory_grown *g = cookie;
    if (!LIST_ROOM(g->text, g->size, g->room, size + 1)) {
        return 0;
    }
    memcpy(g->text + g->size, data, size);
    g->size += size;
    return (ssize_t)size;
}

static void free_grown(struct memory_grown *g)
{
    if (g != NULL) {
        free(g->text);
        free(g);
    }
}

/*
 * Not open_memstream: glibc's forgets what it had no memory for, and neither ferror nor fclose
 * tells.
 */
int memory_text_open(struct txl_error *err, struct memory_text *text)
{
    enum { FIRST = 256 };
    const cookie_io_functions_t functions = {.write = grow};
    struct memory_grown *g = calloc(1, sizeof *g);
    *text = (struct memory_text){.grown = g};
    if (g != NULL) {
        g->text = malloc(FIRST);
        g->room = FIRST;
        text->stream = g->text != NULL ? fopencookie(g, "w", functions) : NULL;
    }
    if (text->stream != NULL) {
        (void)__fsetlocking(text->stream, FSETLOCKING_BYCALLER); /* its owner alone writes */
    }
    if (text->stream == NULL) {
        free_grown(g);
        *text = (struct memory_text){0};
        return no_memory(err);
    }
    return TXL_CONTINUE;
}

int memory_text_close(struct txl_error *err, struct memory_text *text)
{
    struct memory_grown *g = text->grown;
    const bool whole = fflush(text->stream) == 0 && ferror(text->stream) == 0;
    const bool closed = fclose(text->stream) == 0;
    *text = (struct memory_text){0};
    if (!whole || !closed) {
        free_grown(g);
        return no_memory(err);
    }
    text->text = g->text;
    text->size = g->size;
    text->text[text->size] = '\0';
    free(g);
    return TXL_CONTINUE;
}

int memory_text_give(struct txl_error *err, struct memory_text *text, int result, char **out)
{
    *out = NULL;
    if (memory_text_close(err, text) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    if (result == TXL_OK) {
        *out = text->text;
    } else {
        free(text->text);
    }
    return result;
}

char *memory_text_take(struct memory_text *text)
{
    return memory_text_close(NULL, text) == TXL_CONTINUE ? text->text : NULL;
}
