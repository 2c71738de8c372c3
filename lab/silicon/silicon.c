/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the rows and compares: every value, and the errors by class. */
#include "silicon/silicon.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/options.h"
#include "tile/chip_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKETS = 4000, OUTSIDE = 30 }; /* cycles of a zone before and behind its loop */

static bool is_wanted(const char *id, const char *list)
{
    while (list != NULL && *list != '\0') {
        const size_t n = strcspn(list, ",");
        if (n != 0 && strncmp(id, list, n) == 0) {
            return true;
        }
        list += n + (list[n] == ',');
    }
    return list == NULL;
}

/* Makes a value of every measurement that is wanted. */
static int make_values(struct txl_error *err, txl_silicon *s, const struct txl_silicon_options *how)
{
    const unsigned every = how->every != 0 ? how->every : 1;
    unsigned all = 0;
    for (unsigned i = 0; i < s->rows; i++) {
        all += s->row[i].values;
    }
    s->value = calloc(all + 1u, sizeof *s->value);
    s->class = calloc(all + 1u, sizeof *s->class);
    if (s->value == NULL || s->class == NULL) {
        return txl_fail(err, "no memory");
    }
    unsigned n = 0;
    for (unsigned i = 0; i < s->rows; i++) {
        struct silicon_row *r = &s->row[i];
        r->first = s->values;
        for (unsigned k = 0; k < r->values && is_wanted(r->id, how->rows); k++) {
            if (n++ % every != 0) {
                r->measured[k] = NAN; /* not this time */
                continue;
            }
            s->class[s->values] = r->name;
            s->value[s->values++] =
                (struct txl_silicon_value){.id = r->id,
                                           .why = r->why[0] != '\0' ? r->why : NULL,
                                           .measured = r->measured[k],
                                           .predicted = NAN,
                                           .bytes = r->bytes[k]};
        }
    }
    return TXL_OK;
}

static struct silicon_row *row_of(txl_silicon *s, unsigned value)
{
    unsigned i = 0;
    while (i + 1 < s->rows && s->row[i + 1].first <= value) {
        i++;
    }
    return &s->row[i];
}

static double in_unit(const struct silicon_row *r, uint32_t bytes, const struct silicon_took *t)
{
    const struct silicon_noc *n = &r->noc;
    const unsigned to = n->dram || n->mechanism != SILICON_UNICAST
                            ? 1
                            : n->others.w * n->others.h - (n->minus_master ? 1 : 0);
    const double moved = (double)bytes * n->per * to;
    switch (r->quantity) {
    case SILICON_LATENCY:
        return t->median - OUTSIDE;
    case SILICON_BYTES_A_CYCLE:
        return moved / (t->median - OUTSIDE);
    case SILICON_ALL_BYTES:
        return moved * n->tiles / t->last;
    default:
        return t->median;
    }
}

/* Cycles of a hop: what the ring of another row and column adds, by its hops. */
static int run_hop(struct txl_error *err, struct silicon_chip *chip, const struct silicon_row *r,
                   struct silicon_took *took)
{
    struct silicon_noc own = r->noc;
    struct silicon_took near;
    const unsigned hops = tx_arch_fact(r->noc.arch, TX_FACT_NOC_COLUMNS) +
                          tx_arch_fact(r->noc.arch, TX_FACT_NOC_ROWS);
    own.others = own.masters;
    const int result = silicon_run(err, chip, &own, r->bytes[0], PACKETS, &near);
    took->median = (took->median - near.median) / hops;
    return result;
}

/* Accesses of L1, in the row's unit. */
static int run_l1(struct txl_error *err, struct silicon_chip *chip, struct silicon_row *r,
                  double *predicted)
{
    enum { ACCESS = 16 };
    struct silicon_took took;
    double rate = NAN;
    int result;
    if (r->l1 == SILICON_L1_NOC) {
        result = silicon_run(err, chip, &r->noc, r->bytes[0], PACKETS, &took);
        rate = (double)r->bytes[0] * r->noc.per / (took.median - OUTSIDE) / ACCESS;
    } else {
        result = silicon_l1_run(err, r->noc.arch, r->l1, &rate);
    }
    *predicted = r->cycles ? 1 / rate : r->bits != 0 ? r->bits * rate : rate;
    return result;
}

/* One of the times of the networks, where the figure is that and nothing else. */
static double time_named(const struct silicon_chip *chip, const char *name)
{
    size_t i = 0;
    while (tx_chip_time_name(i) != NULL && strcmp(tx_chip_time_name(i), name) != 0) {
        i++;
    }
    return tx_chip_time(chip->chip, i) / 1000.0;
}

static int run_value(txl_silicon *s, unsigned n, struct silicon_chip chips[2],
                     const struct txl_silicon_options *how)
{
    struct txl_silicon_value *v = &s->value[n];
    struct silicon_row *r = row_of(s, n);
    struct silicon_chip *chip = &chips[silicon_card(r->noc.arch)];
    struct txl_error err = {.status = TXL_OK};
    struct silicon_took took = {NAN, NAN};
    int result = TXL_OK;
    if (v->why != NULL) {
        return TXL_OK;
    }
    if (chip->chip == NULL) {
        result = silicon_chip_open(&err, r->noc.arch, chip);
    }
    if (result == TXL_OK && r->quantity == SILICON_ACCESSES) {
        result = run_l1(&err, chip, r, &v->predicted);
    } else if (result == TXL_OK && r->quantity == SILICON_TIME) {
        took.median = time_named(chip, r->time);
    } else if (result == TXL_OK) {
        result = silicon_run(&err, chip, &r->noc, v->bytes,
                             how->packets != 0 ? how->packets : PACKETS, &took);
    }
    if (result == TXL_OK && r->quantity == SILICON_HOP) {
        result = run_hop(&err, chip, r, &took);
    }
    if (result == TXL_OK && r->quantity != SILICON_ACCESSES) {
        v->predicted = in_unit(r, v->bytes, &took);
    } else if (result != TXL_OK) {
        v->predicted = NAN;
        v->why = "the program does not run on the card's grid";
    }
    txl_error_clear(&err);
    return TXL_OK;
}

static int open_with_times(struct txl_error *err, const struct txl_silicon_options *how,
                           enum tx_arch arch, struct silicon_chip *chip)
{
    int result = silicon_chip_open(err, arch, chip);
    result = result == TXL_OK ? chip_times(err, chip->chip, how->times_name, how->times) : result;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* Keeps the times that a chip had; chip NULL: it was not needed. */
static void keep_times(txl_silicon *s, unsigned which, const tx_chip *chip)
{
    for (size_t i = 0; s != NULL && chip != NULL && i < SILICON_MOST_TIMES; i++) {
        s->time[which][i] = tx_chip_time(chip, i);
        s->used[which] = true;
    }
}

int txl_silicon_open(struct txl_error *err, const char *name, const char *text, size_t size,
                     const struct txl_silicon_options *options, txl_silicon **silicon)
{
    struct txl_silicon_options how = {.size = sizeof how};
    struct silicon_chip chips[2] = {{.chip = NULL}, {.chip = NULL}};
    *silicon = NULL;
    if (options != NULL && options_take(err, &how, sizeof how, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    txl_silicon *s = calloc(1, sizeof *s);
    int result = s == NULL ? txl_fail(err, "no memory") : silicon_read(err, name, text, size, s);
    result = result == TXL_OK ? make_values(err, s, &how) : result;
    for (unsigned i = 0; i < 2 && result == TXL_OK && how.times != NULL; i++) {
        result = open_with_times(err, &how, i == 0 ? TX_WORMHOLE : TX_BLACKHOLE, &chips[i]);
    }
    for (unsigned i = 0; result == TXL_OK && i < s->values; i++) {
        if (how.progress != NULL && !how.progress(how.user, i, s->values)) {
            result = txl_refuse(err, TXL_CANCELLED, "stopped");
        } else {
            result = run_value(s, i, chips, &how);
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        keep_times(s, i, chips[i].chip);
        tx_chip_close(chips[i].chip);
    }
    if (result != TXL_OK) {
        txl_silicon_close(s);
        return result;
    }
    *silicon = s;
    return TXL_OK;
}

void txl_silicon_close(txl_silicon *s)
{
    if (s != NULL) {
        free(s->row);
        free(s->value);
        free(s->class);
        free(s);
    }
}

const struct txl_silicon_value *txl_silicon_values(const txl_silicon *s, size_t *count)
{
    *count = s->values;
    return s->value;
}

/* ---- errors by class ---- */

struct errors {
    const char *name;
    unsigned values, missing;
    double mean, median, tenth, bias; /* relative; tenth: what a tenth exceeds */
};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The errors of the values of one class; name NULL: of all. */
static bool errors_of(const txl_silicon *s, const char *name, struct errors *e)
{
    double *off = malloc((s->values + 1u) * sizeof *off);
    double sum = 0;
    double logs = 0;
    *e = (struct errors){.name = name != NULL ? name : "all"};
    for (unsigned i = 0; i < s->values && off != NULL; i++) {
        const struct txl_silicon_value *v = &s->value[i];
        if (name != NULL && strcmp(s->class[i], name) != 0) {
            continue;
        }
        if (v->why != NULL || !(v->measured > 0) || !(v->predicted > 0)) {
            e->missing++;
            continue;
        }
        off[e->values] = fabs(v->predicted / v->measured - 1);
        sum += off[e->values++];
        logs += log(v->predicted / v->measured);
    }
    if (off != NULL && e->values != 0) {
        qsort(off, e->values, sizeof *off, by_size);
        e->mean = sum / e->values;
        e->median = off[e->values / 2];
        e->tenth = off[e->values * 9 / 10];
        e->bias = exp(logs / e->values);
    }
    free(off);
    return off != NULL;
}

/* Returns the next class that has not been seen before value "from", or NULL. */
static const char *next_class(const txl_silicon *s, unsigned *from)
{
    for (; *from < s->values; ++*from) {
        unsigned k = 0;
        while (k < *from && strcmp(s->class[k], s -> class[*from]) != 0) {
            k++;
        }
        if (k == *from) {
            return s->class[(*from)++];
        }
    }
    return NULL;
}

static void print_errors(FILE *out, const struct errors *e)
{
    fprintf(out, "%-48s %6u", e->name, e->values);
    if (e->values != 0) {
        fprintf(out, " %7.1f %% %7.1f %% %7.1f %% %6.2f", 100 * e->mean, 100 * e->median,
                100 * e->tenth, e->bias);
    }
    fprintf(out, "%s\n", e->missing != 0 ? "  (and some that are not built)" : "");
}

char *txl_silicon_text(const txl_silicon *s)
{
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    struct errors e;
    unsigned from = 0;
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    for (unsigned i = 0; i < s->values; i++) {
        const struct txl_silicon_value *v = &s->value[i];
        fprintf(text.stream, "%-24s %6u ", v->id, v->bytes);
        if (v->why != NULL) {
            fprintf(text.stream, "not built: %s\n", v->why);
        } else {
            fprintf(text.stream, "measured %12.1f  predicted %12.1f  %+7.1f %%\n", v->measured,
                    v->predicted, 100 * (v->predicted / v->measured - 1));
        }
    }
    fprintf(text.stream, "\n%-48s %6s %9s %9s %9s %6s\n", "class", "values", "mean", "median",
            "a tenth >", "bias");
    for (const char *name = next_class(s, &from); name != NULL; name = next_class(s, &from)) {
        if (errors_of(s, name, &e)) {
            print_errors(text.stream, &e);
        }
    }
    if (errors_of(s, NULL, &e)) {
        print_errors(text.stream, &e);
    }
    fprintf(text.stream,
            "\nErrors are relative and without sign; the bias is the geometric mean of predicted "
            "by measured.\nInferred: the layout of the cards, the filling of loops to the distance "
            "that cards keep, the turn of\na network interface in three parts, the back-off of "
            "broadcasts, turns at a DRAM channel. Long runs are\ncut and extended linearly.\n");
    for (unsigned which = 0; which < 2; which++) {
        if (s->used[which]) {
            fprintf(text.stream, "\nTimes of %s in cycles: ", which == 0 ? "wh" : "bh");
            for (size_t i = 0; tx_chip_time_name(i) != NULL && i < SILICON_MOST_TIMES; i++) {
                fprintf(text.stream, "%s%s %.3f", i == 0 ? "" : "; ", tx_chip_time_name(i),
                        s->time[which][i] / 1000.0);
            }
            fprintf(text.stream, ".\n");
        }
    }
    return memory_text_take(&text);
}

static txl_json *times_json(const txl_silicon *s)
{
    txl_json *both = txl_json_object();
    for (unsigned which = 0; which < 2; which++) {
        txl_json *one = txl_json_object();
        for (size_t i = 0; tx_chip_time_name(i) != NULL && i < SILICON_MOST_TIMES; i++) {
            txl_json_set_real(one, tx_chip_time_name(i), s->time[which][i] / 1000.0);
        }
        if (s->used[which]) {
            txl_json_set(both, which == 0 ? "wh" : "bh", one);
        } else {
            txl_json_free(one);
        }
    }
    return both;
}

static txl_json *errors_json(const struct errors *e)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "class", e->name);
    txl_json_set_int(object, "values", e->values);
    txl_json_set_int(object, "not_built", e->missing);
    if (e->values != 0) {
        JSON_MEMBERS(object, e, mean, median);
        txl_json_set_real(object, "percentile_90", e->tenth);
        txl_json_set_real(object, "bias", e->bias);
    }
    return object;
}

char *txl_silicon_json(const txl_silicon *s)
{
    txl_json *root = txl_json_object();
    txl_json *values = txl_json_array();
    txl_json *classes = txl_json_array();
    struct errors e;
    unsigned from = 0;
    for (unsigned i = 0; i < s->values; i++) {
        const struct txl_silicon_value *v = &s->value[i];
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "id", v->id);
        txl_json_set_text(object, "class", s->class[i]);
        JSON_MEMBERS(object, v, bytes, measured, predicted);
        if (v->why != NULL) {
            txl_json_set_text(object, "not_built", v->why);
        }
        txl_json_append(values, object);
    }
    for (const char *name = next_class(s, &from); name != NULL; name = next_class(s, &from)) {
        if (errors_of(s, name, &e)) {
            txl_json_append(classes, errors_json(&e));
        }
    }
    if (errors_of(s, NULL, &e)) {
        txl_json_append(classes, errors_json(&e));
    }
    txl_json_set(root, "values", values);
    txl_json_set(root, "classes", classes);
    txl_json_set(root, "times", times_json(s));
    return json_text(root);
}
