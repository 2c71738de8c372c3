/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quick fixes. A candidate is a text that goes in, or a range that is replaced. Each is tried
 * before it is offered: what it is for must be seen less often in the text with it, and nothing
 * else more often.
 */
#include "base/memory.h"
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/race.h>

enum { CODE = 16, TEXT = 200, MOST_ACTIONS = 40 };

/* What stands in a text, by kind and rule, and how often. */
struct tally {
    struct tallied {
        enum seen_kind kind;
        char code[CODE];
        unsigned count;
    } * of;
    size_t count, room;
    bool failed;         /* for want of memory */
    uint32_t error_line; /* of the assembler's error; 0: none */
    unsigned error_column;
};

struct edit {
    const struct seen *seen;
    size_t line, from, to; /* replaced: bytes of a line, which is counted from 0 */
    bool whole_line;       /* text goes in as a line of its own in front of line */
    char text[TEXT];
    char title[TEXT + 64];
};

struct actions {
    const txl_lsp *lsp;
    const struct document *d;
    size_t first, end;
    struct tally before;
    txl_json *array;
};

/* ---- trying a candidate ---- */

static void count(void *user, const struct seen *seen)
{
    struct tally *t = user;
    const char *code = seen->code != NULL ? seen->code : "";
    size_t i = 0;
    while (i < t->count && (t->of[i].kind != seen->kind || strcmp(t->of[i].code, code) != 0)) {
        i++;
    }
    if (i == t->count) {
        if (!LIST_ONE(t->of, t->count, t->room, t->failed)) {
            return;
        }
        t->of[t->count++] = (struct tallied){.kind = seen->kind};
        snprintf(t->of[i].code, sizeof t->of[i].code, "%s", code);
    }
    t->of[i].count++;
    if (seen->kind == SEEN_ERROR) {
        t->error_line = seen->line;
        t->error_column = seen->column;
    }
}

static unsigned counted(const struct tally *t, enum seen_kind kind, const char *code)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->of[i].kind == kind && strcmp(t->of[i].code, code != NULL ? code : "") == 0) {
            return t->of[i].count;
        }
    }
    return 0;
}

static bool better(const struct tally *before, const struct tally *after, const struct seen *seen)
{
    if (before->failed || after->failed) {
        return false;
    }
    if (seen->kind == SEEN_ERROR) { /* what was behind the first error comes to light now */
        return after->error_line == 0 || after->error_line > before->error_line ||
               (after->error_line == before->error_line &&
                after->error_column > before->error_column);
    }
    for (size_t i = 0; i < after->count; i++) {
        if (after->of[i].count > counted(before, after->of[i].kind, after->of[i].code)) {
            return false;
        }
    }
    return counted(after, seen->kind, seen->code) < counted(before, seen->kind, seen->code);
}

/* The position in the text of a byte in a line. */
static size_t offset_of(const struct document *d, size_t line, size_t byte, size_t *length)
{
    const char *at = line_at(d->text, d->length, line, length);
    return (size_t)(at - d->text) + (byte < *length ? byte : *length);
}

/* Where a candidate's text goes, as positions in the document, and with the blanks around it. */
static void spread(const struct document *d, const struct edit *e, size_t *from, size_t *to,
                   char text[TEXT + 64])
{
    size_t length;
    *from = offset_of(d, e->line, e->from, &length);
    *to = offset_of(d, e->line, e->to, &length);
    snprintf(text, TEXT + 64, "%s", e->text);
    if (e->whole_line) {
        const char *at = line_at(d->text, d->length, e->line, &length);
        const size_t blank = strspn(at, " \t");
        const bool end = *from == d->length && *from > 0 && d->text[*from - 1] != '\n';
        snprintf(text, TEXT + 64, "%s%.*s%s\n", end ? "\n" : "", (int)(blank < 40 ? blank : 0), at,
                 e->text);
    } else if (e->text[0] == '\0' && *to < d->length) {
        *to = offset_of(d, e->line + 1, 0, &length); /* the line goes as a whole */
    }
}

static bool tried(const struct actions *a, const struct edit *e)
{
    char text[TEXT + 64];
    size_t from, to;
    spread(a->d, e, &from, &to, text);
    struct document with = *a->d;
    const size_t more = strlen(text);
    with.length = from + more + (a->d->length - to);
    with.text = malloc(with.length + 1);
    if (with.text == NULL) {
        return false;
    }
    memcpy(with.text, a->d->text, from);
    memcpy(with.text + from, text, more);
    memcpy(with.text + from + more, a->d->text + to, a->d->length - to);
    with.text[with.length] = '\0';
    struct tally after = {0};
    look(a->lsp, &with, count, &after);
    const bool good = better(&a->before, &after, e->seen);
    free(with.text);
    free(after.of);
    return good;
}

static txl_json *position_of(const struct actions *a, size_t offset)
{
    size_t line = 0;
    for (size_t i = 0; i < offset; i++) {
        line += a->d->text[i] == '\n' ? 1 : 0;
    }
    size_t length;
    const char *at = line_at(a->d->text, a->d->length, line, &length);
    txl_json *position = txl_json_object();
    txl_json_set_int(position, "line", line);
    txl_json_set_int(position, "character",
                     character_of(a->lsp, at, offset - (size_t)(at - a->d->text)));
    return position;
}

/* Offers a candidate if it holds. */
static bool offer(struct actions *a, const struct edit *e)
{
    if (txl_json_count(a->array) == MOST_ACTIONS || !tried(a, e)) {
        return false;
    }
    char text[TEXT + 64];
    size_t from, to;
    spread(a->d, e, &from, &to, text);
    txl_json *action = txl_json_object();
    txl_json *edit = txl_json_object();
    txl_json *changes = txl_json_object();
    txl_json *list = txl_json_array();
    txl_json *one = txl_json_object();
    txl_json *range = txl_json_object();
    txl_json_set(range, "start", position_of(a, from));
    txl_json_set(range, "end", position_of(a, to));
    txl_json_set(one, "range", range);
    txl_json_set_text(one, "newText", text);
    txl_json_append(list, one);
    txl_json_set(changes, a->d->uri, list);
    txl_json_set(edit, "changes", changes);
    txl_json_set_text(action, "title", e->title);
    txl_json_set_text(action, "kind", "quickfix");
    txl_json_set_bool(action, "isPreferred", true);
    txl_json_set(action, "edit", edit);
    txl_json_append(a->array, action);
    return true;
}

static struct edit insert(const struct seen *seen, size_t line, const char *text)
{
    struct edit e = {.seen = seen, .line = line, .whole_line = true};
    snprintf(e.text, sizeof e.text, "%s", text);
    snprintf(e.title, sizeof e.title, "Insert %s", text);
    return e;
}

/* ---- misspelt names ---- */

/* Finds the name that the assembler's message proposes. */
static bool proposed(const char *message, char name[TEXT])
{
    const char *at = strstr(message, "did you mean '");
    const char *insn = strstr(message, "; is it ");
    const size_t skip = strlen(at != NULL ? "did you mean '" : "; is it ");
    at = at != NULL ? at : insn;
    if (at == NULL) {
        return false;
    }
    const size_t length = strcspn(at + skip, "'?");
    snprintf(name, TEXT, "%.*s", (int)(length < TEXT - 1 ? length : 0), at + skip);
    return name[0] != '\0';
}

static void fix_error(struct actions *a, const struct seen *seen)
{
    struct edit e = {.seen = seen, .line = seen->line - 1, .from = seen->column - 1};
    e.to = e.from + seen->length;
    if (seen->line != 0 && seen->column != 0 && seen->length != 0 && proposed(seen->text, e.text)) {
        snprintf(e.title, sizeof e.title, "Write %s", e.text);
        (void)offer(a, &e);
    }
}

/* ---- SFPNOP ---- */

static void fix_nop(struct actions *a, const struct seen *seen)
{
    size_t length;
    const char *at = line_at(a->d->text, a->d->length, seen->line - 1, &length);
    const size_t comment = strcspn(at, "#\n");
    const size_t from = strspn(at, " \t");
    size_t to = comment < length ? comment : length;
    while (to > from && (at[to - 1] == ' ' || at[to - 1] == '\t')) {
        to--;
    }
    /* Where anything else stands in the line, what is to go is not known. */
    if (to > from && strcspn(at + from, " \t;#\n") >= to - from) {
        struct edit e = {.seen = seen, .line = seen->line - 1, .to = length};
        snprintf(e.title, sizeof e.title, "Remove this %.*s, which is not needed", (int)(to - from),
                 at + from);
        (void)offer(a, &e);
    }
}

/* ---- conditions ---- */

struct line_of {
    const char *word;
    size_t from;        /* lines before it do not count */
    size_t first, last; /* SIZE_MAX: none */
};

static bool find_line(void *user, const struct word *w)
{
    struct line_of *l = user;
    const size_t skip = w->first_length > 2 && strncasecmp(w->first, "tt", 2) == 0 ? 2 : 0;
    if (w->line >= l->from && w->first == w->text &&
        ((w->length == strlen(l->word) && strncasecmp(w->text, l->word, w->length) == 0) ||
         (w->length == skip + strlen(l->word) &&
          strncasecmp(w->text + skip, l->word, w->length - skip) == 0))) {
        l->first = l->first == SIZE_MAX ? w->line : l->first;
        l->last = w->line;
    }
    return true;
}

static struct line_of lines_of(const struct actions *a, const char *word, size_t from)
{
    struct line_of l = {word, from, SIZE_MAX, SIZE_MAX};
    words_in(a->d->text, a->d->length, find_line, &l);
    return l;
}

/* Lanes are left switched off, or the stack is left filled: close it where the row or tile ends. */
static void close_condition(struct actions *a, const struct seen *seen)
{
    static const char *const closing[] = {"sfppopc 0", "sfpencc 3, 10", "sfpencc 3, 2"};
    const size_t tile = lines_of(a, ".tile", 0).first;
    const size_t places[] = {lines_of(a, ".endr", tile != SIZE_MAX ? tile : 0).last,
                             lines_of(a, ".endm", 0).last,
                             a->d->length}; /* no line has that number: the end of the text */
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        for (size_t i = 0; places[p] != SIZE_MAX && i < sizeof closing / sizeof closing[0]; i++) {
            struct edit e = insert(seen, places[p], closing[i]);
            snprintf(e.title, sizeof e.title, "Close the condition: %s", closing[i]);
            if (offer(a, &e)) {
                return;
            }
        }
    }
}

static void open_predication(struct actions *a, const struct seen *seen)
{
    const size_t init = lines_of(a, ".init", 0).first;
    const size_t tile = lines_of(a, ".tile", 0).first;
    const size_t line = init != SIZE_MAX ? init + 1 : tile != SIZE_MAX ? tile + 1 : 0;
    struct edit e = insert(seen, line, "sfpencc 3, 10");
    snprintf(e.title, sizeof e.title, "Switch predication on: sfpencc 3, 10");
    (void)offer(a, &e);
}

/* ---- races ---- */

/* The line of the access of a thread in this document, counted from 0; SIZE_MAX: none. */
static size_t race_line(const struct txl_race_found *race, unsigned thread)
{
    for (unsigned i = 2; i-- > 0;) {
        if (race->place[i].thread == thread && race->place[i].line != 0) {
            return race->place[i].line - 1;
        }
    }
    return SIZE_MAX;
}

/* Follows the remedy of a race, as lab/race words it. */
static void fix_race(struct actions *a, const struct seen *seen)
{
    const struct txl_race_found *race = seen->race;
    const char *remedy = race->remedy;
    const char *wait = strstr(remedy, "ttstallwait ");
    unsigned thread = race->place[1].thread;
    if (remedy[0] == 'T' && remedy[1] >= '0' && remedy[1] <= '2' && remedy[2] == ':') {
        thread = (unsigned)(remedy[1] - '0');
    }
    size_t line = race->place[1].line != 0 ? race->place[1].line - 1 : SIZE_MAX;
    const char *text = "ttnop";
    char copy[TEXT];
    if (wait != NULL) {
        const char *end = strstr(wait, " before ");
        snprintf(copy, sizeof copy, "%.*s", (int)(end != NULL ? end - wait : 0), wait);
        text = copy;
        if (end != NULL && strstr(end, "before the second") == NULL) {
            line = race_line(race, thread);
        }
        if (end != NULL && strstr(end, "before it tells") != NULL && line != SIZE_MAX) {
            line = lines_of(a, "sempost", line).first;
        }
    } else if (strstr(remedy, ": ttnop") == NULL) {
        return;
    }
    if (line != SIZE_MAX && text[0] != '\0') {
        const struct edit e = insert(seen, line, text);
        (void)offer(a, &e);
    }
}

/* ---- all ---- */

static void fix(void *user, const struct seen *seen)
{
    struct actions *a = user;
    const bool whole = seen->line == 0;
    const size_t line = whole ? 0 : seen->line - 1;
    if (seen->source != NULL || line < a->first || line >= a->end) {
        return;
    }
    if (seen->kind == SEEN_ERROR) {
        fix_error(a, seen);
    } else if (seen->kind == SEEN_NOP && !whole) {
        fix_nop(a, seen);
    } else if (seen->kind == SEEN_HAZARD && seen->sfpnop_missing && !whole) {
        const struct edit e = insert(seen, line, "sfpnop");
        (void)offer(a, &e);
    } else if (seen->kind == SEEN_FINDING && strcmp(seen->code, "E-LEFT") == 0) {
        close_condition(a, seen);
    } else if (seen->kind == SEEN_FINDING && strcmp(seen->code, "E-CC") == 0) {
        open_predication(a, seen);
    } else if (seen->kind == SEEN_RACE) {
        fix_race(a, seen);
    }
}

txl_json *actions_json(txl_lsp *lsp, const struct document *d, size_t first, size_t end)
{
    struct actions a = {.lsp = lsp, .d = d, .first = first, .end = end, .array = txl_json_array()};
    look(lsp, d, count, &a.before);
    look(lsp, d, fix, &a);
    free(a.before.of);
    return a.array;
}
