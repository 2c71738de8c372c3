/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for programs that are run as child processes. */
#ifndef LAB_BASE_PROGRAM_H
#define LAB_BASE_PROGRAM_H

#include "base/error.h"

/*
 * Finds the executable that the first word of a command line names, as a shell does: in folders
 * (like PATH; NULL: /usr/bin:/bin), or directly if the word has a slash. Returns 0 or an errno.
 */
int program_find(const char *folders, const char *word, char *path, size_t size);

/* Returns the caller's environment for child processes, or by default only PATH=/usr/bin:/bin. */
char *const *program_environment(char *const *given);

#endif
