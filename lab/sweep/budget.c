/* SPDX-License-Identifier: Apache-2.0 */
/* Reads accuracy budgets and finds the entry that a sweep must meet. */
#include "sweep/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

const char *const budget_keys[BUDGET_KEYS] = {"in", "out", "approx", "dest", "arch"};

void budget_free(struct budget *b)
{
    free(b->entries);
    free(b->path);
    *b = (struct budget){0};
}

const struct budget_entry *budget_find(const struct budget *b, const char *op,
                                       const char *const key[BUDGET_KEYS],
                                       const struct budget_entry **other)
{
    const struct budget_entry *best = NULL;
    unsigned most = 0;
    *other = NULL;
    for (size_t i = 0; i < b->count; i++) {
        const struct budget_entry *entry = &b->entries[i];
        bool matches = strcasecmp(entry->op, op) == 0;
        unsigned names = 0;
        for (unsigned k = 0; k < BUDGET_KEYS && matches; k++) {
            matches = entry->key[k][0] == '\0' || strcasecmp(entry->key[k], key[k]) == 0;
            names += entry->key[k][0] != '\0' ? 1 : 0;
        }
        if (matches && (best == NULL || names > most)) {
            best = entry;
            most = names;
            *other = NULL;
        } else if (matches && names == most) {
            *other = entry;
        }
    }
    return *other == NULL ? best : NULL;
}

#ifdef TENSIX_HAVE_LIBYAML

#include <yaml.h>

struct reader {
    struct budget *budget;
    yaml_document_t document;
    size_t room;
    struct txl_error *err;
};

static bool fail_at(struct reader *r, const yaml_node_t *node, const char *what, const char *text)
{
    const struct txl_where where = {.file = r->budget->path,
                                    .line = node == NULL ? 0 : (unsigned)node->start_mark.line + 1};
    txl_fail_at(r->err, &where, "%s%s%.60s%s", what, text[0] != '\0' ? " '" : "", text,
                text[0] != '\0' ? "'" : "");
    return false;
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/*
 * Normalises a key word as the table's own reader does: in YAML 1.1 "No" and "false" are the same.
 */
static const char *key_word(const char *text)
{
    static const char *const yes[] = {"yes", "true", "on"};
    static const char *const no[] = {"no", "false", "off"};
    for (unsigned i = 0; i < 3; i++) {
        if (strcasecmp(text, yes[i]) == 0) {
            return "Yes";
        }
        if (strcasecmp(text, no[i]) == 0) {
            return "No";
        }
    }
    return text;
}

static bool known_field(const char *name)
{
    static const char *const names[] = {"measured", "measured_all", "run", "sampled"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool take_field(struct reader *r, struct budget_entry *entry, const yaml_node_t *name_node,
                       const yaml_node_t *node, bool *has_max)
{
    const char *name = scalar(name_node);
    const char *value = scalar(node);
    int64_t number = 0;
    if (name == NULL || value == NULL) {
        return fail_at(r, node, "a field is a word and its value", "");
    }
    for (unsigned k = 0; k < BUDGET_KEYS; k++) {
        if (strcmp(name, budget_keys[k]) == 0) {
            const char *word = key_word(value);
            if (word[0] == '\0' || strlen(word) >= BUDGET_WORD) {
                return fail_at(r, node, "not understood:", word);
            }
            snprintf(entry->key[k], BUDGET_WORD, "%s", word);
            return true;
        }
    }
    if (strcmp(name, "max_ulp") == 0 || strcmp(name, "nonfinite") == 0) {
        if (!txl_number(value, 0, INT64_MAX, &number)) {
            return fail_at(r, node, "not a number of steps:", value);
        }
        *has_max = *has_max || name[0] == 'm';
        *(name[0] == 'm' ? &entry->max_ulp : &entry->nonfinite) = (uint64_t)number;
        return true;
    }
    if (strcmp(name, "metric") == 0) {
        entry->tolerance = strcmp(value, "tolerance") == 0;
        return entry->tolerance || strcmp(value, "ulp") == 0
                   ? true
                   : fail_at(r, node, "metric is ulp or tolerance, not", value);
    }
    if (strcmp(name, "atol") == 0 || strcmp(name, "rtol") == 0) {
        char *end = NULL;
        const double limit = strtod(value, &end);
        if (end == value || *end != '\0' || !isfinite(limit) || limit < 0.0) {
            return fail_at(r, node, "not a tolerance:", value);
        }
        *(name[0] == 'a' ? &entry->atol : &entry->rtol) = limit;
        entry->limited = true;
        return true;
    }
    entry->floored = entry->floored || strcmp(name, "near_zero_atol") == 0;
    return known_field(name) || strcmp(name, "near_zero_atol") == 0
               ? true
               : fail_at(r, name_node, "no field of a budget:", name);
}

static bool take_row(struct reader *r, const char *op, const yaml_node_t *node)
{
    struct budget *b = r->budget;
    struct budget_entry entry = {.line = (unsigned)node->start_mark.line + 1};
    bool has_max = false;
    if (node->type != YAML_MAPPING_NODE || strlen(op) >= sizeof entry.op) {
        return fail_at(r, node, "a row is {in: ..., out: ..., max_ulp: ...}", "");
    }
    snprintf(entry.op, sizeof entry.op, "%s", op);
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
         p++) {
        if (!take_field(r, &entry, yaml_document_get_node(&r->document, p->key),
                        yaml_document_get_node(&r->document, p->value), &has_max)) {
            return false;
        }
    }
    if (has_max == entry.tolerance) {
        return fail_at(r, node, "a row has either max_ulp or metric: tolerance", "");
    }
    for (size_t i = 0; i < b->count; i++) {
        if (strcmp(b->entries[i].op, op) == 0 &&
            memcmp(b->entries[i].key, entry.key, sizeof entry.key) == 0) {
            return fail_at(r, node, "a second row with the same key for", op);
        }
    }
    if (!LIST_ROOM(b->entries, b->count, r->room, 1)) {
        return fail_at(r, NULL, "out of memory", "");
    }
    b->entries[b->count++] = entry;
    return true;
}

static bool take_table(struct reader *r)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    if (root == NULL || root->type != YAML_MAPPING_NODE) {
        return fail_at(r, NULL, "not a budget: operations with rows are wanted", "");
    }
    for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *name = yaml_document_get_node(&r->document, p->key);
        const yaml_node_t *entries = yaml_document_get_node(&r->document, p->value);
        const char *op = scalar(name);
        if (op == NULL || entries->type != YAML_SEQUENCE_NODE) {
            return fail_at(r, name, "an operation has a list of rows", "");
        }
        for (yaml_node_item_t *item = entries->data.sequence.items.start;
             item < entries->data.sequence.items.top; item++) {
            if (!take_row(r, op, yaml_document_get_node(&r->document, *item))) {
                return false;
            }
        }
    }
    return r->budget->count > 0 || fail_at(r, NULL, "not a budget: it has no rows", "");
}

bool budget_parse(const char *text, size_t length, struct budget *b, struct txl_error *err)
{
    struct reader r = {.budget = b, .err = err};
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) {
        return fail_at(&r, NULL, "out of memory", "");
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool good = yaml_parser_load(&parser, &r.document) != 0;
    if (good) {
        good = take_table(&r);
        yaml_document_delete(&r.document);
    } else {
        const struct txl_where where = {.file = b->path,
                                        .line = (unsigned)parser.problem_mark.line + 1};
        txl_fail_at(err, &where, "not YAML: %.100s",
                    parser.problem != NULL ? parser.problem : "it cannot be read");
    }
    yaml_parser_delete(&parser);
    return good;
}

#else

bool budget_parse(const char *text, size_t length, struct budget *b, struct txl_error *err)
{
    (void)text;
    (void)length;
    txl_fail_at(err, &(struct txl_where){.file = b->path},
                "this build has no libyaml (libyaml-dev), which reads it");
    return false;
}

#endif

int txl_budget_open(struct txl_error *err, const char *path, txl_budget **budget)
{
    size_t length = 0;
    *budget = NULL;
    char *text = txl_read_file(err, path, &length);
    txl_budget *b = text != NULL ? zeroed(err, 1, sizeof *b) : NULL;
    if (b == NULL) {
        free(text);
        return TXL_INPUT;
    }
    b->budget.path = strdup(path);
    const bool copied = b->budget.path != NULL;
    const bool good = copied && budget_parse(text, length, &b->budget, err);
    free(text);
    if (good) {
        *budget = b;
        return TXL_OK;
    }
    txl_budget_close(b);
    return copied ? TXL_INPUT : no_memory(err);
}

void txl_budget_close(txl_budget *budget)
{
    if (budget != NULL) {
        budget_free(&budget->budget);
        free(budget);
    }
}
