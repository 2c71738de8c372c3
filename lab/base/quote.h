/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes names from outside (text of arbitrary bytes) into files that other programs read, with one
 * function for each kind of reader (for terminals: txl_mask_controls). The result is always a
 * single field and never a command.
 */
#ifndef LAB_QUOTE_H
#define LAB_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a string in single quotes, in which gnuplot expands nothing. */
void quote_gnuplot(FILE *stream, const char *text);
/*
 * Writes text for a comment, which lasts to the end of the line; keys of the YAML need no quoting,
 * as they consist of letters, digits and _.
 */
void quote_comment(FILE *stream, const char *text);
/* Writes a field, in double quotes where necessary, which no spreadsheet takes for a formula. */
void quote_csv(FILE *stream, const char *text);
/*
 * Writes a JSON string that may also stand in a page: it contains neither markup nor the end of a
 * script. Bytes that are not UTF-8 become '?'.
 */
void quote_json(FILE *stream, const char *text, size_t length);

#endif
