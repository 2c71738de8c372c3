/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines for a page: their text, and the line of each instruction. */
#ifndef LAB_TRACE_SOURCE_H
#define LAB_TRACE_SOURCE_H

#include "kernel/follow.h"
#include "trace/trace_model.h"

/* file as in tx_program_source, 0: the text itself; line 0: unknown */
struct source_place {
    unsigned file, line;
};

enum { SOURCE_RECENT = 256, SOURCE_WORDS = 1024 };

struct source_places {
    struct follow follow;
    struct {
        uint64_t number;
        struct source_place place;
        /*
         * Places of recently issued instructions; second cycles and scheduled ones ask for them
         * again.
         */
    } recent[SOURCE_RECENT];
    struct {
        bool known;
        uint32_t word;
        struct source_place place;
        /* Places of words that occur only once, for words that come from an expander. */
    } alike[SOURCE_WORDS];
};

/* Begins a section; *places must be zero before the first one. */
void source_section(struct source_places *places, const struct tx_program *program, bool init);
struct source_place source_of(struct source_places *places, const struct trace_insn *insn);
/*
 * Writes [{"name": ..., "lines": [[number, text], ...]}, ...], with an entry for each file of the
 * program.
 */
void source_put(struct json_put *j, const char *key, const struct trace_meta *meta);
/* Begin and end the entry of a file; between them come its lines. */
void source_put_head(struct json_put *j, const char *name);
void source_put_end(struct json_put *j);
/* Writes [number, text] for some lines, given in order, and for the lines around them. */
void source_put_around(struct json_put *j, const char *text, size_t size, const unsigned *lines,
                       size_t count);
/* Writes [number, text] for an instruction and the number of others on its line. */
void source_put_words(struct json_put *j, unsigned line, char *text, size_t size, size_t others);

#endif
