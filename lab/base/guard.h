/* SPDX-License-Identifier: Apache-2.0 */
/* What the command does where memory ends inside a library that cannot say so. */
#ifndef LAB_GUARD_H
#define LAB_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * JSON values lose their keys, and GMP and MPFR abort. From here on the command ends instead with
 * one line (json: one object) and status 2, without the output that it was writing.
 */
void guard_memory(bool json);

/* The end. */
_Noreturn void guard_end(void);

/* malloc, calloc and realloc that end so, for a library that is opened later. */
void *guard_get(size_t size);
void *guard_zeroed(size_t count, size_t size);
void *guard_larger(void *old, size_t size);

/* A stream into memory, see open_memstream; *text is whole after guard_text_end, or all ends so. */
FILE *guard_text(char **text, size_t *size);
void guard_text_end(FILE *memory, char *const *text);

#endif
