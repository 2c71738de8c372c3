/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the source for a page: their text, and which of them an instruction comes from. */
#ifndef LAB_TRACE_SOURCE_H
#define LAB_TRACE_SOURCE_H

#include "kernel/follow.h"
#include "trace/trace_model.h"

/* file as tx_program_source has it, 0: the text itself; line 0: not known. */
struct source_place {
    unsigned file, line;
};

enum { SOURCE_RECENT = 256, SOURCE_WORDS = 1024 };

struct source_places {
    struct follow follow;
    struct {
        uint64_t number;
        struct source_place place;
    } recent[SOURCE_RECENT]; /* of what was issued: second cycles and scheduled ones ask again */
    struct {
        bool known;
        uint32_t word;
        struct source_place place;
    } alike[SOURCE_WORDS]; /* the one place that has such a word, for what an expander gives out */
};

/* Zero before the first section. */
void source_section(struct source_places *places, const struct tx_program *program, bool init);
struct source_place source_of(struct source_places *places, const struct trace_insn *insn);
/* [{"name": ..., "lines": [[number, text], ...]}, ...], a file for each of the program's. */
void source_put(FILE *stream, const struct trace_meta *meta);

#endif
