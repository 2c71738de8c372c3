/* SPDX-License-Identifier: Apache-2.0 */
/* Hover, completion, definitions and symbols for the word under the cursor. */
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>

enum { WORD = 128 };

/* Values defined by the protocol. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_FIELD = 5,
    ITEM_KEYWORD = 14,
    ITEM_SNIPPET = 15,
    ITEM_CONSTANT = 20
};
enum { SYMBOL_NAMESPACE = 3, SYMBOL_FUNCTION = 12, SYMBOL_VARIABLE = 13, SYMBOL_FILE = 1 };

static bool copy_word(const char *text, size_t length, char word[WORD])
{
    if (length == 0 || length >= WORD) {
        return false;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    return true;
}

bool word_at(const char *line, size_t length, size_t byte, size_t *from, size_t *to)
{
    *from = *to = byte < length ? byte : length;
    while (*from > 0 && name_character(line[*from - 1])) {
        (*from)--;
    }
    while (*to < length && name_character(line[*to])) {
        (*to)++;
    }
    return *to > *from;
}

/* ---- definitions ---- */

struct search {
    const char *word;
    size_t length;
    size_t line, from, to;
    bool found;
};

static bool same_name(void *user, const struct name *name)
{
    struct search *s = user;
    if ((name->kind == NAME_MACRO || name->kind == NAME_VALUE) && name->length == s->length &&
        memcmp(name->text, s->word, s->length) == 0) {
        s->line = name->line;
        s->from = name->from;
        s->to = name->to;
        s->found = true;
    }
    return !s->found;
}

struct definition {
    txl_lsp *lsp;
    struct search search;
    txl_json *location;
};

txl_json *location_json(const txl_lsp *lsp, const char *path, const struct document *d, size_t line,
                        size_t from, size_t to)
{
    txl_json *location = txl_json_object();
    char *uri = uri_of_path(path);
    txl_json_set_text(location, "uri", uri);
    txl_json_set(location, "range", range_json(lsp, d, line, from, to));
    free(uri);
    return location;
}

static bool defined_there(void *user, const struct document *there)
{
    struct definition *find = user;
    const struct search *s = &find->search;
    names_in(there->text, there->length, same_name, &find->search);
    if (s->found) {
        find->location = location_json(find->lsp, there->path, there, s->line, s->from, s->to);
    }
    return !s->found;
}

struct include_at {
    size_t line, byte;
    const char *text;
    size_t length;
};

static bool include_here(void *user, const struct name *name)
{
    struct include_at *at = user;
    if (name->kind == NAME_INCLUDE && name->line == at->line && name->from <= at->byte &&
        at->byte <= name->to) {
        at->text = name->text;
        at->length = name->length;
    }
    return at->text == NULL;
}

txl_json *definition_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte)
{
    size_t length, from, to;
    const char *at = line_at(d->text, d->length, line, &length);
    struct include_at include = {.line = line, .byte = byte};
    names_in(d->text, d->length, include_here, &include);
    if (include.text != NULL) {
        char *path = included_path(d->path, include.text, include.length);
        const struct document top = {.text = "", .length = 0};
        txl_json *location = path != NULL ? location_json(lsp, path, &top, 0, 0, 0) : NULL;
        free(path);
        return location;
    }
    if (!word_at(at, length, byte, &from, &to)) {
        return NULL;
    }
    struct definition find = {.lsp = lsp, .search = {.word = at + from, .length = to - from}};
    files_of(lsp, d, defined_there, &find);
    return find.location;
}

/* ---- hover ---- */

static txl_json *hover_of(const txl_lsp *lsp, const struct document *d, size_t line, size_t from,
                          size_t to, const char *text)
{
    txl_json *hover = txl_json_object();
    txl_json *contents = txl_json_object();
    txl_json_set_text(contents, "kind", "plaintext");
    txl_json_set_text(contents, "value", text);
    txl_json_set(hover, "contents", contents);
    txl_json_set(hover, "range", range_json(lsp, d, line, from, to));
    return hover;
}

/* Returns the line that defines a name in this text. */
static char *defining_line(const struct document *d, const char *word, size_t length)
{
    struct search s = {.word = word, .length = length};
    names_in(d->text, d->length, same_name, &s);
    if (!s.found) {
        return NULL;
    }
    size_t have;
    const char *line = line_at(d->text, d->length, s.line, &have);
    return strndup(line, have);
}

/* The constants of a chip; none where memory has run out. */
static const struct constants *constants_of(txl_lsp *lsp, enum tx_arch arch)
{
    struct constants *c = &lsp->constants[arch];
    if (c->names != NULL) {
        return c;
    }
    size_t count = 0;
    while (tx_asm_constants_at(arch, count, NULL) != NULL) {
        count++;
    }
    const char **names = calloc(count, sizeof *names);
    c->values = calloc(count, sizeof *c->values);
    if (names == NULL || c->values == NULL) {
        free(names);
        free(c->values);
        c->values = NULL;
        return c;
    }
    for (c->names = names; c->count < count; c->count++) {
        names[c->count] = tx_asm_constants_at(arch, c->count, &c->values[c->count]);
    }
    return c;
}

void constants_free(txl_lsp *lsp)
{
    for (size_t i = 0; i < sizeof lsp->constants / sizeof lsp->constants[0]; i++) {
        free(lsp->constants[i].names);
        free(lsp->constants[i].values);
    }
}

/* Returns "name = 5" for a name defined by the vendor. */
static char *constant_text(const struct constants *constants, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i < constants->count; i++) {
        const uint32_t value = constants->values[i];
        for (const char *at = constants->names[i]; *at != '\0';) {
            const size_t have = strcspn(at, " ");
            const bool bare = have == length + 8 && strncmp(at, "p_sfpu::", 8) == 0 &&
                              memcmp(at + 8, word, length) == 0;
            if (bare || (have == length && memcmp(at, word, length) == 0)) {
                char *text = malloc(have + 32);
                if (text != NULL) {
                    snprintf(text, have + 32, "%.*s = %u", (int)have, at, (unsigned)value);
                }
                return text;
            }
            at += have + (at[have] == ' ');
        }
    }
    return NULL;
}

bool is_constant(txl_lsp *lsp, enum tx_arch arch, const char *word)
{
    char *text = constant_text(constants_of(lsp, arch), word);
    free(text);
    return text != NULL;
}

txl_json *hover_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte)
{
    size_t length, from, to;
    char word[WORD];
    const char *at = line_at(d->text, d->length, line, &length);
    if (!word_at(at, length, byte, &from, &to) || !copy_word(at + from, to - from, word)) {
        return NULL;
    }
    const enum tx_arch arch = document_arch(lsp, d);
    char *text = defining_line(d, at + from, to - from);
    if (text == NULL) {
        text = constant_text(constants_of(lsp, arch), word);
    }
    if (text == NULL && word[0] != '.') {
        (void)txl_explain_text(NULL, arch, word, NULL, &text);
    }
    txl_json *hover = text != NULL ? hover_of(lsp, d, line, from, to, text) : NULL;
    free(text);
    return hover;
}

/* ---- completion ---- */

static void add_item(txl_json *items, const char *label, int kind, const char *detail)
{
    txl_json *item = txl_json_object();
    txl_json_set_text(item, "label", label);
    txl_json_set_int(item, "kind", (uint64_t)kind);
    if (detail != NULL && detail[0] != '\0') {
        txl_json_set_text(item, "detail", detail);
    }
    txl_json_append(items, item);
}

struct own_names {
    txl_json *items;
    bool macros; /* macros, else values */
};

static bool add_own(void *user, const struct name *name)
{
    struct own_names *own = user;
    char word[WORD];
    const bool macro = name->kind == NAME_MACRO;
    if ((macro || name->kind == NAME_VALUE) && macro == own->macros &&
        copy_word(name->text, name->length, word)) {
        for (size_t i = 0; i < txl_json_count(own->items); i++) {
            const txl_json *item = txl_json_at(own->items, i, NULL);
            if (strcmp(txl_json_chars(txl_json_at(item, 0, NULL)), word) == 0) {
                return true;
            }
        }
        add_item(own->items, word, macro ? ITEM_SNIPPET : ITEM_VARIABLE, "of this file");
    }
    return true;
}

static void add_statements(txl_json *items, enum tx_arch arch)
{
    const struct tx_insn *insn;
    const char *directive;
    char text[256];
    for (size_t i = 0; (insn = tx_insn_at(arch, i)) != NULL; i++) {
        add_item(items, insn->name, ITEM_FUNCTION, tx_insn_syntax(insn, false, text, sizeof text));
    }
    for (size_t i = 0; (directive = tx_asm_directive_at(i)) != NULL; i++) {
        add_item(items, directive, ITEM_KEYWORD, NULL);
    }
}

/* Adds the names of an instruction's own modifiers, and then those that any instruction can use. */
static void add_operands(txl_lsp *lsp, txl_json *items, enum tx_arch arch,
                         const struct tx_insn *insn)
{
    const struct tx_insn_mode *mode;
    const struct constants *constants = constants_of(lsp, arch);
    char text[WORD];
    for (size_t i = 0; insn != NULL && (mode = tx_insn_mode_at(arch, insn, i)) != NULL; i++) {
        if (mode->name[0] != '\0') {
            add_item(items, mode->name, ITEM_CONSTANT, mode->meaning);
        }
    }
    for (unsigned reg = 0; reg < 16; reg++) {
        snprintf(text, sizeof text, "L%u", reg);
        add_item(items, text, ITEM_VARIABLE, NULL);
    }
    for (size_t i = 0; i < constants->count; i++) {
        for (const char *at = constants->names[i]; *at != '\0';) {
            char number[16];
            const size_t length = strcspn(at, " ");
            snprintf(number, sizeof number, "%u", (unsigned)constants->values[i]);
            if (copy_word(at, length, text)) {
                add_item(items, text, ITEM_CONSTANT, number);
            }
            at += length + (at[length] == ' ');
        }
    }
}

static void add_fields(txl_json *items, enum tx_arch arch)
{
    const struct tx_config_field *field;
    for (size_t i = 0; (field = tx_config_field_at(arch, i)) != NULL; i++) {
        add_item(items, field->name, ITEM_FIELD,
                 field->thread ? "thread configuration" : "configuration");
    }
}

txl_json *completion_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte)
{
    size_t length, word_length;
    char word[WORD] = "";
    const char *at = line_at(d->text, d->length, line, &length);
    const size_t first = first_word(at, length, byte, &word_length);
    const enum tx_arch arch = document_arch(lsp, d);
    txl_json *items = txl_json_array();
    struct own_names own = {.items = items, .macros = byte <= first + word_length};
    if (own.macros) {
        names_in(d->text, d->length, add_own, &own);
        add_statements(items, arch);
        return items;
    }
    (void)copy_word(at + first, word_length, word);
    names_in(d->text, d->length, add_own, &own);
    const struct tx_insn *insn = tx_insn_find(arch, word);
    if (strcmp(word, ".config") == 0 || strcmp(word, ".setcfg") == 0) {
        add_fields(items, arch);
    } else {
        add_operands(lsp, items, arch, insn);
    }
    return items;
}

/* ---- symbols ---- */

struct symbols {
    const txl_lsp *lsp;
    const struct document *d;
    txl_json *array;
};

static bool add_symbol(void *user, const struct name *name)
{
    static const int kinds[] = {[NAME_SECTION] = SYMBOL_NAMESPACE,
                                [NAME_THREAD] = SYMBOL_NAMESPACE,
                                [NAME_MACRO] = SYMBOL_FUNCTION,
                                [NAME_VALUE] = SYMBOL_VARIABLE,
                                [NAME_INCLUDE] = SYMBOL_FILE};
    struct symbols *s = user;
    char word[WORD];
    if (copy_word(name->text, name->length, word)) {
        txl_json *symbol = txl_json_object();
        txl_json_set_text(symbol, "name", word);
        txl_json_set_int(symbol, "kind", (uint64_t)kinds[name->kind]);
        txl_json_set(symbol, "range", range_json(s->lsp, s->d, name->line, 0, SIZE_MAX));
        txl_json_set(symbol, "selectionRange",
                     range_json(s->lsp, s->d, name->line, name->from, name->to));
        txl_json_append(s->array, symbol);
    }
    return true;
}

txl_json *symbols_json(txl_lsp *lsp, struct document *d)
{
    struct symbols s = {lsp, d, txl_json_array()};
    names_in(d->text, d->length, add_symbol, &s);
    return s.array;
}
