/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions of fit: takes the options, prepares the search, and alternates search and
 * proof.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"

enum { ROUNDS = 6 };

static const char *const objectives[TXL_FIT_OBJECTIVES] = {"max",      "mean",     "relative",
                                                           "faithful", "monotone", "unrounded"};

const char *txl_fit_objective_name(size_t index)
{
    return index < TXL_FIT_OBJECTIVES ? objectives[index] : NULL;
}

/* ---- the kernel ---- */

static int read_source(struct txl_error *err, struct txl_fit *fit)
{
    const struct txl_fit_options *o = &fit->options;
    if (o->kernel == NULL) {
        return txl_fail(err, "no kernel is given");
    }
    if ((unsigned)o->objective >= TXL_FIT_OBJECTIVES || o->restarts > 1000000000 ||
        (o->shards != 0 && o->shard >= o->shards)) {
        return txl_fail(err, "there is no such objective, part or number of starts");
    }
    if (o->text != NULL) {
        fit->source_size = strlen(o->text);
        fit->source = strdup(o->text);
        return fit->source != NULL ? TXL_CONTINUE : no_memory(err);
    }
    fit->source = txl_read_file(err, o->kernel, &fit->source_size);
    return fit->source != NULL ? TXL_CONTINUE : TXL_INPUT;
}

static int assemble(struct txl_error *err, struct txl_fit *fit)
{
    const struct txl_fit_options *o = &fit->options;
    const struct txl_kernel_options how = {.size = sizeof how, .arch = o->arch, .start = o->start};
    const int result =
        txl_kernel_assemble(err, o->kernel, fit->source, fit->source_size, &how, &fit->program);
    if (result != TXL_OK) {
        return result;
    }
    fit->count = tx_program_free_count(fit->program);
    if (fit->count == 0) {
        return txl_fail(err,
                        "%s: no constant is free: it has no line like"
                        " .free c0 = float(0.5) in fp32",
                        o->kernel);
    }
    for (unsigned k = 0; k < fit->count; k++) {
        fit->free[k] = *tx_program_free_constant(fit->program, k);
        fit->start.at[k] = fit->free[k].order;
        const char *written = fit->source + fit->free[k].offset;
        fit->hexadecimal[k] = written[0] == '0' && (written[1] == 'x' || written[1] == 'X');
        fit->bits[k] = fit->hexadecimal[k] || fit->free[k].kind == TX_FREE_INT;
        fit_value_text(fit, k, fit->free[k].order, fit->was[k]);
    }
    fit->best = fit->start;
    return TXL_CONTINUE;
}

/*
 * Opens a sweep, which checks kernel, domain, formats and reference as fit needs them, and takes
 * these over.
 */
static int take_sweep(struct txl_error *err, struct txl_fit *fit)
{
    txl_sweep *sweep;
    const struct txl_sweep_options how = fit_sweep_options(fit, fit->program);
    const int result = txl_sweep_open(err, &how, &sweep);
    if (result != TXL_OK) {
        return result;
    }
    fit->domain = sweep->domain;
    sweep->domain = (struct sweep_domain){.operands = 0};
    fit->reference = sweep->reference;
    fit->settings = sweep->kernel.settings;
    fit->exact.options = sweep->kernel.options;
    fit->dst = sweep->dst;
    fit->out = sweep->out;
    fit->format = number_format(fit->out);
    fit->inputs = fit->domain.operands;
    fit->jobs = sweep->jobs;
    txl_sweep_close(sweep);
    fit->ordered = domain_ordered(&fit->domain);
    fit->judge = (struct sweep_judge){.domain = &fit->domain,
                                      .format = fit->format,
                                      .input = number_format(fit->dst),
                                      .direction = {sweep_direction(&fit->reference, false),
                                                    sweep_direction(&fit->reference, true)},
                                      .ordered = fit->ordered};
    return sweep_oracle_open(err, &fit->reference, fit->dst, fit->out, &fit->oracle);
}

/* ---- engines ---- */

/*
 * Tells whether the kernel with FP32 in Dst gives the same values before rounding or truncation to
 * the narrow format, so that the model can use it. Sets bias.
 */
static bool is_smooth(struct txl_fit *fit)
{
    uint32_t narrow[FIT_TILE], wide[FIT_TILE];
    const struct fit_data *d = &fit->data;
    const size_t tile = d->count / FIT_TILE / 3;
    size_t good = 0;
    size_t all = 0;
    double sum = 0.0;
    if (!fit_engine_set(fit, &fit->exact, 0, &fit->start) ||
        !fit_engine_set(fit, &fit->smooth, 0, &fit->start) ||
        !fit_engine_run(&fit->exact, 0, d, tile, 1, narrow) ||
        !fit_engine_run(&fit->smooth, 0, d, tile, 1, wide)) {
        return false;
    }
    for (size_t i = 0; i < FIT_TILE; i++) {
        float value;
        memcpy(&value, &wide[i], sizeof value);
        const double got = number_of(fit->out, narrow[i], true);
        if (isfinite(got) && isfinite(value) && got != 0.0 && fabs(got) < 1e30) {
            const double ulps = fabs(ulp_apart(fit->format, got, got, (double)value));
            sum += fabs((double)value) < fabs(got) ? -ulps : ulps;
            good += ulps <= 1.01;
            all++;
        }
    }
    fit->bias = all != 0 ? sum / (double)all : 0.0;
    fit->bias = fit->bias > 0.25 ? 0.5 : 0.0;
    return all > FIT_TILE / 8 && 100 * good >= 98 * all;
}

static int open_engines(struct txl_error *err, struct txl_fit *fit)
{
    struct tx_kernel_options options = fit->exact.options;
    int result = fit_engine_open(err, fit, &options, &fit->exact);
    const bool narrow = fit->out == TX_DST_FORMAT_BF16 || fit->out == TX_DST_FORMAT_FP16;
    if (result != TXL_CONTINUE || !narrow || fit->dst != fit->out) {
        return result;
    }
    options.dst = options.out = TX_DST_FORMAT_FP32;
    result = fit_engine_open(err, fit, &options, &fit->smooth);
    if (result == TXL_CONTINUE && !is_smooth(fit)) {
        fit_engine_close(&fit->smooth);
        fit->bias = 0.0;
        txl_error_clear(&fit->failure);
    }
    return result;
}

static int prepare(struct txl_error *err, struct txl_fit *fit)
{
    int result = read_source(err, fit);
    if (result == TXL_CONTINUE) {
        result = assemble(err, fit);
    }
    if (result == TXL_CONTINUE) {
        result = take_sweep(err, fit);
    }
    if (result == TXL_CONTINUE) {
        result = fit_data_first(err, fit);
    }
    if (result == TXL_CONTINUE) {
        result = open_engines(err, fit);
    }
    return result;
}

/* ---- search and proof ---- */

static int score_points(struct txl_error *err, struct txl_fit *fit)
{
    struct fit_trial at = {.point = fit->start};
    bool good = fit_try(fit, 0, &at, NULL);
    fit->start_score = at.score;
    at.point = fit->best;
    good = good && fit_try(fit, 0, &at, NULL);
    fit->best_score = at.score;
    at.point = fit->bound.point;
    if (good && fit->bound.found && fit_try(fit, 0, &at, NULL) &&
        fit_less(&at.score, &fit->best_score)) {
        fit->best = at.point;
        fit->best_score = at.score;
    }
    return good ? TXL_CONTINUE
                : txl_refuse(err, TXL_NEGATIVE, "%s: the kernel stops", fit->options.kernel);
}

/*
 * Tells whether figures a are worse than b. Sweeps do not measure pins and the other objectives;
 * then the result is false.
 */
static bool worse_than(const struct txl_fit *fit, const struct txl_fit_figures *a,
                       const struct txl_fit_figures *b)
{
    if (fit->before.covered != fit->after.covered) {
        return false; /* not of the same inputs */
    }
    const struct fit_score x = {a->mismatched, 0, a->max_ulp, a->mean_ulp};
    const struct fit_score y = {b->mismatched, 0, b->max_ulp, b->mean_ulp};
    const struct fit_score mx = {a->mismatched, 0, a->mean_ulp, a->max_ulp};
    const struct fit_score my = {b->mismatched, 0, b->mean_ulp, b->max_ulp};
    const struct fit_score ux = {a->mismatched, 0, fit->after.unrounded, a->mean_ulp};
    const struct fit_score uy = {b->mismatched, 0, fit->before.unrounded, b->mean_ulp};
    return fit->pins.count != 0                          ? false
           : fit->options.objective == TXL_FIT_MAX       ? fit_less(&y, &x)
           : fit->options.objective == TXL_FIT_MEAN      ? fit_less(&my, &mx)
           : fit->options.objective == TXL_FIT_UNROUNDED ? fit_less(&uy, &ux)
                                                         : false;
}

static bool same_point(const struct txl_fit *fit, const struct fit_point *a,
                       const struct fit_point *b)
{
    return memcmp(a->at, b->at, fit->count * sizeof a->at[0]) == 0;
}

/* The sweep that proves the best so far. */
static int prove(struct txl_error *err, struct txl_fit *fit, size_t *grown)
{
    fit->proved = false;
    fit_say_sweep(fit);
    const int result = fit_sweep(err, fit, &fit->best, fit_share(fit, 1), &fit->after, grown);
    fit->proved = result == TXL_CONTINUE && fit->after.covered == fit->domain.count;
    return result;
}

/* Does the sweep tell of something worse than the inputs of the search do? */
static bool was_surprised(const struct txl_fit *fit, const struct fit_score *searched)
{
    const enum txl_fit_objective objective = fit->options.objective;
    const struct txl_fit_figures *after = &fit->after.figures;
    /* what a sweep says is rounded down to 1/1024 */
    return (objective == TXL_FIT_MAX &&
            (after->mismatched > searched->wrong || after->max_ulp > searched->first)) ||
           (objective == TXL_FIT_UNROUNDED &&
            (after->mismatched > searched->wrong || fit->after.unrounded > searched->first));
}

/*
 * Sweeps the best point, and searches again with the worst inputs of the sweep as long as these are
 * new and worse than those the search had.
 */
static int rounds(struct txl_error *err, struct txl_fit *fit)
{
    size_t grown = 0;
    int result = fit_sweep(err, fit, &fit->start, fit_share(fit, 0.25), &fit->before, &grown);
    fit->after = fit->before;
    fit->began = clock_seconds();
    if (result == TXL_CONTINUE && fit->options.bound) {
        fit_bound_find(fit);
        txl_error_clear(&fit->failure);
    }
    for (unsigned i = 0; i < ROUNDS && result == TXL_CONTINUE; i++) {
        result = score_points(err, fit);
        const bool merge = fit->options.merge_count != 0;
        if (result == TXL_CONTINUE) {
            result = merge ? fit_state_merge(err, fit) : fit_search(err, fit);
        }
        if (result != TXL_CONTINUE || fit->cancelled) {
            fit->proved = false; /* of a former round's best */
            fit->after.covered = 0;
            break;
        }
        const struct fit_score searched = fit->best_score;
        result = prove(err, fit, &grown);
        if (grown == 0 || !was_surprised(fit, &searched) || fit->late || merge) {
            break;
        }
    }
    if (result == TXL_CONTINUE && fit->proved &&
        worse_than(fit, &fit->after.figures, &fit->before.figures)) {
        fit->best = fit->start; /* better on the inputs of the search only */
        fit->after = fit->before;
    }
    return result;
}

static int finish(struct txl_error *err, struct txl_fit *fit)
{
    fit->text = fit_result_text(fit);
    for (unsigned k = 0; k < fit->count; k++) {
        fit_value_text(fit, k, fit->best.at[k], fit->is[k]);
    }
    return fit->text != NULL ? TXL_OK : no_memory(err);
}

int txl_fit_find(struct txl_error *err, const struct txl_fit_options *options, txl_fit **out)
{
    *out = NULL;
    txl_fit *fit = zeroed(err, 1, sizeof *fit);
    int result =
        fit == NULL ? TXL_INPUT : options_take(err, &fit->options, sizeof fit->options, options);
    if (result == TXL_CONTINUE) {
        fit->opened = clock_seconds();
        fit->began = fit->opened;
        result = prepare(err, fit);
    }
    if (result == TXL_CONTINUE && fit->options.state != NULL) {
        result = fit_state_load(err, fit);
    }
    if (result == TXL_CONTINUE) {
        result = rounds(err, fit);
    }
    if (result == TXL_CANCELLED && fit->text == NULL) {
        fit->cancelled = true; /* cancelled during a sweep: the result of the search is kept */
        result = TXL_CONTINUE;
    }
    if (result == TXL_CONTINUE) {
        fit->spent += clock_seconds() - fit->began;
        result = finish(err, fit);
    }
    if (result == TXL_OK) {
        *out = fit;
    } else {
        txl_fit_close(fit);
    }
    return result;
}

void txl_fit_close(txl_fit *fit)
{
    if (fit == NULL) {
        return;
    }
    fit_engine_close(&fit->exact);
    fit_engine_close(&fit->smooth);
    fit_data_free(&fit->data);
    fit_data_free(&fit->active);
    fit_data_free(&fit->pins);
    sweep_oracle_close(fit->oracle);
    domain_free(&fit->domain);
    tx_program_free(fit->program);
    free(fit->source);
    free(fit->text);
    free(fit);
}

/* ---- results ---- */

void txl_fit_result(const txl_fit *fit, struct txl_fit_result *result)
{
    const struct txl_fit_result own = {.before = fit->before.figures,
                                       .after = fit->after.figures,
                                       .tried = fit->tried,
                                       .refuted = fit->refuted,
                                       .starts = fit->starts,
                                       .seconds = fit->spent,
                                       .constants = fit->count,
                                       .cancelled = fit->cancelled,
                                       .late = fit->late,
                                       .proved = fit->proved,
                                       .before_unrounded = fit->before.unrounded,
                                       .after_unrounded = fit->after.unrounded,
                                       .inputs = fit->domain.count,
                                       .before_swept = fit->before.covered,
                                       .after_swept = fit->after.covered,
                                       .left_out = fit->after.left_out,
                                       .bound = fit->bound.found ? fit->bound.ulp : 0,
                                       .no_bound = fit->bound.why,
                                       .better = !same_point(fit, &fit->best, &fit->start)};
    options_give(result, &own, sizeof own);
}

bool txl_fit_constant(const txl_fit *fit, size_t index, const char **name, const char **before,
                      const char **after)
{
    if (index >= fit->count) {
        return false;
    }
    *name = fit->free[index].name;
    *before = fit->was[index];
    *after = fit->is[index];
    return true;
}

const char *txl_fit_text(const txl_fit *fit)
{
    return fit->text;
}
