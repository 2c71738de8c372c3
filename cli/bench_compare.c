/* SPDX-License-Identifier: Apache-2.0 */
/* Two builds: the medians of their ratios, row by row. */
#include "cli.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { MOST_FILES = 64 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static json_t *row_named(const json_t *file, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(file, "rows"), i, row)
    {
        const char *text = json_string_value(json_object_get(row, "name"));
        if (text != NULL && strcmp(text, name) == 0) {
            return row;
        }
    }
    return NULL;
}

/* What counts of a row: how two threads scale, else the ratio to its loop. Below zero: none. */
static double value_of(const json_t *row)
{
    const json_t *scaling = json_object_get(row, "scaling");
    const json_t *ratio = json_object_get(row, "ratio");
    return json_is_number(scaling) ? json_number_value(scaling)
           : json_is_number(ratio) ? json_number_value(ratio)
                                   : -1;
}

/* Of the files that have the row; below zero: none has. */
static double median_of(json_t *const *files, unsigned count, const char *name)
{
    double values[MOST_FILES];
    unsigned have = 0;
    for (unsigned i = 0; i < count; i++) {
        const double value = value_of(row_named(files[i], name));
        if (value > 0) {
            values[have++] = value;
        }
    }
    if (have == 0) {
        return -1;
    }
    qsort(values, have, sizeof values[0], by_size);
    return have % 2 != 0 ? values[have / 2] : (values[have / 2 - 1] + values[have / 2]) / 2;
}

static int read_all(struct cli *cli, const char *const *paths, unsigned count, json_t **files)
{
    for (unsigned i = 0; i < count; i++) {
        json_error_t error;
        size_t length = 0;
        char *text = txl_read_file(&cli->error, paths[i], &length);
        if (text == NULL) {
            return CLI_INPUT;
        }
        files[i] = json_loadb(text, length, 0, &error);
        free(text);
        if (files[i] == NULL) {
            return cli_fail(cli, "%s:%d: %s", paths[i], error.line, error.text);
        }
        if (json_array_size(json_object_get(files[i], "rows")) == 0) {
            return cli_fail(cli, "%s: no rows, as tensix bench --json prints them", paths[i]);
        }
    }
    return CLI_CONTINUE;
}

static const char *verdict(double base, double now, double tolerance)
{
    return now < 0                        ? "missing"
           : now < base * (1 - tolerance) ? "regression"
           : now > base * (1 + tolerance) ? "faster"
                                          : "same";
}

/* Rows of the first file of the base; one that is new has nothing to lose. */
static unsigned compare(struct cli *cli, json_t *const *base, unsigned base_count,
                        json_t *const *news, unsigned new_count, double tolerance)
{
    unsigned lost = 0;
    size_t i;
    json_t *row;
    json_t *list = json_array();
    int width = 20;
    json_array_foreach(json_object_get(base[0], "rows"), i, row)
    {
        const int length = (int)json_string_length(json_object_get(row, "name"));
        width = length > width ? length : width;
    }
    json_array_foreach(json_object_get(base[0], "rows"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        const double was = name != NULL ? median_of(base, base_count, name) : -1;
        if (was < 0) {
            continue;
        }
        const double now = median_of(news, new_count, name);
        const char *text = verdict(was, now, tolerance);
        lost += now < was * (1 - tolerance) ? 1 : 0;
        if (cli->json) {
            json_t *object = json_object();
            jx_set_text(object, "name", name);
            jx_set_real(object, "base", was);
            jx_set_real(object, "new", now);
            jx_set_text(object, "verdict", text);
            json_array_append_new(list, object);
        } else if (now < 0) {
            printf("%-*s %9.4f %9s %8s  %s\n", width, name, was, "-", "", text);
        } else {
            printf("%-*s %9.4f %9.4f %+7.1f%%  %s\n", width, name, was, now, 100 * (now / was - 1),
                   text);
        }
    }
    if (cli->json) {
        json_t *root = json_object();
        json_object_set(root, "rows", list);
        jx_set_int(root, "regressions", lost);
        jx_print(stdout, root);
        json_decref(root);
    } else {
        printf("%u regressions of more than %.0f %%\n", lost, 100 * tolerance);
    }
    json_decref(list);
    return lost;
}

int bench_compare(struct cli *cli, const char *const *base, unsigned base_count,
                  const char *const *news, unsigned new_count, double tolerance)
{
    json_t *old_files[MOST_FILES] = {NULL};
    json_t *new_files[MOST_FILES] = {NULL};
    if (new_count == 0) {
        return cli_fail(cli, "--base: no file of the newer build is named");
    }
    int result = read_all(cli, base, base_count, old_files);
    if (result == CLI_CONTINUE) {
        result = read_all(cli, news, new_count, new_files);
    }
    if (result == CLI_CONTINUE) {
        result = compare(cli, old_files, base_count, new_files, new_count, tolerance) == 0
                     ? CLI_OK
                     : CLI_NEGATIVE;
    }
    for (unsigned i = 0; i < MOST_FILES; i++) {
        json_decref(old_files[i]);
        json_decref(new_files[i]);
    }
    return result;
}
