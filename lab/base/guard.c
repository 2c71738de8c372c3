/* SPDX-License-Identifier: Apache-2.0 */
#include "base/guard.h"

#include "base/error.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/base.h>

static bool as_json;

void guard_end(void)
{
    static const char text[] = "tensix: out of memory\n";
    static const char object[] = "{\"error\": {\"message\": \"out of memory\", \"exit\": 2}}\n";
    txl_abandon();
    if (as_json) {
        (void)!write(STDOUT_FILENO, object, sizeof object - 1);
    } else {
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    }
    _exit(TXL_INPUT);
}

void *guard_get(size_t size)
{
    void *memory = malloc(size != 0 ? size : 1);
    if (memory == NULL) {
        guard_end();
    }
    return memory;
}

void *guard_larger(void *old, size_t size)
{
    void *memory = realloc(old, size != 0 ? size : 1);
    if (memory == NULL) {
        guard_end();
    }
    return memory;
}

static void *gmp_larger(void *old, size_t before, size_t size)
{
    (void)before;
    return guard_larger(old, size);
}

static void gmp_free(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

void *guard_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count != 0 ? count : 1, size != 0 ? size : 1);
    if (memory == NULL) {
        guard_end();
    }
    return memory;
}

FILE *guard_text(char **text, size_t *size)
{
    FILE *memory = open_memstream(text, size);
    if (memory == NULL) {
        guard_end();
    }
    return memory;
}

/* glibc's fclose succeeds where there was no memory for the text. */
void guard_text_end(FILE *memory, char *const *text)
{
    const bool whole = ferror(memory) == 0;
    if (fclose(memory) != 0 || !whole || *text == NULL) {
        guard_end();
    }
}

void guard_memory(bool json)
{
    as_json = json;
    json_set_alloc_funcs(guard_get, free);
    mp_set_memory_functions(guard_get, gmp_larger, gmp_free);
}
