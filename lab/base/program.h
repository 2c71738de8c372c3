/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are run as child processes. */
#ifndef LAB_BASE_PROGRAM_H
#define LAB_BASE_PROGRAM_H

#include "base/error.h"

/*
 * The file that a word of a command line names, looked for in folders (as PATH has them; NULL:
 * /usr/bin:/bin) as a shell does; with a slash in it the word is the file. 0, or errno.
 */
int program_find(const char *folders, const char *word, char *path, size_t size);

/* What the caller gave for children, or only PATH=/usr/bin:/bin. */
char *const *program_environment(char *const *given);

#endif
