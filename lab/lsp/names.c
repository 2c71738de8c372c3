/* SPDX-License-Identifier: Apache-2.0 */
/* Finds statements, names and the .arch in the text of a kernel file without assembling it. */
#include "lsp/lsp.h"

#include <ctype.h>
#include <string.h>

bool name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* A statement: its range of bytes in the line, without surrounding blanks. */
struct statement {
    const char *line;
    size_t number, from, to;
};

/*
 * Finds the end of the statement that begins at "from": a comment or the next ';'. *rest becomes
 * the position after it.
 */
static size_t statement_end(const char *line, size_t length, size_t from, size_t *rest,
                            bool *comment)
{
    char quote = '\0';
    for (size_t i = from; i < length; i++) {
        const char c = line[i];
        if (quote != '\0') {
            i += c == '\\' ? 1 : 0;
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ';') {
            *rest = i + 1;
            return i;
        } else if (c == '#' || (c == '/' && i + 1 < length && line[i + 1] == '/')) {
            *rest = length;
            return i;
        } else if (c == '/' && i + 1 < length && line[i + 1] == '*') {
            *comment = true;
            *rest = i + 2;
            return i;
        }
    }
    *rest = length;
    return length;
}

/* Reports all statements of a text until "each" returns false. */
static void statements_in(const char *text, size_t length,
                          bool (*each)(void *user, const struct statement *s), void *user)
{
    bool comment = false;
    size_t number = 0;
    for (const char *at = text; at < text + length; number++) {
        size_t have;
        const char *line = line_at(at, (size_t)(text + length - at), 0, &have);
        for (size_t from = 0; from < have;) {
            size_t rest;
            if (comment) {
                const char *stop = memmem(line + from, have - from, "*/", 2);
                comment = stop == NULL;
                from = stop != NULL ? (size_t)(stop - line) + 2 : have;
                continue;
            }
            struct statement s = {.line = line, .number = number, .from = from};
            s.to = statement_end(line, have, from, &rest, &comment);
            while (s.from < s.to && blank(line[s.from])) {
                s.from++;
            }
            while (s.to > s.from && blank(line[s.to - 1])) {
                s.to--;
            }
            if (s.to > s.from && !each(user, &s)) {
                return;
            }
            from = rest;
        }
        const char *next = memchr(at, '\n', (size_t)(text + length - at));
        at = next != NULL ? next + 1 : text + length;
    }
}

/* Returns the end of the name that begins at "from". */
static size_t name_end(const struct statement *s, size_t from)
{
    while (from < s->to && name_character(s->line[from])) {
        from++;
    }
    return from;
}

static size_t past_blanks(const struct statement *s, size_t from)
{
    while (from < s->to && blank(s->line[from])) {
        from++;
    }
    return from;
}

static bool is_word(const struct statement *s, size_t from, size_t to, const char *word)
{
    return to - from == strlen(word) && memcmp(s->line + from, word, to - from) == 0;
}

/* ---- definitions ---- */

struct collect {
    bool (*each)(void *user, const struct name *name);
    void *user;
};

/* Directives that define the name after them. */
static const struct {
    const char *word;
    enum name_kind kind;
} defining[] = {{".macro", NAME_MACRO},
                {".set", NAME_VALUE},
                {".equ", NAME_VALUE},
                {".thread", NAME_THREAD},
                {".include", NAME_INCLUDE}};

static bool defined_in(void *user, const struct statement *s)
{
    const struct collect *c = user;
    const size_t end = name_end(s, s->from);
    const size_t next = past_blanks(s, end);
    struct name name = {.line = s->number, .from = s->from, .to = end};
    bool found = is_word(s, s->from, end, ".init") || is_word(s, s->from, end, ".tile");
    if (end > s->from && next < s->to && s->line[next] == '=') {
        name.kind = NAME_VALUE;
        found = next + 1 == s->to || s->line[next + 1] != '=';
    }
    for (size_t i = 0; i < sizeof defining / sizeof defining[0] && !found; i++) {
        if (is_word(s, s->from, end, defining[i].word)) {
            const bool quoted = next < s->to && s->line[next] == '"';
            const char *stop = quoted ? memchr(s->line + next + 1, '"', s->to - next - 1) : NULL;
            name.kind = defining[i].kind;
            name.from = next + (stop != NULL ? 1 : 0);
            name.to = stop != NULL ? (size_t)(stop - s->line) : name_end(s, next);
            found = name.to > name.from;
        }
    }
    name.text = s->line + name.from;
    name.length = name.to - name.from;
    return !found || c->each(c->user, &name);
}

void names_in(const char *text, size_t length, bool (*each)(void *user, const struct name *name),
              void *user)
{
    struct collect c = {each, user};
    statements_in(text, length, defined_in, &c);
}

/* ---- words ---- */

struct words {
    bool (*each)(void *user, const struct word *word);
    void *user;
};

static bool words_of(void *user, const struct statement *s)
{
    const struct words *w = user;
    struct word word = {.line = s->number, .first = s->line + s->from};
    word.first_length = name_end(s, s->from) - s->from;
    char quote = '\0';
    for (size_t i = s->from; i < s->to; i++) {
        const char c = s->line[i];
        if (quote != '\0') {
            i += c == '\\' ? 1 : 0;
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (name_character(c)) {
            word.from = i;
            word.to = name_end(s, i);
            word.text = s->line + i;
            word.length = word.to - word.from;
            word.parameter = i > s->from && s->line[i - 1] == '\\';
            if (!w->each(w->user, &word)) {
                return false;
            }
            i = word.to - 1;
        }
    }
    return true;
}

void words_in(const char *text, size_t length, bool (*each)(void *user, const struct word *word),
              void *user)
{
    struct words w = {each, user};
    statements_in(text, length, words_of, &w);
}

/* ---- the chip ---- */

static bool arch_in(void *user, const struct statement *s)
{
    enum tx_arch *arch = user;
    const size_t end = name_end(s, s->from);
    if (is_word(s, s->from, end, ".arch")) {
        char text[32] = "";
        const size_t from = past_blanks(s, end);
        if (s->to - from < sizeof text) {
            memcpy(text, s->line + from, s->to - from);
        }
        (void)tx_arch_parse(text, arch);
    }
    return *arch == TX_ARCH_NONE;
}

enum tx_arch stated_arch(const char *text, size_t length)
{
    enum tx_arch arch = TX_ARCH_NONE;
    statements_in(text, length, arch_in, &arch);
    return arch;
}

enum tx_arch document_arch(const txl_lsp *lsp, const struct document *d)
{
    const enum tx_arch arch = stated_arch(d->text, d->length);
    return arch != TX_ARCH_NONE ? arch : lsp->how.arch;
}

/* ---- first word of a statement ---- */

struct wanted {
    size_t byte;
    size_t from, to;
};

static bool begins_before(void *user, const struct statement *s)
{
    struct wanted *w = user;
    if (s->from > w->byte) {
        return false;
    }
    w->from = s->from;
    w->to = name_end(s, s->from);
    if (memchr(s->line + s->from, ';', w->byte > s->from ? w->byte - s->from : 0) != NULL) {
        w->from = w->to = w->byte; /* after a ';', where there is no word yet */
    }
    return true;
}

size_t first_word(const char *line, size_t length, size_t byte, size_t *word_length)
{
    struct wanted w = {byte, byte, byte};
    statements_in(line, length, begins_before, &w);
    *word_length = w.to - w.from;
    return w.from;
}
