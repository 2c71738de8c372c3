/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explains one thing of the tables: finds out what is asked for, and prints entries by their ids.
 */
#include <tensix/facts.h>

#include "base/json.h"
#include "explain/explain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "race/race.h"

bool explain_wants(const struct explain *e, enum tx_arch arch)
{
    return e->arch == TX_ARCH_NONE || e->arch == arch;
}

/* Prints a line of JSON with a space after each colon and comma, for people. */
static void print_spaced(FILE *out, const char *line)
{
    bool inside = false;
    for (const char *p = line; *p != '\0'; p++) {
        fputc(*p, out);
        inside ^= *p == '"';
        if (inside && *p == '\\') {
            fputc(*++p, out);
        } else if (!inside && (*p == ',' || *p == ':')) {
            fputc(' ', out);
        }
    }
}

/* Makes the object the answer as JSON, or prints it as "key: value" lines. */
static void show(struct explain *e, const char *kind, txl_json *object)
{
    if (e->out == NULL) {
        txl_json *root = txl_json_object();
        txl_json_set_text(root, "kind", kind);
        txl_json_merge(root, object);
        e->json = root;
        return;
    }
    fprintf(e->out, "%s\n", kind);
    const char *key = NULL;
    const txl_json *value;
    for (size_t i = 0; (value = txl_json_at(object, i, &key)) != NULL; i++) {
        const char *plain = txl_json_chars(value);
        char *line = plain == NULL ? txl_json_line(value) : NULL;
        const bool empty = line != NULL && strcmp(line, "null") == 0;
        fprintf(e->out, "    %-10s %s", key,
                plain != NULL           ? plain
                : empty || line == NULL ? "-"
                                        : "");
        print_spaced(e->out, line != NULL && !empty ? line : "");
        fputc('\n', e->out);
        free(line);
    }
    txl_json_free(object);
}

/* A row of a normative text in docs/spec/. */
struct spec_row {
    const char *number, *text, *section, *words;
};

static const struct spec_row spec_rows[] = {
#define SPEC_ROW(id, text, section, words) {id, text, section, words},
#include "explain/spec_rows.def"
#undef SPEC_ROW
};

/* The rows of the normative texts come last: an entry of a table says more of the same id. */
static bool explain_spec_row(struct explain *e)
{
    for (size_t i = 0; i < sizeof spec_rows / sizeof *spec_rows; i++) {
        const struct spec_row *row = &spec_rows[i];
        if (strcasecmp(row->number, e->subject) == 0) {
            txl_json *object = txl_json_object();
            char place[64];
            snprintf(place, sizeof place, "docs/spec/%s.md, section %s", row->text, row->section);
            txl_json_set_text(object, "id", row->number);
            txl_json_set_text(object, "text", row->words);
            txl_json_set_text(object, "source", place);
            show(e, "normative text", object);
            return true;
        }
    }
    return false;
}

/* An idiom that a race may rely on, or a doubt that its report names. */
static bool explain_race(struct explain *e)
{
    const struct txl_race_idiom *entry;
    for (unsigned kind = 0; kind < 2; kind++) {
        const bool doubt = kind != 0;
        for (size_t i = 0;
             (entry = doubt ? txl_race_doubt_known(i) : txl_race_idiom_known(i)) != NULL; i++) {
            if (strcasecmp(entry->id, e->subject) != 0) {
                continue;
            }
            txl_json *object = txl_json_object();
            JSON_MEMBERS(object, entry, id, text);
            txl_json_set_text(object, "source", entry->evidence);
            show(e, doubt ? "doubt about a race" : "idiom of races", object);
            return true;
        }
    }
    return false;
}

bool explain_id(struct explain *e)
{
    const char *id = e->subject;
    bool found = false;
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    const struct tx_rule *rule;
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL && !found; i++) {
        if (strcasecmp(erratum->id, id) == 0) {
            show(e, "erratum", txl_erratum_json(erratum));
            found = true;
        }
    }
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL && !found; i++) {
        if (strcasecmp(entry->id, id) == 0) {
            show(e, "evidence", txl_evidence_json(entry));
            found = true;
        }
    }
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL && !found; i++) {
        if (strcasecmp(rule->name, id) == 0) {
            show(e, "rule switch", txl_rule_json(rule));
            found = true;
        }
    }
    for (enum tx_arch arch = TX_ARCH_LAST; arch >= TX_ARCH_FIRST && !found; arch--) {
        const struct tx_row *row = explain_wants(e, arch) ? tx_row_find(arch, id) : NULL;
        if (row != NULL) {
            show(e, "behaviour", txl_row_json(row));
            found = true;
        }
        const struct tx_config_field *field =
            found || !explain_wants(e, arch) ? NULL : tx_config_field_find(arch, id);
        if (field != NULL) {
            show(e, tx_arch_name(arch), txl_config_json(field));
            found = true;
        }
    }
    return found || explain_race(e) || explain_spec_row(e);
}

static int nothing(struct txl_error *err, const struct explain *e)
{
    enum { MOST = 1024 };
    const char *names[MOST];
    size_t count = 0;
    char lower[64];
    if (err == NULL) {
        return TXL_INPUT; /* nobody reads what is near */
    }
    snprintf(lower, sizeof lower, "%s", e->subject);
    for (char *p = lower; *p != '\0'; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        const struct tx_insn *insn;
        for (size_t i = 0; (insn = tx_insn_at(arch, i)) != NULL && count < MOST; i++) {
            names[count++] = insn->name;
        }
    }
    const char *near = txl_nearest(lower, names, count);
    const struct tx_register_field *field;
    for (count = 0; near == NULL && count < MOST && (field = tx_register_field_at(count)) != NULL;
         count++) {
        names[count] = field->name;
    }
    near = near != NULL ? near : txl_nearest(e->subject, names, count);
    if (near != NULL) {
        return txl_fail(err, "'%s' is no mnemonic, word, field or id; did you mean '%s'?",
                        e->subject, near);
    }
    return txl_fail(err, "'%s' is no mnemonic, word, field or id; 'tensix isa' lists them",
                    e->subject);
}

static int explain(struct txl_error *err, struct explain *e)
{
    enum tx_arch arch = TX_ARCH_NONE;
    if (tx_arch_parse(e->subject, &arch) == TX_EUNSUPPORTED) {
        return txl_parse_arch(err, e->subject, &arch);
    }
    const int result = explain_macro(err, e);
    if (result != TXL_CONTINUE) {
        return result;
    }
    return explain_mnemonic(e) || explain_id(e) || explain_word(e) || explain_field(e)
               ? TXL_OK
               : nothing(err, e);
}

int txl_explain_text(struct txl_error *err, enum tx_arch arch, const char *subject,
                     const char *value, char **text)
{
    struct memory_text written;
    *text = NULL;
    if (memory_text_open(err, &written) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    struct explain e = {.arch = arch, .subject = subject, .value = value, .out = written.stream};
    const int result = explain(err, &e);
    txl_json_free(e.json);
    return memory_text_give(err, &written, result, text);
}

int txl_explain_json(struct txl_error *err, enum tx_arch arch, const char *subject,
                     const char *value, char **text)
{
    struct explain e = {.arch = arch, .subject = subject, .value = value};
    const int result = explain(err, &e);
    *text = result == TXL_OK ? txl_json_indented(e.json) : NULL;
    txl_json_free(e.json);
    return result == TXL_OK && *text == NULL ? no_memory(err) : result;
}
