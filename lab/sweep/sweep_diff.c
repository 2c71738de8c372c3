/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two JSON reports sweep by sweep: what improved and what got worse. */
#include "base/json.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct pair {
    struct txl_sweep_pair pair;
    const json_t *sweep; /* owns the texts */
    char worse[200];
};

struct txl_sweep_diff {
    json_t *before, *after;
    struct pair *pairs;
    size_t count;
    unsigned worse, gone, added;
};

static const char *const same_keys[] = {"arch", "dst", "out_dst", "domain", "reference"};

static const char *word_of_key(const json_t *sweep, const char *key)
{
    const char *text = json_string_value(json_object_get(sweep, key));
    return text != NULL ? text : "";
}

/* Returns the number of sweeps in a report, which can itself be a single sweep. */
static size_t sweeps_of(const json_t *report)
{
    const json_t *list = json_object_get(report, "sweeps");
    return list != NULL ? json_array_size(list) : 1;
}

static const json_t *sweep_at(const json_t *report, size_t i)
{
    const json_t *list = json_object_get(report, "sweeps");
    return list != NULL ? json_array_get(list, i) : report;
}

static bool alike(const json_t *a, const json_t *b)
{
    bool same =
        strcmp(txl_basename(word_of_key(a, "kernel")), txl_basename(word_of_key(b, "kernel"))) == 0;
    for (size_t i = 0; i < sizeof same_keys / sizeof same_keys[0]; i++) {
        same = same && strcmp(word_of_key(a, same_keys[i]), word_of_key(b, same_keys[i])) == 0;
    }
    return same;
}

/* Finds the same sweep in a report; NULL: there is none. */
static const json_t *find_in(const json_t *report, const json_t *sweep)
{
    for (size_t i = 0; i < sweeps_of(report); i++) {
        if (alike(sweep, sweep_at(report, i))) {
            return sweep_at(report, i);
        }
    }
    return NULL;
}

static uint64_t count_of(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static bool read_side(const json_t *sweep, struct txl_sweep_side *side)
{
    const json_t *a = json_object_get(sweep, "accuracy");
    const json_t *findings = json_object_get(sweep, "findings");
    *side = (struct txl_sweep_side){
        .max_ulp = json_number_value(json_object_get(a, "max_ulp")),
        .mean_ulp = json_number_value(json_object_get(a, "mean_ulp")),
        .cycles = json_number_value(json_object_get(sweep, "cycles_per_tile")),
        .compared = count_of(a, "compared"),
        .exact = count_of(a, "exact"),
        .mismatched = count_of(a, "mismatched"),
        .findings = json_array_size(findings)};
    return json_is_object(a) && json_is_array(findings) &&
           word_of_key(sweep, "kernel")[0] != '\0' && json_is_number(json_object_get(a, "max_ulp"));
}

static json_t *read_report(struct txl_error *err, const char *path)
{
    struct txl_where where = {.file = path};
    size_t length = 0;
    char *text = txl_read_file(err, path, &length);
    if (text == NULL) {
        return NULL;
    }
    json_t *report = json_loadb(text, length, 0, NULL);
    struct txl_sweep_side side;
    bool good = report != NULL && sweeps_of(report) > 0;
    for (size_t i = 0; good && i < sweeps_of(report); i++) {
        good = read_side(sweep_at(report, i), &side);
    }
    free(text);
    if (!good) {
        (void)txl_fail_at(err, &where, "not the report of a sweep as JSON");
        json_decref(report);
        return NULL;
    }
    return report;
}

/* Lists what got worse; "" for nothing. */
static void tell_worse(const struct txl_sweep_side *a, const struct txl_sweep_side *b,
                       char text[200])
{
    text[0] = '\0';
    const struct {
        bool worse;
        const char *what;
    } all[] = {{b->max_ulp > a->max_ulp, "max error"},
               {b->mean_ulp > a->mean_ulp, "mean error"},
               {b->mismatched > a->mismatched, "mismatches"},
               {b->compared < a->compared, "inputs compared"},
               {b->compared == a->compared && b->exact < a->exact, "exact results"},
               {b->findings > a->findings, "findings"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].worse) {
            size_t used = strlen(text);
            snprintf(text + used, 200 - used, "%s%s", used == 0 ? "" : ", ", all[i].what);
        }
    }
}

static void add_pair(txl_sweep_diff *d, const json_t *before, const json_t *after)
{
    struct pair *p = &d->pairs[d->count++];
    p->sweep = before != NULL ? before : after;
    p->pair = (struct txl_sweep_pair){.kernel = word_of_key(p->sweep, "kernel"),
                                      .arch = word_of_key(p->sweep, "arch"),
                                      .dst = word_of_key(p->sweep, "dst"),
                                      .domain = word_of_key(p->sweep, "domain"),
                                      .before = before != NULL,
                                      .after = after != NULL,
                                      .worse = p->worse};
    if (before != NULL) {
        (void)read_side(before, &p->pair.was);
    }
    if (after != NULL) {
        (void)read_side(after, &p->pair.is);
    }
    if (before != NULL && after != NULL) {
        tell_worse(&p->pair.was, &p->pair.is, p->worse);
        d->worse += p->worse[0] != '\0' ? 1 : 0;
    }
    d->gone += after == NULL ? 1 : 0;
    d->added += before == NULL ? 1 : 0;
}

static void find_pairs(txl_sweep_diff *d)
{
    for (size_t i = 0; i < sweeps_of(d->before); i++) {
        const json_t *was = sweep_at(d->before, i);
        const json_t *is = find_in(d->after, was);
        if (is != NULL) {
            add_pair(d, was, is);
        }
    }
    for (size_t i = 0; i < sweeps_of(d->before); i++) {
        if (find_in(d->after, sweep_at(d->before, i)) == NULL) {
            add_pair(d, sweep_at(d->before, i), NULL);
        }
    }
    for (size_t i = 0; i < sweeps_of(d->after); i++) {
        if (find_in(d->before, sweep_at(d->after, i)) == NULL) {
            add_pair(d, NULL, sweep_at(d->after, i));
        }
    }
}

int txl_sweep_diff_open(struct txl_error *err, const char *before, const char *after,
                        txl_sweep_diff **diff)
{
    *diff = NULL;
    txl_sweep_diff *d = zeroed(err, 1, sizeof *d);
    if (d == NULL) {
        return TXL_INPUT;
    }
    d->before = read_report(err, before);
    d->after = d->before != NULL ? read_report(err, after) : NULL;
    if (d->after != NULL) {
        d->pairs = zeroed(err, sweeps_of(d->before) + sweeps_of(d->after), sizeof *d->pairs);
    }
    if (d->pairs == NULL) {
        txl_sweep_diff_close(d);
        return TXL_INPUT;
    }
    find_pairs(d);
    *diff = d;
    return TXL_OK;
}

void txl_sweep_diff_close(txl_sweep_diff *d)
{
    if (d != NULL) {
        json_decref(d->before);
        json_decref(d->after);
        free(d->pairs);
        free(d);
    }
}

bool txl_sweep_diff_pair(const txl_sweep_diff *d, size_t at, struct txl_sweep_pair *pair)
{
    if (at >= d->count) {
        return false;
    }
    *pair = d->pairs[at].pair;
    return true;
}

void txl_sweep_diff_count(const txl_sweep_diff *d, unsigned *worse, unsigned *gone, unsigned *added)
{
    *worse = d->worse;
    *gone = d->gone;
    *added = d->added;
}

static txl_json *side_json(const struct txl_sweep_side *f)
{
    txl_json *part = txl_json_object();
    JSON_MEMBERS(part, f, max_ulp, mean_ulp, compared, exact, mismatched, findings);
    txl_json_set_real(part, "cycles_per_tile", f->cycles);
    return part;
}

txl_json *txl_sweep_diff_json(struct txl_error *err, const txl_sweep_diff *d)
{
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < d->count; i++) {
        const struct pair *p = &d->pairs[i];
        if (!p->pair.before || !p->pair.after) {
            continue;
        }
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "kernel", p->pair.kernel);
        for (size_t k = 0; k < sizeof same_keys / sizeof same_keys[0]; k++) {
            txl_json_set_text(object, same_keys[k], word_of_key(p->sweep, same_keys[k]));
        }
        txl_json_set_bool(object, "worse", p->worse[0] != '\0');
        txl_json_set_text(object, "text", p->worse);
        txl_json_set(object, "before", side_json(&p->pair.was));
        txl_json_set(object, "after", side_json(&p->pair.is));
        txl_json_append(list, object);
    }
    txl_json_set(root, "sweeps", list);
    JSON_MEMBERS(root, d, worse, gone);
    txl_json_set_int(root, "new", d->added);
    if (root == NULL) {
        no_memory(err);
    }
    return root;
}

static void print_pair(FILE *out, const struct txl_sweep_pair *p)
{
    const struct txl_sweep_side *a = &p->was;
    const struct txl_sweep_side *b = &p->is;
    const bool both = p->before && p->after;
    fprintf(out, "%s on %s, Dst %s, %s\n", both ? txl_basename(p->kernel) : p->kernel, p->arch,
            p->dst, p->domain);
    if (!both) {
        fprintf(out, "  %s\n", p->before ? "WORSE: it is not measured any more" : "new");
        return;
    }
    fprintf(out, "  max error   %.6g -> %.6g ULP\n", a->max_ulp, b->max_ulp);
    fprintf(out, "  mean error  %.6g -> %.6g ULP\n", a->mean_ulp, b->mean_ulp);
    fprintf(out, "  exact       %llu of %llu -> %llu of %llu\n", (unsigned long long)a->exact,
            (unsigned long long)a->compared, (unsigned long long)b->exact,
            (unsigned long long)b->compared);
    fprintf(out, "  mismatched  %llu -> %llu\n", (unsigned long long)a->mismatched,
            (unsigned long long)b->mismatched);
    fprintf(out, "  findings    %llu -> %llu\n", (unsigned long long)a->findings,
            (unsigned long long)b->findings);
    fprintf(out, "  cycles      %.6g -> %.6g a tile\n", a->cycles, b->cycles);
    fprintf(out, "  %s%s\n", p->worse[0] != '\0' ? "WORSE: " : "not worse", p->worse);
}

static void print_diff(FILE *out, const txl_sweep_diff *diff)
{
    struct txl_sweep_pair pair;
    unsigned worse = 0;
    unsigned gone = 0;
    unsigned added = 0;
    for (size_t i = 0; txl_sweep_diff_pair(diff, i, &pair); i++) {
        print_pair(out, &pair);
    }
    txl_sweep_diff_count(diff, &worse, &gone, &added);
    fprintf(out, "%u worse, %u gone, %u new\n", worse, gone, added);
}

char *txl_sweep_diff_text(const txl_sweep_diff *diff)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_diff(text.stream, diff);
    return memory_text_take(&text);
}
