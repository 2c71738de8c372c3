/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References to macros, to values (.set, .equ, =) and to parameters of macros, and renaming them. A
 * renamed text is assembled before the answer: its words must be those from before.
 */
#include "lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix/asm.h>
#include <tensix/isa.h>
#include <tensix/tensix.h>

/* What the cursor stands on. */
struct subject {
    const char *text;
    size_t length;
    size_t line, from, to;
    bool parameter;    /* of the macro whose lines are first to before end */
    size_t first, end; /* else all lines */
    bool defined;
};

/* ---- what the cursor stands on ---- */

static bool defines(void *user, const struct name *name)
{
    struct subject *s = user;
    if ((name->kind == NAME_MACRO || name->kind == NAME_VALUE) && name->length == s->length &&
        memcmp(name->text, s->text, s->length) == 0) {
        s->defined = true;
    }
    return !s->defined;
}

static bool defines_there(void *user, const struct document *there)
{
    struct subject *s = user;
    names_in(there->text, there->length, defines, s);
    return !s->defined;
}

static bool is(const struct word *w, const char *text)
{
    return w->length == strlen(text) && memcmp(w->text, text, w->length) == 0;
}

static bool first_is(const struct word *w, const char *text)
{
    return w->first_length == strlen(text) && memcmp(w->first, text, w->first_length) == 0;
}

/* Finds the macro whose lines contain the subject, and whether its line names it as a parameter. */
struct enclosing {
    struct subject *s;
    size_t macro;   /* line of the last .macro; SIZE_MAX: not inside one */
    unsigned names; /* words of that line so far */
    bool declared;
};

static bool scope(void *user, const struct word *w)
{
    struct enclosing *e = user;
    struct subject *s = e->s;
    if (is(w, ".macro")) {
        if (w->line > s->line) {
            return false;
        }
        e->macro = w->line;
        e->names = 0;
        e->declared = false;
    } else if (first_is(w, ".macro") && w->line == e->macro) {
        e->declared |=
            ++e->names > 1 && w->length == s->length && memcmp(w->text, s->text, s->length) == 0;
    } else if (is(w, ".endm") && e->macro != SIZE_MAX) {
        if (w->line >= s->line) {
            s->end = w->line + 1;
            return false;
        }
        e->macro = SIZE_MAX;
    }
    return true;
}

static bool subject_at(txl_lsp *lsp, const struct document *d, size_t line, size_t byte,
                       struct subject *s)
{
    size_t length;
    const char *at = line_at(d->text, d->length, line, &length);
    *s = (struct subject){.line = line, .end = SIZE_MAX};
    if (!word_at(at, length, byte, &s->from, &s->to)) {
        return false;
    }
    s->text = at + s->from;
    s->length = s->to - s->from;
    struct enclosing e = {.s = s, .macro = SIZE_MAX};
    words_in(d->text, d->length, scope, &e);
    const bool used = s->from > 0 && at[s->from - 1] == '\\';
    /* In the line of .macro the name of the macro itself is no parameter. */
    if (e.macro != SIZE_MAX && e.declared && (used || e.macro == line)) {
        s->parameter = true;
        s->first = e.macro;
        return true;
    }
    s->end = SIZE_MAX;
    files_of(lsp, d, defines_there, s);
    return s->defined && !used;
}

/* ---- the places where it stands ---- */

struct places {
    const struct subject *s;
    void (*each)(void *user, const struct document *there, const struct word *word);
    void *user;
    const struct document *there;
};

static bool rename_place(void *user, const struct word *w)
{
    struct places *p = user;
    const struct subject *s = p->s;
    const bool here = w->line >= s->first && w->line < s->end;
    const bool declares = first_is(w, ".macro") && w->line == s->first;
    if (w->length == s->length && memcmp(w->text, s->text, s->length) == 0 &&
        (s->parameter ? here && (w->parameter || declares) : !w->parameter)) {
        p->each(p->user, p->there, w);
    }
    return true;
}

static bool places_there(void *user, const struct document *there)
{
    struct places *p = user;
    p->there = there;
    words_in(there->text, there->length, rename_place, p);
    return !p->s->parameter; /* which is known in its own file only */
}

static void places_of(txl_lsp *lsp, const struct document *d, const struct subject *s,
                      void (*each)(void *user, const struct document *there,
                                   const struct word *word),
                      void *user)
{
    struct places p = {.s = s, .each = each, .user = user};
    files_of(lsp, d, places_there, &p);
}

/* ---- references ---- */

struct references {
    const txl_lsp *lsp;
    txl_json *array;
    bool declaration;
};

static bool is_definition(const struct document *there, const struct word *w)
{
    struct subject s = {.text = w->text, .length = w->length};
    size_t length;
    const char *line = line_at(there->text, there->length, w->line, &length);
    names_in(line, length, defines, &s);
    const bool first = w->first == w->text;
    return s.defined &&
           (first || first_is(w, ".macro") || first_is(w, ".set") || first_is(w, ".equ"));
}

static void add_reference(void *user, const struct document *there, const struct word *w)
{
    const struct references *r = user;
    if (r->declaration || !is_definition(there, w)) {
        txl_json_append(r->array,
                        location_json(r->lsp, there->path, there, w->line, w->from, w->to));
    }
}

txl_json *references_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte,
                          bool declaration)
{
    struct subject s;
    struct references r = {lsp, txl_json_array(), declaration};
    if (subject_at(lsp, d, line, byte, &s)) {
        places_of(lsp, d, &s, add_reference, &r);
    }
    return r.array;
}

/* ---- renaming ---- */

txl_json *renamable_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte)
{
    struct subject s;
    return subject_at(lsp, d, line, byte, &s) ? range_json(lsp, d, line, s.from, s.to) : NULL;
}

struct edits {
    const txl_lsp *lsp;
    const struct document *d;
    const char *name;
    txl_json *changes; /* by URI; one for each file, in the order of the walk */
    txl_json *list;    /* of the file that is walked through */
    char *uri;         /* of that file */
    FILE *text;        /* the document with its new names */
    size_t written;
    bool outside; /* a file that is included changes, too */
};

/* Lists the edits of one file under its URI. */
static void end_file(struct edits *e)
{
    if (e->list != NULL && e->uri != NULL) {
        txl_json_set(e->changes, e->uri, e->list);
    } else {
        txl_json_free(e->list);
    }
    free(e->uri);
    e->uri = NULL;
    e->list = NULL;
}

static void add_edit(void *user, const struct document *there, const struct word *w)
{
    struct edits *e = user;
    char *uri = there == e->d ? strdup(e->d->uri) : uri_of_path(there->path);
    if (uri != NULL && e->uri != NULL && strcmp(uri, e->uri) != 0) {
        end_file(e);
    }
    if (e->list == NULL) {
        e->list = txl_json_array();
        e->uri = uri;
    } else {
        free(uri);
    }
    txl_json *edit = txl_json_object();
    txl_json_set(edit, "range", range_json(e->lsp, there, w->line, w->from, w->to));
    txl_json_set_text(edit, "newText", e->name);
    txl_json_append(e->list, edit);
    e->outside |= there != e->d;
    if (there == e->d && e->text != NULL) {
        const size_t at = (size_t)(w->text - there->text);
        (void)fwrite(there->text + e->written, 1, at - e->written, e->text);
        (void)fputs(e->name, e->text);
        e->written = at + w->length;
    }
}

static bool is_name(const char *name)
{
    size_t i = 0;
    while (isalnum((unsigned char)name[i]) || name[i] == '_') {
        i++;
    }
    return i != 0 && i < 100 && name[i] == '\0' && !isdigit((unsigned char)name[0]);
}

static const char *name_taken(txl_lsp *lsp, const struct document *d, const char *name)
{
    const enum tx_arch arch = document_arch(lsp, d);
    struct subject s = {.text = name, .length = strlen(name), .end = SIZE_MAX};
    files_of(lsp, d, defines_there, &s);
    return !is_name(name)                     ? "a name has letters, digits and '_', no digit first"
           : s.defined                        ? "that name is defined already"
           : tx_insn_find(arch, name) != NULL ? "that is the name of an instruction"
           : is_constant(lsp, arch, name)     ? "that is one of the vendor's names"
                                              : NULL;
}

/* Tells whether two texts assemble to the same words, or neither to any. */
static bool same_words(const txl_lsp *lsp, const struct document *d, char *text, size_t length)
{
    struct document other = *d;
    struct tx_program *one = NULL, *two = NULL;
    other.text = text;
    other.length = length;
    const int before = document_assemble(lsp, d, NULL, &one);
    const int after = document_assemble(lsp, &other, NULL, &two);
    bool same = (before == TXL_OK) == (after == TXL_OK);
    for (unsigned section = 0; same && before == TXL_OK && section < TX_SECTIONS; section++) {
        const size_t count = tx_program_count(one, section);
        same = count == tx_program_count(two, section) &&
               (count == 0 || memcmp(tx_program_words(one, section), tx_program_words(two, section),
                                     count * sizeof(uint32_t)) == 0);
    }
    tx_program_free(before == TXL_OK ? one : NULL);
    tx_program_free(after == TXL_OK ? two : NULL);
    return same;
}

txl_json *rename_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte, const char *name,
                      const char **why)
{
    struct subject s;
    if (!subject_at(lsp, d, line, byte, &s)) {
        *why = "there is no name of a macro, value or parameter that these files define";
        return NULL;
    }
    *why = name_taken(lsp, d, name);
    if (*why != NULL) {
        return NULL;
    }
    char *text = NULL;
    size_t length = 0;
    struct edits e = {.lsp = lsp, .d = d, .name = name, .changes = txl_json_object()};
    e.text = open_memstream(&text, &length);
    places_of(lsp, d, &s, add_edit, &e);
    end_file(&e);
    if (e.text != NULL) {
        (void)fwrite(d->text + e.written, 1, d->length - e.written, e.text);
        (void)fclose(e.text);
    }
    /* A file that is included is read by the assembler as it stands, so that nothing is compared.
     */
    if (!e.outside && (text == NULL || !same_words(lsp, d, text, length))) {
        *why = "with that name the program would be another one";
        txl_json_free(e.changes);
        e.changes = NULL;
    }
    free(text);
    if (e.changes == NULL) {
        return NULL;
    }
    txl_json *edit = txl_json_object();
    txl_json_set(edit, "changes", e.changes);
    return edit;
}
