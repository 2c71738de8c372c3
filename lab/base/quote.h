/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that come from outside, written into what another program reads: one function for each
 * reader (txl_mask_controls for a terminal). A name is text of any bytes; what is written is one
 * field, and never a command.
 */
#ifndef LAB_QUOTE_H
#define LAB_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

/* A string in single quotes, in which gnuplot expands nothing. */
void quote_gnuplot(FILE *stream, const char *text);
/* Behind '#', to the end of the line; keys of the YAML have letters, digits and _ only. */
void quote_comment(FILE *stream, const char *text);
/* A field, in double quotes where it needs them; never a spreadsheet's formula. */
void quote_csv(FILE *stream, const char *text);
/*
 * A string of JSON that may also stand in a page: neither markup nor the end of a script. Bytes
 * that are no UTF-8 become '?'.
 */
void quote_json(FILE *stream, const char *text, size_t length);

#endif
