/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for continuous integration: a file of known ones, SARIF 2.1.0, JUnit. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tensix-lab/base.h>

#include "base/options.h"
#include "order/order.h"

static const char *const heading = "# Findings that are known: kind and sites, separated by tabs.\n"
                                   "# Lines that begin with # and empty ones do not count.\n";

static size_t put_site(char *text, size_t size, const struct txl_order_site *s)
{
    const int n = strcmp(s->core, "host") == 0 ? snprintf(text, size, "host")
                  : s->file[0] != '\0'         ? snprintf(text, size, "%s:%u", s->file, s->line)
                                               : snprintf(text, size, "%s:%08x", s->core, s->pc);
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

void order_line(const struct txl_order_found *f, char text[ORDER_LINE_MOST])
{
    size_t n = (size_t)snprintf(text, ORDER_LINE_MOST, "%s", f->name);
    for (unsigned i = 0; i < f->sites && n + 1 < ORDER_LINE_MOST; i++) {
        text[n++] = '\t';
        n += put_site(text + n, ORDER_LINE_MOST - n, &f->site[i]);
    }
}

static void set_known(struct txl_order *o, size_t index)
{
    if (o->is_read) {
        o->read[index].known = true;
        return;
    }
    for (size_t i = 0; i < o->founds; i++) {
        if (!o->found[i].dropped && index-- == 0) {
            o->found[i].known = true;
            return;
        }
    }
}

static int read_known(struct txl_error *err, struct txl_order *o, const char *path)
{
    size_t size;
    char *text = txl_read_file(err, path, &size);
    if (text == NULL) {
        return TXL_INPUT;
    }
    if (strlen(text) != size) {
        free(text);
        return txl_fail_option(err, NULL, "known", "%s is not a text", path);
    }
    const struct txl_order_found *f;
    for (char *line = text; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        for (size_t i = 0; (f = txl_order_found_at(o, i)) != NULL; i++) {
            char own[ORDER_LINE_MOST];
            order_line(f, own);
            if (strcmp(own, line) == 0) {
                set_known(o, i);
            }
        }
        line = end;
    }
    free(text);
    return TXL_CONTINUE;
}

static int write_known(struct txl_error *err, struct txl_order *o, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    const struct txl_order_found *r;
    if (f == NULL) {
        return txl_fail(err, "out of memory");
    }
    fputs(heading, f);
    for (size_t i = 0; (r = txl_order_found_at(o, i)) != NULL; i++) {
        char own[ORDER_LINE_MOST];
        order_line(r, own);
        fprintf(f, "%s\n", own);
    }
    const int result =
        fclose(f) == 0 ? txl_write_file(err, path, text, size) : txl_fail(err, "out of memory");
    free(text);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

int txl_order_known(struct txl_error *err, txl_order *o, const char *path)
{
    enum { MOST = 16 << 20 };
    struct stat about;
    const bool there = stat(path, &about) == 0;
    if (!there && errno != ENOENT) {
        return txl_fail_option(err, NULL, "known", "%s: %s", path, strerror(errno));
    }
    if (there && (!S_ISREG(about.st_mode) || about.st_size > MOST)) {
        return txl_fail_option(err, NULL, "known", "%s is not a file of at most 16 MiB", path);
    }
    const int result = there ? read_known(err, o, path) : write_known(err, o, path);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct txl_order_found *f;
    bool fresh = false;
    for (size_t i = 0; (f = txl_order_found_at(o, i)) != NULL; i++) {
        fresh = fresh || !f->known;
    }
    return fresh ? TXL_NEGATIVE : TXL_OK;
}

/* ---- SARIF ---- */

enum { MESSAGE = 512 };

static txl_json *text_of(const char *text)
{
    txl_json *o = txl_json_object();
    txl_json_set_text(o, "text", text);
    return o;
}

static txl_json *location(const struct txl_order_site *s)
{
    txl_json *physical = txl_json_object();
    txl_json *artifact = txl_json_object();
    txl_json *o = txl_json_object();
    char text[64];
    snprintf(text, sizeof text, "tile (%u,%u), core %s", s->tile_x, s->tile_y, s->core);
    if (s->file[0] != '\0') {
        txl_json *region = txl_json_object();
        txl_json_set_text(artifact, "uri", s->file);
        txl_json_set_int(region, "startLine", s->line);
        txl_json_set(physical, "artifactLocation", artifact);
        txl_json_set(physical, "region", region);
        txl_json_set(o, "physicalLocation", physical);
    } else {
        txl_json_free(artifact);
        txl_json_free(physical);
    }
    txl_json_set(o, "message", text_of(text));
    return o;
}

/* Why, and in which test. */
static const char *message_of(const struct txl_order_found *f, char text[MESSAGE])
{
    (void)snprintf(text, MESSAGE, "%s%s%s", f->why, f->test != NULL ? "; found in " : "",
                   f->test != NULL ? f->test : "");
    txl_mask_controls(text);
    return text;
}

static txl_json *result_of(const struct txl_order_found *f)
{
    char message[MESSAGE];
    txl_json *o = txl_json_object();
    txl_json *first = txl_json_array();
    txl_json *others = txl_json_array();
    txl_json_set_text(o, "ruleId", f->name);
    txl_json_set_text(o, "level", f->known ? "note" : "error");
    txl_json_set(o, "message", text_of(message_of(f, message)));
    for (unsigned i = 0; i < f->sites; i++) {
        txl_json_append(i == 0 ? first : others, location(&f->site[i]));
    }
    txl_json_set(o, "locations", first);
    txl_json_set(o, "relatedLocations", others);
    return o;
}

char *txl_order_sarif(txl_order *o)
{
    txl_json *all = txl_json_object();
    txl_json *runs = txl_json_array();
    txl_json *run = txl_json_object();
    txl_json *tool = txl_json_object();
    txl_json *driver = txl_json_object();
    txl_json *results = txl_json_array();
    const struct txl_order_found *f;
    txl_json_set_text(all, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    txl_json_set_text(all, "version", "2.1.0");
    txl_json_set_text(driver, "name", "tensix race");
    txl_json_set_text(driver, "version", tx_version());
    txl_json_set(tool, "driver", driver);
    txl_json_set(run, "tool", tool);
    for (size_t i = 0; (f = txl_order_found_at(o, i)) != NULL; i++) {
        txl_json_append(results, result_of(f));
    }
    txl_json_set(run, "results", results);
    txl_json_append(runs, run);
    txl_json_set(all, "runs", runs);
    char *text = txl_json_indented(all);
    txl_json_free(all);
    return text;
}

/* ---- JUnit ---- */

static void put_xml(FILE *f, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '&':
            fputs("&amp;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*text == '\t' ? ' ' : *text, f);
            break;
        }
    }
}

char *txl_order_junit(txl_order *o)
{
    char *text = NULL;
    size_t size = 0;
    size_t count = 0;
    size_t failures = 0;
    FILE *f = open_memstream(&text, &size);
    const struct txl_order_found *r;
    if (f == NULL) {
        return NULL;
    }
    for (; (r = txl_order_found_at(o, count)) != NULL; count++) {
        failures += r->known ? 0 : 1;
    }
    fprintf(f,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"tensix race\" tests=\"%zu\" failures=\"%zu\">\n",
            count == 0 ? (size_t)1 : count, failures);
    for (size_t i = 0; (r = txl_order_found_at(o, i)) != NULL; i++) {
        char own[ORDER_LINE_MOST];
        order_line(r, own);
        fprintf(f, "  <testcase classname=\"%s\" name=\"", r->name);
        put_xml(f, own);
        fputs(r->known ? "\"/>\n" : "\"><failure message=\"", f);
        if (!r->known) {
            char message[MESSAGE];
            put_xml(f, message_of(r, message));
            fputs("\"/></testcase>\n", f);
        }
    }
    if (count == 0) {
        fputs("  <testcase classname=\"race\" name=\"no finding\"/>\n", f);
    }
    fputs("</testsuite>\n", f);
    return fclose(f) == 0 ? text : NULL;
}

/* Writes a text to a file, and frees it. */
static int save(struct txl_error *err, const char *path, char *text)
{
    const int result = text == NULL ? txl_fail(err, "out of memory")
                                    : txl_write_file(err, path, text, strlen(text));
    free(text);
    return result;
}

int txl_order_give(struct txl_error *err, txl_order *o, const struct txl_order_wanted *given)
{
    struct txl_order_wanted w;
    if (options_take(err, &w, sizeof w, given) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    const int judged =
        w.known != NULL ? txl_order_known(err, o, w.known) : txl_order_result(err, o);
    int saved = judged == TXL_INPUT ? TXL_INPUT : TXL_OK;
    if (saved == TXL_OK && w.sarif != NULL) {
        saved = save(err, w.sarif, txl_order_sarif(o));
    }
    if (saved == TXL_OK && w.junit != NULL) {
        saved = save(err, w.junit, txl_order_junit(o));
    }
    return saved == TXL_OK ? judged : saved;
}
