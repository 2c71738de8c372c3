/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least error that any values of the constants can reach, if the kernel computed in real
 * numbers with them: its result without the last rounding is a linear function of the constants,
 * whose slopes come from the machine, and a linear programme over all inputs decides whether any
 * real numbers give results that round to a number at most so many ULP from the exact one. Left
 * aside is what FP32 rounds on the way, and that constants are stored in some format.
 *
 * An input that is left out, or a bound that is given up, can only make the answer smaller. So
 * inputs at which the result is no linear function, or does not depend on the constants, are left
 * out.
 */
#include "base/small.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/programme.h"

enum { FIRST = 60, MORE = 40, MOST_ULP = 16, HELD = 16, SOLVER = 4096 };

struct bound {
    struct txl_fit *fit;
    bool nearest; /* the last rounding is to the nearest, else towards zero */
    size_t count, columns;
    double *base;  /* results, times the sign of the exact value, in its ULP */
    double *slope; /* columns of each input, in the same unit */
    double *low, *high;
    double *exact; /* magnitudes, in the ULP of the expected number */
    double *ulp;
    bool *chosen;
    double unit[FIT_MOST]; /* of each constant's move */
    double clamp;          /* magnitude that no result exceeds; infinite: none */
    char solver[SOLVER];
};

/* ---- results without the last rounding ---- */

/*
 * Writes a copy in place of each rounding to BF16 to the nearest, without changing any place in the
 * text. Returns whether there was one.
 */
static bool leave_unrounded(char *text)
{
    bool any = false;
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        char to[4];
        char from[4];
        char copy[40];
        int length = 0;
        (void)sscanf(line, " sfpstochrnd %3[L0-9], %3[L0-9], %*[L0-9], 0, 1, 0%n", to, from,
                     &length);
        if (length > 0) {
            const char *end = strchr(line, '\n');
            const size_t all = end != NULL ? (size_t)(end - line) : strlen(line);
            const int made = snprintf(copy, sizeof copy, "  sfpmov %s, %s, 0", to, from);
            if ((size_t)length <= all && made <= length) {
                memset(line, ' ', (size_t)length);
                memcpy(line, copy, (size_t)made);
                any = true;
            }
        }
    }
    return any;
}

static bool results(struct txl_fit *fit, struct fit_engine *e, const struct fit_point *point,
                    uint32_t *out)
{
    const size_t tiles = (fit->data.count + FIT_TILE - 1) / FIT_TILE;
    return fit_engine_set(fit, e, 0, point) && fit_engine_run(e, 0, &fit->data, 0, tiles, out);
}

static double bound_number(uint32_t word)
{
    return (double)float_of_bits(word);
}

/* ---- numbers of the format, as magnitudes ---- */

static double spacing(const struct txl_fit *fit, double x)
{
    return ldexp(1, ilogb(x) - fit->format->precision + 1);
}

static double below(const struct txl_fit *fit, double x)
{
    return x - spacing(fit, nextafter(x, 0));
}

static double rounded_up(const struct txl_fit *fit, double x)
{
    return ceil(x / spacing(fit, x)) * spacing(fit, x);
}

static double rounded_down(const struct txl_fit *fit, double x)
{
    return floor(x / spacing(fit, x)) * spacing(fit, x);
}

/* The real numbers that round to a number at most error ULP from the exact one. */
static void limits(const struct bound *b, size_t i, double error, double *low, double *high)
{
    const struct txl_fit *fit = b->fit;
    const double exact = b->exact[i] * b->ulp[i];
    const double first = rounded_up(fit, exact - error * b->ulp[i]);
    const double last = rounded_down(fit, exact + error * b->ulp[i]);
    if (first > last) {
        *low = INFINITY;
        *high = -INFINITY;
        return;
    }
    const double next = last + spacing(fit, last);
    *low = (b->nearest ? (below(fit, first) + first) / 2 : first) / b->ulp[i];
    *high = (b->nearest ? (last + next) / 2 : next) / b->ulp[i];
    if (b->clamp >= first && b->clamp <= last && b->base[i] * b->ulp[i] <= b->clamp) {
        *high = INFINITY;
    }
}

/* ---- the linear function ---- */

/* The point with constant k, or all of them, moved by about this part. Returns by how much. */
static double moved(const struct txl_fit *fit, struct fit_point *p, unsigned k, double part)
{
    const struct tx_free_constant *f = &fit->free[k];
    const double value = fit_value(f, fit->start.at[k]);
    const double by = value != 0 ? value * part : part;
    p->at[k] = fit_order_of(f, value + by);
    p->at[k] += p->at[k] == fit->start.at[k] ? (by > 0 ? 1 : -1) : 0;
    if (p->at[k] > f->high || p->at[k] < f->low) {
        p->at[k] = fit_order_of(f, value - by);
    }
    return fit_value(f, p->at[k]) - value;
}

static bool takes_part(const struct txl_fit *fit, size_t e)
{
    const struct fit_data *d = &fit->data;
    const double expected = number_value(fit->format, d->expected[e]);
    return isfinite(d->value[e]) && !word_is_nan(d->expected[e]) &&
           fabs(expected) >= ldexp(4, fit->format->least) &&
           fabs(expected) <= fit->format->most / 4 && fabs(d->value[e]) > 0;
}

/* Rounds a result as the kernel's end does, and tells whether the kernel gives that. */
static bool is_result(const struct bound *b, double value, uint32_t got)
{
    const double given = fabs(number_value(b->fit->format, got));
    const double size = fabs(value);
    if (!isfinite(value) || size < ldexp(2, b->fit->format->least)) {
        return false;
    }
    const double gap = spacing(b->fit, size);
    return fabs(given - (b->nearest ? rint(size / gap) * gap : rounded_down(b->fit, size))) == 0;
}

/*
 * Results of all inputs: at the start, with each constant moved to one side and to the other, with
 * all moved to one side and to the other, and as the kernel rounds them; and by how much constants
 * were moved.
 */
struct runs {
    uint32_t *at, *alone[2][FIT_MOST], *together[2], *rounded;
    double by[2][FIT_MOST], far[2][FIT_MOST];
};

enum input { NO_PART, NOT_LINEAR, LINEAR };

/*
 * Fills in an input. Behind a clamp results are not those of a linear function, so that one side is
 * enough; where both are behind it, or the result at the start is, the input is left out.
 */
static enum input take_input(struct bound *b, size_t e, const struct runs *r)
{
    const struct txl_fit *fit = b->fit;
    const size_t i = b->count;
    const double ulp =
        ldexp(1, ulp_unit_at(fit->format, number_value(fit->format, fit->data.expected[e])));
    const double scale = copysign(1, fit->data.value[e]) / ulp;
    double *slope = b->slope + i * b->columns;
    const double base = bound_number(r->at[e]);
    double predicted[2] = {base * scale, base * scale};
    double most = 0;
    for (size_t k = 0; k < b->columns; k++) {
        const double one = (bound_number(r->alone[0][k][e]) - base) / r->by[0][k];
        const double other = (bound_number(r->alone[1][k][e]) - base) / r->by[1][k];
        slope[k] = (fabs(one) > fabs(other) ? one : other) * scale;
        predicted[0] += slope[k] * r->far[0][k];
        predicted[1] += slope[k] * r->far[1][k];
        most = fmax(most, fabs(slope[k]));
    }
    if (most == 0 || fabs(base) == b->clamp) {
        return NO_PART;
    }
    b->exact[i] = fabs(fit->data.value[e]) / ulp;
    b->ulp[i] = ulp;
    b->base[i] = base * scale;
    bool linear = false;
    bool clamped = true;
    for (unsigned side = 0; side < 2; side++) {
        const double far = bound_number(r->together[side][e]);
        /* the sign may be taken from the input */
        linear = linear || fabs(fabs(predicted[side]) - fabs(far * scale)) <= 0.02;
        clamped = clamped && fabs(far) == b->clamp;
    }
    return clamped ? NO_PART : linear && is_result(b, base, r->rounded[e]) ? LINEAR : NOT_LINEAR;
}

static int by_word(const void *one, const void *two)
{
    const uint32_t *a = one;
    const uint32_t *b = two;
    return (*a > *b) - (*a < *b);
}

/* The magnitude that most results have at the last points, where many have one: a clamp. */
static double held_at(const struct txl_fit *fit, const struct runs *r)
{
    const size_t n = 2 * fit->data.count;
    uint32_t *sorted = calloc(n, sizeof *sorted);
    double held = INFINITY;
    size_t most = HELD - 1;
    for (size_t i = 0; i < n && sorted != NULL; i++) {
        sorted[i] = r->together[i % 2][i / 2] & 0x7FFFFFFF;
    }
    if (sorted != NULL) {
        qsort(sorted, n, sizeof *sorted, by_word);
    }
    for (size_t i = 0, run = 0; i < n && sorted != NULL; i++) {
        run = i != 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (run > most && sorted[i] != 0 && isfinite(bound_number(sorted[i]))) {
            most = run;
            held = bound_number(sorted[i]);
        }
    }
    free(sorted);
    return held;
}

static const char *take_inputs(struct bound *b, const struct runs *r)
{
    struct txl_fit *fit = b->fit;
    size_t other = 0;
    b->clamp = held_at(fit, r);
    for (size_t e = 0; e < fit->data.count; e++) {
        const enum input is = takes_part(fit, e) ? take_input(b, e, r) : NO_PART;
        b->count += is == LINEAR;
        other += is == NOT_LINEAR;
    }
    for (size_t k = 0; k < b->columns; k++) {
        double most = 0;
        for (size_t i = 0; i < b->count; i++) {
            most = fmax(most, fabs(b->slope[i * b->columns + k]));
        }
        b->unit[k] = most > 0 ? 1 / most : 1;
        for (size_t i = 0; i < b->count; i++) {
            b->slope[i * b->columns + k] *= b->unit[k];
        }
    }
    return b->count == 0 || b->count < 50 * other
               ? "the results are no linear function of the constants"
               : NULL;
}

/* Runs the kernel without its last rounding at the points that slopes need. */
static const char *measure(struct bound *b, struct fit_engine *wide)
{
    struct txl_fit *fit = b->fit;
    const size_t room = (fit->data.count + FIT_TILE - 1) / FIT_TILE * FIT_TILE;
    uint32_t *words = calloc(room * (2 * b->columns + 4), sizeof *words);
    struct runs r = {.at = words, .rounded = words + room};
    struct fit_point far[2] = {fit->start, fit->start};
    bool good = words != NULL && results(fit, wide, &fit->start, r.at) &&
                results(fit, &fit->exact, &fit->start, r.rounded);
    for (unsigned side = 0; side < 2 && good; side++) {
        uint32_t *at = words + room * (2 + side * (b->columns + 1));
        const double sign = side == 0 ? 1 : -1;
        for (unsigned k = 0; k < b->columns && good; k++, at += room) {
            struct fit_point p = fit->start;
            r.by[side][k] = moved(fit, &p, k, sign * 0x1p-8);
            r.far[side][k] = moved(fit, &far[side], k, sign * (k % 2 == 0 ? 0x1p-3 : -0x1p-3));
            r.alone[side][k] = at;
            good = results(fit, wide, &p, at);
        }
        r.together[side] = at;
        good = good && results(fit, wide, &far[side], at);
    }
    const char *why = good ? take_inputs(b, &r) : "the kernel does not run with FP32 in Dst";
    free(words);
    return why;
}

static const char *linear(struct bound *b)
{
    struct txl_fit *fit = b->fit;
    struct fit_engine wide = {.slots = 0};
    struct tx_kernel_options options = fit->exact.options;
    char *given = fit->source;
    char *plain = malloc(fit->source_size + 1);
    if (plain == NULL) {
        return no_memory_text;
    }
    memcpy(plain, given, fit->source_size);
    plain[fit->source_size] = '\0';
    b->nearest = leave_unrounded(plain);
    options.dst = options.out = TX_DST_FORMAT_FP32;
    fit->source = plain; /* which the engine assembles at each point */
    const char *why = fit_engine_open(NULL, fit, &options, &wide) == TXL_CONTINUE
                          ? measure(b, &wide)
                          : no_memory_text;
    fit_engine_close(&wide);
    fit->source = given;
    free(plain);
    return why;
}

/* ---- the programme ---- */

/* Chooses the inputs at which a solution is furthest beyond its limits. Returns whether any is new.
 */
static bool choose_worst(struct bound *b, const double *x)
{
    double far[MORE];
    size_t at[MORE];
    size_t count = 0;
    bool any = false;
    for (size_t i = 0; i < b->count; i++) {
        double value = b->base[i];
        for (size_t k = 0; k < b->columns; k++) {
            value += b->slope[i * b->columns + k] * x[k];
        }
        const double beyond = fmax(b->low[i] - value, value - b->high[i]);
        if (beyond <= 1e-4 || (count == MORE && beyond <= far[MORE - 1])) {
            continue;
        }
        size_t place = count < MORE ? count++ : MORE - 1;
        for (; place > 0 && far[place - 1] < beyond; place--) {
            far[place] = far[place - 1];
            at[place] = at[place - 1];
        }
        far[place] = beyond;
        at[place] = i;
    }
    for (size_t n = 0; n < count; n++) {
        any = any || !b->chosen[at[n]];
        b->chosen[at[n]] = true;
    }
    return any;
}

/* Do real constants with this error exist? x becomes their moves. *why: there is no answer. */
static bool feasible(struct bound *b, double error, double *x, const char **why)
{
    bool more = true;
    double r = 0;
    struct programme_row *row = calloc(b->count, sizeof *row);
    *why = row == NULL ? no_memory_text : NULL;
    for (size_t i = 0; i < b->count && more; i++) {
        limits(b, i, error, &b->low[i], &b->high[i]);
        more = b->low[i] <= b->high[i];
    }
    bool good = more && row != NULL;
    while (good && more && *why == NULL) {
        struct programme p = {.columns = (unsigned)b->columns, .row = row};
        for (size_t i = 0; i < b->count; i++) {
            if (b->chosen[i]) {
                row[p.rows++] = (struct programme_row){
                    b->slope + i * b->columns, b->low[i] - b->base[i], b->high[i] - b->base[i]};
            }
        }
        *why = programme_solve(b->solver, &p, x, &r);
        good = *why == NULL && r >= -1e-5;
        more = good && choose_worst(b, x);
    }
    free(row);
    return good;
}

static const char *least(struct bound *b, double *ulp, double *best)
{
    double low = 0.49;
    double high = MOST_ULP;
    double x[FIT_MOST];
    const char *why = NULL;
    for (size_t i = 0; i < FIRST; i++) {
        b->chosen[i * (b->count - 1) / (FIRST - 1)] = true;
    }
    bool some = feasible(b, high, best, &why);
    while (some && why == NULL && high - low > 1e-3) {
        const double middle = (low + high) / 2;
        if (feasible(b, middle, x, &why)) {
            high = middle;
            memcpy(best, x, sizeof x);
        } else {
            low = middle;
        }
    }
    *ulp = some ? low : MOST_ULP;
    return why;
}

static const char *bound_find(struct bound *b, double *ulp, double *best)
{
    const struct txl_fit *fit = b->fit;
    const size_t n = fit->data.count;
    double *numbers = calloc(n * (b->columns + 5), sizeof *numbers);
    b->chosen = calloc(n, sizeof *b->chosen);
    const char *why = numbers == NULL || b->chosen == NULL ? no_memory_text : NULL;
    if (why == NULL) {
        b->base = numbers;
        b->low = b->base + n;
        b->high = b->low + n;
        b->exact = b->high + n;
        b->ulp = b->exact + n;
        b->slope = b->ulp + n;
        why = linear(b);
    }
    why = why == NULL ? least(b, ulp, best) : why;
    free(numbers);
    free(b->chosen);
    return why;
}

void fit_bound_find(struct txl_fit *fit)
{
    struct bound b = {.fit = fit, .columns = fit->count};
    double x[FIT_MOST] = {0};
    const bool narrow = fit->out == TX_DST_FORMAT_BF16 || fit->out == TX_DST_FORMAT_FP16;
    fit->bound.why = !narrow || fit->dst != fit->out || fit->inputs != 1
                         ? "only results of 16 bits with one input have one"
                     : fit->count > PROGRAMME_COLUMNS ? "there are too many constants"
                     : !programme_solver(fit->options.path, b.solver, sizeof b.solver)
                         ? "glpsol is not there (GLPK; Debian's glpk-utils)"
                         : bound_find(&b, &fit->bound.ulp, x);
    fit->bound.found = fit->bound.why == NULL;
    fit->bound.point = fit->start;
    for (unsigned k = 0; k < fit->count && fit->bound.found; k++) {
        const double value = fit_value(&fit->free[k], fit->start.at[k]) + x[k] * b.unit[k];
        fit->bound.point.at[k] = fit_order_of(&fit->free[k], value);
    }
}
