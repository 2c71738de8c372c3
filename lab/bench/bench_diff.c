/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the benchmarks of two builds: for each line the medians of their ratios. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#include <jansson.h>

enum { MOST_FILES = 64 };

static json_t *line_named(const json_t *file, const char *name)
{
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(file, "rows"), i, line)
    {
        const char *text = json_string_value(json_object_get(line, "name"));
        if (text != NULL && strcmp(text, name) == 0) {
            return line;
        }
    }
    return NULL;
}

/*
 * The value of a line that is compared: the scaling of two threads, or else the ratio to its loop.
 * Returns a negative number when it has none.
 */
static double value_of(const json_t *line)
{
    const json_t *scaling = json_object_get(line, "scaling");
    const json_t *ratio = json_object_get(line, "ratio");
    return json_is_number(scaling) ? json_number_value(scaling)
           : json_is_number(ratio) ? json_number_value(ratio)
                                   : -1;
}

/* The median over the files that have the line. Returns a negative number when none has. */
static double median_of(json_t *const *files, unsigned count, const char *name)
{
    double values[MOST_FILES];
    unsigned have = 0;
    for (unsigned i = 0; i < count; i++) {
        const double value = value_of(line_named(files[i], name));
        if (value > 0) {
            values[have++] = value;
        }
    }
    return have == 0 ? -1 : bench_median(values, have);
}

static int read_all(struct txl_error *err, const char *const *paths, size_t count, json_t **files)
{
    for (size_t i = 0; i < count; i++) {
        json_error_t error;
        size_t length = 0;
        char *text = txl_read_file(err, paths[i], &length);
        if (text == NULL) {
            return TXL_INPUT;
        }
        files[i] = json_loadb(text, length, 0, &error);
        free(text);
        if (files[i] == NULL) {
            return txl_fail(err, "%s:%d: %s", paths[i], error.line, error.text);
        }
        if (json_array_size(json_object_get(files[i], "rows")) == 0) {
            return txl_fail(err, "%s: no rows of a measurement as JSON", paths[i]);
        }
    }
    return TXL_CONTINUE;
}

static const char *verdict(double base, double now, double tolerance)
{
    return now < 0                        ? "missing"
           : now < base * (1 - tolerance) ? "regression"
           : now > base * (1 + tolerance) ? "faster"
                                          : "same";
}

struct txl_bench_diff {
    double tolerance;
    json_t *base[MOST_FILES], *news[MOST_FILES];
    struct txl_bench_change *changes;
    size_t count;
    unsigned lost;
};

/*
 * Compares the rows of the base's first file. Lines that the base does not have are left out, since
 * they cannot have regressed.
 */
static void bench_diff_compare(txl_bench_diff *d, size_t base_count, size_t new_count,
                               double tolerance)
{
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(d->base[0], "rows"), i, line)
    {
        const char *name = json_string_value(json_object_get(line, "name"));
        const double was = name != NULL ? median_of(d->base, (unsigned)base_count, name) : -1;
        if (was < 0) {
            continue;
        }
        const double now = median_of(d->news, (unsigned)new_count, name);
        d->lost += now < was * (1 - tolerance) ? 1 : 0;
        d->changes[d->count++] = (struct txl_bench_change){
            .name = name, .was = was, .is = now, .verdict = verdict(was, now, tolerance)};
    }
}

int txl_bench_diff_open(struct txl_error *err, const char *const *base, size_t base_count,
                        const char *const *news, size_t new_count, double tolerance,
                        txl_bench_diff **diff)
{
    *diff = NULL;
    if (base_count == 0 || new_count == 0 || base_count > MOST_FILES || new_count > MOST_FILES) {
        return txl_fail_option(err, NULL, "base", "%s",
                               new_count == 0 ? "no file of the newer build is named"
                                              : "files of both builds are wanted, at most 64");
    }
    txl_bench_diff *d = zeroed(err, 1, sizeof *d);
    int result = d != NULL ? read_all(err, base, base_count, d->base) : TXL_INPUT;
    if (result == TXL_CONTINUE) {
        result = read_all(err, news, new_count, d->news);
    }
    if (result == TXL_CONTINUE) {
        const size_t lines = json_array_size(json_object_get(d->base[0], "rows"));
        d->changes = zeroed(err, lines, sizeof *d->changes);
        result = d->changes != NULL ? TXL_CONTINUE : TXL_INPUT;
    }
    if (result != TXL_CONTINUE) {
        txl_bench_diff_close(d);
        return result;
    }
    d->tolerance = tolerance;
    bench_diff_compare(d, base_count, new_count, tolerance);
    *diff = d;
    return TXL_OK;
}

void txl_bench_diff_close(txl_bench_diff *d)
{
    for (size_t i = 0; d != NULL && i < MOST_FILES; i++) {
        json_decref(d->base[i]);
        json_decref(d->news[i]);
    }
    if (d != NULL) {
        free(d->changes);
        free(d);
    }
}

bool txl_bench_diff_line(const txl_bench_diff *d, size_t at, struct txl_bench_change *change)
{
    if (at < d->count) {
        *change = d->changes[at];
    }
    return at < d->count;
}

unsigned txl_bench_diff_lost(const txl_bench_diff *d)
{
    return d->lost;
}

txl_json *txl_bench_diff_json(const txl_bench_diff *d)
{
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < d->count; i++) {
        const struct txl_bench_change *c = &d->changes[i];
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "name", c->name);
        txl_json_set_real(object, "base", c->was);
        txl_json_set_real(object, "new", c->is);
        txl_json_set_text(object, "verdict", c->verdict);
        txl_json_append(list, object);
    }
    txl_json_set(root, "rows", list);
    txl_json_set_int(root, "regressions", d->lost);
    return root;
}

char *txl_bench_diff_text(const txl_bench_diff *d)
{
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    int width = 20;
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    for (size_t i = 0; i < d->count; i++) {
        const int length = (int)strlen(d->changes[i].name);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < d->count; i++) {
        const struct txl_bench_change *c = &d->changes[i];
        fprintf(text.stream, "%-*s %9.4f ", width, c->name, c->was);
        if (c->is < 0) {
            fprintf(text.stream, "%9s %8s  %s\n", "-", "", c->verdict);
        } else {
            fprintf(text.stream, "%9.4f %+7.1f%%  %s\n", c->is, 100 * (c->is / c->was - 1),
                    c->verdict);
        }
    }
    fprintf(text.stream, "%u regressions of more than %.0f %%\n", d->lost, 100 * d->tolerance);
    return memory_text_take(&text);
}
