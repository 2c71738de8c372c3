/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads reports of several runs, as txl_order_json writes them, into one. Processes that use a card
 * write one each; what they have found is one finding where kind and places are the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "order/order.h"

/* What a member of a report has; NULL and 0 where it is not there, or is something else. */
static const char *text_in(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static uint64_t number_in(const json_t *o, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(o, key));
    return n > 0 ? (uint64_t)n : 0;
}

static uint64_t word_in(const json_t *o, const char *key)
{
    const char *text = text_in(o, key);
    return text != NULL ? strtoull(text, NULL, 0) : 0;
}

/* Keeps a text as long as the order: NULL stays NULL. */
static const char *kept(struct txl_order *o, const char *text)
{
    struct order_string *s =
        text != NULL ? malloc(sizeof *s + strlen(text) + 1) : (struct order_string *)NULL;
    o->failed = o->failed || (text != NULL && s == NULL);
    if (s == NULL) {
        return NULL;
    }
    s->next = o->strings;
    o->strings = s;
    return strcpy(s->text, text);
}

static void copy(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from != NULL ? from : "");
}

static bool site(struct txl_order *o, const json_t *from, struct txl_order_site *s)
{
    const json_t *tile = json_object_get(from, "tile");
    const char *core = kept(o, text_in(from, "core"));
    if (core == NULL) {
        return false;
    }
    *s = (struct txl_order_site){
        .tile_x = (uint32_t)json_integer_value(json_array_get(tile, 0)),
        .tile_y = (uint32_t)json_integer_value(json_array_get(tile, 1)),
        .core = core,
        .pc = (uint32_t)word_in(from, "pc"),
        .line = (unsigned)number_in(from, "line"),
    };
    copy(s->file, sizeof s->file, text_in(from, "file"));
    copy(s->inner, sizeof s->inner, text_in(from, "inner"));
    return true;
}

static bool finding(struct txl_order *o, const json_t *from, struct txl_order_found *f)
{
    const json_t *sites = json_object_get(from, "sites");
    const json_t *where = json_object_get(from, "where");
    const json_t *tile = json_object_get(where, "tile");
    const char *name = text_in(from, "kind");
    unsigned kind = 0;
    while (kind < TXL_ORDER_KINDS && name != NULL &&
           strcmp(txl_order_kind_name((enum txl_order_kind)kind), name) != 0) {
        kind++;
    }
    const size_t count = json_array_size(sites);
    if (name == NULL || kind == TXL_ORDER_KINDS || count == 0 || count > TXL_ORDER_SITES) {
        return false;
    }
    const char *memory = text_in(where, "memory");
    const char *why = kept(o, text_in(from, "why"));
    *f = (struct txl_order_found){
        .kind = (enum txl_order_kind)kind,
        .name = txl_order_kind_name((enum txl_order_kind)kind),
        .why = why != NULL ? why : "",
        .sites = (unsigned)count,
        .times = number_in(from, "times"),
        .memory_x = (uint32_t)json_integer_value(json_array_get(tile, 0)),
        .memory_y = (uint32_t)json_integer_value(json_array_get(tile, 1)),
        .address = word_in(where, "address"),
        .dram = memory != NULL && strcmp(memory, "dram") == 0,
        .delays = kept(o, text_in(from, "delays")),
        .witness = kept(o, text_in(from, "witness")),
        .tried = (unsigned)number_in(from, "tried"),
        .more = (unsigned)number_in(from, "more"),
        .test = kept(o, text_in(from, "test")),
    };
    for (size_t i = 0; i < count; i++) {
        if (!site(o, json_array_get(sites, i), &f->site[i])) {
            return false;
        }
    }
    return true;
}

static bool wait(struct txl_order *o, const json_t *from, struct txl_order_wait *w)
{
    const json_t *last = json_object_get(from, "last");
    const char *what = kept(o, text_in(from, "for"));
    *w = (struct txl_order_wait){.what = what,
                                 .address = (uint32_t)word_in(from, "address"),
                                 .value = (uint32_t)word_in(from, "value"),
                                 .changes = (uint32_t)number_in(from, "changes"),
                                 .has_needs = json_object_get(from, "needs") != NULL,
                                 .needs = (uint32_t)word_in(from, "needs")};
    copy(w->gives, sizeof w->gives, text_in(from, "gives"));
    return what != NULL && site(o, json_object_get(from, "site"), &w->site) &&
           (!json_is_object(last) || site(o, last, &w->last));
}

/* Room for one more of count elements. Returns false without memory. */
static bool grow(struct txl_order *o, void **list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0 && count != 0) {
        return true;
    }
    void *more = realloc(*list, (count == 0 ? 1 : 2 * count) * size);
    o->failed = o->failed || more == NULL;
    *list = more != NULL ? more : *list;
    return more != NULL;
}

static bool add_finding(struct txl_order *o, const json_t *from)
{
    struct txl_order_found f;
    char line[ORDER_LINE_MOST];
    char other[ORDER_LINE_MOST];
    if (!finding(o, from, &f)) {
        return false;
    }
    order_line(&f, line);
    for (size_t i = 0; i < o->reads; i++) {
        order_line(&o->read[i], other);
        if (strcmp(line, other) == 0) {
            o->read[i].times += f.times;
            return true;
        }
    }
    if (!grow(o, (void **)&o->read, o->reads, sizeof *o->read)) {
        return false;
    }
    o->read[o->reads++] = f;
    return true;
}

static bool add_wait(struct txl_order *o, const json_t *from)
{
    struct txl_order_wait w;
    if (!wait(o, from, &w) ||
        !grow(o, (void **)&o->read_wait, o->read_waits, sizeof *o->read_wait)) {
        return false;
    }
    o->read_wait[o->read_waits++] = w;
    return true;
}

static bool add_report(struct txl_order *o, const json_t *report)
{
    const json_t *findings = json_object_get(report, "findings");
    const json_t *waits = json_object_get(report, "waits");
    const char *level = text_in(report, "level");
    bool good = json_is_array(findings) && json_is_array(waits) && level != NULL;
    o->documented = o->documented || (good && strcmp(level, "documented") == 0);
    o->hung = o->hung || json_is_true(json_object_get(report, "stuck"));
    for (size_t i = 0; good && i < json_array_size(findings); i++) {
        good = add_finding(o, json_array_get(findings, i));
    }
    for (size_t i = 0; good && i < json_array_size(waits); i++) {
        good = add_wait(o, json_array_get(waits, i));
    }
    return good;
}

int txl_order_read(struct txl_error *err, const char *name, const char *text, txl_order **order)
{
    struct txl_where where = {.file = name};
    struct txl_order *o = zeroed(err, 1, sizeof *o);
    *order = NULL;
    if (o == NULL) {
        return TXL_INPUT;
    }
    o->is_read = true;
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        json_t *report = length != 0 ? json_loadb(at, length, JSON_REJECT_DUPLICATES, NULL) : NULL;
        const bool good = length == 0 || add_report(o, report);
        json_decref(report);
        where.line++;
        if (!good || o->failed) {
            const int result = o->failed ? txl_fail(err, "out of memory")
                                         : txl_fail_at(err, &where, "no report of races");
            txl_order_close(o);
            return result;
        }
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    *order = o;
    return TXL_OK;
}
