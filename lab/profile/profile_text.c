/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as text and JSON, and the public functions that return results. */
#include "base/json.h"
#include "base/small.h"
#include "profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/outfile.h"

enum { PARTS_SHOWN = 6, STEPS_SHOWN = 12, LEAST_SHARE = 200 };

static unsigned long long wide(uint64_t value)
{
    return value;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

const char *txl_profile_kind_name(enum txl_profile_kind kind)
{
    static const char *const names[] = {"works", "waits", "idle"};
    return (unsigned)kind < 3 ? names[kind] : "?";
}

const struct txl_profile_result *txl_profile_result(const txl_profile *p)
{
    return &p->result;
}

const struct txl_profile_lane *txl_profile_lane(const txl_profile *p, unsigned index)
{
    const txl_profile *owner;
    return index < p->result.lanes ? &profile_shown(p, index, &owner)->shown : NULL;
}

const struct txl_profile_step *txl_profile_step(const txl_profile *p, size_t index)
{
    return index < p->step_count ? &p->steps[index] : NULL;
}

const struct txl_profile_trial *txl_profile_trial(const txl_profile *p, unsigned index)
{
    return index < p->result.trials ? &p->trials[index] : NULL;
}

bool txl_paces(struct txl_error *err, const char *const *texts, unsigned count, uint8_t *pace)
{
    struct tx_settings own = {.size = 0};
    memcpy(own.pace, pace, sizeof own.pace);
    for (unsigned i = 0; i < count; i++) {
        if (tx_settings_pace(&own, texts[i]) != TX_OK) {
            (void)txl_fail_option(err, NULL, "pace",
                                  "'%s' is not UNIT=PACE: unpack, matrix, vector, pack or cores, "
                                  "and half or none",
                                  texts[i]);
            return false;
        }
    }
    memcpy(pace, own.pace, sizeof own.pace);
    return true;
}

/* ---- text ---- */

static int64_t saving(const txl_profile *p, uint64_t cycles)
{
    return (int64_t)(p->result.cycles - cycles);
}

static void print_trials(FILE *out, const txl_profile *p)
{
    const struct txl_profile_result *r = &p->result;
    for (unsigned i = 0; i < r->trials; i++) {
        const struct txl_profile_trial *t = &p->trials[i];
        fprintf(out, "%s%-8s %s%llu of the path", i == 0 ? "run again       " : "                ",
                t->unit, bound_prefix(r->bounds), wide(t->path));
        if (t->stuck) {
            fputs("; in no time the run does not end: something in it is ordered by time alone\n",
                  out);
            continue;
        }
        if (t->half != 0) {
            fprintf(out, "; in half the time %s%llu cycles, %lld saved", bound_prefix(r->bounds),
                    wide(t->half), (long long)saving(p, t->half));
        }
        fprintf(out, "; in no time %s%llu cycles, %lld saved (%.1f %%)%s\n",
                bound_prefix(r->bounds), wide(t->none), (long long)saving(p, t->none),
                saving(p, t->none) > 0 ? percent((uint64_t)saving(p, t->none), r->cycles) : 0,
                t->differs ? "; memory then differs: the results depend on time" : "");
    }
}

static void print_lane(FILE *out, const txl_profile *p, const struct txl_profile_lane *lane)
{
    fprintf(out, "%-9s %9llu %9llu %9llu", lane->name, wide(lane->cycles[TXL_PROFILE_WORKS]),
            wide(lane->cycles[TXL_PROFILE_WAITS]), wide(lane->cycles[TXL_PROFILE_IDLE]));
    const char *between = "  ";
    unsigned shown = 0;
    for (unsigned i = 0; i < lane->part_count && shown < PARTS_SHOWN; i++) {
        const struct txl_profile_part *part = &lane->parts[i];
        if (part->kind != TXL_PROFILE_IDLE && part->cycles * LEAST_SHARE >= p->total) {
            fprintf(out, "%s%llu %s%s", between, wide(part->cycles),
                    part->kind == TXL_PROFILE_WAITS ? "waits for " : "", part->text);
            between = "\n                                         ";
            shown++;
        }
    }
    fputc('\n', out);
}

/* Of many tiles only the lanes are printed that have most of the path. */
static bool on_path(const txl_profile *p, const char *name)
{
    bool found = p->part_count == 0;
    for (size_t i = 0; i < p->share_count && i < STEPS_SHOWN; i++) {
        found = found || p->shares[i].step->lane == name;
    }
    return found;
}

void profile_print(FILE *out, const txl_profile *p)
{
    const struct txl_profile_result *r = &p->result;
    fprintf(out, "profile         %s%llu cycles, bound by %s (%.0f %% of the path)\n",
            bound_prefix(r->bounds), wide(r->cycles), r->bound,
            percent(r->bound_cycles, r->cycles));
    bound_print(out, r->bounds);
    fprintf(out, "change first    %s\n", r->change);
    print_trials(out, p);
    fputc('\n', out);
    fprintf(out, "lane          works     waits      idle  of these\n");
    for (unsigned i = 0; i < r->lanes; i++) {
        if (on_path(p, txl_profile_lane(p, i)->name)) {
            print_lane(out, p, txl_profile_lane(p, i));
        }
    }
    fprintf(out, "\npath         cycles     share  where\n");
    for (size_t i = 0; i < p->share_count && i < STEPS_SHOWN; i++) {
        const struct txl_profile_step *s = p->shares[i].step;
        fprintf(out, "%-9s %9llu %7.1f %%  %s%s\n", s->lane, wide(p->shares[i].cycles),
                percent(p->shares[i].cycles, r->cycles),
                s->kind == TXL_PROFILE_WAITS ? "waits for " : "", s->text);
    }
}

/* ---- JSON ---- */

static txl_json *lane_json(const struct txl_profile_lane *lane)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "lane", lane->name);
    for (unsigned kind = 0; kind < 3; kind++) {
        txl_json_set_int(object, txl_profile_kind_name((enum txl_profile_kind)kind),
                         lane->cycles[kind]);
    }
    txl_json *parts = txl_json_array();
    for (unsigned i = 0; i < lane->part_count; i++) {
        txl_json *part = txl_json_object();
        txl_json_set_text(part, "kind", txl_profile_kind_name(lane->parts[i].kind));
        JSON_MEMBERS(part, &lane->parts[i], text, cycles);
        txl_json_append(parts, part);
    }
    txl_json_set(object, "parts", parts);
    return object;
}

static txl_json *trials_json(const txl_profile *p)
{
    txl_json *trials = txl_json_array();
    for (unsigned i = 0; i < p->result.trials; i++) {
        const struct txl_profile_trial *t = &p->trials[i];
        txl_json *trial = txl_json_object();
        JSON_MEMBERS(trial, t, unit, path);
        if (t->half != 0) {
            txl_json_set_int(trial, "half", t->half);
        }
        if (!t->stuck) {
            txl_json_set_int(trial, "none", t->none);
        }
        txl_json_set_bool(trial, "stuck", t->stuck);
        txl_json_set_bool(trial, "at_least", p->result.at_least);
        txl_json_set_bool(trial, "differs", t->differs);
        txl_json_append(trials, trial);
    }
    return trials;
}

static void result_json(txl_json *root, const txl_profile *p)
{
    const struct txl_profile_result *r = &p->result;
    txl_json_set_int(root, "cycles", r->cycles);
    bound_json(root, r->bounds);
    JSON_MEMBERS(root, r, bound, bound_cycles, change);
    txl_json_set(root, "again", trials_json(p));
}

void profile_brief(txl_json *root, const txl_profile *p)
{
    txl_json *shares = txl_json_array();
    result_json(root, p);
    for (size_t i = 0; i < p->share_count && i < STEPS_SHOWN; i++) {
        const struct txl_profile_step *s = p->shares[i].step;
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "lane", s->lane);
        txl_json_set_text(one, "kind", txl_profile_kind_name(s->kind));
        JSON_MEMBERS(one, s, text, bound);
        txl_json_set_int(one, "cycles", p->shares[i].cycles);
        txl_json_append(shares, one);
    }
    txl_json_set(root, "path", shares);
}

txl_json *profile_json(const txl_profile *p)
{
    const struct txl_profile_result *r = &p->result;
    txl_json *root = txl_json_object();
    result_json(root, p);
    txl_json *lanes = txl_json_array();
    for (unsigned i = 0; i < r->lanes; i++) {
        txl_json_append(lanes, lane_json(txl_profile_lane(p, i)));
    }
    txl_json_set(root, "lanes", lanes);
    txl_json *path = txl_json_array();
    for (size_t i = 0; i < p->step_count; i++) {
        const struct txl_profile_step *s = &p->steps[i];
        txl_json *step = txl_json_object();
        JSON_MEMBERS(step, s, from, to, lane);
        txl_json_set_text(step, "kind", txl_profile_kind_name(s->kind));
        JSON_MEMBERS(step, s, text, bound);
        txl_json_append(path, step);
    }
    txl_json_set(root, "path", path);
    return root;
}

/* ---- all forms ---- */

static char *written(const txl_profile *p, void (*form)(FILE *out, const txl_profile *p))
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    form(text.stream, p);
    return memory_text_take(&text);
}

char *txl_profile_text(const txl_profile *p, enum txl_profile_form form)
{
    txl_json *root = NULL;
    char *text = NULL;
    switch (form) {
    case TXL_PROFILE_JSON:
        root = profile_json(p);
        text = txl_json_indented(root);
        txl_json_free(root);
        return text;
    case TXL_PROFILE_CHROME:
        return written(p, profile_chrome);
    case TXL_PROFILE_HTML:
        return written(p, profile_html);
    default:
        return written(p, profile_print);
    }
}

int txl_profile_file(struct txl_error *err, const txl_profile *p, const char *path)
{
    const struct txl_where where = {.file = path};
    struct outfile file;
    char *text = txl_profile_text(p, text_ends_in(path, ".html")   ? TXL_PROFILE_HTML
                                     : text_ends_in(path, ".json") ? TXL_PROFILE_CHROME
                                                                   : TXL_PROFILE_TEXT);
    if (text == NULL) {
        return no_memory(err);
    }
    int error = outfile_open(&file, path);
    if (error == 0) {
        error = outfile_append(&file, text, strlen(text));
        if (error == 0) {
            error = outfile_commit(&file);
        } else {
            outfile_discard(&file);
        }
    }
    free(text);
    return error == 0 ? TXL_OK : txl_fail_at(err, &where, "%s", strerror(error));
}
