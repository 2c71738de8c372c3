/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the kernel file with other values, and the reports. */
#include "base/json.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

char *fit_source_at(const struct txl_fit *fit, const struct fit_point *point, size_t *size)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    size_t at = 0;
    for (unsigned k = 0; k < fit->count; k++) {
        const struct tx_free_constant *f = &fit->free[k];
        char value[48];
        fwrite(fit->source + at, 1, f->offset - at, text.stream);
        at = f->offset + f->length;
        if (point->at[k] == f->order) { /* keep the author's notation */
            fwrite(fit->source + f->offset, 1, f->length, text.stream);
        } else {
            fit_value_text(fit, k, point->at[k], value);
            fputs(value, text.stream);
        }
    }
    fwrite(fit->source + at, 1, fit->source_size - at, text.stream);
    char *made = memory_text_take(&text);
    *size = made != NULL ? text.size : 0;
    return made;
}

char *fit_result_text(const struct txl_fit *fit)
{
    static const char mark[] = "# tensix fit: not swept";
    struct memory_text text;
    size_t size = 0;
    char *source = fit_source_at(fit, &fit->best, &size);
    if (source == NULL || memory_text_open(NULL, &text) != TXL_CONTINUE) {
        free(source);
        return NULL;
    }
    const char *from = source;
    if (strncmp(from, mark, strlen(mark)) == 0) { /* of a former search */
        const char *end = strchr(from, '\n');
        from = end != NULL ? end + 1 : from;
    }
    if (!fit->proved) {
        fprintf(text.stream, "%s: its constants are the best for %llu inputs of the search only.\n",
                mark, (unsigned long long)fit->data.count);
    }
    fputs(from, text.stream);
    free(source);
    return memory_text_take(&text);
}

/* ---- during the search ---- */

static const char *unit_of(const struct txl_fit *fit, char text[120], const struct fit_score *s)
{
    const double count = (double)fit->data.count;
    switch (fit->options.objective) {
    case TXL_FIT_MEAN:
        snprintf(text, 120, "mean %.6g ULP, max %.4g", s->first / count, s->second);
        break;
    case TXL_FIT_RELATIVE:
        snprintf(text, 120, "max %.4g relative, mean %.4g", s->first, s->second / count);
        break;
    case TXL_FIT_FAITHFUL:
        snprintf(text, 120, "%.0f not faithful, mean %.6g ULP", s->first, s->second / count);
        break;
    case TXL_FIT_MONOTONE:
        snprintf(text, 120, "%.0f breaks of monotony, max %.4g ULP", s->first, s->second);
        break;
    case TXL_FIT_UNROUNDED:
        snprintf(text, 120, "max %.6g ULP from the unrounded function, mean %.6g", s->first,
                 s->second / count);
        break;
    default:
        snprintf(text, 120, "max %.4g ULP, mean %.6g", s->first, s->second / count);
        break;
    }
    return text;
}

void fit_say_better(struct txl_fit *fit)
{
    char text[120];
    char line[200];
    if (fit->options.better != NULL) {
        snprintf(line, sizeof line, "%.1f s, %llu candidates: %s, %llu mismatched",
                 clock_seconds() - fit->began + fit->spent, (unsigned long long)fit->tried,
                 unit_of(fit, text, &fit->best_score), (unsigned long long)fit->best_score.wrong);
        fit->options.better(fit->options.user, line);
    }
}

void fit_say_sweep(struct txl_fit *fit)
{
    char line[200];
    if (fit->options.better != NULL) {
        snprintf(line, sizeof line,
                 "%.1f s: the search has ended; a sweep of all inputs proves its result, which "
                 "without it is marked as not swept",
                 clock_seconds() - fit->began + fit->spent);
        fit->options.better(fit->options.user, line);
    }
}

/* ---- the final report ---- */

static void put_figures(FILE *out, const char *name, const struct txl_fit_figures *f,
                        double unrounded)
{
    char far[60] = "";
    if (unrounded >= 0) {
        snprintf(far, sizeof far, " (%.6g unrounded)", unrounded);
    }
    fprintf(out, "%-15s max %.6g ULP%s, mean %.6g, exact %.2f %%, mismatched %llu, findings %llu\n",
            name, f->max_ulp, far, f->mean_ulp,
            f->inputs != 0 ? 100.0 * (double)f->exact / (double)f->inputs : 0.0,
            (unsigned long long)f->mismatched, (unsigned long long)f->findings);
}

/* Of a sweep that did not come to the end: how far it came. */
static void put_covered(FILE *out, const struct txl_fit *fit, const struct fit_swept *swept)
{
    if (swept->covered < fit->domain.count) {
        fprintf(out, "%-15s %llu of %llu inputs: its time was over\n", "  swept",
                (unsigned long long)swept->covered, (unsigned long long)fit->domain.count);
    }
}

static void put_left_out(FILE *out, const struct fit_swept *swept)
{
    if (swept->left_out != 0) {
        fprintf(out, "%-15s %llu inputs whose results are below the normal numbers\n", "left out",
                (unsigned long long)swept->left_out);
    }
}

static void put_ending(FILE *out, const struct txl_fit *fit)
{
    const bool same = memcmp(fit->best.at, fit->start.at, fit->count * sizeof fit->best.at[0]) == 0;
    char text[120];
    fprintf(out, "%-15s %llu candidates, %llu of them refuted by few inputs, from %llu starts%s\n",
            "search", (unsigned long long)fit->tried, (unsigned long long)fit->refuted,
            (unsigned long long)fit->starts,
            fit->cancelled ? "; interrupted: the best so far"
            : fit->late    ? "; ended by its time: the best so far"
                           : "");
    if (!fit->proved) {
        fprintf(out, "%-15s %s, on %llu inputs of the search; not swept%s\n", "best so far",
                unit_of(fit, text, &fit->best_score), (unsigned long long)fit->data.count,
                fit->after.covered != 0 ? " to the end" : "");
    }
    if (same) {
        fprintf(out, "%-15s nothing better than the kernel as it is\n", "result");
    }
}

char *txl_fit_report(const txl_fit *fit)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    FILE *out = text.stream;
    fprintf(out, "%-15s %s on %s, Dst %s, reference %s, %s\n", "kernel",
            txl_basename(fit->options.kernel), tx_arch_name(tx_program_arch(fit->program)),
            tx_dst_format_name(fit->out), fit->reference.name,
            txl_fit_objective_name((size_t)fit->options.objective));
    fprintf(out, "%-15s %llu of %s; %llu cycles a tile\n", "inputs",
            (unsigned long long)fit->before.figures.inputs, fit->domain.text,
            (unsigned long long)fit->before.figures.cycles);
    put_left_out(out, &fit->before);
    put_figures(out, "before", &fit->before.figures, fit->before.unrounded);
    put_covered(out, fit, &fit->before);
    if (fit->after.covered != 0) {
        put_figures(out, fit->proved ? "after" : "after, in part", &fit->after.figures,
                    fit->after.unrounded);
        put_covered(out, fit, &fit->after);
    }
    if (fit->bound.found) {
        fprintf(out,
                "%-15s no coefficients of this form are better than %.3f ULP (unrounded), but for "
                "what FP32 rounds on the way\n",
                "bound", fit->bound.ulp);
    } else if (fit->bound.why != NULL) {
        fprintf(out, "%-15s none: %s\n", "bound", fit->bound.why);
    }
    put_ending(out, fit);
    fprintf(out, "%-15s %12s %12s %8s\n", "tried", "candidates", "refuted", "better");
    for (unsigned i = 0; i < fit->phases; i++) {
        const struct fit_phase *p = &fit->phase[i];
        if (p->tried == 0 && !p->shown) {
            continue;
        }
        fprintf(out, "  %-13s %12llu %12llu %8llu\n", p->name, (unsigned long long)p->tried,
                (unsigned long long)p->refuted, (unsigned long long)p->better);
    }
    for (unsigned k = 0; k < fit->count; k++) {
        fprintf(out, "%-15s %s%s%s in %s\n", fit->free[k].name, fit->was[k],
                fit->best.at[k] != fit->start.at[k] ? " -> " : "",
                fit->best.at[k] != fit->start.at[k] ? fit->is[k] : "",
                tx_free_kind_name(fit->free[k].kind));
    }
    return memory_text_take(&text);
}

static txl_json *figures_json(const struct fit_swept *swept)
{
    const struct txl_fit_figures *f = &swept->figures;
    txl_json *o = txl_json_object();
    txl_json_set_int(o, "swept", swept->covered);
    JSON_MEMBERS(o, f, inputs, mismatched, exact, findings);
    txl_json_set_int(o, "left_out", swept->left_out);
    JSON_MEMBERS(o, f, max_ulp, mean_ulp);
    if (swept->unrounded >= 0) {
        txl_json_set_real(o, "max_ulp_unrounded", swept->unrounded);
    }
    txl_json_set_int(o, "cycles", f->cycles);
    return o;
}

static txl_json *constants_json(const struct txl_fit *fit)
{
    txl_json *list = txl_json_array();
    for (unsigned k = 0; k < fit->count; k++) {
        const struct tx_free_constant *f = &fit->free[k];
        txl_json *o = txl_json_object();
        txl_json_set_text(o, "name", f->name);
        txl_json_set_text(o, "format", tx_free_kind_name(f->kind));
        txl_json_set_text(o, "before", fit->was[k]);
        txl_json_set_text(o, "after", fit->is[k]);
        txl_json_set_word(o, "bits", tx_free_bits(f->kind, fit->best.at[k]));
        txl_json_append(list, o);
    }
    return list;
}

static txl_json *phases_json(const struct txl_fit *fit)
{
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < fit->phases; i++) {
        const struct fit_phase *p = &fit->phase[i];
        txl_json *o = txl_json_object();
        txl_json_set_text(o, "name", p->name);
        txl_json_set_int(o, "candidates", p->tried);
        JSON_MEMBERS(o, p, refuted, better, seconds);
        txl_json_append(list, o);
    }
    return list;
}

txl_json *txl_fit_json(struct txl_error *err, const txl_fit *fit)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", fit->options.kernel);
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(fit->program)));
    txl_json_set_text(root, "dst", tx_dst_format_name(fit->dst));
    txl_json_set_text(root, "out_dst", tx_dst_format_name(fit->out));
    txl_json_set_text(root, "reference", fit->reference.name);
    txl_json_set_text(root, "domain", fit->domain.text);
    txl_json_set_text(root, "objective", txl_fit_objective_name((size_t)fit->options.objective));
    txl_json_set_int(root, "inputs", fit->domain.count);
    txl_json_set(root, "before", figures_json(&fit->before));
    txl_json_set(root, "after", fit->proved ? figures_json(&fit->after) : txl_json_null());
    /* of a sweep of the result that its time has ended */
    txl_json_set(root, "partial",
                 !fit->proved && fit->after.covered != 0 ? figures_json(&fit->after)
                                                         : txl_json_null());
    txl_json_set(root, "bound", fit->bound.found ? txl_json_real(fit->bound.ulp) : txl_json_null());
    txl_json_set_text(root, "no_bound", fit->bound.why);
    txl_json_set(root, "constants", constants_json(fit));
    JSON_MEMBERS(root, fit, tried, refuted, starts);
    txl_json_set(root, "phases", phases_json(fit));
    txl_json_set_real(root, "seconds", fit->spent);
    JSON_MEMBERS(root, fit, cancelled, late, proved, text);
    if (root == NULL) {
        (void)no_memory(err);
    }
    return root;
}
