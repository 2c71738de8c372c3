/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded: the FAIL_AT-th allocation after the start of main's program fails, once. FAIL_LOG: a
 * file for how many there were, and how many blocks a program that returns from main has kept.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* glibc's own, under the names that it exports for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static unsigned long fail_at;
static atomic_ulong calls;
static atomic_long kept;
static atomic_bool counting;

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("FAIL_AT");
    fail_at = at != NULL ? strtoul(at, NULL, 10) : 0;
    counting = true;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("FAIL_LOG");
    const unsigned long all = calls;
    const long left = kept;
    counting = false;
    FILE *log = path != NULL ? fopen(path, "w") : NULL;
    if (log != NULL) {
        fprintf(log, "%lu %ld\n", all, left);
        fclose(log);
    }
}

static bool fails(void)
{
    if (counting && ++calls == fail_at) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

static void *counted(void *memory)
{
    kept += memory != NULL && counting;
    return memory;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    void *memory = fails() ? NULL : __libc_realloc(old, size);
    return old == NULL ? counted(memory) : memory;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = aligned_alloc(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}

void free(void *memory)
{
    kept -= memory != NULL && counting;
    __libc_free(memory);
}
