/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation with the error "out of memory", and streams that write text into memory. */
#include "base/memory.h"

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

int memory_text_open(struct txl_error *err, struct memory_text *text)
{
    *text = (struct memory_text){0};
    text->stream = open_memstream(&text->text, &text->size);
    return text->stream != NULL ? TXL_CONTINUE : no_memory(err);
}

/* Checks the text too, because glibc's fclose succeeds even when memory for the text ran out. */
int memory_text_close(struct txl_error *err, struct memory_text *text)
{
    const bool whole = ferror(text->stream) == 0;
    const bool closed = fclose(text->stream) == 0;
    text->stream = NULL;
    if (whole && closed && text->text != NULL) {
        return TXL_CONTINUE;
    }
    free(text->text);
    *text = (struct memory_text){0};
    return no_memory(err);
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
