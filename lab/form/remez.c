/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remez's exchange. A system of linear equations makes the error equal, with alternating signs, at
 * one more point than there are coefficients; the extrema of the resulting error are the next
 * points. For a quotient, Newton's method makes the equations linear.
 */
#include "form/remez.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { ROUNDS = 60, NEWTON = 6, GRID = 64, FINE = 40, STEPS = 12 };

struct solver {
    struct remez *p;
    bool started;                                 /* there are coefficients from an earlier step */
    unsigned n;                                   /* number of unknown coefficients */
    mpfr_t m[REMEZ_POINTS + 1][REMEZ_POINTS + 2]; /* matrix of the equations */
    mpfr_t top[REMEZ_TERMS], bottom[REMEZ_TERMS];
    mpfr_t at[REMEZ_POINTS], t, g, w, sum, power, other;
    /*
     * g at the places of find_extrema, which each round of an exchange asks for again: most of the
     * time goes into functions such as erf. held of them are known, for the interval up to held_b.
     */
    mpfr_t grid[GRID * REMEZ_POINTS + 1];
    unsigned held;
    double held_b;
};

static void each(struct solver *s, void (*f)(mpfr_ptr x))
{
    for (unsigned i = 0; i <= REMEZ_POINTS; i++) {
        for (unsigned k = 0; k < REMEZ_POINTS + 2; k++) {
            f(s->m[i][k]);
        }
    }
    for (unsigned i = 0; i < REMEZ_TERMS; i++) {
        f(s->top[i]);
        f(s->bottom[i]);
    }
    for (unsigned i = 0; i < REMEZ_POINTS; i++) {
        f(s->at[i]);
    }
    f(s->t);
    f(s->g);
    f(s->w);
    f(s->sum);
    f(s->power);
    f(s->other);
    for (unsigned i = 0; i <= GRID * REMEZ_POINTS; i++) {
        f(s->grid[i]);
    }
}

static void remez_begin(mpfr_ptr x)
{
    mpfr_init2(x, REMEZ_BITS);
    mpfr_set_zero(x, 1);
}

static void remez_end(mpfr_ptr x)
{
    mpfr_clear(x);
}

/* Computes the weight of g at t. */
static void weigh(struct solver *s, mpfr_srcptr t)
{
    mpfr_set_ui(s->w, 1, MPFR_RNDN);
    if (s->p->weight == REMEZ_RELATIVE) {
        mpfr_div(s->w, s->w, s->g, MPFR_RNDN);
        mpfr_abs(s->w, s->w, MPFR_RNDN);
    } else if (s->p->weight == REMEZ_ARGUMENT) {
        mpfr_abs(s->w, t, MPFR_RNDN);
        mpfr_add_d(s->w, s->w, 1e-9, MPFR_RNDN); /* the weight is divided by */
    } else if (s->p->weight == REMEZ_SQRT) {
        mpfr_sqrt(s->w, t, MPFR_RNDN);
        mpfr_add_d(s->w, s->w, 1e-9, MPFR_RNDN);
    }
}

/* Computes g and its weight at t. */
static void function(struct solver *s, mpfr_srcptr t)
{
    s->p->g(s->g, t);
    weigh(s, t);
}

/* Computes numerator / denominator at t into sum, and the denominator into other. */
static void quotient(struct solver *s, mpfr_srcptr t)
{
    mpfr_set_zero(s->sum, 1);
    for (unsigned k = s->p->tops; k-- > 0;) {
        mpfr_fma(s->sum, s->sum, t, s->top[k], MPFR_RNDN);
    }
    mpfr_set_zero(s->other, 1);
    for (unsigned k = s->p->bottoms; k-- > 0;) {
        mpfr_add(s->other, s->other, s->bottom[k], MPFR_RNDN);
        mpfr_mul(s->other, s->other, t, MPFR_RNDN);
    }
    mpfr_add_ui(s->other, s->other, 1, MPFR_RNDN);
    mpfr_div(s->sum, s->sum, s->other, MPFR_RNDN);
}

/* Returns the weighted error at t, for g and the weight there. */
static double error_here(struct solver *s)
{
    quotient(s, s->t);
    mpfr_sub(s->sum, s->sum, s->g, MPFR_RNDN);
    mpfr_mul(s->sum, s->sum, s->w, MPFR_RNDN);
    return mpfr_get_d(s->sum, MPFR_RNDN);
}

static double error_of(struct solver *s, double t)
{
    mpfr_set_d(s->t, t, MPFR_RNDN);
    function(s, s->t);
    return error_here(s);
}

/* Returns the weighted error at t, place i of the grid; places are asked for in their order. */
static double error_on_grid(struct solver *s, unsigned i, double t)
{
    mpfr_set_d(s->t, t, MPFR_RNDN);
    if (i < s->held) {
        mpfr_set(s->g, s->grid[i], MPFR_RNDN);
    } else {
        s->p->g(s->g, s->t);
        mpfr_set(s->grid[i], s->g, MPFR_RNDN);
        s->held = i + 1;
    }
    weigh(s, s->t);
    return error_here(s);
}

/*
 * Solves the equations by Gaussian elimination with pivoting: n unknowns, the right side in column
 * n.
 */
static bool eliminate(struct solver *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned best = i;
        for (unsigned k = i + 1; k < n; k++) {
            best = mpfr_cmpabs(s->m[k][i], s->m[best][i]) > 0 ? k : best;
        }
        if (mpfr_zero_p(s->m[best][i]) || !mpfr_number_p(s->m[best][i])) {
            return false;
        }
        for (unsigned c = i; c <= n; c++) {
            mpfr_swap(s->m[i][c], s->m[best][c]);
        }
        for (unsigned k = 0; k < n; k++) {
            if (k == i) {
                continue;
            }
            mpfr_div(s->other, s->m[k][i], s->m[i][i], MPFR_RNDN);
            for (unsigned c = i; c <= n; c++) {
                mpfr_mul(s->power, s->other, s->m[i][c], MPFR_RNDN);
                mpfr_sub(s->m[k][c], s->m[k][c], s->power, MPFR_RNDN);
            }
        }
    }
    for (unsigned i = 0; i < n; i++) {
        mpfr_div(s->m[i][n], s->m[i][n], s->m[i][i], MPFR_RNDN);
    }
    return true;
}

/*
 * Sets up one equation. The error shall be E with sign s_i at every point: R = g + s_i E / w, where
 * R is numerator / denominator. One Newton step from the current R and denominator B gives:
 * numerator - R (denominator - 1) - B s_i E / w = g B - R (B - 1). Without a denominator this is
 * the equation itself; the first step uses g for R and 1 for B.
 */
static void equation(struct solver *s, unsigned row)
{
    const struct remez *p = s->p;
    mpfr_t *line = s->m[row];
    mpfr_ptr right = line[s->n + 1];
    unsigned column = 0;
    function(s, s->at[row]);
    quotient(s, s->at[row]);
    if (!s->started) {
        mpfr_set(s->sum, s->g, MPFR_RNDN);
        mpfr_set_ui(s->other, 1, MPFR_RNDN);
    }
    mpfr_div(s->w, s->other, s->w, MPFR_RNDN);
    mpfr_mul(right, s->g, s->other, MPFR_RNDN);
    mpfr_sub_ui(s->other, s->other, 1, MPFR_RNDN);
    mpfr_mul(s->other, s->other, s->sum, MPFR_RNDN);
    mpfr_sub(right, right, s->other, MPFR_RNDN);
    mpfr_set_ui(s->power, 1, MPFR_RNDN);
    for (unsigned k = 0; k < p->tops; k++) {
        if ((p->held >> k & 1) != 0) {
            mpfr_mul(s->other, s->top[k], s->power, MPFR_RNDN);
            mpfr_sub(right, right, s->other, MPFR_RNDN);
        } else {
            mpfr_set(line[column++], s->power, MPFR_RNDN);
        }
        mpfr_mul(s->power, s->power, s->at[row], MPFR_RNDN);
    }
    mpfr_set(s->power, s->at[row], MPFR_RNDN);
    for (unsigned k = 0; k < p->bottoms; k++) {
        mpfr_mul(line[column], s->sum, s->power, MPFR_RNDN);
        mpfr_neg(line[column], line[column], MPFR_RNDN);
        column++;
        mpfr_mul(s->power, s->power, s->at[row], MPFR_RNDN);
    }
    mpfr_set(line[column], s->w, MPFR_RNDN);
    if (row % 2 == 0) {
        mpfr_neg(line[column], line[column], MPFR_RNDN);
    }
}

static bool level_errors(struct solver *s)
{
    const struct remez *p = s->p;
    for (unsigned pass = 0; pass < (p->bottoms != 0 ? NEWTON : 1); pass++) {
        for (unsigned row = 0; row <= s->n; row++) {
            equation(s, row);
        }
        if (!eliminate(s, s->n + 1)) {
            return false;
        }
        unsigned column = 0;
        for (unsigned k = 0; k < p->tops; k++) {
            if ((p->held >> k & 1) == 0) {
                mpfr_set(s->top[k], s->m[column++][s->n + 1], MPFR_RNDN);
            }
        }
        for (unsigned k = 0; k < p->bottoms; k++) {
            mpfr_set(s->bottom[k], s->m[column++][s->n + 1], MPFR_RNDN);
        }
        s->started = true;
    }
    return true;
}

/*
 * Finds the maximum of the error between two places by golden section search; sign is that of the
 * error.
 */
static double peak(struct solver *s, double low, double high, int sign)
{
    const double golden = 0.6180339887498949;
    double a = high - golden * (high - low);
    double b = low + golden * (high - low);
    double fa = sign * error_of(s, a);
    double fb = sign * error_of(s, b);
    for (unsigned i = 0; i < FINE && high - low > 1e-13 * (fabs(low) + fabs(high)); i++) {
        if (fa > fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - golden * (high - low);
            fa = sign * error_of(s, a);
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + golden * (high - low);
            fb = sign * error_of(s, b);
        }
    }
    return fa > fb ? a : b;
}

struct extrema {
    unsigned count;
    double at[GRID * REMEZ_POINTS + 1], error[GRID * REMEZ_POINTS + 1];
};

static void extremum(struct extrema *x, double at, double error)
{
    if (x->count != 0 && (x->error[x->count - 1] > 0) == (error > 0)) {
        if (fabs(error) <= fabs(x->error[x->count - 1])) {
            return;
        }
        x->count--;
    }
    x->at[x->count] = at;
    x->error[x->count++] = error;
}

/*
 * Finds the extrema of the error, alternating in sign, on a grid that is dense towards the ends, as
 * the extrema are.
 */
static void find_extrema(struct solver *s, struct extrema *x)
{
    const struct remez *p = s->p;
    const unsigned steps = GRID * (s->n + 1);
    const double pi = 3.14159265358979323846;
    double t[3] = {p->a, p->a, p->a};
    if (s->held_b != p->b) {
        s->held = 0;
        s->held_b = p->b;
    }
    double e[3] = {0, 0, error_on_grid(s, 0, p->a)};
    x->count = 0;
    for (unsigned i = 1; i <= steps; i++) {
        t[0] = t[1];
        t[1] = t[2];
        e[0] = e[1];
        e[1] = e[2];
        t[2] =
            i == steps ? p->b : (p->a + p->b) / 2 - (p->b - p->a) / 2 * cos(pi * i / (double)steps);
        e[2] = error_on_grid(s, i, t[2]);
        if (i == 1) {
            extremum(x, t[1], e[1]);
        } else if (fabs(e[1]) >= fabs(e[0]) && fabs(e[1]) >= fabs(e[2]) &&
                   (e[1] > 0) == (e[0] > 0) && (e[1] > 0) == (e[2] > 0)) {
            const double at = peak(s, t[0], t[2], e[1] > 0 ? 1 : -1);
            extremum(x, at, error_of(s, at));
        }
    }
    extremum(x, t[2], e[2]);
}

static void leave_out(struct extrema *x, unsigned first, unsigned count)
{
    for (unsigned i = first; i + count < x->count; i++) {
        x->at[i] = x->at[i + count];
        x->error[i] = x->error[i + count];
    }
    x->count -= count;
}

/*
 * Selects n + 1 extrema with alternating signs: drops the smallest pair of neighbours while at
 * least two are too many, then the smaller end.
 */
static bool exchange(struct solver *s, struct extrema *x, double *largest, double *least)
{
    *largest = 0;
    *least = INFINITY;
    for (unsigned i = 0; i < x->count; i++) {
        *largest = fmax(*largest, fabs(x->error[i]));
    }
    while (x->count > s->n + 2) {
        unsigned best = 0;
        double low = INFINITY;
        for (unsigned i = 0; i + 1 < x->count; i++) {
            const double height = fmax(fabs(x->error[i]), fabs(x->error[i + 1]));
            best = height < low ? i : best;
            low = fmin(low, height);
        }
        leave_out(x, best, 2);
    }
    if (x->count == s->n + 2) {
        leave_out(x, fabs(x->error[0]) < fabs(x->error[x->count - 1]) ? 0 : x->count - 1, 1);
    }
    for (unsigned i = 0; i < x->count; i++) {
        mpfr_set_d(s->at[i], x->at[i], MPFR_RNDN);
        *least = fmin(*least, fabs(x->error[i]));
    }
    return x->count == s->n + 1;
}

static void deliver(struct solver *s, double largest)
{
    struct remez *p = s->p;
    p->error = largest;
    p->points = s->n + 1;
    for (unsigned i = 0; i <= s->n; i++) {
        p->at[i] = mpfr_get_d(s->at[i], MPFR_RNDN);
    }
    for (unsigned k = 0; k < p->tops; k++) {
        p->top[k] = (p->held >> k & 1) != 0 ? p->top[k] : mpfr_get_d(s->top[k], MPFR_RNDN);
    }
    for (unsigned k = 0; k < p->bottoms; k++) {
        p->bottom[k] = mpfr_get_d(s->bottom[k], MPFR_RNDN);
    }
}

/* Runs the exchange from the current points until it converges. */
static bool remez_settle(struct solver *s, struct extrema *x)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        double largest;
        double least;
        if (!level_errors(s)) {
            return false;
        }
        find_extrema(s, x);
        if (!exchange(s, x, &largest, &least)) {
            return false;
        }
        /*
         * If more extrema than needed have the same height, the exchange keeps switching among
         * them; a looser limit accepts that.
         */
        if (largest - least <= (round < ROUNDS / 4 ? 1e-7 : 1e-4) * largest) {
            deliver(s, largest);
            return true;
        }
    }
    return false;
}

static void first_places(struct solver *s)
{
    const struct remez *p = s->p;
    const double pi = 3.14159265358979323846;
    for (unsigned i = 0; i <= s->n; i++) {
        /* Avoid the ends: with a coefficient held, the error there may be fixed. */
        const double c = s->n == 0 ? 0 : 0.999 * cos(pi * i / (double)s->n);
        mpfr_set_d(s->at[i], (p->a + p->b) / 2 - (p->b - p->a) / 2 * c, MPFR_RNDN);
    }
    for (unsigned k = 0; k < p->tops; k++) {
        mpfr_set_d(s->top[k], (p->held >> k & 1) != 0 ? p->top[k] : 0, MPFR_RNDN);
    }
}

/*
 * Solves the problem. For a quotient it starts on a small part of the interval, where a pole cannot
 * occur, and follows the solution while the interval grows.
 */
static bool approach(struct solver *s, struct extrema *x)
{
    struct remez *p = s->p;
    const double whole = p->b;
    const unsigned steps = p->bottoms != 0 ? STEPS : 1;
    bool good = true;
    for (unsigned step = 1; step <= steps && good; step++) {
        const double part = (double)step / steps;
        const double last = p->b;
        p->b = step == steps ? whole : p->a + (whole - p->a) * part * part;
        if (step == 1) {
            first_places(s);
        }
        for (unsigned i = 0; i <= s->n && step != 1; i++) {
            mpfr_set_d(s->at[i], p->a + (p->at[i] - p->a) * (p->b - p->a) / (last - p->a),
                       MPFR_RNDN);
        }
        good = remez_settle(s, x);
    }
    p->b = whole;
    return good;
}

int remez_solve(struct txl_error *err, struct remez *problem)
{
    struct solver *s = zeroed(err, 1, sizeof *s);
    struct extrema *x = zeroed(err, 1, sizeof *x);
    bool good = false;
    if (s != NULL && x != NULL) {
        s->p = problem;
        s->n = problem->tops + problem->bottoms;
        for (unsigned k = 0; k < problem->tops; k++) {
            s->n -= problem->held >> k & 1;
        }
        each(s, remez_begin);
        good = approach(s, x);
        each(s, remez_end);
    }
    const int result = s == NULL || x == NULL ? TXL_INPUT : good ? TXL_CONTINUE : TXL_NEGATIVE;
    free(s);
    free(x);
    return result == TXL_NEGATIVE
               ? txl_refuse(err, result, "no best approximation of this form is found")
               : result;
}
