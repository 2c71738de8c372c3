/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates points. A candidate is first run on the pins and the active inputs, those where points
 * were worst before; most candidates are refuted there. The order of inputs is fixed, so that
 * scores do not depend on threads.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

bool fit_less(const struct fit_score *a, const struct fit_score *b)
{
    return a->wrong != b->wrong   ? a->wrong < b->wrong
           : a->away != b->away   ? a->away < b->away
           : a->first != b->first ? a->first < b->first
                                  : a->second < b->second;
}

/* Running sums over inputs. */
struct tally {
    uint64_t wrong, unfaithful, breaks;
    double away, max, sum, relative, relative_sum, far;
    struct sweep_edge previous;
    bool has_previous;
};

static struct fit_score score_of(enum txl_fit_objective objective, const struct tally *t)
{
    struct fit_score s = {.wrong = t->wrong, .away = t->away, .first = t->max, .second = t->sum};
    switch (objective) {
    case TXL_FIT_MEAN:
        s.first = t->sum;
        s.second = t->max;
        break;
    case TXL_FIT_RELATIVE:
        s.first = t->relative;
        s.second = t->relative_sum;
        break;
    case TXL_FIT_FAITHFUL:
        s.first = (double)t->unfaithful;
        break;
    case TXL_FIT_MONOTONE:
        s.first = (double)t->breaks;
        s.second = t->max;
        break;
    case TXL_FIT_UNROUNDED:
        s.first = t->far;
        break;
    case TXL_FIT_MAX:
    case TXL_FIT_OBJECTIVES:
        break;
    }
    return s;
}

static void against_value(const struct txl_fit *fit, struct tally *t, double value, double got)
{
    if (value != 0.0) {
        const double relative = fabs(got - value) / fabs(value);
        t->relative = relative > t->relative ? relative : t->relative;
        t->relative_sum += relative;
    }
    t->unfaithful += fabs(ulp_apart(fit->format, value, value, got)) >= 1.0;
}

/* Steps of the format are those at the rounded value, as sweeps count them. */
static double far_from(const struct txl_fit *fit, const struct fit_data *d, size_t e, uint32_t got)
{
    const double expected = number_value(fit->format, d->expected[e]);
    return isfinite(d->value[e]) && !number_is_limit(fit->format, expected)
               ? fabs(ulp_apart(fit->format, expected, d->value[e],
                                number_value(fit->format, word_flush(fit->format, got))))
               : 0.0;
}

static bool left_out(const struct txl_fit *fit, const struct fit_data *d, size_t e)
{
    return fit->options.without_flushed && d->below[e] != 0 && !fit->format->integer;
}

static void count_break(const struct txl_fit *fit, struct tally *t, const struct fit_data *d,
                        size_t e, uint32_t got)
{
    const struct sweep_edge edge = {d->in[0][e], d->expected[e], got};
    if (t->has_previous && sweep_breaks(&fit->judge, &t->previous, &edge)) {
        t->breaks++;
    }
    t->previous = edge;
    t->has_previous = true;
}

/* Returns the error of one element in ULP; infinite: a mismatch. */
static double error_of(const struct txl_fit *fit, const struct fit_data *d, size_t e, uint32_t got)
{
    return got == d->expected[e]
               ? 0.0
               : sweep_verdict_of(fit->format, d->expected[e], d->below[e] != 0, got).ulp;
}

static void score_add(const struct txl_fit *fit, struct tally *t, const struct fit_data *d,
                      size_t e, uint32_t got)
{
    const enum txl_fit_objective objective = fit->options.objective;
    if (left_out(fit, d, e)) {
        return;
    }
    const double ulp = error_of(fit, d, e, got);
    if (isinf(ulp)) {
        t->wrong++;
    } else {
        t->max = ulp > t->max ? ulp : t->max;
        t->sum += ulp;
        if (objective == TXL_FIT_UNROUNDED) {
            const double far = far_from(fit, d, e, got);
            t->far = far > t->far ? far : t->far;
        }
        if ((objective == TXL_FIT_RELATIVE || objective == TXL_FIT_FAITHFUL) &&
            isfinite(d->value[e]) &&
            !number_is_limit(fit->format, number_value(fit->format, d->expected[e]))) {
            against_value(fit, t, d->value[e], number_of(fit->out, got, true));
        }
    }
    if (objective == TXL_FIT_MONOTONE && fit->ordered && d == &fit->data) {
        count_break(fit, t, d, e, got);
    }
}

/*
 * Runs the data tile by tile until the score is no better than limit; *over becomes true then.
 * Returns false where the kernel does not run.
 */
static bool run_data(struct txl_fit *fit, unsigned slot, const struct fit_data *d, struct tally *t,
                     const struct fit_score *limit, bool *over)
{
    const size_t tiles = (d->count + FIT_TILE - 1) / FIT_TILE;
    uint32_t output[FIT_BLOCK * FIT_TILE];
    *over = false;
    for (size_t tile = 0; tile < tiles && !*over; tile += FIT_BLOCK) {
        const size_t n = tiles - tile < FIT_BLOCK ? tiles - tile : FIT_BLOCK;
        if (!fit_engine_run(&fit->exact, slot, d, tile, n, output)) {
            return false;
        }
        const size_t first = tile * FIT_TILE;
        const size_t end = first + n * FIT_TILE < d->count ? first + n * FIT_TILE : d->count;
        for (size_t e = first; e < end; e++) {
            score_add(fit, t, d, e, output[e - first]);
        }
        const struct fit_score now = score_of(fit->options.objective, t);
        *over = limit != NULL && !fit_less(&now, limit);
    }
    return true;
}

static bool run_pins(struct txl_fit *fit, unsigned slot, struct tally *t)
{
    const struct fit_data *d = &fit->pins;
    uint32_t output[FIT_TILE];
    const size_t tiles = (d->count + FIT_TILE - 1) / FIT_TILE;
    if (tiles != 0 && !fit_engine_run(&fit->exact, slot, d, 0, tiles, output)) {
        return false;
    }
    for (size_t e = 0; e < d->count; e++) {
        const uint32_t wanted = d->expected[e];
        const bool met = word_is_nan(wanted) ? word_is_nan(output[e]) : output[e] == wanted;
        t->wrong += !met;
        if (!met && !word_is_nan(wanted) && !word_is_nan(output[e])) {
            t->away += fabs(
                (double)(word_order(fit->format, wanted) - word_order(fit->format, output[e])));
        }
    }
    return true;
}

bool fit_try(struct txl_fit *fit, unsigned slot, struct fit_trial *trial,
             const struct fit_score *limit)
{
    struct tally pins = {.wrong = 0};
    bool over = false;
    trial->refuted = trial->early = false;
    if (!fit_engine_set(fit, &fit->exact, slot, &trial->point) || !run_pins(fit, slot, &pins)) {
        return false;
    }
    if (limit != NULL && fit->active.count != 0) {
        struct tally t = pins;
        if (!run_data(fit, slot, &fit->active, &t, limit, &over)) {
            return false;
        }
        if (over) {
            trial->score = score_of(fit->options.objective, &t);
            trial->refuted = trial->early = true;
            return true;
        }
    }
    if (!run_data(fit, slot, &fit->data, &pins, limit, &over)) {
        return false;
    }
    trial->score = score_of(fit->options.objective, &pins);
    trial->refuted = over;
    return true;
}

/* ---- many points ---- */

struct many {
    struct txl_fit *fit;
    struct fit_trial *trials;
    const struct fit_score *limit;
};

static void score_work(struct pool *pool, void *user, unsigned worker)
{
    struct many *m = user;
    uint64_t i;
    while (pool_take(pool, &i)) {
        if (!fit_try(m->fit, worker, &m->trials[i], m->limit)) {
            pool_refuse(pool, TXL_NEGATIVE, "%s", fit_stops_text);
        }
    }
}

const struct fit_trial *fit_try_all(struct txl_fit *fit, struct fit_trial *trials, size_t count,
                                    const struct fit_score *limit)
{
    struct txl_error err = {.status = 0};
    struct many many = {fit, trials, limit};
    const struct pool_how how = {
        .threads = fit->jobs, .pieces = count, .work = score_work, .user = &many};
    const struct fit_trial *best = NULL;
    struct fit_phase *phase = &fit->phase[fit->now];
    if (count == 0) {
        return NULL;
    }
    if (pool_run(&err, &how) != TXL_CONTINUE) {
        txl_refuse(&fit->failure, err.status, "%s", err.message);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fit_trial *t = &trials[i];
        fit->refuted += t->early;
        phase->refuted += t->early;
        if (!t->refuted && (limit == NULL || fit_less(&t->score, limit)) &&
            (best == NULL || fit_less(&t->score, &best->score))) {
            best = t;
        }
    }
    fit->tried += count;
    phase->tried += count;
    phase->better += best != NULL;
    return best;
}

/* ---- the active inputs ---- */

struct ranked {
    double error;
    size_t element;
};

static int by_error(const void *one, const void *two)
{
    const struct ranked *a = one;
    const struct ranked *b = two;
    return a->error != b->error       ? (a->error < b->error ? 1 : -1)
           : a->element != b->element ? (a->element < b->element ? -1 : 1)
                                      : 0;
}

/*
 * Refills the active inputs: half with the worst of this point, half with those that were bad
 * before. None occurs twice, so that a count over them never exceeds the count over all inputs.
 */
static void take_worst(struct txl_fit *fit, const struct ranked *list)
{
    const size_t keep = fit->active.count != 0 ? FIT_ACTIVE / 2 : 0;
    size_t to = fit->active.count < keep ? fit->active.count : keep;
    for (size_t i = 0; i < fit->data.count && to < FIT_ACTIVE; i++) {
        bool there = false;
        for (size_t k = 0; k < keep && !there; k++) {
            there = fit->active_from[k] == list[i].element;
        }
        if (!there) {
            fit->active_from[to] = list[i].element;
            fit_data_copy(fit, &fit->active, to++, &fit->data, list[i].element);
        }
    }
    fit->active.count = to;
    fit_data_pad(fit, &fit->active);
}

bool fit_activate(struct txl_fit *fit, const struct fit_point *point)
{
    const struct fit_data *d = &fit->data;
    const size_t tiles = (d->count + FIT_TILE - 1) / FIT_TILE;
    uint32_t output[FIT_TILE];
    struct ranked *list = calloc(d->count, sizeof *list);
    bool good = list != NULL && (fit_engine_set(fit, &fit->exact, 0, point) || fit_stops(fit));
    for (size_t tile = 0; good && tile < tiles; tile++) {
        good = fit_engine_run(&fit->exact, 0, d, tile, 1, output);
        for (size_t e = tile * FIT_TILE; e < (tile + 1) * FIT_TILE && e < d->count; e++) {
            const uint32_t got = output[e % FIT_TILE];
            const double error = left_out(fit, d, e) ? 0.0 : error_of(fit, d, e, got);
            list[e] = (struct ranked){isinf(error) || left_out(fit, d, e) ||
                                              fit->options.objective != TXL_FIT_UNROUNDED
                                          ? error
                                          : far_from(fit, d, e, got),
                                      e};
        }
    }
    if (good) {
        qsort(list, d->count, sizeof *list, by_error);
        take_worst(fit, list);
    } else {
        no_memory(&fit->failure); /* unless the kernel does not run */
    }
    free(list);
    return good;
}
