/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source lines of a tile's programs, for a page: the line from which a word at a gate was pushed,
 * the line at which a core is, and the text around them.
 */
#ifndef LAB_TRACE_LINES_H
#define LAB_TRACE_LINES_H

#include "trace/trace_model.h"

/*
 * Starts to observe what the cores push. Returns false without memory. Without it the functions
 * below find no place.
 */
bool trace_lines_open(struct collect *trace, txl_tensix *tile);
void trace_lines_free(struct collect *trace);
/* Return the number of a place, from 1, or 0 where it is unknown. */
unsigned trace_lines_word(struct collect *trace, const struct tx_event *event,
                          enum trace_kind kind);
unsigned trace_lines_core(struct collect *trace, enum tx_core core, uint32_t pc, uint32_t word);
/*
 * Writes "source": [{"name", "lines": [[number, text], ...]}, ...] and
 * "places": [[[file, line], ...], ...]: for each place the lines of the calls around it, then its
 * own.
 */
void trace_lines_put(struct json_put *j, const struct trace_lines *lines);

#endif
