/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep diff: two reports of --json, sweep by sweep; status 1 where something is worse. */
#include "print/print.h"

#include "sweep/sweep.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"

struct figures {
    const json_t *sweep;
    double max_ulp, mean_ulp, cycles;
    json_int_t compared, exact, mismatched, findings;
};

static const char *const same_keys[] = {"arch", "dst", "out_dst", "domain", "reference"};

static const char *word_of_key(const json_t *sweep, const char *key)
{
    const char *text = json_string_value(json_object_get(sweep, key));
    return text != NULL ? text : "";
}

/* The sweeps of a report: itself, or those in it. */
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

static bool read_figures(const json_t *sweep, struct figures *f)
{
    const json_t *a = json_object_get(sweep, "accuracy");
    const json_t *findings = json_object_get(sweep, "findings");
    *f = (struct figures){.sweep = sweep,
                          .max_ulp = json_number_value(json_object_get(a, "max_ulp")),
                          .mean_ulp = json_number_value(json_object_get(a, "mean_ulp")),
                          .cycles = json_number_value(json_object_get(sweep, "cycles_per_tile")),
                          .compared = json_integer_value(json_object_get(a, "compared")),
                          .exact = json_integer_value(json_object_get(a, "exact")),
                          .mismatched = json_integer_value(json_object_get(a, "mismatched")),
                          .findings = (json_int_t)json_array_size(findings)};
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
    struct figures f;
    bool good = report != NULL && sweeps_of(report) > 0;
    for (size_t i = 0; good && i < sweeps_of(report); i++) {
        good = read_figures(sweep_at(report, i), &f);
    }
    free(text);
    if (!good) {
        (void)txl_fail_at(err, &where, "not a report of 'tensix sweep --json'");
        json_decref(report);
        return NULL;
    }
    return report;
}

/* What got worse, in words; "" where nothing did. */
static const char *worse_text(const struct figures *a, const struct figures *b, char text[200])
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
    return text;
}

static void print_pair(const struct figures *a, const struct figures *b, const char *worse)
{
    printf("%s on %s, Dst %s, %s\n", txl_basename(word_of_key(a->sweep, "kernel")),
           word_of_key(a->sweep, "arch"), word_of_key(a->sweep, "dst"),
           word_of_key(a->sweep, "domain"));
    printf("  max error   %.6g -> %.6g ULP\n", a->max_ulp, b->max_ulp);
    printf("  mean error  %.6g -> %.6g ULP\n", a->mean_ulp, b->mean_ulp);
    printf("  exact       %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT
           " -> %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT "\n",
           a->exact, a->compared, b->exact, b->compared);
    printf("  mismatched  %" JSON_INTEGER_FORMAT " -> %" JSON_INTEGER_FORMAT "\n", a->mismatched,
           b->mismatched);
    printf("  findings    %" JSON_INTEGER_FORMAT " -> %" JSON_INTEGER_FORMAT "\n", a->findings,
           b->findings);
    printf("  cycles      %.6g -> %.6g a tile\n", a->cycles, b->cycles);
    printf("  %s%s\n", worse[0] != '\0' ? "WORSE: " : "not worse", worse);
}

static json_t *pair_json(const struct figures *a, const struct figures *b, const char *worse)
{
    json_t *object = json_object();
    jx_set_text(object, "kernel", word_of_key(a->sweep, "kernel"));
    for (size_t i = 0; i < sizeof same_keys / sizeof same_keys[0]; i++) {
        jx_set_text(object, same_keys[i], word_of_key(a->sweep, same_keys[i]));
    }
    jx_set_bool(object, "worse", worse[0] != '\0');
    jx_set_text(object, "text", worse);
    for (unsigned side = 0; side < 2; side++) {
        const struct figures *f = side == 0 ? a : b;
        json_t *part = json_object();
        jx_set_real(part, "max_ulp", f->max_ulp);
        jx_set_real(part, "mean_ulp", f->mean_ulp);
        jx_set_int(part, "compared", (uint64_t)f->compared);
        jx_set_int(part, "exact", (uint64_t)f->exact);
        jx_set_int(part, "mismatched", (uint64_t)f->mismatched);
        jx_set_int(part, "findings", (uint64_t)f->findings);
        jx_set_real(part, "cycles_per_tile", f->cycles);
        json_object_set_new(object, side == 0 ? "before" : "after", part);
    }
    return object;
}

/* Sweeps of one report that the other has not. */
static unsigned lonely(const json_t *of, const json_t *in, const char *text, bool quiet)
{
    unsigned count = 0;
    for (size_t i = 0; i < sweeps_of(of); i++) {
        bool found = false;
        for (size_t k = 0; k < sweeps_of(in) && !found; k++) {
            found = alike(sweep_at(of, i), sweep_at(in, k));
        }
        count += found ? 0 : 1;
        if (!found && !quiet) {
            printf("%s on %s, Dst %s, %s\n  %s\n", word_of_key(sweep_at(of, i), "kernel"),
                   word_of_key(sweep_at(of, i), "arch"), word_of_key(sweep_at(of, i), "dst"),
                   word_of_key(sweep_at(of, i), "domain"), text);
        }
    }
    return count;
}

int sweep_diff(struct cli *cli, const char *before, const char *after)
{
    json_t *a = read_report(&cli->error, before);
    json_t *b = a != NULL ? read_report(&cli->error, after) : NULL;
    json_t *list = json_array();
    unsigned regressions = 0;
    for (size_t i = 0; b != NULL && i < sweeps_of(a); i++) {
        for (size_t k = 0; k < sweeps_of(b); k++) {
            struct figures f[2];
            char worse[200];
            if (alike(sweep_at(a, i), sweep_at(b, k)) && read_figures(sweep_at(a, i), &f[0]) &&
                read_figures(sweep_at(b, k), &f[1])) {
                regressions += worse_text(&f[0], &f[1], worse)[0] != '\0' ? 1 : 0;
                json_array_append_new(list, pair_json(&f[0], &f[1], worse));
                if (!cli->json) {
                    print_pair(&f[0], &f[1], worse);
                }
                break;
            }
        }
    }
    int result = CLI_INPUT;
    if (b != NULL) {
        const unsigned gone = lonely(a, b, "WORSE: it is not measured any more", cli->json);
        const unsigned added = lonely(b, a, "new", cli->json);
        if (cli->json) {
            json_t *root = json_object();
            json_object_set(root, "sweeps", list);
            jx_set_int(root, "worse", regressions);
            jx_set_int(root, "gone", gone);
            jx_set_int(root, "new", added);
            jx_print(stdout, root);
            json_decref(root);
        } else {
            printf("%u worse, %u gone, %u new\n", regressions, gone, added);
        }
        result = regressions + gone == 0 ? CLI_OK : CLI_NEGATIVE;
    }
    json_decref(list);
    json_decref(a);
    json_decref(b);
    return result;
}
