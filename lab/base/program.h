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

/*
 * Returns a file's name as a word that a compiler takes for nothing else: "./-o.c" for "-o.c",
 * which would be an option, and "./@k.c" for "@k.c", which would be a file of options. Any other
 * name stays as it is. text holds the word where it is changed.
 */
const char *program_word(const char *name, char *text, size_t size);

/* The working folder as compilers are told it, and write it down: the same name in every place. */
#define PROGRAM_WORKING_FOLDER "/proc/self/cwd"

/*
 * Returns a copy of an environment for a compiler, to be freed: with LC_ALL=C, so that its messages
 * are always the same, with PROGRAM_WORKING_FOLDER as PWD, and temp as the folder for temporary
 * files; NULL: the one that is given, unless it is relative, because compilers name files in it to
 * other programs. NULL without memory.
 */
char **program_compiler_environment(char *const *given, const char *temp);

/* Returns the caller's environment for child processes, or by default only PATH=/usr/bin:/bin. */
char *const *program_environment(char *const *given);

#endif
