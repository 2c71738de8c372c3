/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A linear model of how small changes of the constants affect the error: the error at some inputs
 * and its slopes, from differences of runs. Least squares with weights that grow where the error
 * stays large (Lawson's method) approach the smallest maximum. Points near that optimum are drawn
 * constant by constant, the coarsest first, each rounded after compensating for the previous ones
 * (Babai's nearest plane, randomised as Klein does).
 */
#include "base/small.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ROUNDS = 40, HALVES = 2, PINS = 64, PIN_WEIGHT = 1024 };

struct fit_model {
    const struct txl_fit *fit;
    struct fit_point at;
    unsigned n; /* number of constants with an effect: order[0..n-1], the finest first */
    unsigned order[FIT_MOST];
    size_t m, pins;
    double *residual; /* errors at the m inputs, in ULP or in the objective's unit */
    /* Size of one step as a number; the format's step, unless that has too little effect. */
    double unit[FIT_MOST];
    double *slope;                /* n rows of m: change of the error per step */
    double *weight, *work, *q;    /* m; m; n rows of m */
    double r[FIT_MOST][FIT_MOST]; /* triangular factor of the weighted slopes, q r */
    double norm[FIT_MOST];        /* lengths of the weighted slopes */
    double step[FIT_MOST];        /* step to the optimum */
};

void fit_model_close(struct fit_model *model)
{
    if (model != NULL) {
        free(model->residual);
        free(model);
    }
}

static struct fit_engine *engine_of(struct txl_fit *fit)
{
    return fit->smooth.slots != 0 ? &fit->smooth : &fit->exact;
}

/* ---- inputs, and the error there ---- */

/* Tells whether the reference is an ordinary number at an input. */
static bool fits(const struct txl_fit *fit, const struct fit_data *d, size_t e)
{
    const uint32_t word = d->expected[e];
    return isfinite(d->value[e]) && !word_is_nan(word) && !word_is_infinite(word) &&
           !number_is_limit(fit->format, number_value(fit->format, word));
}

/* Chooses the inputs of the model; pins come first. */
static void choose(struct txl_fit *fit, struct fit_data *into, size_t *pins)
{
    const struct fit_data *a = &fit->active;
    const struct fit_data *d = &fit->data;
    const size_t stride = d->count / (FIT_MODEL / HALVES) + 1;
    into->count = 0;
    for (size_t e = 0; e < fit->pins.count && e < PINS; e++) {
        if (fits(fit, &fit->pins, e)) {
            fit_data_copy(fit, into, into->count++, &fit->pins, e);
        }
    }
    *pins = into->count;
    for (size_t e = 0; e < a->count && into->count < FIT_MODEL / HALVES; e++) {
        /* alternately from both halves of the active inputs */
        const size_t from = e % 2 == 0 ? e / 2 : (a->count + e) / 2;
        if (from < a->count && fits(fit, a, from)) {
            fit_data_copy(fit, into, into->count++, a, from);
        }
    }
    for (size_t e = 0; e < d->count && into->count < FIT_MODEL; e += stride) {
        if (fits(fit, d, e)) {
            fit_data_copy(fit, into, into->count++, d, e);
        }
    }
    if (into->count != 0) {
        fit_data_pad(fit, into);
    }
}

/* Returns the signed error of a result in the unit of the objective; NaN where it is not finite. */
static double residual_of(const struct txl_fit *fit, double value, uint32_t got)
{
    const double result =
        fit->smooth.slots != 0 ? (double)float_of_bits(got) : number_of(fit->out, got, true);
    if (!isfinite(result)) {
        return (double)NAN;
    }
    const double ulps = ulp_apart(fit->format, value, value, result) - copysign(fit->bias, value);
    return fit->options.objective == TXL_FIT_RELATIVE ? (result - value) / fabs(value) * 0x1p20
                                                      : ulps;
}

static bool residuals(struct txl_fit *fit, const struct fit_model *model, const struct fit_data *d,
                      const struct fit_point *at, double *out)
{
    struct fit_engine *e = engine_of(fit);
    uint32_t output[FIT_MODEL];
    if (!fit_engine_set(fit, e, 0, at)) {
        return fit_stops(fit);
    }
    if (!fit_engine_run(e, 0, d, 0, (d->count + FIT_TILE - 1) / FIT_TILE, output)) {
        return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        out[i] = residual_of(fit, d->value[i], output[i]) * (i < model->pins ? PIN_WEIGHT : 1);
    }
    return true;
}

/* ---- slopes ---- */

/*
 * Measures the slope of a constant. The step is doubled until results move by enough ULP to hide
 * rounding, yet not so far that the function's curvature matters; at the end of the range it goes
 * the other way. *unit becomes what counts as one step. Returns false where the constant has no
 * effect or cannot move.
 */
static bool slope_of(struct txl_fit *fit, struct fit_model *model, const struct fit_data *d,
                     unsigned k, double *out, double *unit, bool again, bool *stopped)
{
    const struct tx_free_constant *f = &fit->free[k];
    const double ulps = fit->smooth.slots != 0 ? 0.25 : fit->format->precision == 24 ? 4096 : 16;
    const double enough = fit->options.objective == TXL_FIT_RELATIVE
                              ? ldexp(ulps, 20 - fit->format->precision)
                              : ulps;
    const double value = fit_value(f, model->at.at[k]);
    const double ulp =
        fmax(fit_value(f, model->at.at[k] + 1) - value, value - fit_value(f, model->at.at[k] - 1));
    double most = 0.0;
    double moved = 0.0;
    /* of constants of bits many places are looked at, where slopes take steps of about one size */
    const double first = again ? fmax(ulp, fit->step[k] / 4) : ulp;
    for (double h = first; most < enough && h < 0x1p100; h *= 2) {
        struct fit_point p = model->at;
        p.at[k] = fit_order_of(f, value + h);
        if (p.at[k] > f->high) {
            p.at[k] = fit_order_of(f, value - h);
        }
        if (p.at[k] < f->low || p.at[k] == model->at.at[k]) {
            break;
        }
        moved = fit_value(f, p.at[k]) - value;
        *stopped = !residuals(fit, model, d, &p, out);
        if (*stopped) {
            return false;
        }
        most = 0.0;
        for (size_t i = model->pins; i < d->count; i++) {
            const double change = fabs(out[i] - model->residual[i]);
            most = change > most ? change : most;
        }
    }
    fit->step[k] = fabs(moved);
    *unit = fmax(ulp, fabs(moved) * 0x1p-30);
    for (size_t i = 0; i < d->count; i++) {
        out[i] = moved == 0.0 ? 0.0 : (out[i] - model->residual[i]) / moved * *unit;
        out[i] = isfinite(out[i]) ? out[i] : 0.0;
    }
    return most > 0.0;
}

/* Sorts the constants, the finest first. */
static void sort_order(struct fit_model *model)
{
    double norm[FIT_MOST];
    for (unsigned j = 0; j < model->n; j++) {
        norm[j] = 0.0;
        for (size_t i = 0; i < model->m; i++) {
            norm[j] += model->slope[j * FIT_MODEL + i] * model->slope[j * FIT_MODEL + i];
        }
    }
    for (unsigned a = 0; a < model->n; a++) {
        for (unsigned b = a + 1; b < model->n; b++) {
            if (norm[b] < norm[a]) {
                double *x = model->slope + (size_t)a * FIT_MODEL;
                double *y = model->slope + (size_t)b * FIT_MODEL;
                const double n = norm[a];
                const unsigned o = model->order[a];
                const double u = model->unit[a];
                model->unit[a] = model->unit[b];
                model->unit[b] = u;
                norm[a] = norm[b];
                norm[b] = n;
                model->order[a] = model->order[b];
                model->order[b] = o;
                memcpy(model->work, x, FIT_MODEL * sizeof *x);
                memcpy(x, y, FIT_MODEL * sizeof *x);
                memcpy(y, model->work, FIT_MODEL * sizeof *x);
            }
        }
    }
}

/* ---- least squares ---- */

static double length_of(const struct fit_model *model, const double *q)
{
    double sum = 0.0;
    for (size_t i = 0; i < model->m; i++) {
        sum += q[i] * q[i];
    }
    return sqrt(sum);
}

/*
 * Tells whether a constant has an effect that finer ones do not have; otherwise it is rounding
 * noise.
 */
static bool counts(const struct fit_model *model, unsigned j)
{
    return model->r[j][j] > 1e-7 * model->norm[j];
}

/*
 * Factors the slopes, multiplied by the square roots of the weights, into q r (Gram-Schmidt, twice
 * for accuracy).
 */
static void factor(struct fit_model *model)
{
    for (unsigned j = 0; j < model->n; j++) {
        double *q = model->q + (size_t)j * FIT_MODEL;
        for (size_t i = 0; i < model->m; i++) {
            q[i] = model->slope[j * FIT_MODEL + i] * sqrt(model->weight[i]);
        }
        for (unsigned k = 0; k < model->n; k++) {
            model->r[k][j] = 0.0;
        }
        model->norm[j] = length_of(model, q);
        for (unsigned pass = 0; pass < 2; pass++) {
            for (unsigned k = 0; k < j; k++) {
                const double *other = model->q + (size_t)k * FIT_MODEL;
                double dot = 0.0;
                for (size_t i = 0; i < model->m; i++) {
                    dot += q[i] * other[i];
                }
                for (size_t i = 0; i < model->m; i++) {
                    q[i] -= dot * other[i];
                }
                model->r[k][j] += dot;
            }
        }
        const double norm = length_of(model, q);
        model->r[j][j] = norm;
        for (size_t i = 0; i < model->m; i++) {
            q[i] = norm > 0.0 ? q[i] / norm : 0.0;
        }
    }
}

/* Predicts the largest error after a step; the predicted residuals go to work. */
static double predict(const struct fit_model *model, const double *step)
{
    double most = 0.0;
    memcpy(model->work, model->residual, model->m * sizeof *model->work);
    for (unsigned j = 0; j < model->n; j++) {
        const double *slope = model->slope + (size_t)j * FIT_MODEL;
        for (size_t i = 0; i < model->m && step[j] != 0.0; i++) {
            model->work[i] += slope[i] * step[j];
        }
    }
    for (size_t i = 0; i < model->m; i++) {
        const double error = fabs(model->work[i]);
        most = error > most ? error : most;
    }
    return most;
}

/* Computes -q' r0: the component of the residual that each direction must remove. */
static void project(const struct fit_model *model, double *c)
{
    for (unsigned j = 0; j < model->n; j++) {
        const double *q = model->q + (size_t)j * FIT_MODEL;
        c[j] = 0.0;
        for (size_t i = 0; i < model->m; i++) {
            c[j] -= q[i] * model->residual[i] * sqrt(model->weight[i]);
        }
    }
}

static double bounded(const struct fit_model *model, unsigned j, double step)
{
    const unsigned k = model->order[j];
    const struct tx_free_constant *f = &model->fit->free[k];
    const double value = fit_value(f, model->at.at[k]);
    const double low = (fit_value(f, f->low) - value) / model->unit[j];
    const double high = (fit_value(f, f->high) - value) / model->unit[j];
    return step < low ? low : step > high ? high : step;
}

static void solve(const struct fit_model *model, double *step)
{
    double c[FIT_MOST];
    project(model, c);
    for (unsigned j = model->n; j-- > 0;) {
        double x = c[j];
        for (unsigned k = j + 1; k < model->n; k++) {
            x -= model->r[j][k] * step[k];
        }
        step[j] = counts(model, j) ? bounded(model, j, x / model->r[j][j]) : 0.0;
    }
}

static void minimise(struct fit_model *model)
{
    const enum txl_fit_objective objective = model->fit->options.objective;
    double step[FIT_MOST] = {0};
    double best = predict(model, step);
    for (size_t i = 0; i < model->m; i++) {
        model->weight[i] = 1.0 / (double)model->m;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        factor(model);
        solve(model, step);
        const double worst = predict(model, step);
        if (worst < best || round == 0) {
            best = worst;
            memcpy(model->step, step, sizeof step);
        }
        double sum = 0.0;
        for (size_t i = 0; i < model->m; i++) {
            const double error = fabs(model->work[i]);
            model->weight[i] = objective == TXL_FIT_MEAN ? 1.0 / (error + 1e-3 * worst + 1e-30)
                                                         : model->weight[i] * (error + 1e-30);
            sum += model->weight[i];
        }
        for (size_t i = 0; i < model->m; i++) {
            model->weight[i] /= sum;
        }
    }
    if (objective == TXL_FIT_MEAN) {
        memcpy(model->step, step, sizeof step);
    }
    factor(model);
}

/* ---- the whole model ---- */

static bool model_fill(struct txl_fit *fit, struct fit_model *model, const struct fit_data *d,
                       const bool *held)
{
    bool stopped = false;
    model->m = d->count;
    if (!residuals(fit, model, d, &model->at, model->residual)) {
        return false;
    }
    for (size_t i = 0; i < model->m; i++) {
        if (!isfinite(model->residual[i])) { /* outside the linear model */
            model->residual[i] = 0.0;
        }
    }
    for (unsigned k = 0; k < fit->count && !stopped; k++) {
        if ((held == NULL || !held[k]) &&
            slope_of(fit, model, d, k, model->slope + (size_t)model->n * FIT_MODEL,
                     &model->unit[model->n], held != NULL, &stopped)) {
            model->order[model->n++] = k;
        }
    }
    if (!stopped && model->n != 0) {
        sort_order(model);
        minimise(model);
    }
    return !stopped;
}

struct fit_model *fit_model_open(struct txl_fit *fit, const struct fit_point *point,
                                 const bool *held)
{
    struct txl_error err = {.status = 0};
    struct fit_data d;
    const size_t rows = 2 * (size_t)fit->count + 3;
    struct fit_model *model = calloc(1, sizeof *model);
    bool good = fit_data_open(&err, &d, fit->inputs, FIT_MODEL) == TXL_CONTINUE && model != NULL;
    if (good) {
        model->fit = fit;
        model->at = *point;
        model->residual = calloc(rows * FIT_MODEL, sizeof(double));
        good = model->residual != NULL;
    }
    if (good) {
        model->weight = model->residual + FIT_MODEL;
        model->work = model->weight + FIT_MODEL;
        model->slope = model->work + FIT_MODEL;
        model->q = model->slope + (size_t)fit->count * FIT_MODEL;
        choose(fit, &d, &model->pins);
        good = d.count == 0 || model_fill(fit, model, &d, held);
    } else {
        no_memory(&fit->failure);
    }
    fit_data_free(&d);
    if (!good) {
        fit_model_close(model);
        return NULL;
    }
    return model;
}

static struct fit_point moved(const struct fit_model *model, const double *step)
{
    struct fit_point p = model->at;
    for (unsigned j = 0; j < model->n; j++) {
        const unsigned k = model->order[j];
        const struct tx_free_constant *f = &model->fit->free[k];
        const double value = fit_value(f, p.at[k]);
        p.at[k] = fit_order_of(f, value + bounded(model, j, step[j]) * model->unit[j]);
    }
    return p;
}

struct fit_point fit_model_moved(const struct fit_model *model, double scale)
{
    double step[FIT_MOST] = {0};
    for (unsigned j = 0; j < model->n; j++) {
        step[j] = scale * model->step[j];
    }
    return moved(model, step);
}

/* Returns a nearly normal random number, the sum of twelve uniform ones. */
static double gauss(uint64_t *random)
{
    double sum = -6.0;
    for (unsigned i = 0; i < 12; i++) {
        sum += (double)(fit_random(random) >> 11) * 0x1p-53;
    }
    return sum;
}

struct fit_point fit_model_draw(const struct fit_model *model, uint64_t *random, double width,
                                double *worst)
{
    double step[FIT_MOST] = {0};
    for (unsigned j = model->n; j-- > 0;) {
        /*
         * Solve r (step - best) = 0 from the last constant on, compensating for the rounding of the
         * later ones.
         */
        double miss = 0.0;
        for (unsigned k = j + 1; k < model->n; k++) {
            miss += model->r[j][k] * (step[k] - model->step[k]);
        }
        const double r = model->r[j][j];
        const bool used = counts(model, j);
        const double around = used ? model->step[j] - miss / r : model->step[j];
        double spread = used ? width / r : 0.0;
        spread = spread > 0x1p24 ? 0x1p24 : spread;
        step[j] = rint(bounded(model, j, around + spread * gauss(random)));
    }
    *worst = predict(model, step);
    return moved(model, step);
}

bool fit_model_partner(const struct fit_model *model, unsigned k, unsigned *partner, double *ratio)
{
    unsigned own = 0;
    while (own < model->n && model->order[own] != k) {
        own++;
    }
    for (unsigned i = 0; i < own && own < model->n; i++) { /* the finest comes first */
        const double *a = model->slope + (size_t)own * FIT_MODEL;
        const double *b = model->slope + (size_t)i * FIT_MODEL;
        double aa = 0;
        double ab = 0;
        double bb = 0;
        for (size_t e = 0; e < model->m; e++) {
            aa += a[e] * a[e];
            ab += a[e] * b[e];
            bb += b[e] * b[e];
        }
        if (ab * ab > 0.9999 * aa * bb && bb > 0) {
            *partner = model->order[i];
            *ratio = -ab / bb * model->unit[i] / model->unit[own];
            return true;
        }
    }
    return false;
}
