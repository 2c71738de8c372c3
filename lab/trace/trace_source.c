/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the source lines of a kernel for a page. */
#include "trace/trace_source.h"

#include <stdlib.h>
#include <string.h>

#include "tile/tile_program.h"

enum { MOST_LINES = 20000, AROUND = 4 }; /* limit for one file; lines around each */

/* ---- places of instructions ---- */

void source_section(struct source_places *s, const struct tx_program *program, bool init)
{
    memset(s, 0, sizeof *s);
    s->follow = follow_section(program, init ? TX_SECTION_INIT : TX_SECTION_TILE);
    for (unsigned i = 0; i < SOURCE_RECENT; i++) {
        s->recent[i].number = UINT64_MAX;
    }
}

static struct source_place place_at(const struct follow *f, size_t index)
{
    return (struct source_place){tx_program_files(f->program, f->section)[index],
                                 tx_program_lines(f->program, f->section)[index]};
}

/*
 * Returns the place of a word that occurs only once; line 0: it does not occur, or in several
 * places.
 */
static struct source_place only_place(struct source_places *s, uint32_t word)
{
    const struct follow *f = &s->follow;
    const uint32_t *words = tx_program_words(f->program, f->section);
    struct source_place found = {0, 0};
    for (size_t i = 0; i < tx_program_count(f->program, f->section); i++) {
        if (words[i] != word) {
            continue;
        }
        const struct source_place p = place_at(f, i);
        if (found.line != 0 && (found.file != p.file || found.line != p.line)) {
            return (struct source_place){0, 0};
        }
        found = p;
    }
    return found;
}

static struct source_place place_of_word(struct source_places *s, uint32_t word)
{
    const size_t at = (word * UINT32_C(2654435761)) >> 22;
    if (!s->alike[at].known || s->alike[at].word != word) {
        s->alike[at].known = true;
        s->alike[at].word = word;
        s->alike[at].place = only_place(s, word);
    }
    return s->alike[at].place;
}

struct source_place source_of(struct source_places *s, const struct trace_insn *insn)
{
    const size_t slot = insn->number % SOURCE_RECENT;
    if (s->follow.program == NULL || insn->thread >= TX_THREADS) {
        return (struct source_place){0, 0};
    }
    if (insn->kind != TRACE_ISSUE && insn->kind != TRACE_STALL) {
        return s->recent[slot].number == insn->number ? s->recent[slot].place
                                                      : (struct source_place){0, 0};
    }
    const size_t index =
        follow_word(&s->follow, insn->thread, insn->word, insn->kind == TRACE_ISSUE);
    const struct source_place place =
        index != SIZE_MAX ? place_at(&s->follow, index) : place_of_word(s, insn->word);
    if (insn->kind == TRACE_ISSUE) {
        s->recent[slot].number = insn->number;
        s->recent[slot].place = place;
    }
    return place;
}

/* ---- the text ---- */

/* A line of a file: [NUMBER, TEXT]. */
static void put_line(struct json_put *j, unsigned line, const char *text, size_t length)
{
    json_put_open(j, NULL, '[');
    json_put_uint(j, NULL, line);
    json_put_part(j, NULL, text, length);
    json_put_close(j, ']');
}

static void put_lines(struct json_put *j, const char *text, size_t length)
{
    const char *const end = text + length;
    unsigned line = 1;
    for (; text < end && line <= MOST_LINES; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        put_line(j, line, text, (size_t)(stop - text));
        text = stop + 1;
    }
    if (text < end) {
        put_line(j, line, "...", 3);
    }
}

void source_put_around(struct json_put *j, const char *text, size_t size, const unsigned *lines,
                       size_t count)
{
    const char *const end = text + size;
    size_t next = 0;
    unsigned wanted = 0; /* write up to this line */
    for (unsigned line = 1; text < end && (next < count || line <= wanted); line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        while (next < count && lines[next] <= line + AROUND) {
            wanted = lines[next++] + AROUND;
        }
        if (line <= wanted) {
            put_line(j, line, text, (size_t)(stop - text));
        }
        text = stop + 1;
    }
}

void source_put_words(struct json_put *j, unsigned line, char *text, size_t size, size_t others)
{
    const size_t used = strlen(text);
    if (others != 0) {
        snprintf(text + used, size - used, " (+%zu)", others);
    }
    put_line(j, line, text, strlen(text));
}

struct word_place {
    struct source_place place;
    uint32_t word;
};

static int by_place(const void *a, const void *b)
{
    const struct word_place *x = a;
    const struct word_place *y = b;
    return x->place.file != y->place.file   ? (x->place.file < y->place.file ? -1 : 1)
           : x->place.line != y->place.line ? (x->place.line < y->place.line ? -1 : 1)
                                            : 0;
}

/*
 * Where a file's text is missing: writes for each line its first instruction and the number of
 * others.
 */
static size_t put_words(struct json_put *j, enum tx_arch arch, const struct word_place *w,
                        size_t count)
{
    char text[160];
    size_t end = 0;
    unsigned lines = 0;
    while (end < count && w[end].place.file == w[0].place.file) {
        const size_t first = end;
        while (end < count && by_place(&w[first], &w[end]) == 0) {
            end++;
        }
        if (w[first].place.line == 0 || lines == MOST_LINES) {
            continue;
        }
        (void)tx_disassemble(arch, w[first].word, TX_DIS_NORMAL, text, 128);
        source_put_words(j, w[first].place.line, text, sizeof text, end - first - 1);
        lines++;
    }
    return end;
}

/* Returns the text of a file that the program includes or was compiled from, if it is readable. */
static size_t put_included(struct json_put *j, const struct trace_meta *meta, const char *name,
                           const struct word_place *w, size_t count)
{
    const struct tile_roots roots = {meta->sources, meta->source_count, NULL};
    size_t size = 0;
    size_t end = 0;
    size_t some = 0;
    while (end < count && w[end].place.file == w[0].place.file) {
        end++;
    }
    unsigned *lines = malloc((end + 1) * sizeof *lines);
    char *text = lines != NULL && *name != '\0' ? tile_source_text(&roots, name, &size) : NULL;
    if (text == NULL) {
        free(lines);
        return put_words(j, meta->arch, w, count);
    }
    for (size_t i = 0; i < end; i++) {
        if (w[i].place.line != 0 && (some == 0 || lines[some - 1] != w[i].place.line)) {
            lines[some++] = w[i].place.line;
        }
    }
    source_put_around(j, text, size, lines, some);
    free(text);
    free(lines);
    return end;
}

static struct word_place *all_places(const struct tx_program *program, size_t *count)
{
    static const unsigned sections[] = {TX_SECTION_INIT, TX_SECTION_TILE};
    size_t room = 1;
    size_t n = 0;
    for (unsigned k = 0; k < 2; k++) {
        room += tx_program_count(program, sections[k]);
    }
    struct word_place *list = malloc(room * sizeof *list);
    for (unsigned k = 0; k < 2 && list != NULL; k++) {
        const struct follow f = follow_section(program, sections[k]);
        for (size_t i = 0; i < tx_program_count(program, sections[k]); i++) {
            list[n++] =
                (struct word_place){place_at(&f, i), tx_program_words(program, sections[k])[i]};
        }
    }
    if (list != NULL) {
        qsort(list, n, sizeof *list, by_place);
    }
    *count = n;
    return list;
}

void source_put_head(struct json_put *j, const char *name)
{
    json_put_open(j, NULL, '{');
    json_put_text(j, "name", name);
    json_put_open(j, "lines", '[');
}

void source_put_end(struct json_put *j)
{
    json_put_close(j, ']');
    json_put_close(j, '}');
}

void source_put(struct json_put *j, const char *key, const struct trace_meta *meta)
{
    size_t count = 0;
    struct word_place *list = meta->program != NULL ? all_places(meta->program, &count) : NULL;
    unsigned file = 0; /* number of the next file to write; the reader refers to files by number */
    json_put_open(j, key, '[');
    for (size_t i = 0; list != NULL && (i < count || (file == 0 && meta->source != NULL));) {
        const unsigned next = file == 0 && meta->source != NULL ? 0 : list[i].place.file;
        for (; file < next; file++) {
            source_put_head(j, "");
            source_put_end(j);
        }
        const char *name = file > 0 ? tx_program_source(meta->program, file) : meta->kernel;
        name = name != NULL ? name : "";
        source_put_head(j, name);
        if (file == 0 && meta->source != NULL) {
            put_lines(j, meta->source, meta->source_length);
            while (i < count && list[i].place.file == 0) {
                i++;
            }
        } else if (file == 0) {
            i += put_words(j, meta->arch, &list[i], count - i);
        } else {
            i += put_included(j, meta, name, &list[i], count - i);
        }
        source_put_end(j);
        file++;
    }
    json_put_close(j, ']');
    free(list);
}
