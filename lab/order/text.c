/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as text and as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "order/order.h"

static txl_json *site_json(const struct txl_order_site *s)
{
    txl_json *o = txl_json_object();
    txl_json_set_text(o, "core", s->core);
    if (s->file[0] != '\0') {
        JSON_MEMBERS(o, s, file, line, inner);
    }
    txl_json *tile = txl_json_array();
    txl_json_append(tile, txl_json_int(s->tile_x));
    txl_json_append(tile, txl_json_int(s->tile_y));
    txl_json_set(o, "tile", tile);
    txl_json_set_word(o, "pc", s->pc);
    return o;
}

/* The tile is the one whose L1 it is. */
static txl_json *where_json(const struct txl_order_found *f)
{
    txl_json *o = txl_json_object();
    char address[24];
    (void)snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->address);
    txl_json_set_text(o, "memory", f->dram ? "dram" : "l1");
    txl_json_set_text(o, "address", address);
    if (!f->dram) {
        txl_json *tile = txl_json_array();
        txl_json_append(tile, txl_json_int(f->memory_x));
        txl_json_append(tile, txl_json_int(f->memory_y));
        txl_json_set(o, "tile", tile);
    }
    return o;
}

txl_json *txl_order_json(txl_order *o)
{
    txl_json *all = txl_json_object();
    txl_json *list = txl_json_array();
    txl_json_set_text(all, "level", o->documented ? "documented" : "contract");
    const struct txl_order_found *f;
    for (size_t i = 0; (f = txl_order_found_at(o, i)) != NULL; i++) {
        txl_json *one = txl_json_object();
        txl_json *sites = txl_json_array();
        txl_json_set_text(one, "kind", f->name);
        for (unsigned k = 0; k < f->sites; k++) {
            txl_json_append(sites, site_json(&f->site[k]));
        }
        txl_json_set(one, "sites", sites);
        if (f->address != 0 || f->dram) {
            txl_json_set(one, "where", where_json(f));
        }
        JSON_MEMBERS(one, f, why, known, times);
        if (f->cycle != 0) {
            txl_json_set_int(one, "cycle", f->cycle);
        }
        if (f->more != 0) {
            txl_json_set_int(one, "more", f->more);
        }
        if (f->test != NULL) {
            txl_json_set_text(one, "test", f->test);
        }
        if (f->tried != 0) {
            JSON_MEMBERS(one, f, tried, delays, witness);
        }
        txl_json_append(list, one);
    }
    txl_json_set(all, "findings", list);
    txl_json *waits = txl_json_array();
    const struct txl_order_wait *w;
    for (size_t i = 0; (w = txl_order_wait_at(o, i)) != NULL; i++) {
        txl_json *one = txl_json_object();
        txl_json_set(one, "site", site_json(&w->site));
        txl_json_set_text(one, "for", w->what);
        txl_json_set_word(one, "address", w->address);
        txl_json_set_word(one, "value", w->value);
        txl_json_set_int(one, "changes", w->changes);
        if (w->has_needs) {
            txl_json_set_word(one, "needs", w->needs);
        }
        if (w->gives[0] != '\0') {
            txl_json_set_text(one, "gives", w->gives);
        }
        txl_json_set(one, "last", w->last.core != NULL ? site_json(&w->last) : txl_json_null());
        txl_json_append(waits, one);
    }
    txl_json_set(all, "waits", waits);
    txl_json_set_bool(all, "stuck", o->hung);
    if (o->different != NULL) {
        txl_json_set_text(all, "different", o->different);
    }
    return all;
}

static void put_site(FILE *f, const char *what, const struct txl_order_site *s)
{
    if (strcmp(s->core, "host") == 0) {
        fprintf(f, "    %-6s the host\n", what);
        return;
    }
    fprintf(f, "    %-6s (%u,%u) %s ", what, s->tile_x, s->tile_y, s->core);
    if (s->file[0] != '\0') {
        fprintf(f, "%s:%u", s->file, s->line);
        if (s->inner[0] != '\0') {
            fprintf(f, " in %s", s->inner);
        }
        fputc('\n', f);
    } else if (s->pc == 0) {
        fprintf(f, "its coprocessor\n");
    } else {
        fprintf(f, "%08x\n", s->pc);
    }
}

/* Whether it is about one place, which its request and its use have in common. */
static bool at_one(const struct txl_order_found *r)
{
    return r->sites == 2 && memcmp(&r->site[0], &r->site[1], sizeof r->site[0]) == 0;
}

void txl_order_found_line(const struct txl_order_found *r, char *text, size_t size)
{
    int n = snprintf(text, size, "%s%s:", r->name, r->known ? " (known)" : "");
    for (unsigned k = 0; k < (at_one(r) ? 1 : r->sites) && n >= 0 && (size_t)n < size; k++) {
        const struct txl_order_site *s = &r->site[k];
        const char *and = k == 0 ? "" : " and";
        char *to = text + n;
        const size_t room = size - (size_t)n;
        if (strcmp(s->core, "host") == 0) {
            n += snprintf(to, room, "%s host", and);
        } else if (s->file[0] != '\0') {
            n += snprintf(to, room, "%s %s:%u", and, s->file, s->line);
        } else if (s->pc == 0) {
            n += snprintf(to, room, "%s %s's coprocessor", and, s->core);
        } else {
            n +=
                snprintf(to, room, "%s (%u,%u) %s %08x", and, s->tile_x, s->tile_y, s->core, s->pc);
        }
    }
}

static void put_found(FILE *f, const struct txl_order_found *r)
{
    const bool one = at_one(r);
    char line[TXL_ORDER_SITES * 160];
    txl_order_found_line(r, line, sizeof line);
    fprintf(f, "%s\n", line);
    for (unsigned k = 0; k < (one ? 1 : r->sites); k++) {
        put_site(f,
                 one                             ? "at"
                 : r->kind == TXL_ORDER_DEADLOCK ? "waits"
                 : k == 0                        ? "first"
                                                 : "second",
                 &r->site[k]);
    }
    if (r->address != 0 || r->dram) {
        fprintf(f, "    where  %s %llx\n", r->dram ? "DRAM" : "L1", (unsigned long long)r->address);
    }
    fprintf(f, "    why    %s\n    times  %llu\n", r->why, (unsigned long long)r->times);
    if (r->more != 0) {
        fprintf(f, "    more   %u other place%s of that core\n", r->more, r->more == 1 ? "" : "s");
    }
    if (r->test != NULL) {
        char test[256];
        (void)snprintf(test, sizeof test, "%s", r->test);
        txl_mask_controls(test);
        fprintf(f, "    test   %s\n", test);
    }
    if (r->witness != NULL) {
        fprintf(f, "    witness %s: %s\n", r->delays, r->witness);
    } else if (r->tried != 0) {
        fprintf(f, "    witness none: no run differs, %u tried\n", r->tried);
    }
}

/* One row of the table of those who wait: for what, and who gave it last. */
static void put_wait(FILE *f, const struct txl_order_wait *w)
{
    fprintf(f, "    (%u,%u) %-2s ", w->site.tile_x, w->site.tile_y, w->site.core);
    if (w->site.file[0] != '\0') {
        fprintf(f, "%s:%u waits ", w->site.file, w->site.line);
    } else {
        fprintf(f, "%08x waits ", w->site.pc);
    }
    if (strcmp(w->what, "other") == 0) {
        fprintf(f, "for an answer: %s\n", w->gives);
        return;
    }
    if (strcmp(w->what, "letter") == 0) {
        fprintf(f, "at mailbox %08x for a letter: %s\n", w->address, w->gives);
        return;
    }
    if (strcmp(w->what, "gate") == 0) {
        fprintf(f, "for its coprocessor: %s\n", w->gives);
        return;
    }
    fprintf(f, "for %s %x, which is %u",
            strcmp(w->what, "word") == 0      ? "L1"
            : strcmp(w->what, "counter") == 0 ? "the counter"
                                              : "pages, register",
            w->address, w->value);
    if (w->has_needs) {
        fprintf(f, " and has to be %u", w->needs);
    }
    fputs(": ", f);
    if (w->gives[0] != '\0') {
        fprintf(f, "%s\n", w->gives);
    } else if (w->last.core == NULL) {
        fprintf(f, "nobody has changed it\n");
    } else if (strcmp(w->last.core, "host") == 0) {
        fprintf(f, "changed %u times, last by the host\n", w->changes);
    } else {
        fprintf(f, "changed %u time%s, last by (%u,%u) %s ", w->changes, w->changes == 1 ? "" : "s",
                w->last.tile_x, w->last.tile_y, w->last.core);
        if (w->last.file[0] != '\0') {
            fprintf(f, "%s:%u\n", w->last.file, w->last.line);
        } else {
            fprintf(f, "%08x\n", w->last.pc);
        }
    }
}

char *txl_order_text(txl_order *o)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    const struct txl_order_found *r;
    size_t count = 0;
    if (f == NULL) {
        return NULL;
    }
    for (; (r = txl_order_found_at(o, count)) != NULL; count++) {
        put_found(f, r);
    }
    const struct txl_order_wait *w;
    for (size_t i = 0; (w = txl_order_wait_at(o, i)) != NULL; i++) {
        fputs(i == 0 ? "    who waits:\n" : "", f);
        put_wait(f, w);
    }
    if (o->different != NULL) {
        fprintf(f, "with these delays: %s\n", o->different);
    }
    fprintf(f, "%zu finding%s, level %s%s\n", count, count == 1 ? "" : "s",
            o->documented ? "documented" : "contract", o->hung ? "; the run does not end" : "");
    return fclose(f) == 0 ? text : NULL;
}

char *txl_order_json_text(txl_order *o)
{
    txl_json *all = txl_order_json(o);
    char *text = txl_json_line(all);
    txl_json_free(all);
    return text;
}
